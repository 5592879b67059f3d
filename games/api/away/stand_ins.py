"""Stand-ins: other accounts that may answer for a seat."""

from typing import Any, ClassVar
from uuid import UUID

from django.urls import reverse
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response

from accounts.limits.idempotency import Effect
from accounts.profile import names
from accounts.tokens.scopes import Scope
from accounts.web.api_view import KEY, AccountApiView, run_idempotent, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import StrictSerializer
from games.api.shared.problems import refusals_as_problems
from games.away import stand_ins
from games.models import StandIn
from games.refusals import not_found
from games.visibility.access import GameAccess, access_to_game

_STAND_IN = {
    "seat": 2,
    "player": "Maryam",
    "stand_in": "Kaveh",
    "began_at": "2026-03-22T12:00:00Z",
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
    began_at = serializers.DateTimeField()
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
        operation_id="name_stand_in",
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

    @extend_schema(operation_id="withdraw_stand_in", responses={204: None})
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
