"""Games and events as lines of JSON (NDJSON), for programs that read many of them."""

from collections.abc import Iterable
from typing import Any, ClassVar, Final
from uuid import UUID

import msgspec
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers

from accounts.tokens.scopes import Scope
from accounts.web.api_view import AccountApiView, validated_query
from accounts.web.negotiation import OneForm
from accounts.web.requests import AccountRequest
from accounts.web.serializers import QuerySerializer
from games.api.lobby.games import page_of_games
from games.api.play import outcomes
from games.api.shared.etags import IF_NONE_MATCH, etag_response
from games.api.shared.pagination import NewestTables
from games.api.shared.problems import refusals_as_problems
from games.api.shared.serializers import GamesFilterSerializer
from games.visibility.access import access_to_game

NDJSON: Final = "application/x-ndjson"
# The most games in one answer.
MOST: Final = 1000
_ALL: Final = 10**9


class ExportedGamesSerializer(GamesFilterSerializer):
    """A filter of games for an export."""

    limit = serializers.IntegerField(
        min_value=1, max_value=MOST, default=MOST, help_text="The most lines in the answer."
    )


class ExportedEventsSerializer(QuerySerializer):
    """A filter of events for an export."""

    after = serializers.IntegerField(
        min_value=0, max_value=2**31 - 1, default=0, help_text="Only events with a higher number."
    )


class _Export(AccountApiView):
    """Base of views that return a list as lines of JSON."""

    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}
    content_negotiation_class = OneForm

    def lines(self, request: AccountRequest, rows: Iterable[Any], following: str | None = None) -> HttpResponseBase:
        """Return one line for each row. If there are more rows, the ``Link`` header has their address."""
        headers = {"Link": f'<{following}>; rel="next"'} if following else {}
        body = b"".join(msgspec.json.encode(row) + b"\n" for row in rows)
        return etag_response(request, body, NDJSON, headers)


class GamesExport(_Export):
    @extend_schema(
        operation_id="export_games",
        tags=["games"],
        parameters=[ExportedGamesSerializer, IF_NONE_MATCH],
        responses={(200, NDJSON): OpenApiResponse(OpenApiTypes.STR, "A `Game` a line."), 304: None},
    )
    def get(self, request: AccountRequest) -> HttpResponseBase:
        """Export games as `games/` lists them, each as a line of JSON. If more follow, `Link` has their address
        (`rel="next"`)."""
        query = validated_query(ExportedGamesSerializer, request)
        pages = NewestTables(query["limit"])
        return self.lines(request, page_of_games(request, query, pages), pages.next)


class EventsExport(_Export):
    @extend_schema(
        operation_id="export_events",
        tags=["play"],
        parameters=[ExportedEventsSerializer, IF_NONE_MATCH],
        responses={(200, NDJSON): OpenApiResponse(OpenApiTypes.STR, "A `ShownEvent` a line."), 304: None},
    )
    def get(self, request: AccountRequest, game: UUID) -> HttpResponseBase:
        """Export all events of a game that you may know, each as a line of JSON."""
        query = validated_query(ExportedEventsSerializer, request)
        with refusals_as_problems():
            events, _ = outcomes.shown_lines(access_to_game(request.user, game), query["after"], _ALL)
        return self.lines(request, events)
