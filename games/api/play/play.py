"""Playing: what I see, what I am asked, and what I answer."""

from typing import Any, ClassVar
from uuid import UUID

import msgspec
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema

from accounts.tokens.scopes import Scope
from accounts.web.api_view import AccountApiView, validated_data
from accounts.web.requests import AccountRequest
from games.api.play import outcomes, questions
from games.api.shared.etags import IF_NONE_MATCH, etag_json, etag_response
from games.api.shared.long_polling import long_poll
from games.api.shared.problems import refusals_as_problems
from games.api.shared.schema import GAME_VIEW, RULES_FIELD
from games.api.shared.serializers import (
    EventPageSerializer,
    EventsFilterSerializer,
    QuestionSerializer,
)
from games.api.shared.unions import ref
from games.engine import Phrase, gettext_noop
from games.event_log import log_store
from games.refusals import Refusal, not_found
from games.visibility import picture
from games.visibility.access import Sight, glance, sight

WAIT_FOR_NEWS = OpenApiParameter(
    "Prefer",
    str,
    OpenApiParameter.HEADER,
    description="`wait=N`: if there is nothing new, wait for it for up to N seconds, 10 at most.",
)
SVG = "image/svg+xml"


class View(AccountApiView):
    """The game as I may know it."""

    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(
        operation_id="get_view",
        tags=["play"],
        responses={200: OpenApiResponse(ref(GAME_VIEW)), 304: None},
        parameters=[IF_NONE_MATCH],
    )
    def get(self, request: AccountRequest, game: UUID) -> HttpResponseBase:
        """Return what my seat knows; without a seat, what is public; after the end, everything."""
        with refusals_as_problems():
            seen = sight(request.user, game)
            view = {RULES_FIELD: seen.game.rules, **msgspec.to_builtins(_view(seen))}
            return etag_response(request, msgspec.json.encode(view))


class Picture(AccountApiView):
    """The table as a picture."""

    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(
        operation_id="get_picture",
        tags=["play"],
        responses={(200, SVG): OpenApiTypes.STR, 304: None},
        parameters=[IF_NONE_MATCH],
    )
    def get(self, request: AccountRequest, game: UUID) -> HttpResponseBase:
        """Return what the view shows, drawn in my language. 404 for a game that has no pictures."""
        with refusals_as_problems():
            seen = sight(request.user, game)
            rules = log_store.rules_of(seen.game)
            svg = picture.drawn(rules, _view(seen), seen.game.names(), seen.account.language)
            if svg is None:
                raise not_found()
            return etag_response(request, svg.encode(), SVG, picture.HEADERS)


def _view(seen: Sight) -> Any:
    """Return what the viewer knows. Refusal ``conflict`` where nothing has been dealt."""
    state = log_store.position(seen.game).state
    if state is None:
        raise Refusal("conflict", Phrase(gettext_noop("The game has not begun.")))
    return log_store.rules_of(seen.game).view(state, seen.viewer)


class Events(AccountApiView):
    """The events of a game, as I may know them."""

    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(
        operation_id="list_events",
        tags=["play"],
        parameters=[EventsFilterSerializer, IF_NONE_MATCH],
        responses={200: EventPageSerializer, 304: None},
    )
    def get(self, request: AccountRequest, game: UUID) -> HttpResponseBase:
        """The events of the table and the game, from the first on, numbered for me."""
        wanted = validated_data(EventsFilterSerializer(data=request.query_params.dict()))
        with refusals_as_problems():
            page, more = outcomes.shown_lines(sight(request.user, game), wanted["after"], wanted["limit"])
        return etag_json(request, {"events": page, "more": more})


class Questions(AccountApiView):
    """The questions that wait for me, in all my games."""

    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(
        operation_id="list_questions",
        tags=["play"],
        responses={200: QuestionSerializer(many=True), 304: None},
        parameters=[IF_NONE_MATCH, WAIT_FOR_NEWS],
    )
    def get(self, request: AccountRequest) -> HttpResponseBase:
        """Everything that waits for me, the most urgent first, with the answers it offers.

        With `Prefer: wait=N` the answer waits until there is another than the one of `If-None-Match`; without an ETag,
        until something is asked. 304 after that time: all is as it was.
        """
        account = request.user
        return long_poll(request, lambda: questions.of_account(account), lambda: questions.mark(account))


class GameQuestions(AccountApiView):
    """The questions that wait for me in one game."""

    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(
        operation_id="list_game_questions",
        tags=["play"],
        responses={200: QuestionSerializer(many=True), 304: None},
        parameters=[IF_NONE_MATCH, WAIT_FOR_NEWS],
    )
    def get(self, request: AccountRequest, game: UUID) -> HttpResponseBase:
        """Return what this game asks me, with the answers it offers. It waits for a new answer as `questions/` does."""
        account = request.user
        with refusals_as_problems():
            glance(account, game)
            return long_poll(
                request, lambda: questions.of_account(account, game), lambda: questions.mark(account, game)
            )
