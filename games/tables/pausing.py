"""Pausing a game by agreement: proposing a pause, agreeing, declining, and ending it early.

A pause moves deadlines and has no other effect: answers count as usual, but questions do not time out. A player cannot
use it against the others: all living players must agree, the total time for pauses is limited, a pause ends by itself,
and only one can be proposed in each turn.
"""

import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from accounts.models import Account
from games.deadlines import pauses
from games.engine import Phrase, SeatNumber, gettext_noop
from games.event_log import log_store
from games.event_log.table import Pause, Table
from games.event_log.table_events import PauseAgreed, PauseDeclined, PauseProposed, ResumeAgreed, TableEvent
from games.models import Game
from games.play.locked_game import SERVER, LockedGame, lock_game
from games.refusals import Refusal, not_found

SHORTEST: Final = timedelta(minutes=1)


@dataclass(frozen=True)
class PauseStatus:
    """The state of pauses in a game."""

    pause: Pause | None
    """The open proposal or the present pause."""
    longest: timedelta
    """The longest pause that could be proposed. Zero if none is possible."""
    left: timedelta
    """The time that is left for pauses in this game."""
    people: frozenset[SeatNumber]
    """The seats that may vote."""
    electors: frozenset[SeatNumber]
    """The electors whose vote is missing."""

    @property
    def missing(self) -> list[SeatNumber]:
        """The seats whose agreement is still needed."""
        return [] if self.pause is None else sorted(self.electors - set(self.pause.agreed))


def pause_status(game: Game, position: log_store.Position, now: datetime) -> PauseStatus:
    """Return the status of pauses in a game in this position. Its seats must be loaded."""
    rules, seats = log_store.rules_of(game), {SeatNumber(seat.number): seat for seat in game.seats.all()}
    return PauseStatus(
        pauses.standing(position.table, now),
        longest_allowed_pause(game, position.table),
        pauses.left(position.table, game.terms.pauses),
        pauses.people(rules, position.state, seats),
        pauses.electors(rules, position.state, seats),
    )


def longest_allowed_pause(game: Game, table: Table | None) -> timedelta:
    """Return the longest pause that may be proposed, or zero if no time is left."""
    most = min(game.terms.longest_pause, pauses.left(table, game.terms.pauses))
    return most if most >= SHORTEST else timedelta()


def propose(game: uuid.UUID, account: Account, length: timedelta | None, via: str, now: datetime) -> None:
    """Propose a pause of this length, or of the longest possible length if it is None. The proposer agrees by this.

    Raises Refusal(malformed) for a length that is not possible, Refusal(conflict) if no game is running, or a pause is
    proposed or running or was proposed in this turn, Refusal(forbidden) for an account that does not play or is out,
    and Refusal(not-found).
    """
    with _locked_for_vote(game, account, now) as (locked, seat):
        locked.settle_pause()
        if pauses.standing(locked.table, now) is not None:
            raise Refusal(
                "conflict", Phrase(gettext_noop("A pause is already proposed or under way. Answer that one."))
            )
        most = longest_allowed_pause(locked.game, locked.table)
        if not most:
            raise Refusal("conflict", Phrase(gettext_noop("This game has no time left for pauses.")))
        if length is not None and not SHORTEST <= length <= most:
            sentence = gettext_noop(
                "A pause lasts from one minute to %(days)s days, %(hours)s hours, %(minutes)s minutes."
            )
            raise Refusal("malformed", Phrase(sentence, {**_length_parts(most)}), "length")
        if not _has_turn_since_proposal(locked):
            raise Refusal(
                "conflict",
                Phrase(gettext_noop("A pause was already proposed in this turn. Propose one in the next turn.")),
            )
        seconds = int((length or most).total_seconds())
        locked.add_table_event(
            PauseProposed(seat=seat, seconds=seconds, lapses_at=locked.now + locked.game.terms.turn_limit), via, seat
        )


def _length_parts(length: timedelta) -> dict[str, int]:
    minutes = int(length.total_seconds()) // 60
    return {"days": minutes // 1440, "hours": minutes // 60 % 24, "minutes": minutes % 60}


def _has_turn_since_proposal(locked: LockedGame) -> bool:
    """Return whether a player has had a turn since the last proposal. This reads the log, but proposals are rare."""
    state, turns, proposed = None, set[str](), False
    for line in log_store.read(locked.game):
        if isinstance(line.event, PauseProposed):
            proposed, turns = True, _open_turns(locked, state)
        elif not isinstance(line.event, TableEvent):
            state = locked.rules.evolve(state, line.event)
            if proposed and _open_turns(locked, state) - turns:
                proposed = False
    return not proposed


def _open_turns(locked: LockedGame, state: object) -> set[str]:
    return {question.id for question in locked.rules.questions(state) if question.kind == "turn"}


def agree(game: uuid.UUID, account: Account, via: str, now: datetime) -> None:
    """Agree to the proposed pause. Agreeing twice has no effect.

    Raises Refusal(conflict) if no pause is proposed, Refusal(forbidden) for an account that does not play or is out,
    and Refusal(not-found).
    """
    with _locked_for_vote(game, account, now) as (locked, seat):
        pause = _open_proposal(locked, now)
        if seat not in pause.agreed:
            locked.add_table_event(PauseAgreed(seat=seat), via, seat)
        locked.settle_pause()


def decline(game: uuid.UUID, account: Account, now: datetime) -> None:
    """Decline a proposed pause, or withdraw an own proposal. Raises the refusals of ``agree``."""
    with _locked_for_vote(game, account, now) as (locked, _):
        _open_proposal(locked, now)
        locked.add_table_event(PauseDeclined(), SERVER)


def resume(game: uuid.UUID, account: Account, via: str, now: datetime) -> None:
    """Vote for ending a pause early. It ends when all players have done so.

    Raises Refusal(conflict) if there is no pause, Refusal(forbidden) for an account that does not play or is out, and
    Refusal(not-found).
    """
    with _locked_for_vote(game, account, now) as (locked, seat):
        pause = pauses.standing(locked.table, now)
        if pause is None or not pause.on:
            raise Refusal("conflict", Phrase(gettext_noop("There’s no pause to end: the game is running.")))
        if seat not in pause.agreed:
            locked.add_table_event(ResumeAgreed(seat=seat), via, seat)


def answer(game: uuid.UUID, account: Account, via: str, now: datetime, *, wants_pause: bool) -> None:
    """Answer the proposed or present pause. What an account has answered before has no second effect.

    Raises the refusals of ``agree``.
    """
    with _locked_for_vote(game, account, now) as (locked, _):
        pause = pauses.standing(locked.table, now)
    match wants_pause, pause:
        case (True, Pause(on=True)) | (False, None):
            return
        case True, _:
            agree(game, account, via, now)
        case False, Pause(on=True):
            resume(game, account, via, now)
        case _:
            decline(game, account, now)


def _open_proposal(locked: LockedGame, now: datetime) -> Pause:
    pause = pauses.standing(locked.table, now)
    if pause is None or pause.on:
        raise Refusal("conflict", Phrase(gettext_noop("No pause is proposed.")))
    return pause


@contextmanager
def _locked_for_vote(game: uuid.UUID, account: Account, now: datetime) -> Iterator[tuple[LockedGame, SeatNumber]]:
    """Lock a game for a vote of an account. Raises the refusals of ``agree``."""
    with lock_game(game, now) as locked:
        if locked is None:
            raise not_found()
        seat = locked.require_seat(account)
        if locked.game.state != Game.State.RUNNING:
            raise Refusal("conflict", Phrase(gettext_noop("Only a running game can be paused.")))
        if seat not in pauses.people(locked.rules, locked.state, locked.seats):
            raise Refusal("forbidden", Phrase(gettext_noop("Only the players of the game decide on its pauses.")))
        yield locked, seat
