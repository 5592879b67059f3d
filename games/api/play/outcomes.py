"""The outcome of a move, and what happened in a game, as one viewer may know it."""

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import OperationalError

from accounts.models import Account
from config.database import database_clock
from games.announcements import setbacks
from games.api.play.group_commit import NO_PATIENCE, Busy, GroupCommit
from games.api.play.move_store import Plain, Stored, store
from games.api.shared.long_polling import waiting_slot
from games.api.shared.problems import problem
from games.api.shared.type_names import qualify
from games.engine import Phrase, gettext_noop
from games.event_log import log_store
from games.event_log.enqueue import enqueue
from games.event_log.lines import Line
from games.event_log.table_events import TableEvent
from games.models import Move
from games.play.locked_game import LockedGame
from games.text import table_story
from games.text.phrases import render_phrase
from games.visibility.access import GameAccess, access_without_seats
from games.visibility.shown_events import ShownEvent, is_of_former_player, show_log, takeovers

logger = logging.getLogger(__name__)

GROUP_COMMIT: Final = GroupCommit()


@dataclass(frozen=True)
class Sent:
    """A move, and the eyes of whoever sent it."""

    seen: GameAccess
    move: Move
    lines: Sequence[Line] | None = None
    """The lines of the log from this move on, where they are at hand."""


def awaited(account: Account, move: Move, patience: timedelta) -> Sent:
    """A move of this account, resolved here and now if that can be done in time; else as it is, and a task is sent.

    Where too many wait already, nobody is waited for, and it is resolved if its game is free.
    """
    locked = None
    with waiting_slot() as free:
        try:
            locked = GROUP_COMMIT.resolve(move.game_id, patience if free else NO_PATIENCE)
        except OperationalError as error:
            logger.warning("move %s is left to the worker: %s", move.id, type(error).__name__)
    if resolved := locked and _resolved(account, move.id, locked):
        return resolved
    move.refresh_from_db()
    if move.state == Move.State.RECEIVED:
        enqueue("games.tasks.resolve_moves")
    return Sent(access_without_seats(account, move.game_id), move)


def stored_and_awaited(plain: Plain, patience: timedelta) -> tuple[Stored, Sent] | None:
    """Store a plain move, and have it resolved as ``awaited`` does; None where it is not stored: nothing has
    changed.
    """
    end = time.monotonic() + patience.total_seconds()
    try:
        with waiting_slot() as free:
            stored, locked = GROUP_COMMIT.store(plain, patience if free else NO_PATIENCE)
    except Busy:
        stored, locked = store(plain, database_clock.now()), None
    if stored is None:
        return None
    account, move = stored.account, stored.move
    if sent := locked and _resolved(account, move.id, locked):
        return stored, sent
    return stored, awaited(account, move, max(timedelta(seconds=end - time.monotonic()), NO_PATIENCE))


def _resolved(account: Account, sent: UUID, locked: LockedGame) -> Sent | None:
    """The move as it was resolved in this locked game, and its sender's eyes then; None where that is to be looked
    up.
    """
    seat = locked.seat_of(account)
    move = next((each for each in locked.waiting if each.id == sent), None)
    if move is None or seat != move.seat:
        return None
    seen = GameAccess(locked.game, account, seat, known_names=locked.names())
    return Sent(seen, move, [line for line in locked.lines if line.number >= (move.first_event or 1)])


def shown_lines(seen: GameAccess, after: int, limit: int) -> tuple[list[dict[str, Any]], bool]:
    """Up to ``limit`` lines of the log behind number ``after``, as this viewer may know it, and whether more follow."""
    game, viewer = seen.game, seen.viewer
    lines = show_log(log_store.rules_of(game), log_store.read_shown(game, viewer, after), viewer)
    further = [line for line in lines if line.number > after]
    taken_over = takeovers(further)
    told = [told_line(seen, line, former=is_of_former_player(line, taken_over)) for line in further[:limit]]
    return told, len(further) > limit


def lines_of(sent: Sent) -> list[dict[str, Any]]:
    """Return what an applied move led to, as its sender may know it. Of the log only what follows it is read."""
    seen, move = sent.seen, sent.move
    rules, before = log_store.rules_of(seen.game), (move.first_event or 1) - 1
    lines = log_store.read(seen.game, before) if sent.lines is None else sent.lines
    own = [line for line in show_log(rules, lines, seen.viewer) if line.move == move.id]
    return [told_line(seen, line) for line in own]


def told_line(seen: GameAccess, line: ShownEvent, *, former: bool = False) -> dict[str, Any]:
    """One line of the log, ready to be sent. ``former``: the player of its seat is another one now."""
    rules = log_store.rules_of(seen.game)
    if isinstance(line.event, TableEvent):
        phrase = table_story.story(line.event, seen.seat, former=former)
        phrases = [] if phrase is None else [phrase]
    else:
        phrases = [phrase for _, phrase in rules.words.story([line.event], seen.seat)]
    text = render_phrase(phrases[0], seen.names) if phrases else None
    told = {**msgspec.to_builtins(line), "text": text}
    if not isinstance(line.event, TableEvent):
        told["event"] = qualify(rules.name, told["event"])
    return told


def of_move(sent: Sent) -> dict[str, Any]:
    """A move and what became of it, for who sent it."""
    events = lines_of(sent) if sent.move.state == Move.State.APPLIED else []
    return {**told_move(sent.move, sent.seen.game.rules), "problem": _problem(sent.seen, sent.move), "events": events}


def told_move(move: Move, rules: str) -> dict[str, Any]:
    """A move of which nothing is to be said yet but that it is stored."""
    return {
        "id": move.id,
        "game": move.game_id,
        "question": move.question,
        "text": move.text,
        "move": None if move.body is None else qualify(rules, msgspec.json.decode(move.body)),
        "received_at": move.received_at,
        "state": move.state,
        "problem": None,
        "events": [],
    }


def _problem(seen: GameAccess, move: Move) -> dict[str, Any] | None:
    if move.state == Move.State.RECEIVED and seen.game.stalled_since is not None:
        return problem("error", Phrase(setbacks.NOT_YET), {})
    if move.state == Move.State.REJECTED:
        return problem(move.code, msgspec.json.decode(move.phrase or "", type=Phrase), seen.names)
    if move.state == Move.State.FAILED:
        sentence = gettext_noop(
            "Something went wrong on the server: this move was not played. The operator knows of it."
        )
        return problem("error", Phrase(sentence), {})
    return None
