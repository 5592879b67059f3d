"""A game as its reader may know it: as data, and as a picture."""

from typing import Any, ClassVar
from uuid import UUID

import msgspec
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema

from accounts.tokens.scopes import Scope
from accounts.web.api_view import AccountApiView
from accounts.web.requests import AccountRequest
from games.api.shared.etags import IF_NONE_MATCH, etag_response
from games.api.shared.problems import refusals_as_problems
from games.api.shared.schema import GAME_VIEW, RULES_FIELD
from games.api.shared.unions import ref
from games.engine import Phrase, gettext_noop
from games.event_log import log_store
from games.refusals import Refusal, not_found
from games.visibility import picture
from games.visibility.access import Sight, sight

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
