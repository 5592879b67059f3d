"""Responses of the web server, and the refusals of requests that do not reach Django."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from wsgiref.util import FileWrapper

from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext

from config.http import problems

PIECE: Final = 64 * 1024
"""Bytes of a response that are passed to the connection in one call."""

Scope = Mapping[str, Any]
Receive = Callable[[], Any]
Send = Callable[[dict[str, Any]], Any]


@dataclass(frozen=True)
class Answer:
    """A response of the application, whose body is bytes or a file."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes | FileWrapper


async def send_answer(answer: Answer, send: Send, closes: bool) -> None:
    """Send a response in pieces, at the pace of the client. No thread waits meanwhile."""
    headers = [*answer.headers, (b"connection", b"close")] if closes else answer.headers
    await send({"type": "http.response.start", "status": answer.status, "headers": headers})
    if isinstance(answer.body, FileWrapper):
        try:
            while piece := answer.body.filelike.read(PIECE):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
        finally:
            answer.body.filelike.close()
        await send({"type": "http.response.body", "body": b"", "more_body": False})
        return
    for start in range(0, len(answer.body) or 1, PIECE):
        piece, more = answer.body[start : start + PIECE], start + PIECE < len(answer.body)
        await send({"type": "http.response.body", "body": piece, "more_body": more})


async def refuse_request(scope: Scope, receive: Receive, send: Send) -> None:
    """ASGI application that responds with 429."""
    await send_answer(refusal(scope, 429), send, closes=True)


def refusal(scope: Scope, status: int) -> Answer:
    """Return the response to a client over its own limit (429) or the limit of all clients (503), in its language."""
    request = HttpRequest()
    request.META.update(wsgi_headers(scope))
    with translation.override(translation.get_language_from_request(request)):
        response: HttpResponse = problems.too_many_requests(1)
        if status == 503:
            response = problems.problem_response(
                503, "error", gettext("The server has too much to do. Try again in a moment.")
            )
            response.headers["Retry-After"] = "1"
    response.headers["Access-Control-Allow-Origin"] = "*"
    headers = [(name.encode(), value.encode("latin-1")) for name, value in response.headers.items()]
    return Answer(
        response.status_code, [*headers, (b"content-length", b"%d" % len(response.content))], response.content
    )


def wsgi_headers(scope: Scope) -> dict[str, str]:
    """Return the headers under their WSGI names.

    Names with underscores are left out, because WSGI does not distinguish underscores from hyphens.
    """
    headers: dict[str, str] = {}
    for raw, value in scope["headers"]:
        if b"_" in raw:
            continue
        name = raw.decode("latin-1").upper().replace("-", "_")
        key = name if name in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{name}"
        text = value.decode("latin-1")
        between = "; " if key == "HTTP_COOKIE" else ","
        headers[key] = f"{headers[key]}{between}{text}" if key in headers else text
    return headers
