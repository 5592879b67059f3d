"""The events of a game that a viewer may know."""

from typing import ClassVar
from uuid import UUID

from django.http.response import HttpResponseBase
from drf_spectacular.utils import extend_schema

from accounts.tokens.scopes import Scope
from accounts.web.api_view import AccountApiView, validated_query
from accounts.web.requests import AccountRequest
from games.api.play import outcomes
from games.api.shared.etags import IF_NONE_MATCH, etag_json
from games.api.shared.problems import refusals_as_problems
from games.api.shared.serializers import EventPageSerializer, EventsFilterSerializer
from games.visibility.access import access_to_game


class Events(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(
        operation_id="list_events",
        tags=["play"],
        parameters=[EventsFilterSerializer, IF_NONE_MATCH],
        responses={200: EventPageSerializer, 304: None},
    )
    def get(self, request: AccountRequest, game: UUID) -> HttpResponseBase:
        """List the events of the table and the game, from the first on, numbered for you."""
        query = validated_query(EventsFilterSerializer, request)
        with refusals_as_problems():
            page, more = outcomes.shown_lines(access_to_game(request.user, game), query["after"], query["limit"])
        return etag_json(request, {"events": page, "more": more})
