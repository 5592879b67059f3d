"""The state of a game as a viewer may know it: the view, the picture, the events, exports, and who is here."""

from collections.abc import Iterable
from typing import Any, ClassVar, Final
from uuid import UUID

import msgspec
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from accounts.tokens import Scope
from accounts.web.api_view import AccountApiView, ListApiView, OneForm, validated_data
from accounts.web.pagination import KeysetPagination, following, page_body
from accounts.web.requests import AccountRequest
from accounts.web.serializers import NothingSerializer, QuerySerializer
from config.core import clock
from games.announcements import stream_events
from games.api.games import page_of_games
from games.api.shared.events import shown_lines
from games.api.shared.problems import refusals_as_problems
from games.api.shared.responses import IF_NONE_MATCH, etag_json, etag_response
from games.api.shared.schema import GAME_VIEW, RULES_FIELD, ref
from games.api.shared.serializers import (
    EventsFilterSerializer,
    GamesFilterSerializer,
    ManyGamesSerializer,
    SeenGameSerializer,
    ShownEventSerializer,
)
from games.engine import Phrase, gettext_noop
from games.event_log import log_store
from games.refusals import Refusal, not_found
from games.visibility import (
    picture,
    table,
)
from games.visibility.access import GameAccess, access_to_game, access_to_games

SVG = "image/svg+xml"


class View(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(
        operation_id="get_view",
        tags=["play"],
        responses={200: OpenApiResponse(ref(GAME_VIEW)), 304: None},
        parameters=[IF_NONE_MATCH],
    )
    def get(self, request: AccountRequest, game: UUID) -> HttpResponseBase:
        """Get the game as your seat sees it; without a seat, its public part; after the end, everything."""
        with refusals_as_problems():
            access = access_to_game(request.user, game)
            return etag_response(request, msgspec.json.encode(_serialize_view(access, _view(access))))


class Views(AccountApiView):
    pagination_class = KeysetPagination
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}
    query_serializer = ManyGamesSerializer

    @extend_schema(
        operation_id="list_views",
        tags=["play"],
        responses={200: SeenGameSerializer(many=True), 304: None},
        parameters=[IF_NONE_MATCH],
    )
    def get(self, request: AccountRequest) -> HttpResponseBase:
        """Get the views of many games, in any order. Games that you may not see are left out."""
        game_ids = self.query["games"]
        with refusals_as_problems():
            states = [(access, _state(access)) for access in access_to_games(request.user, game_ids)]
            views = [
                {
                    "game": access.game.id,
                    "view": None if state is None else _serialize_view(access, _seen_state(access, state)),
                }
                for access, state in states
            ]
        return etag_response(request, msgspec.json.encode(page_body(views)))


class Picture(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}
    content_negotiation_class = OneForm

    @extend_schema(
        operation_id="get_picture",
        tags=["play"],
        responses={(200, SVG): OpenApiTypes.STR, 304: None},
        parameters=[IF_NONE_MATCH],
    )
    def get(self, request: AccountRequest, game: UUID) -> HttpResponseBase:
        """Get the view as a picture, in your language. 404 for a game that has no pictures."""
        with refusals_as_problems():
            access = access_to_game(request.user, game)
            rules = log_store.rules_of(access.game)
            svg = picture.draw(rules, _view(access), access.game.names(), access.account.language, seat=access.seat)
            if svg is None:
                raise not_found()
            return etag_response(request, svg.encode(), SVG, picture.HEADERS)


def _view(access: GameAccess) -> Any:
    """Return the view of the viewer. Raises Refusal(conflict) before the deal."""
    state = _state(access)
    if state is None:
        raise Refusal("conflict", Phrase(gettext_noop("The game hasn’t started.")))
    return _seen_state(access, state)


def _state(access: GameAccess) -> Any:
    return log_store.position(access.game).state


def _seen_state(access: GameAccess, state: Any) -> Any:
    return log_store.rules_of(access.game).view(state, access.viewer)


def _serialize_view(access: GameAccess, view: Any) -> dict[str, Any]:
    """Return a view as JSON, with the name of its game."""
    return {RULES_FIELD: access.game.rules, **msgspec.to_builtins(view)}


class Events(AccountApiView):
    pagination_class = KeysetPagination
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}
    query_serializer = EventsFilterSerializer

    @extend_schema(
        operation_id="list_events",
        tags=["play"],
        parameters=[IF_NONE_MATCH],
        responses={200: ShownEventSerializer(many=True), 304: None},
    )
    def get(self, request: AccountRequest, game: UUID) -> HttpResponseBase:
        """List the events of a game, from the first on, numbered for you.

        Its cursor is a number: to read on later, send the number of the last event that you have as `after`.
        """
        query = self.query
        with refusals_as_problems():
            events, has_more = shown_lines(access_to_game(request.user, game), query["after"], query["limit"])
        return etag_json(request, page_body(events, following(request, events[-1]["number"]) if has_more else None))


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


class GamesExport(_Export, ListApiView):
    query_serializer = ExportedGamesSerializer

    @extend_schema(
        operation_id="export_games",
        tags=["games"],
        parameters=[IF_NONE_MATCH],
        responses={(200, NDJSON): OpenApiResponse(OpenApiTypes.STR, "A `Game` a line."), 304: None},
    )
    def get(self, request: AccountRequest) -> HttpResponseBase:
        """Export games as `games/` lists them, each as a line of JSON. If more follow, `Link` has their address
        (`rel="next"`)."""
        pages, games = page_of_games(request, self.query["limit"], **self.filters)
        return self.lines(request, games, pages.next)


class EventsExport(_Export):
    query_serializer = ExportedEventsSerializer

    @extend_schema(
        operation_id="export_events",
        tags=["play"],
        parameters=[IF_NONE_MATCH],
        responses={(200, NDJSON): OpenApiResponse(OpenApiTypes.STR, "A `ShownEvent` a line."), 304: None},
    )
    def get(self, request: AccountRequest, game: UUID) -> HttpResponseBase:
        """Export all events of a game that you may know, each as a line of JSON."""
        with refusals_as_problems():
            events, _ = shown_lines(access_to_game(request.user, game), self.query["after"], _ALL)
        return self.lines(request, events)


class PresenceSerializer(serializers.Serializer[Any]):
    """The presence of the players."""

    all_here = serializers.BooleanField(
        help_text="True while all who play have the game open, and all of them agreed to show it (`shows_presence`)."
    )


class PresenceView(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ, "PUT": Scope.GAMES_PLAY}

    @extend_schema(operation_id="get_presence", tags=["play"], responses=PresenceSerializer)
    def get(self, request: AccountRequest, game: UUID) -> Response:
        """Get whether all players are here now. Only players can see it, and only if all of them have agreed to show
        it.

        It says nothing about single players. On the event stream `presence` is sent when the last of them has come.
        """
        with refusals_as_problems():
            access = _require_seat(request, game)
        here = table.all_here(access.game, access.account, clock.now())
        return Response({"all_here": here is not None})

    @extend_schema(
        operation_id="note_presence",
        tags=["play"],
        request=NothingSerializer,
        responses=PresenceSerializer,
    )
    def put(self, request: AccountRequest, game: UUID) -> Response:
        """Say that you have the game open. Repeat it every minute while you have: after three minutes you count as
        gone.

        While all players are here, no email with a question of this game is sent. Needs `shows_presence`.
        """
        validated_data(NothingSerializer(data=request.data))
        with refusals_as_problems():
            access = _require_seat(request, game)
            if not access.account.shows_presence:
                sentence = gettext_noop("You haven’t agreed to show that you’re here: set “shows_presence” first.")
                raise Refusal("conflict", Phrase(sentence))
        return Response({"all_here": stream_events.arrive(access.game, access.account, clock.now())})


def _require_seat(request: AccountRequest, game: UUID) -> GameAccess:
    """Return the access of a player. Raises Refusal(forbidden) for other accounts."""
    access = access_to_game(request.user, game)
    if access.seat is None:
        raise Refusal("forbidden", Phrase(gettext_noop("Only players can see who is here.")))
    return access
