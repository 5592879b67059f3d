"""Players: their stats and finished games, and the leaderboards."""

from typing import Any, ClassVar, Final

from django.utils.decorators import method_decorator
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from accounts.models import Account
from accounts.tokens import Scope
from accounts.web.api_view import AccountApiView, ListApiView
from accounts.web.pagination import PageSerializer
from accounts.web.requests import AccountRequest
from config.core.database.replica import reads_replica
from games.api.shared.fields import ANSWER_TIMES, RATING, RELIABILITY, AnswerTimesSerializer
from games.api.shared.problems import refusals_as_problems
from games.archive import player_stats, usual_times
from games.archive.profile import Profile, profile_of
from games.models import PlayerStats, Result
from games.refusals import not_found
from games.rules.registry import RULES

MOST_RESULTS: Final = 50


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


class ResultSerializer(serializers.ModelSerializer[Result]):
    """A player's result in a finished game."""

    game = serializers.UUIDField(source="game_id")
    rules = serializers.CharField(source="game.rules")
    ended_at = serializers.DateTimeField(source="game.ended_at")
    seat_count = serializers.IntegerField(source="game.seat_count", help_text="The number of players.")
    place = serializers.IntegerField(help_text="From 1; equals share it.")
    rating = serializers.IntegerField(allow_null=True, help_text="The rating after it; null if it was not rated.")

    class Meta:
        model = Result
        fields: ClassVar = ["game", "rules", "ended_at", "seat_count", "won", "place", "rating"]


class RatingLineSerializer(serializers.Serializer[Any]):
    """The ratings of a player in one game at tables of one kind."""

    rules = serializers.CharField()
    with_bots = serializers.BooleanField(help_text="Bots sat at these tables.")
    ratings = serializers.ListField(child=serializers.IntegerField(), help_text="After each game, the oldest first.")


class OpponentSerializer(serializers.Serializer[Any]):
    """A person who has played with a player."""

    name = serializers.CharField(source="account.name")
    games = serializers.IntegerField()
    won = serializers.IntegerField(help_text="By the player.")
    lost = serializers.IntegerField(help_text="Won by the other.")


class BluffSerializer(serializers.Serializer[Any]):
    """A claim that a player makes, and how often it was untrue, and caught."""

    rules = serializers.CharField()
    claim = serializers.CharField()
    made = serializers.IntegerField(help_text="How often it was claimed.")
    lies = serializers.IntegerField(help_text="How often it was untrue.")
    caught = serializers.IntegerField(help_text="How often a challenge showed that.")


class PlayerSerializer(serializers.ModelSerializer[Account]):
    """The public data of a player."""

    reliability = serializers.SerializerMethodField(help_text=RELIABILITY)
    answer_times = serializers.SerializerMethodField(help_text=ANSWER_TIMES)
    player_stats = serializers.SerializerMethodField(help_text="One entry for each game and kind of table.")
    results = serializers.SerializerMethodField(
        help_text=f"The last {MOST_RESULTS} finished games that you may see, the newest first."
    )
    ratings = serializers.SerializerMethodField(help_text="The ratings over time, for each game and kind of table.")
    opponents = serializers.SerializerMethodField(help_text="The most frequent opponents of this player.")
    against_you = serializers.SerializerMethodField(
        help_text="The games that you have played together; null if there are none."
    )
    bluffs = serializers.SerializerMethodField(help_text="The claims that this player has made untruly most often.")

    class Meta:
        model = Account
        fields: ClassVar = [
            "name", "is_bot", "reliability", "answer_times", "player_stats", "results", "ratings", "opponents",
            "against_you", "bluffs",
        ]  # fmt: skip

    def get_reliability(self, account: Account) -> float | None:
        return player_stats.reliability(account.player_stats.all())

    def get_answer_times(self, account: Account) -> AnswerTimesSerializer(allow_null=True):  # type: ignore[valid-type]
        answer_times = usual_times.shown_times(account)
        return None if answer_times is None else AnswerTimesSerializer(answer_times).data

    def get_player_stats(self, account: Account) -> PlayerStatsSerializer(many=True):  # type: ignore[valid-type]
        order = sorted(account.player_stats.all(), key=lambda stats: (stats.rules, stats.with_bots, stats.seat_count))
        return PlayerStatsSerializer(order, many=True).data

    @property
    def _profile(self) -> Profile:
        profile: Profile = self.context["profile"]
        return profile

    def get_results(self, account: Account) -> ResultSerializer(many=True):  # type: ignore[valid-type]
        return ResultSerializer(self._profile.results[:MOST_RESULTS], many=True).data

    def get_ratings(self, account: Account) -> RatingLineSerializer(many=True):  # type: ignore[valid-type]
        return RatingLineSerializer(self._profile.ratings, many=True).data

    def get_opponents(self, account: Account) -> OpponentSerializer(many=True):  # type: ignore[valid-type]
        return OpponentSerializer(self._profile.opponents, many=True).data

    def get_against_you(self, account: Account) -> OpponentSerializer(allow_null=True):  # type: ignore[valid-type]
        results = self._profile.against_reader
        return None if results is None else OpponentSerializer(results).data

    def get_bluffs(self, account: Account) -> BluffSerializer(many=True):  # type: ignore[valid-type]
        return BluffSerializer(self._profile.bluffs, many=True).data


@method_decorator(reads_replica, name="get")
class Player(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(operation_id="get_player", responses=PlayerSerializer)
    def get(self, request: AccountRequest, player: str) -> Response:
        """Get a player with their stats and finished games.

        Results, ratings, opponents and bluffs are of the games that you may see.
        """
        account = player_stats.player(player)
        with refusals_as_problems():
            if account is None:
                raise not_found()
        profile = profile_of(account, request.user)
        return Response(PlayerSerializer(account, context={"profile": profile}).data)


class BoardSerializer(PageSerializer):
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


@method_decorator(reads_replica, name="get")
class Leaders(ListApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}
    query_serializer = BoardSerializer

    @extend_schema(
        operation_id="list_leaders",
        tags=["players"],
        responses=LeaderSerializer(many=True),
    )
    def get(self, request: AccountRequest) -> Response:
        """List the players who have finished at least 5 games with these rules, the best first."""
        pages = self.pagination_class(self.query["limit"])
        board = pages.paginate_list(player_stats.leaders(**self.filters), request)
        for place, stats in enumerate(board, start=pages.start + 1):
            stats.place = place
        return pages.get_paginated_response(LeaderSerializer(board, many=True).data)
