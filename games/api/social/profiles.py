"""Players: their stats, and the finished games of theirs that the reader may see."""

from typing import Any, ClassVar, Final

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from accounts.models import Account
from accounts.tokens.scopes import Scope
from accounts.web.api_view import AccountApiView
from accounts.web.requests import AccountRequest
from games.api.shared.problems import refusals_as_problems
from games.api.shared.seat_stats import ANSWER_TIMES, RELIABILITY, AnswerTimesSerializer
from games.api.social.player_stats import PlayerStatsSerializer
from games.archive import player_stats, usual_times
from games.archive.profile import Profile, profile_of
from games.models import Result
from games.refusals import not_found

MOST_RESULTS: Final = 50


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


class HeadToHeadSerializer(serializers.Serializer[Any]):
    """The games of a player with one other."""

    games = serializers.IntegerField()
    won = serializers.IntegerField(help_text="By the player.")
    lost = serializers.IntegerField(help_text="Won by the other.")


class OpponentSerializer(HeadToHeadSerializer):
    """A person who has played with a player."""

    name = serializers.CharField(source="account.name")


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

    def get_against_you(self, account: Account) -> HeadToHeadSerializer(allow_null=True):  # type: ignore[valid-type]
        results = self._profile.against_reader
        return None if results is None else HeadToHeadSerializer(results).data

    def get_bluffs(self, account: Account) -> BluffSerializer(many=True):  # type: ignore[valid-type]
        return BluffSerializer(self._profile.bluffs, many=True).data


class Player(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(operation_id="get_player", responses=PlayerSerializer)
    def get(self, request: AccountRequest, name: str) -> Response:
        """Get a player with their stats and finished games.

        Results, ratings, opponents and bluffs are of the games that you may see.
        """
        account = player_stats.player(name)
        with refusals_as_problems():
            if account is None:
                raise not_found()
        profile = profile_of(account, request.user)
        return Response(PlayerSerializer(account, context={"profile": profile}).data)
