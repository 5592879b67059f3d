"""Sending moves. A plain one is authenticated, counted and stored by one statement (``games.api.play.move_store``).

Most moves are plain: somebody who sits in the game sends it with a personal token, and nothing about the request is
unusual. Where the statement stores nothing, nothing has changed, and REST framework handles the request from its
beginning, which says what is wrong. Its authentication, negotiation, validation and separate statements cost more than
the whole of a plain move (``docs/scale.md``).
"""

import re
from dataclasses import replace
from typing import Annotated, Any, ClassVar, Final
from uuid import UUID, uuid4

import msgspec
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils import translation
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.response import Response

from accounts.limits.idempotency import Effect
from accounts.tokens.scopes import Scope
from accounts.tokens.tokens import digest_of
from accounts.web.api_view import KEY, AccountApiView, id_in_location, run_idempotent, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import NothingSerializer
from config.database import database_clock
from games.api.lobby.games import API
from games.api.play import outcomes
from games.api.play.move_store import Plain, Stored, StoreQueue
from games.api.play.outcomes import Sent
from games.api.shared.etags import preferred_wait
from games.api.shared.problems import refusals_as_problems
from games.api.shared.serializers import MoveSerializer, StoredMoveSerializer
from games.api.shared.type_names import unqualify
from games.engine import AnyRules
from games.engine.record import RESIGNATION
from games.event_log.enqueue import enqueue
from games.models import Move
from games.play.submit import LONGEST, Written, body_of, submit, text_of
from games.refusals import Refusal, not_found
from games.rules.registry import every_version
from games.visibility.access import GameAccess, access_without_seats

WAIT: Final = OpenApiParameter(
    "Prefer",
    str,
    OpenApiParameter.HEADER,
    description="`wait=N`: answer with the outcome, if it is there within N seconds, 10 at most.",
)
_TOKEN: Final = re.compile(r"Bearer (darbar_[\w-]+)", re.ASCII)
_PLAIN: Final = {
    "REQUEST_METHOD": ("POST",),
    "QUERY_STRING": ("",),
    "CONTENT_TYPE": ("application/json",),
    "HTTP_ACCEPT": ("", "*/*", "application/json"),
}
_LARGEST: Final = 4096
"""Bytes of a plain body; all moves are far smaller."""
_QUEUE: Final = StoreQueue()


class _Sending(AccountApiView):
    """A view that takes moves."""

    required_scopes: ClassVar = {"POST": Scope.GAMES_PLAY}

    def send(self, request: AccountRequest, game: UUID, written: Written) -> HttpResponse:
        """Store a move, once for its idempotency key; then answer that it is stored, or what became of it."""
        with refusals_as_problems():
            seen = access_without_seats(request.user, game)
            wait, made = preferred_wait(request), list[Move]()
            move = _unqualified(written, seen.game.rules)

            def effect() -> Effect:
                made.append(
                    submit(seen.game, request.user, move, API, self.received_at, seen.seat, enqueue_task=not wait)
                )
                return Effect(reverse("move", args=[game, made[0].id]), game)

            location = run_idempotent(request, effect, self.received_at)
            sent = Sent(seen, made[0] if made else _own(seen, UUID(id_in_location(location))))
            if wait and sent.move.state == Move.State.RECEIVED:
                sent = outcomes.awaited(request.user, sent.move, wait)
            return self.respond(outcomes.of_move(sent), location, is_awaited=bool(wait))

    def respond(self, document: dict[str, Any], location: str, *, is_awaited: bool) -> HttpResponse:
        """200 with the outcome for whoever waited and has it; 202 for a move that is stored."""
        has_outcome = is_awaited and document["state"] != Move.State.RECEIVED
        response = HttpResponse(msgspec.json.encode(document), "application/json", 200 if has_outcome else 202)
        response.headers["Location"] = location
        if has_outcome:
            response.headers["Preference-Applied"] = "wait"
        return response


class Moves(_Sending):
    """My answers."""

    counts_requests = True

    def dispatch(self, request: HttpRequest, game: UUID) -> HttpResponseBase:
        """Store a plain move; leave every other request to REST framework."""
        token = _TOKEN.fullmatch(request.META.get("HTTP_AUTHORIZATION", ""))
        response = self._send_plain(request, game, token[1]) if token and _is_plain(request) else None
        return response or request.count(request) or super().dispatch(request, game=game)  # type: ignore[attr-defined]

    def _send_plain(self, request: HttpRequest, game: UUID, token: str) -> HttpResponse | None:
        """The answer to a move that is stored; None where nothing has changed."""
        wait = preferred_wait(request)
        with (outcomes.GROUP_COMMIT if wait else _QUEUE).expected():
            read, now = _read(request.body), database_clock.now()
            if read is None:
                return None
            said, rules = read
            request.is_plain_move = True  # type: ignore[attr-defined]
            plain = Plain(uuid4(), game, now, said, digest_of(token), rules)
            done = outcomes.stored_and_awaited(plain, wait) if wait else _store(plain)
        if done is None:
            request.is_plain_move = False  # type: ignore[attr-defined]
            request.received_at = now  # type: ignore[attr-defined]
            return None
        stored, sent = done
        if "Accept-Language" not in request.headers:
            translation.activate(stored.account.language)
        request.balance = stored.balance  # type: ignore[attr-defined]
        names = (each.partition(":")[0] for each in plain.rules)
        document = outcomes.told_move(stored.move, next(names)) if sent is None else outcomes.of_move(sent)
        response = self.respond(document, f"{request.path}{stored.move.id}/", is_awaited=bool(wait))
        for name, value in self.default_response_headers.items():
            response.headers[name] = value
        return response

    @extend_schema(
        operation_id="send_move",
        tags=["play"],
        request=MoveSerializer,
        responses={200: StoredMoveSerializer, 202: StoredMoveSerializer},
        parameters=[KEY, WAIT],
    )
    def post(self, request: AccountRequest, game: UUID) -> HttpResponse:
        """Answer a question. 202: the move is stored, and its outcome will be at `Location`; 200: it is here."""
        said = validated_data(MoveSerializer(data=request.data))
        return self.send(request, game, Written(said["question"], said.get("text"), said.get("move")))


class Resign(_Sending):
    """Giving up."""

    @extend_schema(
        operation_id="resign",
        tags=["play"],
        request=NothingSerializer,
        responses={200: StoredMoveSerializer, 202: StoredMoveSerializer},
        parameters=[KEY, WAIT],
    )
    def post(self, request: AccountRequest, game: UUID) -> HttpResponse:
        """Give up the game, for good. It is a move like any other."""
        validated_data(NothingSerializer(data=request.data))
        return self.send(request, game, Written("", RESIGNATION))


class OneMove(AccountApiView):
    """A move of the account."""

    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(operation_id="get_move", tags=["play"], responses=StoredMoveSerializer)
    def get(self, request: AccountRequest, game: UUID, move: UUID) -> Response:
        """Get the outcome of a move. Only its sender may."""
        with refusals_as_problems():
            seen = access_without_seats(request.user, game)
            return Response(outcomes.of_move(Sent(seen, _own(seen, move))))


def _own(seen: GameAccess, move: UUID) -> Move:
    found = Move.objects.filter(pk=move, game=seen.game, account=seen.account).first()
    if found is None:
        raise not_found()
    return found


class _Document(msgspec.Struct, forbid_unknown_fields=True):
    """The body of a plain request."""

    question: Annotated[str, msgspec.Meta(min_length=1, max_length=20)]
    text: Annotated[str, msgspec.Meta(max_length=LONGEST)] | msgspec.UnsetType = msgspec.UNSET
    move: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET


_DECODE: Final = msgspec.json.Decoder(_Document).decode


def _is_plain(request: HttpRequest) -> bool:
    length = request.META.get("CONTENT_LENGTH") or ""
    is_small = length.isdecimal() and int(length) <= _LARGEST
    if "HTTP_IDEMPOTENCY_KEY" in request.META:  # also an empty one, which is refused
        return False
    return is_small and all(request.META.get(name, "") in usual for name, usual in _PLAIN.items())


def _read(body: bytes) -> tuple[dict[str, str | None], list[str]] | None:
    """A move's columns as a plain body gives them, and of which rules it can be a move; None if it is not plain."""
    try:
        said = _DECODE(body)
        text = None if said.text is msgspec.UNSET else said.text
        move = None if said.move is msgspec.UNSET else said.move
        if not (_is_tidy(said.question) and _is_tidy(text or "")):
            return None
        written = Written(said.question, text, move)
        columns = {"question": written.question, "text": text_of(written)}
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, Refusal):
        return None
    every = {f"{rules.name}:{rules.version}": rules for rules in every_version()}
    if move is None:
        return columns, [*every]
    game = str(move.get("type")).partition(".")[0]
    bodies = {name: found for name, rules in every.items() if rules.name == game and (found := _body(written, rules))}
    return ({**columns, "body": next(iter(bodies.values()))}, [*bodies]) if bodies else None


def _is_tidy(text: str) -> bool:
    """Return True if validation would neither strip nor refuse anything of a text."""
    return text == text.strip() and text.isprintable()


def _unqualified(written: Written, rules: str) -> Written:
    """A move with the game's own tags. Refusal ``malformed``."""
    return replace(written, move=unqualify(rules, written.move, "move"))


def _body(written: Written, rules: AnyRules) -> str | None:
    """A move's JSON, where it is one of these rules."""
    try:
        return body_of(_unqualified(written, rules.name), lambda: rules)
    except Refusal:
        return None


def _store(plain: Plain) -> tuple[Stored, None] | None:
    """Store a plain move for the worker to resolve; None where nothing has changed."""
    stored = _QUEUE.store(plain)
    if stored is None:
        return None
    enqueue("games.tasks.resolve_moves")
    return stored, None
