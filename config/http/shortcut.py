"""The short way of a move that is plain in every respect: one statement, and neither router nor REST framework.

Most moves are: somebody who sits at the table sends it with a token of their own, and nothing about the request is
unusual. One statement then does all that is to be done (``games.api.play.move_store``). Whatever is otherwise goes the
long way (``games.api.play.play.Moves``) from its beginning, for nothing has been changed until then. So nothing is
refused here, and each answer is the one of the long way.
"""

import re
from collections.abc import Callable
from contextlib import nullcontext
from datetime import timedelta
from typing import Annotated, Any, Final
from uuid import UUID, uuid4

import msgspec
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import translation

from accounts.tokens.tokens import digest_of
from config.database import database_clock
from config.http import rate_limits
from games.api.play import outcomes
from games.api.play.move_store import Plain, Stored, store
from games.api.play.outcomes import Sent
from games.api.shared.etags import patience
from games.engine import AnyRules
from games.event_log.enqueue import ring
from games.models import Move
from games.play.submit import LONGEST, Written, body_of, text_of
from games.refusals import Refusal
from games.rules.registry import RULES

_PATH: Final = re.compile(r"/api/v1/games/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/moves/")
_TOKEN: Final = re.compile(r"Bearer (darbar_[\w-]+)", re.ASCII)
_PLAIN: Final = {
    "REQUEST_METHOD": ("POST",),
    "QUERY_STRING": ("",),
    "CONTENT_TYPE": ("application/json",),
    "HTTP_ACCEPT": ("", "*/*", "application/json"),
    "HTTP_IDEMPOTENCY_KEY": ("",),
}
_LARGEST: Final = 4096
"""Bytes of a body; all moves are far smaller."""

Respond = Callable[[HttpRequest], HttpResponseBase]


def shortcut_middleware(long_way: Respond) -> Respond:
    """Have moves go the short way that can."""

    def respond(request: HttpRequest) -> HttpResponseBase:
        path, token = _PATH.fullmatch(request.path), _TOKEN.fullmatch(request.META.get("HTTP_AUTHORIZATION", ""))
        answer = None
        if path is not None and token is not None and _is_plain(request):
            wait = patience(request)
            with outcomes.JUDGES.expected() if wait else nullcontext():
                answer = _answer(request, path[1], token[1], wait)
        return long_way(request) if answer is None else answer

    return respond


class _Said(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a plain request."""

    question: Annotated[str, msgspec.Meta(min_length=1, max_length=20)]
    text: Annotated[str, msgspec.Meta(max_length=LONGEST)] | msgspec.UnsetType = msgspec.UNSET
    move: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


_READ: Final = msgspec.json.Decoder(_Said).decode


def _answer(request: HttpRequest, game: str, token: str, wait: timedelta) -> HttpResponse | None:
    """The answer, once the move is stored; None where it has to go the long way."""
    read, now = _read(request.body), database_clock.now()
    if read is None:
        return None
    said, rules = read
    request.is_storing = True  # type: ignore[attr-defined]
    done = _done(Plain(uuid4(), UUID(game), now, said, digest_of(token), rules), wait)
    if done is None:
        request.received_at = now  # type: ignore[attr-defined]
        return None
    stored, sent = done
    if "Accept-Language" not in request.headers:
        translation.activate(stored.account.language)
    answer = _told(stored.move, sent)
    answer.headers["Location"] = f"{request.path}{stored.move.id}/"
    rate_limits.tell(stored.balance, answer)
    return answer


def _done(plain: Plain, wait: timedelta) -> tuple[Stored, Sent | None] | None:
    """That the move is stored, and what became of it, if somebody waits for that; None where it is not stored."""
    if wait:
        return outcomes.stored_and_awaited(plain, wait)
    stored = store(plain, database_clock.now())
    if stored is None:
        return None
    ring("games.tasks.resolve_moves")
    return stored, None


def _is_plain(request: HttpRequest) -> bool:
    length = request.META.get("CONTENT_LENGTH") or ""
    is_small = length.isdecimal() and int(length) <= _LARGEST
    return is_small and all(request.META.get(name, "") in usual for name, usual in _PLAIN.items())


def _read(body: bytes) -> tuple[dict[str, str | None], list[str]] | None:
    """What the body says as a move's columns, and of which rules it can be a move; None if not plain."""
    try:
        said = _READ(body)
        text, move = (None if each is msgspec.UNSET else each for each in (said.text, said.move))
        if not (_is_tidy(said.question) and _is_tidy(text or "")):
            return None
        written = Written(said.question, text, move)
        columns = {"question": written.question, "text": text_of(written)}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, Refusal):
        return None
    every = {f"{rules.name}:{rules.version}": rules for rules in RULES.values()}
    if move is None:
        return columns, [*every]
    bodies = {name: body for name, rules in every.items() if (body := _body(written, rules))}
    return ({**columns, "body": next(iter(bodies.values()))}, [*bodies]) if bodies else None


def _is_tidy(text: str) -> bool:
    """Whether nothing in it would be taken away, or refused."""
    return text == text.strip() and text.isprintable()


def _body(written: Written, rules: AnyRules) -> str | None:
    """A move's JSON, where it is one of these rules."""
    try:
        return body_of(written, lambda: rules)
    except Refusal:
        return None


def _told(move: Move, sent: Sent | None) -> HttpResponse:
    """That it is stored; or what became of it, if that was to be had."""
    if sent is None or sent.move.state == Move.State.RECEIVED:
        return _written(outcomes.told_move(move), 202)
    answer = _written(outcomes.of_move(sent), 200)
    answer.headers["Preference-Applied"] = "wait"
    return answer


def _written(document: dict[str, Any], status: int) -> HttpResponse:
    headers = {"Content-Type": "application/json", "Allow": "POST, OPTIONS"}
    return HttpResponse(msgspec.json.encode(document), status=status, headers=headers)
