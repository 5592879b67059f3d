"""Player stats as a game shows them, and the words for ratings and reliability."""

from typing import Any, Final

from rest_framework import serializers

RATING: Final = (
    "The rating that openskill's Plackett-Luce model is sure of (mean less three deviations); newcomers begin at 1500."
)
RELIABILITY: Final = "The share of questions that this player answered in time: 0 to 1. Null without any."


class SeatStatsSerializer(serializers.Serializer[Any]):
    """The games that a player at a table has finished before: with these rules, at tables of people."""

    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    rating = serializers.IntegerField(allow_null=True, help_text=f"{RATING} Null before the first game.")
    reliability = serializers.FloatField(allow_null=True, help_text=f"{RELIABILITY} In all games.")
