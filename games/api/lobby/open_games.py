"""The stream of open games. The stream server answers it; requests that arrive here are referred to it."""

from typing import Any, ClassVar
from urllib.parse import urlencode

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.response import Response

from accounts.tokens.scopes import Scope
from accounts.web.api_view import AccountApiView, validated_query
from accounts.web.negotiation import OneForm
from accounts.web.requests import AccountRequest
from accounts.web.serializers import QuerySerializer
from accounts.web.stream_referral import refer, stream_address
from games.rules.registry import RULES


class OpenGamesFilterSerializer(QuerySerializer):
    """A filter of the open games in the stream."""

    rules = serializers.ChoiceField(choices=sorted(RULES), required=False, help_text="Only games with these rules.")
    seat_count = serializers.IntegerField(
        min_value=1, max_value=100, required=False, help_text="Only games for this many players."
    )


class OpenGamesStream(AccountApiView):
    required_scopes: ClassVar[dict[str, Any]] = {"GET": Scope.GAMES_READ}
    content_negotiation_class = OneForm

    @extend_schema(
        operation_id="stream_games",
        tags=["stream"],
        parameters=[OpenGamesFilterSerializer],
        responses={
            (200, "text/event-stream"): OpenApiResponse(OpenApiTypes.STR, "Server-sent events, without an end."),
            421: OpenApiResponse(None, "`misdirected`: the stream is at `stream`."),
        },
    )
    def get(self, request: AccountRequest) -> Response:
        """Follow the public games that can be joined over one connection: server-sent events.

        `open-game`: a game can be joined, or has changed; `closed-game` {game}: it can no longer be joined. At first
        it tells you about all that can be joined, the newest 500 at most; after an interruption just connect again.
        It has the same host and port as `stream/`, is one of your 20 streams, and ends in the same way.
        """
        query = validated_query(OpenGamesFilterSerializer, request)
        refer(f"{stream_address()}games/{'?' if query else ''}{urlencode(query)}")
