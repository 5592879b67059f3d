"""The event stream: ``GET /api/v1/stream/``, one connection that tells an account all that concerns it.

Server-sent events, as the HTML standard has them. A plain ASGI application. What opens it is a bearer token, or the
session of a page of our own: a program of another site is told nothing by a session. A token or session that ends
loses its stream within seconds. Opening one draws on the account's allowance of requests; bad tokens and sessions are
counted for each address before they are looked up. A page cannot set the header Last-Event-ID when it opens a stream:
it puts the id into the address, as ``?last-event-id=``.
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

from accounts.limits.connections import network_of
from accounts.limits.rate_limits import Balance, take_each
from accounts.tokens.scopes import Scope
from accounts.tokens.token_checks import token_key, valid_keys
from accounts.tokens.tokens import TokenAuthentication
from accounts.web.sessions import accounts_of, session_key
from config import metrics
from config.database import time_limits
from config.failures import describe_error
from config.http.rate_limits import draws_of
from config.http.server.serving import client_address
from config.http.stream import open_games
from config.http.stream.frames import BEGIN, HEARTBEAT, NOTHING_NEW, frame
from config.http.stream.open_games import OpenGames, Wanted
from config.http.stream.page_stream import is_of_own_page, own_origin
from config.http.stream.token_guesses import TokenGuesses
from config.http.unavailability.outages import RETRY_AFTER
from notifications.stream import stream_events
from notifications.stream.epoch import Progress
from notifications.stream.hub import Hub, Listener, pauses

logger = logging.getLogger(__name__)

PATH: Final = "/api/v1/stream/"
TOKEN_CHECK_INTERVAL: Final = 3.0
"""Seconds between two looks at whether the tokens of the open streams still hold."""
MOST_OF_ACCOUNT: Final = 20
"""The number of streams an account may have open at once."""
Scope_ = dict[str, Any]
Receive = Callable[[], Awaitable[dict[str, Any]]]
Send = Callable[[dict[str, Any]], Awaitable[None]]

_OPEN_TO_ALL: Final = (
    (b"access-control-allow-origin", b"*"),
    (b"access-control-expose-headers", b"RateLimit, RateLimit-Policy, Retry-After"),
)
_PREFLIGHT: Final = (
    (b"access-control-allow-methods", b"GET"),
    (b"access-control-allow-headers", b"authorization, last-event-id"),
    (b"access-control-max-age", b"86400"),
)
_PROOF: Final = (b"www-authenticate", b"Bearer")
_SESSION: Final = "Session "
"""The prefix of a session's key, where ``Bearer`` is the prefix of a token."""
_STREAM: Final = (
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
)


class Refused(Exception):
    """There is no stream for this request: a status and one of the API's codes."""

    def __init__(self, status: int, code: str, detail: str, *headers: tuple[bytes, bytes]) -> None:
        super().__init__(detail)
        self.status, self.code, self.headers = status, code, headers


@dataclass(frozen=True)
class Client:
    """A client that asks for a stream."""

    account: int
    token: Hashable
    last: str
    """The id of the last event that was heard; blank at the beginning."""
    origin: str
    """The origin of the page of ours that asks; blank for a program with a token."""
    balance: Balance
    """The rest of the account's allowance of requests."""
    wanted: Wanted | None = None
    """The open games that it asks for; None where it asks for what concerns the account."""


class EventStream:
    """The application: one for the process."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="stream")
        """Asks the database for all of them."""
        self._open: dict[Listener, Hashable] = {}
        """The open streams, and the token that each was opened with."""
        self._guesses = TokenGuesses()
        self._open_games = OpenGames(self._run_in_thread)

    async def __call__(self, scope: Scope_, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        try:
            await self._serve(scope, receive, send)
        except Refused as refused:
            await _refuse(send, refused, own_origin(_headers_of(scope)))

    async def _serve(self, scope: Scope_, receive: Receive, send: Send) -> None:
        if scope["method"] == "OPTIONS":
            return await _answer(send, 204, b"", *_OPEN_TO_ALL, *_PREFLIGHT)
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
        """Return whose stream is asked for. Refused."""
        if scope["path"] not in (PATH, open_games.PATH):
            raise Refused(404, "not-found", "There is nothing at this address. Check it against the API's description.")
        if scope["method"] not in ("GET", "HEAD"):
            raise Refused(405, "method-not-allowed", "A stream can only be read.", (b"allow", b"GET, OPTIONS"))
        headers = _headers_of(scope)
        query = scope["query_string"].decode("latin-1")
        wanted = _wanted(query) if scope["path"] == open_games.PATH else None
        shown, origin = headers.get("authorization", ""), ""
        if not shown and (key := session_key(headers.get("cookie", ""))) and is_of_own_page(headers):
            shown, origin = f"{_SESSION}{key}", headers.get("origin", "")
        account, token, balance = await self._known(network_of(client_address(scope)), shown)
        if sum(each.account == account for each in self._open) >= MOST_OF_ACCOUNT:
            raise _too_many(f"An account has at most {MOST_OF_ACCOUNT} streams: close one.", 60)
        if not self._hub.ready.is_set():
            raise _unavailable()
        asked = parse_qs(query).get("last-event-id", [""])
        return Client(account, token, headers.get("last-event-id", asked[-1]).strip(), origin, balance, wanted)

    async def _known(self, address: str, shown: str) -> tuple[int, Hashable, Balance]:
        """Return whose token it is, unless its sender has shown too many that are none. Refused."""
        if not shown:
            raise Refused(401, "unauthenticated", "Show a token: Authorization: Bearer <token>.", _PROOF)
        if wait := self._guesses.take(address, shown):
            raise _too_many("Too many tokens from your address were not valid.", wait)
        is_bad = False
        try:
            return await self._run_in_thread(_authenticate, shown)  # type: ignore[no-any-return]
        except Refused as refused:
            is_bad = refused.status == 401
            raise
        finally:
            self._guesses.settle(address, shown, is_bad=is_bad)

    async def _send_events(self, client: Client, listener: Listener, send: Send) -> None:
        """Tell what was missed, then what happens, until somebody ends it."""
        headers = [*_STREAM, *_open_to(client.origin), *_rate_limit_headers(client.balance)]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        frames = (
            self._frames(client, listener)
            if client.wanted is None
            else self._open_games.frames(client.wanted, listener)
        )
        try:
            async for data in frames:
                await send({"type": "http.response.body", "body": data, "more_body": True})
        except (OperationalError, InterfaceError) as error:  # the client reconnects and gets the missed events
            logger.warning("a stream was ended, as the database does not answer: %s", describe_error(error))
        await send({"type": "http.response.body", "body": b"", "more_body": False})

    async def _frames(self, client: Client, listener: Listener) -> AsyncIterator[bytes]:
        yield BEGIN
        since = await self._run_in_thread(stream_events.begin_to_hear, client.account)
        waits = pauses()
        while since is not None and not await self._run_in_thread(stream_events.hears_all, client.account, since):
            await asyncio.sleep(next(waits))
        for each in await self._run_in_thread(_first_frames, client, listener.since, since is not None):
            yield each
        while True:
            try:
                heard = await asyncio.wait_for(listener.queue.get(), HEARTBEAT)
            except TimeoutError:
                yield NOTHING_NEW
                continue
            if heard is None:
                return
            yield frame(heard.kind, stream_events.id_of(listener.since.epoch, heard.id), heard.data, heard.at)

    async def look_after_tokens(self) -> None:
        """End the streams whose tokens do not hold any more, again and again."""
        while True:
            await asyncio.sleep(TOKEN_CHECK_INTERVAL)
            looked_at = tuple(self._open.items())  # others may be opened while the database is asked
            if not looked_at:
                continue
            try:
                hold = await self._run_in_thread(_still_valid, {token for _, token in looked_at}, timezone.now())
            except Exception as error:  # a database that is away is no reason to end anything
                logger.warning("The tokens of the streams cannot be looked at: %s", type(error).__name__)
                continue
            for listener, token in looked_at:
                if token not in hold:
                    listener.end()

    async def report(self) -> None:
        """Report every few seconds whether the streams hear what is told: a sign of health."""
        while True:
            try:
                await self._run_in_thread(stream_events.report, self._hub.heard_at)
            except Exception as error:
                logger.warning("It cannot be told whether the streams hear: %s", type(error).__name__)
            await asyncio.sleep(stream_events.REPORTS_EVERY.total_seconds())

    def end_streams(self) -> None:
        """End every stream: the server is told to end."""
        for listener in tuple(self._open):
            listener.end()

    async def close(self) -> None:
        """Give back the connection to the database. No stream may be open any more."""
        await self._run_in_thread(connections.close_all)
        self._thread.shutdown()

    async def _run_in_thread(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return the result of a function that asks the database, from a thread."""
        loop, began = asyncio.get_running_loop(), time.monotonic()
        return await loop.run_in_executor(self._thread, _with_connection, began, function, *arguments)


def _with_connection(began: float, function: Callable[..., Any], *arguments: Any) -> Any:
    """Call a function that asks the database. The time that it waited for the thread counts as waiting, too."""
    with time_limits.limited(time_limits.left_since(began)):
        close_old_connections()
        try:
            return function(*arguments)
        finally:
            close_old_connections()


def _headers_of(scope: Scope_) -> dict[str, str]:
    return {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}


def _open_to(origin: str) -> tuple[tuple[bytes, bytes], ...]:
    """Return who may read an answer: a page of ours, which sends cookies; any other program, which shows a token."""
    if not origin:
        return _OPEN_TO_ALL
    return (
        (b"access-control-allow-origin", origin.encode("latin-1")),
        (b"access-control-allow-credentials", b"true"),
        (b"vary", b"origin"),
    )


def _still_valid(names: Collection[Hashable], now: datetime) -> set[Hashable]:
    """Those among these tokens and sessions that still hold."""
    sessions = [name for name in names if isinstance(name, str)]
    tokens = [name for name in names if not isinstance(name, str)]
    return {*valid_keys(tokens, now), *accounts_of(sessions, now)}  # type: ignore[arg-type]  # pairs, all of them


def _authenticate(header: str) -> tuple[int, Hashable, Balance]:
    """Return whose token or session it is, what it is remembered by, and what is left to the account. Refused."""
    if header.startswith(_SESSION):
        return _authenticate_session(header.removeprefix(_SESSION))
    request = HttpRequest()
    request.META["HTTP_AUTHORIZATION"] = header
    request.META["HTTP_ACCEPT_LANGUAGE"] = "en"
    try:
        known = TokenAuthentication().authenticate(request)
    except AuthenticationFailed:
        raise Refused(401, "unauthenticated", "This token is not known, or no longer valid.", _PROOF) from None
    if known is None:
        raise Refused(401, "unauthenticated", "Show a token: Authorization: Bearer <token>.", _PROOF)
    account, token = known
    balance = take_each(draws_of(account, token), timezone.now())
    if not balance.granted:
        raise _too_many("You sent too many requests.", balance.wait, *_rate_limit_headers(balance))
    if Scope.GAMES_READ not in token.scopes:
        raise Refused(403, "forbidden", f"This token lacks the scope “{Scope.GAMES_READ}”.")
    return account.pk, token_key(token), balance


def _authenticate_session(key: str) -> tuple[int, Hashable, Balance]:
    account = accounts_of([key], timezone.now()).get(key)
    if account is None:
        raise Refused(401, "unauthenticated", "This session is over: log in.", _PROOF)
    balance = take_each(draws_of(account, None), timezone.now())
    if not balance.granted:
        raise _too_many("You sent too many requests.", balance.wait, *_rate_limit_headers(balance))
    return account.pk, key, balance


def _wanted(query: str) -> Wanted:
    try:
        return open_games.wanted(query)
    except ValueError as error:
        raise Refused(400, "malformed", str(error)) from None


def _unavailable() -> Refused:
    """503, and after how many seconds to try again."""
    after = (b"retry-after", str(RETRY_AFTER).encode())
    return Refused(503, "unavailable", "The database does not answer right now.", after)


def _too_many(detail: str, wait: int, *headers: tuple[bytes, bytes]) -> Refused:
    """429, and after how many seconds to try again."""
    return Refused(429, "rate-limited", detail, (b"retry-after", str(wait).encode()), *headers)


def _rate_limit_headers(balance: Balance) -> list[tuple[bytes, bytes]]:
    """The headers that tell what is left."""
    return [
        (b"ratelimit-policy", balance.policy.header.encode()),
        (b"ratelimit", balance.header.encode()),
    ]


def _first_frames(client: Client, since: Progress, is_new: bool) -> list[bytes]:
    """The first frames: what was missed, or from where on it will be told. For one that is new nothing was kept."""
    now = timezone.now()
    missed = stream_events.missed(client.account, client.last, since, now) if client.last and not is_new else None
    if missed is not None:
        return [
            frame(each.kind, stream_events.id_of(since.epoch, each.public_id), each.data, each.at) for each in missed
        ]
    kind = "reset" if client.last else "ready"
    return [frame(kind, stream_events.latest(client.account, since, now), {}, now)]


@asynccontextmanager
async def _ending_with_client(receive: Receive, listener: Listener) -> AsyncIterator[None]:
    """Inside, the listener is ended when its client has gone."""

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


async def _refuse(send: Send, refused: Refused, origin: str) -> None:
    body = {
        "type": f"urn:darbar:problem:{refused.code}",
        "title": str(refused),
        "status": refused.status,
        "code": refused.code,
        "detail": str(refused),
    }
    content_type = (b"content-type", b"application/problem+json")
    headers = (content_type, *_open_to(origin), *refused.headers)
    await _answer(send, refused.status, json.dumps(body).encode(), *headers)
