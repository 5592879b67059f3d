"""The event stream. The stream server answers it; requests that arrive here are referred to it."""

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
    permission_classes = (HasScope,)
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}
    content_negotiation_class = OneForm

    @extend_schema(
        operation_id="stream",
        tags=["stream"],
        parameters=[
            OpenApiParameter(
                "Last-Event-ID",
                str,
                OpenApiParameter.HEADER,
                description="The `id` of the last event that you received.",
            )
        ],
        responses={
            (200, "text/event-stream"): OpenApiResponse(OpenApiTypes.STR, "Server-sent events, without an end."),
            421: OpenApiResponse(None, "`misdirected`: the stream is at `stream`."),
        },
    )
    def get(self, request: AccountRequest) -> Response:
        """Follow everything that concerns you over one connection: server-sent events.

        Each event has an `id` (opaque, at most 100 characters), a type (`event`) and `data` in JSON: ids and `at`,
        the time. Details take a request. `ready`: from here on you are told everything; what waits already is at
        `questions/`. `question` {game, question, due_at}: you are asked. `closed` {game, question}: that question is
        closed. `event` {game, number}: events up to this number are at `games/{id}/events/`. `game` {game, state}: a
        game has begun, ended or been cancelled. `chat` {game, message}: somebody wrote in the chat. `presence`
        {game}: all who play are here now (`games/{id}/presence/`). `reset`: forget what you know, and read your games
        and `questions/` again; the stream goes on from here.

        After an interruption of up to seven days send the last id that you received as `Last-Event-ID`, and you miss
        nothing. An id that is older, or was sent before the server's database was restored from a backup, is
        answered with `reset`. Games and moves from after that backup may be gone then. A comment every 15 seconds
        shows that the stream is alive. It ends when the token is revoked. An account may have 20 streams.

        If the server runs without a proxy the stream has a port of its own. Then this address answers 421, and
        `stream` in the problem is the stream's address, as in `me/`. Send the same token there. It is no redirect:
        many programs that follow one to another port drop their token.
        """
        refer(stream_address())
