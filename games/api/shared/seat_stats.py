"""Player stats at a seat, and the help texts about ratings and reliability."""

from typing import Final

from rest_framework import serializers

from accounts.web.serializers import PeriodField, ShownSerializer

RATING: Final = (
    "The rating that openskill's Plackett-Luce model is sure of (mean less three deviations); newcomers begin at 1500."
)
RELIABILITY: Final = "The share of questions that this player answered in time: 0 to 1. Null without any."

ANSWER_TIMES: Final = (
    "The usual times in which this player answers. Null if unknown, or if the player does not show it."
)


class AnswerTimesSerializer(ShownSerializer):
    """The usual times in which a player answers, from at least 20 answers in finished games with turns of a day or
    more. Rounded up."""

    half_within = PeriodField(
        shortest="PT1H", longest="P9999D", read_only=True, help_text="Half of the answers took no longer."
    )
    most_within = PeriodField(
        shortest="PT1H", longest="P9999D", read_only=True, help_text="Nine of ten answers took no longer."
    )


class SeatStatsSerializer(ShownSerializer):
    """The games that a player at a table has finished before: with these rules, at tables of people."""

    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    rating = serializers.IntegerField(allow_null=True, help_text=f"{RATING} Null before the first game.")
    reliability = serializers.FloatField(allow_null=True, help_text=f"{RELIABILITY} In all games.")
    answer_times = AnswerTimesSerializer(allow_null=True, help_text=ANSWER_TIMES)


# Shared by all seats, because creating a serializer takes longer than using it.
SEAT_STATS: Final = SeatStatsSerializer()
