"""The way of a request from the event loop to Django: it takes a thread when its whole body is here, and not before."""

import asyncio
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote_to_bytes
from wsgiref.util import FileWrapper

from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.translation import gettext

from accounts.limits.connections import ConnectionLimits
from config.http import problems
from config.http.server.fair_threads import FairThreads
from config.http.server.request_body import Body, Receive, Scope, read_body
from config.http.server.serving import client_address

MOST_REQUESTS: Final = 500
"""Requests in progress at once, most of which wait for a thread or for the rest of their body."""
MOST_HELD: Final = 96 * 2**20
"""Bytes of bodies at once. Of each body the first 64 KiB are not counted, so that small requests always pass."""
MOST_HELD_OF_ONE: Final = 32 * 2**20
"""The same of one client: two mails of the largest kind, or twelve other requests of it."""
PIECE: Final = 64 * 1024
"""Bytes of an answer that are handed to the connection at once."""

Send = Callable[[dict[str, Any]], Any]
Wsgi = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


@dataclass(frozen=True)
class Answer:
    """An answer of the application: the body as a whole, or a file."""

    status: int
    headers: list[tuple[bytes, bytes]]
    body: bytes | FileWrapper


class Refused(Exception):
    """A client has too much in progress (429), or all clients together have (503)."""

    def __init__(self, status: int) -> None:
        super().__init__()
        self.status = status


class Gateway:
    """An ASGI application that hands whole requests to a WSGI application in threads."""

    def __init__(self, application: Wsgi, threads: FairThreads, most_of_one: int) -> None:
        """``most_of_one`` is how many requests of one client may be in progress at once."""
        self._application, self._threads = application, threads
        self._requests = ConnectionLimits(MOST_REQUESTS, most_of_one)
        self._bytes = ConnectionLimits(MOST_HELD, MOST_HELD_OF_ONE)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = client_address(scope)
        try:
            with _Share(self._requests, client) as request, _Share(self._bytes, client) as memory:
                request.take(1)
                body = await read_body(scope, receive, memory.take)
                answer = await self._threads.run(client, self._ask, _environ(scope, body))
                memory.give_back()
                await _send(answer, send, closes=body.is_unsent)
        except ConnectionResetError:
            return
        except Refused as refused:
            await _send(_refusal(scope, refused.status), send, closes=True)
        except asyncio.CancelledError:  # the server ends, and the request has taken too long
            await _send(_refusal(scope, 503), send, closes=True)

    def _ask(self, environ: dict[str, Any]) -> Answer:
        """The application's answer. It is closed in this thread, whose database connection it used."""
        started: list[Any] = []

        def start(status: str, headers: list[tuple[str, str]], error: Any = None) -> None:
            started[:] = status, headers

        result = self._application(environ, start)
        try:
            body = result if isinstance(result, FileWrapper) else b"".join(result)
        finally:
            if not isinstance(result, FileWrapper):
                getattr(result, "close", lambda: None)()
        status, headers = started
        return Answer(int(status[:3]), [(n.encode("latin-1"), v.encode("latin-1")) for n, v in headers], body)


class _Share:
    """A request's share of a limit, given back at the end of the block."""

    def __init__(self, limits: ConnectionLimits, client: str) -> None:
        self._limits, self._client, self._taken = limits, client, 0

    def take(self, amount: int) -> None:
        """Take more. Refused if there is not so much."""
        if not self._limits.admit(self._client, amount):
            raise Refused(503 if self._limits.has_share(self._client, amount) else 429)
        self._taken += amount

    def give_back(self) -> None:
        """Give back what was taken."""
        if self._taken:
            self._limits.release(self._client, self._taken)
            self._taken = 0

    def __enter__(self) -> "_Share":
        return self

    def __exit__(self, *_: object) -> None:
        self.give_back()


async def _send(answer: Answer, send: Send, closes: bool) -> None:
    """Send an answer piece by piece, as the client reads it, and holding no thread meanwhile."""
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
    for at in range(0, len(answer.body) or 1, PIECE):
        piece, more = answer.body[at : at + PIECE], at + PIECE < len(answer.body)
        await send({"type": "http.response.body", "body": piece, "more_body": more})


def _refusal(scope: Scope, status: int) -> Answer:
    """The answer where a limit is reached, in the client's language."""
    request = HttpRequest()
    request.META.update(_headers(scope))
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


def _environ(scope: Scope, body: Body) -> dict[str, Any]:
    """Return what WSGI (PEP 3333) tells an application of a request."""
    environ = _headers(scope) | {
        "REQUEST_METHOD": scope["method"],
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(scope["raw_path"]).decode("latin-1"),
        "QUERY_STRING": scope["query_string"].decode("latin-1"),
        "SERVER_PROTOCOL": f"HTTP/{scope['http_version']}",
        "SERVER_NAME": scope["server"][0],
        "SERVER_PORT": str(scope["server"][1]),
        "REMOTE_ADDR": scope["client"][0],
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": scope["scheme"],
        "wsgi.input": body.file,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
        "wsgi.file_wrapper": FileWrapper,
    }
    if body.length or "CONTENT_LENGTH" in environ:
        environ["CONTENT_LENGTH"] = str(body.length)
    return environ


def _headers(scope: Scope) -> dict[str, str]:
    """The headers under their names in WSGI. Those with an underscore are left out: they would pass for others."""
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
