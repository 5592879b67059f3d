"""The event stream at ``GET /api/v1/stream/``: an ASGI application that sends the events of an account.

The format is server-sent events of the HTML standard. A stream is opened with a bearer token, or with the session of a
page of our own site. When the token or session ends, the stream is closed within seconds. Opening a stream counts as a
request of the account. Invalid tokens and sessions are counted for each address before they are looked up. A page
cannot set the header Last-Event-ID when it opens a stream, so it passes the id as ``?last-event-id=``.
"""

import asyncio
import json
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final
from urllib.parse import parse_qs

from django.db import InterfaceError, OperationalError, close_old_connections, connections
from django.http import HttpRequest
from django.utils import timezone
from rest_framework.exceptions import AuthenticationFailed

from accounts.authentication.sessions import accounts_of, session_key
from accounts.rate_limits import Balance, network_of, take_each
from accounts.tokens import Scope, TokenAuthentication, token_key, valid_keys
from config.core import metrics
from config.core.database import time_limits
from config.core.logs import describe_error
from config.server import open_games
from config.server.open_games import BEGIN, HEARTBEAT, NOTHING_NEW, GameFilter, OpenGames, frame
from config.server.page_stream import is_of_own_page, own_origin
from config.server.problems import RETRY_AFTER
from config.server.rate_limits import TokenGuesses, draws_of
from config.server.serving import client_address
from notifications import stream_events
from notifications.stream_events import Hub, Listener, Progress, pauses

logger = logging.getLogger(__name__)

PATH: Final = "/api/v1/stream/"
TOKEN_CHECK_INTERVAL: Final = 3.0
"""Seconds between two checks of the tokens of open streams."""
MOST_OF_ACCOUNT: Final = 20
"""Open streams of an account."""
Scope_ = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

_ALL_ORIGINS: Final = (
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate"),
)
_PREFLIGHT: Final = (
    (b"access-control-allow-methods", b"GET"),
    (b"access-control-allow-headers", b"authorization, last-event-id"),
    (b"access-control-max-age", b"86400"),
)
_PROOF: Final = (b"www-authenticate", b"Bearer")
_SESSION: Final = "Session "
"""The prefix of a session key, like ``Bearer`` for a token."""
_STREAM: Final = (
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
)


class StreamRefused(Exception):
    """The request gets no stream, but a status and one of the API's codes."""

    def __init__(self, status: int, code: str, detail: str, *headers: tuple[bytes, bytes]) -> None:
        super().__init__(detail)
        self.status, self.code, self.headers = status, code, headers


@dataclass(frozen=True)
class Client:
    """A client that requests a stream."""

    account: int
    token: Hashable
    last: str
    """The id of the last event that the client received, or an empty string."""
    origin: str
    """The origin of our own page, or an empty string for a program with a token."""
    balance: Balance
    """The remaining requests of the account."""
    filter: GameFilter | None = None
    """The filter of the stream of open games. None for the stream of the account's own events."""


class EventStream:
    """The ASGI application. There is one for the process."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="stream")
        """The thread that queries the database for all streams."""
        self._open: dict[Listener, Hashable] = {}
        """The open streams, and the token that each was opened with."""
        self._guesses = TokenGuesses()
        self._open_games = OpenGames(self._run_in_thread)

    async def __call__(self, scope: Scope_, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        try:
            await self._serve(scope, receive, send)
        except StreamRefused as refused:
            await _refuse(send, refused, own_origin(_headers_of(scope)))

    async def _serve(self, scope: Scope_, receive: Receive, send: Send) -> None:
        if scope["method"] == "OPTIONS":
            return await _answer(send, 204, b"", *_ALL_ORIGINS, *_PREFLIGHT)
        try:
            client = await self._admit(scope)
        except (OperationalError, InterfaceError) as error:
            logger.warning("a stream was refused with 503: %s", describe_error(error))
            raise _unavailable() from None
        with self._hub.listening(client.account) as listener:
            self._open[listener] = client.token
            metrics.STREAM_LISTENERS.set(len(self._open))
            try:
                async with _ending_with_client(receive, listener):
                    await self._send_events(client, listener, send)
            except (OperationalError, InterfaceError) as error:
                # The program connects again, and then gets the events that it has missed.
                logger.warning("a stream was ended: %s", describe_error(error))
                await send({"type": "http.response.body", "body": b"", "more_body": False})
            finally:
                del self._open[listener]
                metrics.STREAM_LISTENERS.set(len(self._open))

    async def _admit(self, scope: Scope_) -> Client:
        """Return the client of a request. Raises StreamRefused."""
        if scope["path"] not in (PATH, open_games.PATH):
            raise StreamRefused(
                404, "not-found", "There’s nothing at this address. Check it against the API’s description."
            )
        if scope["method"] not in ("GET", "HEAD"):
            raise StreamRefused(405, "method-not-allowed", "A stream can only be read.", (b"allow", b"GET, OPTIONS"))
        headers = _headers_of(scope)
        query = scope["query_string"].decode("latin-1")
        filter = _parse_filter(query) if scope["path"] == open_games.PATH else None
        credentials, origin = headers.get("authorization", ""), ""
        if not credentials and (key := session_key(headers.get("cookie", ""))) and is_of_own_page(headers):
            credentials, origin = f"{_SESSION}{key}", headers.get("origin", "")
        account, token, balance = await self._authenticate(network_of(client_address(scope)), credentials)
        if sum(listener.account == account for listener in self._open) >= MOST_OF_ACCOUNT:
            raise _too_many(f"An account can have at most {MOST_OF_ACCOUNT} streams. Close one.", 60)
        if not self._hub.ready.is_set():
            raise _unavailable()
        parameter = parse_qs(query).get("last-event-id", [""])
        return Client(account, token, headers.get("last-event-id", parameter[-1]).strip(), origin, balance, filter)

    async def _authenticate(self, address: str, credentials: str) -> tuple[int, Hashable, Balance]:
        """Return the account, its token and its balance. Raises StreamRefused, also after too many invalid tokens."""
        if not credentials:
            raise StreamRefused(401, "unauthenticated", "Send a token: Authorization: Bearer <token>.", _PROOF)
        if wait := self._guesses.take(address, credentials):
            raise _too_many("Too many tokens from your address weren’t valid.", wait)
        is_bad = False
        try:
            return await self._run_in_thread(_authenticate, credentials)  # type: ignore[no-any-return]
        except StreamRefused as refused:
            is_bad = refused.status == 401
            raise
        finally:
            self._guesses.settle(address, credentials, is_bad=is_bad)

    async def _send_events(self, client: Client, listener: Listener, send: Send) -> None:
        """Send the missed events and then new ones, until the stream ends."""
        headers = [*_STREAM, *_origin_headers(client.origin), *_rate_limit_headers(client.balance)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        frames = (
            self._frames(client, listener)
            if client.filter is None
            else self._open_games.frames(client.filter, listener)
        )
        try:
            async for data in frames:
                await send({"type": "http.response.body", "body": data, "more_body": True})
        except (OperationalError, InterfaceError) as error:  # the client reconnects and gets the missed events
            logger.warning("a stream was ended, as the database does not answer: %s", describe_error(error))
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _frames(self, client: Client, listener: Listener) -> AsyncIterator[bytes]:
        yield BEGIN
        since = await self._run_in_thread(stream_events.start_listening, client.account)
        waits = pauses()
        while since is not None and not await self._run_in_thread(
            stream_events.is_listening_complete, client.account, since
        ):
            await asyncio.sleep(next(waits))
        for first_frame in await self._run_in_thread(_first_frames, client, listener.since, since is not None):
            yield first_frame
        while True:
            try:
                event = await asyncio.wait_for(listener.queue.get(), HEARTBEAT)
            except TimeoutError:
                yield NOTHING_NEW
                continue
            if event is None:
                return
            yield frame(event.kind, stream_events.id_of(listener.since.epoch, event.id), event.data, event.at)

    async def check_tokens(self) -> None:
        """End streams with expired tokens, every few seconds."""
        while True:
            await asyncio.sleep(TOKEN_CHECK_INTERVAL)
            streams = tuple(self._open.items())  # more streams may be opened during the query
            if not streams:
                continue
            try:
                valid = await self._run_in_thread(_valid_tokens, {token for _, token in streams}, timezone.now())
            except Exception as error:  # without a database the streams stay open
                logger.warning("The tokens of the streams cannot be checked: %s", type(error).__name__)
                continue
            for listener, token in streams:
                if token not in valid:
                    listener.end()

    async def report(self) -> None:
        """Report to the health checks every few seconds whether the streams receive events."""
        while True:
            try:
                await self._run_in_thread(stream_events.report, self._hub.last_event_at)
            except Exception as error:
                logger.warning("The state of the streams cannot be reported: %s", type(error).__name__)
            await asyncio.sleep(stream_events.REPORTS_EVERY.total_seconds())

    def end_streams(self) -> None:
        """End all streams, because the server ends."""
        for listener in tuple(self._open):
            listener.end()

    async def close(self) -> None:
        """Close the connection to the database. All streams have ended."""
        await self._run_in_thread(connections.close_all)
        self._thread.shutdown()

    async def _run_in_thread(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Call a function that queries the database in the thread, and return its result."""
        loop, began = asyncio.get_running_loop(), time.monotonic()
        return await loop.run_in_executor(self._thread, _with_connection, began, function, *arguments)


def _with_connection(began: float, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function that queries the database. The time that it waited for the thread counts as waiting, too."""
    with time_limits.limited(time_limits.left_since(began)):
        close_old_connections()
        try:
            return function(*arguments)
        finally:
            close_old_connections()


def _headers_of(scope: Scope_) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


def _origin_headers(origin: str) -> tuple[tuple[bytes, bytes], ...]:
    """Return CORS headers: credentials for our own page, or all origins for programs, which send a token."""
    if not origin:
        return _ALL_ORIGINS
    return (
        (b"access-control-allow-origin", origin.encode("latin-1")),
        (b"access-control-allow-credentials", b"true"),
        (b"vary", b"origin"),
    )


def _valid_tokens(names: Collection[Hashable], now: datetime) -> set[Hashable]:
    """Return the valid ones among these tokens and sessions."""
    sessions = [name for name in names if isinstance(name, str)]
    tokens = [name for name in names if not isinstance(name, str)]
    return {*valid_keys(tokens, now), *accounts_of(sessions, now)}  # type: ignore[arg-type]  # pairs, all of them


def _authenticate(header: str) -> tuple[int, Hashable, Balance]:
    """Return the account of a token or session, the key of the token, and the account's balance.

    Raises StreamRefused.
    """
    if header.startswith(_SESSION):
        return _authenticate_session(header.removeprefix(_SESSION))
    request = HttpRequest()
    request.META["HTTP_AUTHORIZATION"] = header
    request.META["HTTP_ACCEPT_LANGUAGE"] = "en"
    try:
        credentials = TokenAuthentication().authenticate(request)
    except AuthenticationFailed:
        raise StreamRefused(401, "unauthenticated", "This token is unknown or no longer valid.", _PROOF) from None
    if credentials is None:
        raise StreamRefused(401, "unauthenticated", "Send a token: Authorization: Bearer <token>.", _PROOF)
    account, token = credentials
    balance = take_each(draws_of(account, token), timezone.now())
    if not balance.granted:
        raise _too_many("You sent too many requests.", balance.wait, *_rate_limit_headers(balance))
    if Scope.GAMES_READ not in token.scopes:
        raise StreamRefused(403, "forbidden", f"This token lacks the scope “{Scope.GAMES_READ}”.")
    return account.pk, token_key(token), balance


def _authenticate_session(key: str) -> tuple[int, Hashable, Balance]:
    account = accounts_of([key], timezone.now()).get(key)
    if account is None:
        raise StreamRefused(401, "unauthenticated", "This session is over. Log in again.", _PROOF)
    balance = take_each(draws_of(account, None), timezone.now())
    if not balance.granted:
        raise _too_many("You sent too many requests.", balance.wait, *_rate_limit_headers(balance))
    return account.pk, key, balance


def _parse_filter(query: str) -> GameFilter:
    try:
        return open_games.parse_filter(query)
    except ValueError as error:
        raise StreamRefused(400, "malformed", str(error)) from None


def _unavailable() -> StreamRefused:
    """Return a 503 with Retry-After."""
    after = (b"retry-after", str(RETRY_AFTER).encode())
    return StreamRefused(503, "unavailable", "The database isn’t responding right now.", after)


def _too_many(detail: str, wait: int, *headers: tuple[bytes, bytes]) -> StreamRefused:
    """Return a 429 with Retry-After."""
    return StreamRefused(429, "rate-limited", detail, (b"retry-after", str(wait).encode()), *headers)


def _rate_limit_headers(balance: Balance) -> list[tuple[bytes, bytes]]:

    return [
        (b"ratelimit-policy", balance.policy.header.encode()),
        (b"ratelimit", balance.header.encode()),
    ]


def _first_frames(client: Client, since: Progress, is_new: bool) -> list[bytes]:
    """Return the missed events, or the id of the latest event. Events are not stored for a new client."""
    now = timezone.now()
    missed = stream_events.missed(client.account, client.last, since, now) if client.last and not is_new else None
    if missed is not None:
        return [frame(row.kind, stream_events.id_of(since.epoch, row.public_id), row.data, row.at) for row in missed]
    kind = "reset" if client.last else "ready"
    return [frame(kind, stream_events.latest(client.account, since, now), {}, now)]


@asynccontextmanager
async def _ending_with_client(receive: Receive, listener: Listener) -> AsyncIterator[None]:
    """End the listener in this block when its client is gone."""

    async def watch() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        listener.end()

    watching = asyncio.create_task(watch())
    try:
        yield
    finally:
        watching.cancel()


async def _answer(send: Send, status: int, body: bytes, *headers: tuple[bytes, bytes]) -> None:
    await send({"type": "http.response.start", "status": status, "headers": list(headers)})
    await send({"type": "http.response.body", "body": body, "more_body": False})


async def _refuse(send: Send, refused: StreamRefused, origin: str) -> None:
    body = {
        "type": f"urn:darbar:problem:{refused.code}",
        "title": str(refused),
        "status": refused.status,
        "code": refused.code,
        "detail": str(refused),
    }
    content_type = (b"content-type", b"application/problem+json")
    headers = (content_type, *_origin_headers(origin), *refused.headers)
    await _answer(send, refused.status, json.dumps(body, ensure_ascii=False).encode(), *headers)
