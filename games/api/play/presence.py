"""Presence: whether all players of a game are here now."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from accounts.tokens.scopes import Scope
from accounts.web.api_view import AccountApiView, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import NothingSerializer
from config.core import clock
from games.announcements import stream_events
from games.api.shared.problems import refusals_as_problems
from games.engine import Phrase, gettext_noop
from games.refusals import Refusal
from games.visibility import presence
from games.visibility.access import GameAccess, access_to_game


class PresenceSerializer(serializers.Serializer[Any]):
    """The presence of the players."""

    all_here = serializers.BooleanField(
        help_text="True while all who play have the game open, and all of them agreed to show it (`shows_presence`)."
    )


class PresenceView(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ, "PUT": Scope.GAMES_PLAY}

    @extend_schema(operation_id="get_presence", tags=["play"], responses=PresenceSerializer)
    def get(self, request: AccountRequest, game: UUID) -> Response:
        """Get whether all players are here now. Only players can see it, and only if all of them have agreed to show
        it.

        It says nothing about single players. On the event stream `presence` is sent when the last of them has come.
        """
        with refusals_as_problems():
            access = _require_seat(request, game)
        here = presence.all_here(access.game, access.account, clock.now())
        return Response({"all_here": here is not None})

    @extend_schema(
        operation_id="note_presence",
        tags=["play"],
        request=NothingSerializer,
        responses=PresenceSerializer,
    )
    def put(self, request: AccountRequest, game: UUID) -> Response:
        """Say that you have the game open. Repeat it every minute while you have: after three minutes you count as
        gone.

        While all players are here, no email with a question of this game is sent. Needs `shows_presence`.
        """
        validated_data(NothingSerializer(data=request.data))
        with refusals_as_problems():
            access = _require_seat(request, game)
            if not access.account.shows_presence:
                sentence = gettext_noop("You have not agreed to show that you are here: set “shows_presence” first.")
                raise Refusal("conflict", Phrase(sentence))
        return Response({"all_here": stream_events.arrive(access.game, access.account, clock.now())})


def _require_seat(request: AccountRequest, game: UUID) -> GameAccess:
    """Return the access of a player. Raises Refusal(forbidden) for other accounts."""
    access = access_to_game(request.user, game)
    if access.seat is None:
        raise Refusal("forbidden", Phrase(gettext_noop("Only players learn who is here.")))
    return access
