"""The view of a game, as JSON and as a picture."""

from typing import Any, ClassVar
from uuid import UUID

import msgspec
from django.http.response import HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema

from accounts.tokens.scopes import Scope
from accounts.web.api_view import AccountApiView, validated_query
from accounts.web.negotiation import OneForm
from accounts.web.requests import AccountRequest
from games.api.shared.etags import IF_NONE_MATCH, etag_response
from games.api.shared.problems import refusals_as_problems
from games.api.shared.schema import GAME_VIEW, RULES_FIELD
from games.api.shared.serializers import ManyGamesSerializer, SeenGameSerializer
from games.api.shared.unions import ref
from games.engine import Phrase, gettext_noop
from games.event_log import log_store
from games.refusals import Refusal, not_found
from games.visibility import picture
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
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(
        operation_id="list_views",
        tags=["play"],
        responses={200: SeenGameSerializer(many=True), 304: None},
        parameters=[ManyGamesSerializer, IF_NONE_MATCH],
    )
    def get(self, request: AccountRequest) -> HttpResponseBase:
        """Get the views of many games, in any order. Games that you may not see are left out."""
        game_ids = validated_query(ManyGamesSerializer, request)["games"]
        with refusals_as_problems():
            states = [(access, _state(access)) for access in access_to_games(request.user, game_ids)]
            views = [
                {
                    "game": access.game.id,
                    "view": None if state is None else _serialize_view(access, _seen_state(access, state)),
                }
                for access, state in states
            ]
        return etag_response(request, msgspec.json.encode(views))


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
        raise Refusal("conflict", Phrase(gettext_noop("The game has not begun.")))
    return _seen_state(access, state)


def _state(access: GameAccess) -> Any:
    return log_store.position(access.game).state


def _seen_state(access: GameAccess, state: Any) -> Any:
    return log_store.rules_of(access.game).view(state, access.viewer)


def _serialize_view(access: GameAccess, view: Any) -> dict[str, Any]:
    """Return a view as JSON, with the name of its game."""
    return {RULES_FIELD: access.game.rules, **msgspec.to_builtins(view)}
