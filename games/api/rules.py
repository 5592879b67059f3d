"""The installed games. Reading them needs no account."""

import json
from contextlib import suppress
from typing import Any

from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request

from accounts.web.api_view import PublicApiView
from accounts.web.pagination import KeysetPagination, page_body
from accounts.web.serializers import PeriodField, QuerySerializer
from games.api.shared.fields import OptionsField
from games.api.shared.problems import refusals_as_problems
from games.api.shared.responses import IF_NONE_MATCH, etag_json
from games.api.shared.schema import moves_schema, options_schema
from games.archive.durations import durations
from games.engine import AnyRules
from games.phrases import render_phrase
from games.refusals import not_found
from games.rules.registry import RULES
from games.tables.new_game import chosen_options
from games.terms import SPEEDS


class RulesSerializer(serializers.Serializer[Any]):
    """A game that can be played here."""

    name = serializers.CharField()
    version = serializers.IntegerField()
    title = serializers.CharField()
    least = serializers.IntegerField(help_text="The least number of players.")
    most = serializers.IntegerField(help_text="The greatest number of players.")


class RulesQuerySerializer(QuerySerializer):
    """The table that the summary is for."""

    seat_count = serializers.IntegerField(
        required=False, help_text="The number of players. Without it: the fewest that can play."
    )
    options = OptionsField(required=False, help_text="The options as JSON. Without them: the defaults.")

    def to_internal_value(self, data: Any) -> Any:
        """Return the validated query. The field of the options refuses invalid JSON as text."""
        if "options" in data:
            with suppress(ValueError, RecursionError):
                data = {**data, "options": json.loads(data["options"])}
        return super().to_internal_value(data)


class DurationSerializer(serializers.Serializer[Any]):
    """The usual length of games of one speed and size on this server."""

    speed = serializers.ChoiceField(choices=sorted(SPEEDS), help_text="The name of the speed.")
    people = serializers.IntegerField(help_text="The number of people at the table, without bots.")
    games = serializers.IntegerField(help_text="The number of finished games from which this follows: at least 10.")
    half_within = PeriodField(
        shortest="PT0S", longest="P9999D", read_only=True, help_text="Half of the games took no longer, start to end."
    )
    most_within = PeriodField(
        shortest="PT0S", longest="P9999D", read_only=True, help_text="Nine of ten games took no longer."
    )


class RulesDetailSerializer(RulesSerializer):
    """A title, with all that is needed to create a game and to move."""

    options = serializers.JSONField(help_text="JSON Schema of its options.")
    moves = serializers.JSONField(help_text="JSON Schema of its moves.")
    summary = serializers.ListField(child=serializers.CharField(), help_text="The summary card, a line each.")
    durations = DurationSerializer(
        many=True, help_text="The usual length of games on this server. Empty until ten games of one kind are over."
    )


class RulesList(PublicApiView):
    pagination_class = KeysetPagination

    @extend_schema(
        operation_id="list_rules",
        parameters=[IF_NONE_MATCH],
        responses={200: RulesSerializer(many=True), 304: None},
    )
    def get(self, request: Request) -> HttpResponseBase:
        """List the titles that can be played here."""
        return etag_json(request, page_body([_serialize_rules(rules) for rules in RULES.values()]))


class RulesDetail(PublicApiView):
    query_serializer = RulesQuerySerializer

    @extend_schema(
        operation_id="get_rules",
        parameters=[IF_NONE_MATCH],
        responses={200: RulesDetailSerializer, 304: None},
    )
    def get(self, request: Request, rules: str) -> HttpResponseBase:
        """Get a title: its options and moves as JSON Schema, and the summary card for a given number of players."""
        with refusals_as_problems():
            game = RULES.get(rules)
            if game is None:
                raise not_found()
            return etag_json(
                request,
                {
                    **_serialize_rules(game),
                    "options": options_schema(game),
                    "moves": moves_schema(game),
                    "durations": DurationSerializer(durations(rules), many=True).data,
                    "summary": _summary(game, self.query.get("options", {}), self.query.get("seat_count")),
                },
            )


def _serialize_rules(rules: AnyRules) -> dict[str, Any]:
    return {
        "name": rules.name,
        "version": rules.version,
        "title": render_phrase(rules.words.title, {}),
        "least": min(rules.players),
        "most": max(rules.players),
    }


def _summary(rules: AnyRules, choices: dict[str, Any], seat_count: int | None) -> list[str]:
    seat_count = min(rules.players) if seat_count is None else seat_count
    options = chosen_options(rules, choices, seat_count)
    return [render_phrase(line, {}) for line in rules.words.summary(options, seat_count)]
