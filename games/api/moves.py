"""Sending a move, resigning, and the outcome of a move."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any, ClassVar, Final
from uuid import UUID

import msgspec
from django.urls import reverse
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import status
from rest_framework.response import Response

from accounts.idempotency import Effect
from accounts.tokens import Scope
from accounts.web.api_view import KEY, AccountApiView, id_in_location, run_idempotent, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import NothingSerializer
from config.core import clock
from config.core.tasks import enqueue
from games.announcements import setbacks
from games.api.games import API
from games.api.shared.events import serialize_event
from games.api.shared.problems import MoveRefused, problem, refusals_as_problems
from games.api.shared.responses import preferred_wait, waiting_slot
from games.api.shared.schema import qualify, unqualify
from games.api.shared.serializers import MoveSerializer, StoredMoveSerializer
from games.engine import Phrase, gettext_noop
from games.engine.record import RESIGNATION
from games.event_log import log_store
from games.event_log.log_store import Line
from games.models import Move
from games.play.resolve import resolve_now
from games.play.submit import WrittenMove, store_move
from games.refusals import not_found
from games.visibility.access import GameAccess, access_to_game, access_without_seats
from games.visibility.shown_events import show_log

WAIT: Final = OpenApiParameter(
    "Prefer",
    str,
    OpenApiParameter.HEADER,
    description="`wait=N`: answer with the outcome, if it is there within N seconds, 10 at most.",
)
# The longest wait for a game that another process has locked. A request may wait for the database for five seconds in
# all, and it needs some of them for its other statements.
_LONGEST_LOCK_WAIT: Final = timedelta(seconds=2)
# The longest wait for such a game if too many requests are waiting already.
_SHORTEST_LOCK_WAIT: Final = timedelta(milliseconds=20)


_REJECTED: Final[Mapping[int, Any]] = {
    409: OpenApiResponse(
        None, "`question-closed`: the question is not open to you. `conflict`: the game is not running."
    ),
    422: OpenApiResponse(None, "`illegal`: the rules do not allow the move; the question stays open. `key-reused`."),
}


class _MoveView(AccountApiView):
    """Base of the views that store a move."""

    required_scopes: ClassVar = {"POST": Scope.GAMES_PLAY}

    def store(self, request: AccountRequest, game: UUID, written_move: WrittenMove) -> Response:
        """Store a move, once for its idempotency key. Return its outcome to a client that waits for it."""
        wait, stored = preferred_wait(request), list[Move]()
        with refusals_as_problems():
            access = access_without_seats(request.user, game)
            written_move = replace(written_move, move=unqualify(access.game.rules, written_move.move, "move"))

            def effect() -> Effect:
                move = store_move(
                    access.game, request.user, written_move, API, self.received_at, access.seat, enqueue_task=not wait
                )
                stored.append(move)
                return Effect(reverse("move", args=[game, move.id]), game)

            location = run_idempotent(request, effect, self.received_at)
            move = stored[0] if stored else _own_move(access, UUID(id_in_location(location)))
            lines = None
            if wait and move.state == Move.State.RECEIVED:
                access, move, lines = _resolve(access, move, wait)
            document = _serialize(access, move, lines)
        if wait and move.state != Move.State.RECEIVED:
            if move.state != Move.State.APPLIED:
                raise MoveRefused(document, location)
            return Response(document, headers={"Location": location, "Preference-Applied": "wait"})
        return Response(document, status.HTTP_202_ACCEPTED, headers={"Location": location})


class Moves(_MoveView):
    @extend_schema(
        operation_id="send_move",
        tags=["play"],
        request=MoveSerializer,
        responses={200: StoredMoveSerializer, 202: StoredMoveSerializer, **_REJECTED},
        parameters=[KEY, WAIT],
    )
    def post(self, request: AccountRequest, game: UUID) -> Response:
        """Make a move: answer a question.

        202: the move is stored, and its outcome will be at `Location`. With `Prefer: wait=N` the outcome is here, if it
        comes in time: 200 if the game has accepted the move, and else a problem with the move as `move`. 409
        (`question-closed`): the question is not open to you. 422 (`illegal`) and 400 (`malformed`): it stays open.
        """
        data = validated_data(MoveSerializer(data=request.data))
        return self.store(request, game, WrittenMove(data["question"], data.get("text"), data.get("move")))


class Resign(_MoveView):
    @extend_schema(
        operation_id="resign_game",
        tags=["play"],
        request=NothingSerializer,
        responses={200: StoredMoveSerializer, 202: StoredMoveSerializer},
        parameters=[KEY, WAIT],
    )
    def post(self, request: AccountRequest, game: UUID) -> Response:
        """Resign from the game, for good. It is a move like any other."""
        validated_data(NothingSerializer(data=request.data))
        return self.store(request, game, WrittenMove("", RESIGNATION))


class OneMove(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(operation_id="get_move", tags=["play"], responses=StoredMoveSerializer)
    def get(self, request: AccountRequest, game: UUID, move: UUID) -> Response:
        """Get the outcome of a move. Only its sender may."""
        with refusals_as_problems():
            access = access_to_game(request.user, game)
            return Response(_serialize(access, _own_move(access, move)))


def _own_move(access: GameAccess, move: UUID) -> Move:
    row = Move.objects.filter(pk=move, game=access.game, account=access.account).first()
    if row is None:
        raise not_found()
    return row


def _resolve(access: GameAccess, move: Move, wait: timedelta) -> tuple[GameAccess, Move, Sequence[Line] | None]:
    """Resolve a move in this process, or leave it to a worker if its game stays locked for too long.

    Return its sender's access to the game, and the move, with their present state. The log lines are those that were
    added, or None if they have to be read.
    """
    account = access.account
    with waiting_slot() as is_free:
        lock_wait = min(wait, _LONGEST_LOCK_WAIT) if is_free else _SHORTEST_LOCK_WAIT
        locked = resolve_now(move.game_id, clock.now(), lock_wait)
    # The stored game has all that the outcome needs. Reading it again takes four statements. If a worker was faster,
    # or if another player has this seat now, there is no other way.
    if locked is not None and (seat := locked.seat_of(account)) == move.seat:
        for resolved in locked.resolved_moves:
            if resolved.id == move.id:
                own_access = GameAccess(locked.game, account, seat, known_names=locked.names())
                return own_access, resolved, locked.new_lines
    move.refresh_from_db()
    if move.state == Move.State.RECEIVED:
        enqueue("games.tasks.resolve_moves")
    return access_to_game(account, move.game_id), move, None


def _serialize(access: GameAccess, move: Move, lines: Sequence[Line] | None = None) -> dict[str, Any]:
    """Return a move and its outcome, as its sender may know it. ``lines`` are those that it led to, if known."""
    rules = access.game.rules
    return {
        "id": move.id,
        "game": move.game_id,
        "question": move.question,
        "text": move.text,
        "move": None if move.body is None else qualify(rules, msgspec.json.decode(move.body)),
        "received_at": move.received_at,
        "state": move.state,
        "problem": _problem(access, move),
        "events": _events(access, move, lines) if move.state == Move.State.APPLIED else [],
    }


def _problem(access: GameAccess, move: Move) -> dict[str, Any] | None:
    if move.state == Move.State.RECEIVED and access.game.stalled_since is not None:
        return problem("error", Phrase(setbacks.NOT_YET), {})
    if move.state == Move.State.REJECTED:
        return problem(move.code, msgspec.json.decode(move.phrase or "", type=Phrase), access.names)
    if move.state == Move.State.FAILED:
        sentence = gettext_noop(
            "Something went wrong on the server, so this move wasn’t played. The operator has been told."
        )
        return problem("error", Phrase(sentence), {})
    return None


def _events(access: GameAccess, move: Move, lines: Sequence[Line] | None) -> list[dict[str, Any]]:
    """Return the events that an applied move led to, as its sender may know them."""
    rules, first = log_store.rules_of(access.game), move.first_event or 1
    lines = (
        log_store.read(access.game, first - 1) if lines is None else [line for line in lines if line.number >= first]
    )
    return [serialize_event(access, line) for line in show_log(rules, lines, access.viewer) if line.move == move.id]
