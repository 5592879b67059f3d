"""Player stats, and the leaderboards."""

from typing import ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from accounts.tokens.scopes import Scope
from accounts.web.api_view import AccountApiView, validated_query
from accounts.web.requests import AccountRequest
from accounts.web.serializers import QuerySerializer
from games.api.shared.seat_stats import RATING
from games.archive import player_stats
from games.models import PlayerStats
from games.rules.registry import RULES


class PlayerStatsSerializer(serializers.ModelSerializer[PlayerStats]):
    """The finished games of a player in one game, at tables of one kind."""

    seat_count = serializers.SerializerMethodField(
        help_text="The number of players at these tables; null for all tables."
    )
    with_bots = serializers.BooleanField(help_text="Bots sat at these tables.")
    rating = serializers.SerializerMethodField(help_text=RATING)

    class Meta:
        model = PlayerStats
        fields: ClassVar = ["rules", "seat_count", "with_bots", "games", "wins", "rating"]

    def get_seat_count(self, stats: PlayerStats) -> int | None:
        return stats.seat_count or None

    def get_rating(self, stats: PlayerStats) -> int:
        return player_stats.points(stats)


class BoardSerializer(QuerySerializer):
    """The board to show."""

    rules = serializers.ChoiceField(choices=sorted(RULES), help_text="The game.")
    seat_count = serializers.IntegerField(
        min_value=1,
        max_value=100,
        required=False,
        help_text="Only games with this many players. Without it: all games.",
    )
    with_bots = serializers.BooleanField(
        default=False, help_text="True: games with bots. Without it: games of people alone."
    )


class LeaderSerializer(PlayerStatsSerializer):
    """A place in the ranking."""

    place = serializers.IntegerField()
    name = serializers.CharField(source="account.name", allow_null=True, default=None, help_text="Null for the bots.")
    is_bot = serializers.BooleanField(source="account.is_bot", default=True, help_text="True if a program plays.")

    class Meta(PlayerStatsSerializer.Meta):
        fields: ClassVar = ["place", "name", "is_bot", *PlayerStatsSerializer.Meta.fields]


class Leaders(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(
        operation_id="list_leaders",
        tags=["players"],
        parameters=[BoardSerializer],
        responses=LeaderSerializer(many=True),
    )
    def get(self, request: AccountRequest) -> Response:
        """List the best 100 players who have finished at least 5 games with these rules, the best first."""
        query = validated_query(BoardSerializer, request)
        board = player_stats.leaders(
            query["rules"], query.get("seat_count", player_stats.ALL_SEATS), with_bots=query["with_bots"]
        )
        for place, stats in enumerate(board, start=1):
            stats.place = place  # type: ignore[attr-defined]
        return Response(LeaderSerializer(board, many=True).data)
