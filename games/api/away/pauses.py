"""Pauses that the players of a game agree on."""

from collections.abc import Callable
from typing import Any, ClassVar, TypeVar
from uuid import UUID

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response

from accounts.limits.idempotency import Effect
from accounts.tokens.scopes import Scope
from accounts.web.api_view import KEY, AccountApiView, run_idempotent, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import NothingSerializer, PeriodField, StrictSerializer
from config.core import clock
from games.api.lobby.games import API
from games.api.shared.problems import refusals_as_problems
from games.away import pausing
from games.event_log import log_store
from games.visibility.access import GameAccess, access_to_game

_STATES = (("none", "none"), ("proposed", "proposed"), ("paused", "paused"))


class NewPauseSerializer(StrictSerializer):
    """A pause to propose."""

    length = PeriodField(
        shortest="PT1M",
        longest="P60D",
        default=None,
        allow_null=True,
        help_text="The length of the pause. Without it: the longest that is possible.",
    )


class PauseSerializer(serializers.Serializer[Any]):
    """The state of pauses in a game."""

    state = serializers.ChoiceField(choices=_STATES)
    length = PeriodField(
        shortest="PT1M",
        longest="P60D",
        allow_null=True,
        help_text="The length of the pause that is proposed or under way.",
    )
    ends_at = serializers.DateTimeField(
        allow_null=True, help_text="The time at which a proposal lapses, or at which a pause ends by itself."
    )
    agreed = serializers.ListField(
        child=serializers.IntegerField(), help_text="The seats that agree: to pause, or to go on early."
    )
    missing = serializers.ListField(child=serializers.IntegerField(), help_text="The seats that have not agreed yet.")
    longest = PeriodField(
        shortest="PT0S", longest="P60D", help_text="The longest pause that may be proposed; `PT0S`: none."
    )
    left = PeriodField(shortest="PT0S", longest="P60D", help_text="The time for pauses that the game has left.")


class Pause(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ, "POST": Scope.GAMES_PLAY}

    @extend_schema(operation_id="get_pause", tags=["play"], responses=PauseSerializer)
    def get(self, request: AccountRequest, game: UUID) -> Response:
        """Get the pause that is proposed or under way, who agrees, and how much time for pauses is left."""
        with refusals_as_problems():
            return Response(_serialize_pause(access_to_game(request.user, game)))

    @extend_schema(
        operation_id="propose_pause",
        tags=["play"],
        request=NewPauseSerializer,
        responses={201: PauseSerializer},
        parameters=[KEY],
    )
    def post(self, request: AccountRequest, game: UUID) -> Response:
        """Propose a pause. It begins once all living players have agreed; silence is not agreement.

        A proposal expires after the time for a turn. Only one can be made in each turn.
        """
        length = validated_data(NewPauseSerializer(data=request.data))["length"]
        return _vote(
            self,
            game,
            lambda: pausing.propose(game, request.user, length, API, self.received_at),
            status.HTTP_201_CREATED,
        )


_Method = TypeVar("_Method", bound=Callable[..., Response])


def _vote_schema(operation: str) -> Callable[[_Method], _Method]:
    """Describe an operation that votes on a pause. Its request has no body."""
    describe: Callable[[_Method], _Method] = extend_schema(
        operation_id=operation, tags=["play"], request=NothingSerializer, responses=PauseSerializer, parameters=[KEY]
    )
    return describe


class Agree(AccountApiView):
    required_scopes: ClassVar = {"POST": Scope.GAMES_PLAY}

    @_vote_schema("agree_to_pause")
    def post(self, request: AccountRequest, game: UUID) -> Response:
        """Agree to the pause that is proposed. When the last player agrees it begins, and every deadline moves by
        its length."""
        validated_data(NothingSerializer(data=request.data))
        return _vote(self, game, lambda: pausing.agree(game, request.user, API, self.received_at))


class Decline(AccountApiView):
    required_scopes: ClassVar = {"POST": Scope.GAMES_PLAY}

    @_vote_schema("decline_pause")
    def post(self, request: AccountRequest, game: UUID) -> Response:
        """Decline the pause: the proposal is dropped. The other players are not told who declined."""
        validated_data(NothingSerializer(data=request.data))
        return _vote(self, game, lambda: pausing.decline(game, request.user, self.received_at))


class Resume(AccountApiView):
    required_scopes: ClassVar = {"POST": Scope.GAMES_PLAY}

    @_vote_schema("end_pause")
    def post(self, request: AccountRequest, game: UUID) -> Response:
        """Agree to go on before the pause is over; the game goes on once all players who are not out agree."""
        validated_data(NothingSerializer(data=request.data))
        return _vote(self, game, lambda: pausing.resume(game, request.user, API, self.received_at))


def _vote(view: AccountApiView, game: UUID, vote: Callable[[], None], code: int = status.HTTP_200_OK) -> Response:
    """Vote once for the request's idempotency key, and return the pause after the vote."""

    def effect() -> Effect:
        vote()
        return Effect(reverse("pause", args=[game]), game)

    with refusals_as_problems():
        location = run_idempotent(view.request, effect, view.received_at)
        return Response(_serialize_pause(access_to_game(view.request.user, game)), code, headers={"Location": location})


def _serialize_pause(access: GameAccess) -> Any:
    status = pausing.pause_status(access.game, log_store.position(access.game), clock.now())
    pause = status.pause
    return PauseSerializer(
        {
            "state": "none" if pause is None else "paused" if pause.on else "proposed",
            "length": None if pause is None else pause.length,
            "ends_at": None if pause is None else pause.ends_at,
            "agreed": [] if pause is None else list(pause.agreed),
            "missing": status.missing,
            "longest": status.longest,
            "left": status.left,
        }
    ).data
