"""Finished games: the record, single steps, the transcript, statistics, and the analysis."""

from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

import msgspec
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils.decorators import method_decorator
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from accounts.tokens import Scope
from accounts.web.api_view import AccountApiView, OneForm
from accounts.web.requests import AccountRequest
from accounts.web.serializers import QuerySerializer
from config.core import clock
from config.core.database.replica import reads_replica
from games.api.shared.events import serialize_event
from games.api.shared.fields import RulesOwnField
from games.api.shared.problems import refusals_as_problems
from games.api.shared.responses import IF_NONE_MATCH, etag_response
from games.api.shared.schema import GAME_VIEW, RULES_FIELD
from games.api.shared.serializers import ShownEventSerializer
from games.archive import records
from games.archive.analyses import GRADES, BetterMove, Report, bluffs, open_analysis, report, turning_points
from games.engine import EVERYONE, SPECTATOR, SeatNumber, Viewer
from games.engine.record import dump
from games.event_log import log_store
from games.event_log.log_store import events_of
from games.models import Game
from games.phrases import render_phrase
from games.visibility.access import GameAccess, access_to_game
from games.visibility.player_view import PlayerView


class SeenSerializer(QuerySerializer):
    """The viewer whose view of a finished game is read."""

    seat = serializers.IntegerField(
        min_value=0,
        required=False,
        help_text="As the player on this seat saw it then; 0: as a spectator did. Without it: as everyone sees it now.",
    )


class StepSerializer(serializers.Serializer[Any]):
    """A game after one line of its log."""

    number = serializers.IntegerField(help_text="The line's number in the whole log.")
    last = serializers.IntegerField(help_text="The number of lines in the log.")
    line = ShownEventSerializer(allow_null=True, help_text="Null if this viewer was told nothing of it.")
    view = RulesOwnField(GAME_VIEW, allow_null=True, help_text="Null until the cards are dealt.")


class ClaimsSerializer(serializers.Serializer[Any]):
    """The numbers of a player's claims of one character."""

    seat = serializers.IntegerField()
    claim = serializers.CharField(help_text="A character.")
    denies = serializers.BooleanField(help_text="The claim was not to have it.")
    made = serializers.IntegerField()
    lies = serializers.IntegerField(help_text="Untrue claims.")
    challenged = serializers.IntegerField()
    proved = serializers.IntegerField(help_text="Claims that were challenged and proved.")
    fallen = serializers.IntegerField(help_text="Claims that were challenged and not proved.")


class ChallengesSerializer(serializers.Serializer[Any]):
    """The number of times that a player challenged, and who was right."""

    seat = serializers.IntegerField()
    made = serializers.IntegerField()
    right = serializers.IntegerField(help_text="The claim was not proved.")
    wrong = serializers.IntegerField(help_text="The claim was proved.")


class NamedCountSerializer(serializers.Serializer[Any]):
    """A number that a game counts for a player."""

    seat = serializers.IntegerField()
    name = serializers.CharField(help_text="The game's own name for it.")
    label = serializers.CharField(  # type: ignore[assignment]  # a field, which leaves ``Field.label`` alone
        help_text="In your language."
    )
    count = serializers.IntegerField()


class SeatResultSerializer(serializers.Serializer[Any]):
    """The place and points of a seat."""

    seat = serializers.IntegerField()
    won = serializers.BooleanField()
    place = serializers.IntegerField(help_text="From 1; equal players share a place.")
    score = serializers.IntegerField(allow_null=True, help_text="Null in a game that counts no points.")
    team = serializers.IntegerField(allow_null=True, help_text="Null in a game without teams.")


class StatisticsSerializer(serializers.Serializer[Any]):
    """The result and the bluffs of a game."""

    results = SeatResultSerializer(many=True)
    claims = ClaimsSerializer(many=True)
    challenges = ChallengesSerializer(many=True)
    counts = NamedCountSerializer(many=True)


class _Archive(AccountApiView):
    """Base of views of finished games."""

    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    def finished_game(self, request: AccountRequest, game: UUID) -> GameAccess:
        """Return the account's access to a game. Raises Refusal(not-found), or Refusal(conflict) unless the game is
        over."""
        access = access_to_game(request.user, game)
        records.require_over(access.game)
        return access


@method_decorator(reads_replica, name="get")
class OneRecord(_Archive):
    @extend_schema(
        operation_id="get_record",
        tags=["archive"],
        responses={(200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT), 304: None},
        parameters=[IF_NONE_MATCH],
    )
    def get(self, request: AccountRequest, game: UUID) -> HttpResponseBase:
        """Get the record of a game that is over: options, seats, seeds, every move and every event, all open.

        Its format is `docs/record.schema.json`; `verify.py` and `verify.html` check it without this server. 409
        `conflict` while the game is not over.
        """
        with refusals_as_problems():
            record = dump(records.export_record(self.finished_game(request, game).game))
        headers = {"Content-Disposition": f'attachment; filename="darbar-{game}.json"'}
        return etag_response(request, record, headers=headers)


@method_decorator(reads_replica, name="get")
class OneStep(_Archive):
    query_serializer = SeenSerializer

    @extend_schema(operation_id="get_step", tags=["archive"], responses={200: StepSerializer})
    def get(self, request: AccountRequest, game: UUID, number: int) -> Response:
        """Get a finished game after line `number` of its log: with everything open, or as a player saw it then."""
        viewer = _viewer(self.query)
        with refusals_as_problems():
            access = self.finished_game(request, game)
            step = records.step(access.game, number, viewer)
        view = None if step.view is None else {RULES_FIELD: access.game.rules, **msgspec.to_builtins(step.view)}
        line = None if step.line is None else serialize_event(access, step.line, former=step.former)
        return Response({"number": step.number, "last": step.last, "line": line, "view": view})


@method_decorator(reads_replica, name="get")
class Transcript(_Archive):
    content_negotiation_class = OneForm
    query_serializer = SeenSerializer

    @extend_schema(
        operation_id="get_transcript",
        tags=["archive"],
        responses={(200, "text/plain"): OpenApiResponse(OpenApiTypes.STR)},
    )
    def get(self, request: AccountRequest, game: UUID) -> HttpResponse:
        """Get the story of a game that is over, a line a turn, in your language: all of it, or what a player was
        told."""
        viewer = _viewer(self.query)
        with refusals_as_problems():
            access = self.finished_game(request, game)
            records.step(access.game, 1, viewer)
            player_view = PlayerView(access.game, None, access.account, viewer)
            lines = player_view.history(access.game.version)
        return HttpResponse("".join(f"{line}\n" for line in lines), content_type="text/plain; charset=utf-8")


@method_decorator(reads_replica, name="get")
class OneStatistics(_Archive):
    @extend_schema(operation_id="get_statistics", tags=["archive"], responses=StatisticsSerializer)
    def get(self, request: AccountRequest, game: UUID) -> Response:
        """Get the places, points, claims, lies and challenges of a game that is over, and what else it counts.

        A list is empty if the game has nothing of the kind.
        """
        with refusals_as_problems():
            access = self.finished_game(request, game)
        rules, names = log_store.rules_of(access.game), access.game.names()
        statistics = rules.statistics(events_of(log_store.read(access.game)))
        counts = [
            {**msgspec.to_builtins(count), "label": render_phrase(count.label, names)} for count in statistics.counts
        ]
        return Response(
            {
                "results": _results(access.game),
                "claims": msgspec.to_builtins(statistics.claims),
                "challenges": msgspec.to_builtins(statistics.challenges),
                "counts": counts,
            }
        )


def _results(game: Game) -> list[dict[str, Any]]:
    outcome = log_store.rules_of(game).outcome(log_store.position(game).state)
    assert outcome is not None
    seats = [SeatNumber(number) for number in range(1, game.seat_count + 1)]
    return [
        {
            "seat": seat,
            "won": seat in outcome.winners,
            "place": outcome.place(seat),
            "score": outcome.score(seat),
            "team": outcome.team(seat),
        }
        for seat in seats
    ]


def _viewer(query: Mapping[str, Any]) -> Viewer:
    seat = query.get("seat")
    if seat is None:
        return EVERYONE
    return SPECTATOR if seat == 0 else SeatNumber(seat)


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
    wins = serializers.IntegerField(help_text="The number of 100 such games that it would win.")
    chosen_wins = serializers.IntegerField(help_text="The number that the chosen move would win.")
    error = serializers.IntegerField(help_text="Twice the error of the difference; never more than the difference.")
    grade = serializers.ChoiceField(
        choices=tuple(GRADES), help_text="A mistake costs 10 wins or more, a blunder 20 or more."
    )


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
    accuracy = serializers.IntegerField(
        allow_null=True, help_text="In percent: 100 where nothing was better at any decision. Null while computing."
    )
    decisions = DecisionSerializer(many=True, help_text="In their order, as far as they were looked at.")
    turning_points = TurningPointSerializer(many=True, help_text="At most three, in their order.")
    bluffs = PlayerBluffsSerializer(many=True, help_text="A row for each player who claimed something.")


class OneAnalysis(AccountApiView):
    """The analysis of one player's decisions."""

    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}
    query_serializer = WhoseSerializer

    @extend_schema(
        operation_id="get_analysis",
        tags=["archive"],
        responses={200: AnalysisSerializer, 202: AnalysisSerializer},
    )
    def get(self, request: AccountRequest, game: UUID) -> Response:
        """Get the decisions of a player in a finished game, with better moves if there are any.

        It is computed on the first request: 202 until it is `ready`. Ask again after some seconds. It uses only what
        the player had been shown before each decision. 409 `conflict` while the game is not over, and for a kind of
        game that is not analysed.
        """
        seat_number = self.query.get("seat")
        with refusals_as_problems():
            access = access_to_game(request.user, game)
            seat = SeatNumber(seat_number or access.seat or 1)
            analysis = open_analysis(access.game, seat, request.user, clock.now())
            result = report(analysis, access.names)
            view = PlayerView(access.game, access.seat, access.account, EVERYONE)
        return Response(_document(result, view), 200 if result.is_done else 202)


def _better(better: BetterMove | None) -> dict[str, Any] | None:
    return None if better is None else {**vars(better), "grade": better.grade}


def _document(result: Report, view: PlayerView) -> dict[str, Any]:
    reader = view.seat if view.seat == result.seat else None  # “You” is the player whose decisions these are.
    return {
        "state": "ready" if result.is_done else "computing",
        "seat": result.seat,
        "decision_count": result.decisions,
        "accuracy": result.accuracy,
        "decisions": [{**vars(decision), "better": _better(decision.better)} for decision in result.decided],
        "turning_points": [vars(point) for point in turning_points(view, reader)],
        "bluffs": [vars(bluff) for bluff in bluffs(view.statistics.claims)],
    }
