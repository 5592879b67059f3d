"""Refers those who ask the web server for the event stream to where it is."""

from typing import ClassVar

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.tokens.permissions import HasScope
from accounts.tokens.scopes import Scope
from accounts.web.negotiation import OneForm
from accounts.web.requests import AccountRequest
from accounts.web.stream_referral import refer, stream_address


class Stream(APIView):
    """The event stream."""

    permission_classes = (HasScope,)
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}
    content_negotiation_class = OneForm

    @extend_schema(
        operation_id="stream",
        tags=["stream"],
        parameters=[
            OpenApiParameter(
                "Last-Event-ID", str, OpenApiParameter.HEADER, description="The `id` of the last event that was heard."
            )
        ],
        responses={
            (200, "text/event-stream"): OpenApiResponse(OpenApiTypes.STR, "Server-sent events, without an end."),
            421: OpenApiResponse(None, "`misdirected`: the stream is at `stream`."),
        },
    )
    def get(self, request: AccountRequest) -> Response:
        """All that concerns me, as it happens, over one connection: server-sent events.

        Each event has an `id` (opaque, at most 100 characters), a type (`event`) and `data` in JSON: ids and `at`, the
        time; what they are about is to be asked for. `ready`: from here on everything is told; what waits already is at
        `questions/`. `question` {game, question, due_at}: I am asked. `closed` {game, question}: that is over. `event`
        {game, number}: events up to this number are at `games/{id}/events/`. `game` {game, state}: a table has begun,
        ended or been given up. `chat` {game, message}: somebody wrote in the chat. `reset`: forget what you know, and
        read your games and `questions/` again; the stream goes on from here.

        Whoever was cut off says in `Last-Event-ID` what they heard last, within seven days, and misses nothing. An id
        that is older, or was sent before the server's database was restored from a backup, is answered with `reset`.
        Then games and answers of the time since that backup may be gone. A comment every 15 seconds says that the
        stream lives. It ends when the token is revoked. An account may have 20.

        Where the server runs without a proxy the stream has a port of its own: this address answers 421, and
        says in `stream` of the problem where the stream is, as `me/` does. Send the same token there. It is no
        redirect: many programs that follow one to another port leave their token behind.
        """
        refer(stream_address())
