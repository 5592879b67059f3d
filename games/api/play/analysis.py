"""The analysis of a finished game."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from accounts.tokens.scopes import Scope
from accounts.web.api_view import AccountApiView, validated_query
from accounts.web.requests import AccountRequest
from accounts.web.serializers import QuerySerializer
from config.core import clock
from games.api.shared.problems import refusals_as_problems
from games.archive.analysis.making import open_analysis
from games.archive.analysis.report import Report, report
from games.engine import EVERYONE, SeatNumber
from games.visibility.access import access_to_game
from games.visibility.player_view import PlayerView


class WhoseSerializer(QuerySerializer):
    """The seat whose decisions are analysed."""

    seat = serializers.IntegerField(
        min_value=1,
        required=False,
        help_text="Without it: your own, or the first one if you had none.",
    )


class BetterMoveSerializer(serializers.Serializer[Any]):
    """A move that would have been better."""

    move = serializers.CharField(help_text="In your language.")
    means = serializers.CharField(help_text="That it is a bluff, or what it costs; may be blank.")
    gain = serializers.IntegerField(help_text="The number of games more that it would win of 100 such games.")
    error = serializers.IntegerField(help_text="Twice the error of that; never more than the gain.")


class DecisionSerializer(serializers.Serializer[Any]):
    """A decision, judged by the facts that the player knew then."""

    line = serializers.IntegerField(help_text="The number of the line of the log that it led to.")
    asked = serializers.CharField(help_text="The question, in your language.")
    chosen = serializers.CharField(help_text="The move, in your language.")
    move = serializers.DictField(help_text="The move, as the game's JSON.")
    better = BetterMoveSerializer(allow_null=True, help_text="Null where nothing was better for certain.")
    likely = serializers.ListField(
        child=serializers.CharField(), help_text="How likely the hidden cards were what mattered there, in sentences."
    )


class TurningPointSerializer(serializers.Serializer[Any]):
    """A turn that changed the game."""

    line = serializers.IntegerField(help_text="The number of the first line of the turn in the log.")
    told = serializers.CharField(help_text="The line of the story.")
    why = serializers.CharField(help_text="Whose chances it changed.")


class PlayerBluffsSerializer(serializers.Serializer[Any]):
    """The number of times that a player bluffed, and was believed."""

    seat = serializers.IntegerField()
    claims = serializers.IntegerField(help_text="All claims.")
    bluffs = serializers.IntegerField(help_text="Untrue claims.")
    believed = serializers.IntegerField(help_text="Untrue claims that were not caught.")


class AnalysisSerializer(serializers.Serializer[Any]):
    """The decisions of one player in a game that is over."""

    state = serializers.ChoiceField(choices=("computing", "ready"))
    seat = serializers.IntegerField()
    decision_count = serializers.IntegerField(help_text="The number of decisions, those not looked at yet among them.")
    decisions = DecisionSerializer(many=True, help_text="In their order, as far as they were looked at.")
    turning_points = TurningPointSerializer(many=True, help_text="At most three, in their order.")
    bluffs = PlayerBluffsSerializer(many=True, help_text="A row for each player who claimed something.")


class OneAnalysis(AccountApiView):
    """The analysis of one player's decisions."""

    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(
        operation_id="get_analysis",
        tags=["archive"],
        parameters=[WhoseSerializer],
        responses={200: AnalysisSerializer, 202: AnalysisSerializer},
    )
    def get(self, request: AccountRequest, game: UUID) -> Response:
        """Get the decisions of a player in a finished game, with better moves if there are any.

        It is computed on the first request: 202 until it is `ready`. Ask again after some seconds. It uses only what
        the player had been shown before each decision. 409 `conflict` while the game is not over, and for a kind of
        game that is not analysed.
        """
        seat_number = validated_query(WhoseSerializer, request).get("seat")
        with refusals_as_problems():
            access = access_to_game(request.user, game)
            seat = SeatNumber(seat_number or access.seat or 1)
            analysis = open_analysis(access.game, seat, request.user, clock.now())
            result = report(analysis, PlayerView(access.game, access.seat, access.account, EVERYONE))
        return Response(_document(result), 200 if result.is_done else 202)


def _document(result: Report) -> dict[str, Any]:
    return {
        "state": "ready" if result.is_done else "computing",
        "seat": result.seat,
        "decision_count": result.decisions,
        "decisions": [
            {**vars(decision), "better": decision.better and vars(decision.better)} for decision in result.decided
        ],
        "turning_points": [vars(point) for point in result.turning_points],
        "bluffs": [vars(bluff) for bluff in result.bluffs],
    }
