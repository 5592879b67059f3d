"""Absence from a game: pauses, stand-ins, vacations, and coming back to a seat that a bot has played."""

from typing import Any, ClassVar
from uuid import UUID

from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response

from accounts import names
from accounts.idempotency import Effect
from accounts.tokens import Scope
from accounts.web.api_view import KEY, AccountApiView, ListApiView, id_in_location, run_idempotent, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import NothingSerializer, PeriodField, StrictSerializer
from config.core import clock
from games.api.games import API, GameActionView
from games.api.shared.problems import refusals_as_problems
from games.api.shared.serializers import GameSerializer
from games.event_log import log_store
from games.models import StandIn
from games.play import absence
from games.refusals import not_found
from games.tables import pausing, stand_ins, vacations
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


class PauseAnswerSerializer(StrictSerializer):
    """Your answer to a pause."""

    wants_pause = serializers.BooleanField(help_text="Whether you want the game to pause.")


class Pause(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ, "POST": Scope.GAMES_PLAY, "PUT": Scope.GAMES_PLAY}

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
        """Propose a pause. It starts once all living players have agreed; silence is not agreement.

        A proposal expires after the time for a turn. Only one can be made in each turn.
        """
        length = validated_data(NewPauseSerializer(data=request.data))["length"]

        def effect() -> Effect:
            pausing.propose(game, request.user, length, API, self.received_at)
            return Effect(reverse("pause", args=[game]), game)

        with refusals_as_problems():
            location = run_idempotent(request, effect, self.received_at)
            body = _serialize_pause(access_to_game(request.user, game))
        return Response(body, status.HTTP_201_CREATED, headers={"Location": location})

    @extend_schema(operation_id="answer_pause", tags=["play"], request=PauseAnswerSerializer, responses=PauseSerializer)
    def put(self, request: AccountRequest, game: UUID) -> Response:
        """Say whether you want the pause that is proposed or under way.

        `true` agrees to a proposal. When the last player agrees the pause starts, and every deadline moves by its
        length. `false` drops a proposal, and the other players are not told who declined. While the game is paused,
        `false` agrees to go on early: the game goes on once all players who are not out agree.
        """
        wants_pause = validated_data(PauseAnswerSerializer(data=request.data))["wants_pause"]
        with refusals_as_problems():
            pausing.answer(game, request.user, API, self.received_at, wants_pause=wants_pause)
            return Response(_serialize_pause(access_to_game(request.user, game)))


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


_STAND_IN = {
    "seat": 2,
    "player": "Maryam",
    "stand_in": "Kaveh",
    "started_at": "2026-03-22T12:00:00Z",
    "until": "2026-03-29T12:00:00Z",
}


class NewStandInSerializer(StrictSerializer):
    """A stand-in for your seat, and the time until which they may answer."""

    name = serializers.CharField(max_length=names.LONGEST, help_text="Their player name. They need an account here.")
    until = serializers.DateTimeField(help_text="At most 60 days from now.")


class NamedStandInSerializer(serializers.Serializer[Any]):
    """A stand-in of a player."""

    seat = serializers.IntegerField()
    player = serializers.CharField(source="owner.name", help_text="The player whose seat it is.")
    stand_in = serializers.CharField(source="account.name", help_text="The player who may answer for it.")
    started_at = serializers.DateTimeField(source="began_at")
    until = serializers.DateTimeField(help_text="Known to these two only.")


class StandInView(AccountApiView):
    """The stand-in of a player. The player and the stand-in see the same resource."""

    required_scopes: ClassVar = {"GET": Scope.GAMES_READ, "POST": Scope.GAMES_PLAY, "DELETE": Scope.GAMES_PLAY}

    @extend_schema(
        operation_id="get_stand_in",
        responses=NamedStandInSerializer,
        examples=[OpenApiExample("Kaveh answers for Maryam", _STAND_IN, response_only=True)],
    )
    def get(self, request: AccountRequest, game: UUID) -> Response:
        """Get the stand-in of your seat, or the seat for which you are the stand-in; 404 if there is none."""
        with refusals_as_problems():
            return Response(NamedStandInSerializer(_get_stand_in(access_to_game(request.user, game))).data)

    @extend_schema(
        operation_id="create_stand_in",
        request=NewStandInSerializer,
        responses={201: NamedStandInSerializer},
        parameters=[KEY],
        examples=[
            OpenApiExample("For a week", {"name": "Kaveh", "until": _STAND_IN["until"]}, request_only=True),
            OpenApiExample("Kaveh answers for Maryam", _STAND_IN, response_only=True, status_codes=["201"]),
        ],
    )
    def post(self, request: AccountRequest, game: UUID) -> Response:
        """Name a stand-in, who may also answer for your seat until a given time. They replace an earlier one.

        With their own account they see what your seat sees and which questions it has, in this game and while it is
        running. They do not see the chat or any other game. All players see who they are. They cannot resign for you.
        """
        data = validated_data(NewStandInSerializer(data=request.data))
        with refusals_as_problems():
            access = access_to_game(request.user, game)

            def effect() -> Effect:
                account = stand_ins.find_account(data["name"])
                stand_ins.name_stand_in(game, request.user, account, data["until"], self.received_at)
                return Effect(reverse("stand-in", args=[game]), game)

            location = run_idempotent(request, effect, self.received_at)
            body = NamedStandInSerializer(_get_stand_in(access)).data
        return Response(body, status.HTTP_201_CREATED, headers={"Location": location})

    @extend_schema(operation_id="delete_stand_in", responses={204: None})
    def delete(self, request: AccountRequest, game: UUID) -> Response:
        """End the stand-in, as the player or as the stand-in."""
        with refusals_as_problems():
            access_to_game(request.user, game)
            stand_ins.withdraw(game, request.user, self.received_at)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _get_stand_in(access: GameAccess) -> StandIn:
    stand_in = stand_ins.current_stand_in(access.game, access.account)
    if stand_in is None:
        raise not_found()
    return stand_in


class NewVacationSerializer(StrictSerializer):
    """A vacation to plan."""

    first = serializers.DateField(help_text="Its first day, in your time zone: it starts in a day from now or later.")
    last = serializers.DateField(
        help_text="Its last day. You have 30 days in a calendar year: of the Jalali calendar if your language "
        "is Persian."
    )


class VacationSerializer(serializers.Serializer[Any]):
    """A vacation of your own."""

    id = serializers.UUIDField()
    first = serializers.DateField()
    last = serializers.DateField()


class VacationList(ListApiView):
    required_scopes: ClassVar = {"GET": Scope.ACCOUNT, "POST": Scope.ACCOUNT}

    @extend_schema(operation_id="list_vacations", tags=["me"], responses=VacationSerializer(many=True))
    def get(self, request: AccountRequest) -> Response:
        """List your vacations of this year and later, the earliest first."""
        return self.page_response(vacations.list_vacations(request.user), VacationSerializer)

    @extend_schema(
        operation_id="create_vacation",
        tags=["me"],
        request=NewVacationSerializer,
        responses={201: VacationSerializer},
        parameters=[KEY],
    )
    def post(self, request: AccountRequest) -> Response:
        """Plan a vacation: days on which your time does not run, in every game as far as its schedule allows.

        Deadlines that are open are moved too, and never nearer. Others are not told, but see the latest moment until
        which they may have to wait.
        """
        days = validated_data(NewVacationSerializer(data=request.data))

        def effect() -> Effect:
            vacation = vacations.announce(request.user, **days, now=self.received_at)
            return Effect(reverse("vacation", args=[vacation.id]))

        with refusals_as_problems():
            location = run_idempotent(request, effect, self.received_at)
            vacation = _get_own_vacation(request, UUID(id_in_location(location)))
        return Response(VacationSerializer(vacation).data, status.HTTP_201_CREATED, headers={"Location": location})


class VacationDetail(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.ACCOUNT, "DELETE": Scope.ACCOUNT}

    @extend_schema(operation_id="get_vacation", tags=["me"], responses=VacationSerializer)
    def get(self, request: AccountRequest, vacation: UUID) -> Response:
        """Get one of your vacations."""
        with refusals_as_problems():
            return Response(VacationSerializer(_get_own_vacation(request, vacation)).data)

    @extend_schema(operation_id="delete_vacation", tags=["me"], responses={204: None})
    def delete(self, request: AccountRequest, vacation: UUID) -> Response:
        """Cancel a vacation that has not started, unless a deadline was moved for it."""
        with refusals_as_problems():
            vacations.withdraw(request.user, vacation, self.received_at)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _get_own_vacation(request: AccountRequest, vacation: UUID) -> vacations.Vacation:
    own_vacation = next((row for row in vacations.list_vacations(request.user) if row.id == vacation), None)
    if own_vacation is None:
        raise not_found()
    return own_vacation


class ComeBack(GameActionView):
    @extend_schema(operation_id="return_to_seat", request=NothingSerializer, responses=GameSerializer, parameters=[KEY])
    def post(self, request: AccountRequest, game: UUID) -> Response:
        """Come back to your seat: the bot that plays for you leaves, and your missed questions are counted from zero
        again.

        Any move of your own does the same.
        """
        validated_data(NothingSerializer(data=request.data))
        with refusals_as_problems():
            access_to_game(request.user, game)
        return self.change(request, game, lambda: absence.come_back(game, request.user, self.received_at))
