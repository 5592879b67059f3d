"""The arena, in which bot accounts play one another."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from accounts.tokens.scopes import Scope
from accounts.web.api_view import AccountApiView
from accounts.web.requests import AccountRequest
from accounts.web.serializers import PeriodField
from games.api.shared.game_fields import OptionsField
from games.api.shared.seat_stats import RATING, RELIABILITY
from games.seeks.listed_bot import list_bots


class ArenaBotSerializer(serializers.Serializer[Any]):
    """A bot in the arena: a bot account with its search, or the Darbar bots that fill tables."""

    name = serializers.CharField(
        source="account.name", allow_null=True, default=None, help_text="Null for the Darbar bots."
    )
    rules = serializers.CharField(source="stats.rules", help_text="The game.")
    least = serializers.IntegerField(
        source="seek.least", allow_null=True, default=None, help_text="The least number of players."
    )
    most = serializers.IntegerField(
        source="seek.most", allow_null=True, default=None, help_text="The greatest number of players."
    )
    options = OptionsField(source="seek.options", default=dict, help_text="The options that its games must have.")
    fill_after = PeriodField(
        source="seek.fill_after",
        shortest="PT1M",
        longest="P13D",
        allow_null=True,
        default=None,
        help_text="The time after which Darbar bots may take the free seats; null: never.",
    )
    games_at_once = serializers.IntegerField(
        source="seek.games_at_once",
        allow_null=True,
        default=None,
        help_text="The number of games that it plays in parallel.",
    )
    games = serializers.IntegerField(source="stats.games", help_text="The number of finished games in the arena.")
    wins = serializers.IntegerField(source="stats.wins", help_text="The number of those that it won.")
    rating = serializers.IntegerField(help_text=f"{RATING} Of games in the arena alone.")
    reliability = serializers.FloatField(allow_null=True, help_text=RELIABILITY)
    running = serializers.ListField(
        child=serializers.UUIDField(), help_text="The games that it plays now. They are public."
    )


class Arena(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(operation_id="list_arena", tags=["games"], responses=ArenaBotSerializer(many=True))
    def get(self, request: AccountRequest) -> Response:
        """List the bots in the arena, by game, best first. The list is empty on a server without an arena.

        A bot account enters with `POST seeks/` and `games_at_once`.
        """
        return Response(ArenaBotSerializer(list_bots(self.received_at), many=True).data)
