"""From stored moves to events: what is received is judged in its order, and applied or refused.

Whoever was first is the order of (received_at, id) among the moves stored when the game is resolved; what is
applied stays applied. A move that cannot be judged for a reason outside the rules is tried three times, then set
aside, so that it holds nothing up.
"""

import logging
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

import msgspec
from django.db import InterfaceError, OperationalError, transaction

from games.engine import Phrase, RuleViolation, Seat, gettext_noop
from games.engine.errors import MALFORMED, NOT_ASKED, QUESTION_CLOSED
from games.engine.reading import Vocabulary, fold, names_to_read
from games.models import Move
from games.play import absence, rows, setbacks
from games.play.encoding import decode, encode
from games.play.sitting import TOGETHER, Sitting, held
from games.play.table_events import GaveUp
from games.play.together import work_on
from notifications import operator
from notifications.failures import describe

logger = logging.getLogger(__name__)

TRIES: Final = 3
HOW_TO_RESIGN: Final = gettext_noop("To give up the game for good, answer “resign yes”. Nothing has changed.")
_RESIGN_WORDS: Final = Vocabulary({"resign": "resign", "yes": "yes", "انصراف": "resign", "بله": "yes"})


def resolve(game: uuid.UUID, now: datetime, patience: timedelta | None = None) -> None:
    """Judge what is stored for this game. Nothing is done twice, whoever calls it and how often.

    A database that fails is the caller's concern (OperationalError), and so is somebody who holds the game for
    longer than ``patience``: the moves stay as they are.
    """
    try:
        _resolve(game, now, patience=patience)
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        logger.error("game %s could not be resolved, its moves are tried one by one: %s", game, describe(error))
        _resolve_singly(game, now)


def resolve_together(games: Sequence[uuid.UUID], now: datetime) -> Mapping[uuid.UUID, Sitting]:
    """Judge what is stored for these games, in one transaction; gives those for which that was done.

    Each is given as it was held, so that nobody has to read what came of it. Not done are those that somebody else
    holds, those with which it goes wrong, and what is more than can be held together: nobody is waited for.
    """
    held_as: dict[uuid.UUID, Sitting] = {}

    def work(sitting: Sitting) -> None:
        held_as[sitting.game.id] = sitting
        judge_all(sitting)

    together, _ = work_on(games, now, work, lambda game: None)
    return {game: held_as[game] for game in together}


def resolve_waiting(now: datetime, until: datetime | None = None) -> None:
    """Judge whatever is stored (``until``: was by then), many games in a transaction.

    What goes wrong with one game stops no other. A database that fails is the caller's concern (OperationalError):
    the moves stay as they are.
    """
    passed: set[uuid.UUID] = set()
    while games := rows.waiting(2 * TOGETHER, until or now, passed):
        together, alone = work_on(games, now, judge_all, lambda game: resolve(game, now))
        passed.update(alone)
        if not (together or alone):
            resolve(games[0], now)  # somebody holds each of them, and may not have seen its last move
            passed.add(games[0])


def _resolve(game: uuid.UUID, now: datetime, limit: int | None = None, patience: timedelta | None = None) -> int:
    with held(game, now, patience=patience) as sitting:
        return judge_all(sitting, limit) if sitting else 0


def _resolve_singly(game: uuid.UUID, now: datetime) -> None:
    """One move a transaction, so that the one at fault is known; stops behind it until it is set aside."""
    try:
        while _resolve(game, now, limit=1):
            pass
    except (OperationalError, InterfaceError):
        raise
    except Exception as error:
        _count_failure(game, error, now)


def _count_failure(game: uuid.UUID, error: Exception, now: datetime) -> None:
    """Note that the first waiting move could not be judged. What it says is not logged: it may be a secret."""
    with transaction.atomic():
        move = waiting(game).select_for_update(of=("self",)).first()
        if move is None:
            return
        move.attempts += 1
        if move.attempts >= TRIES:
            move.state = Move.State.FAILED
            operator.tell("move", f"move {move.id} of game {game}: {describe(error)}", now)
            setbacks.of_move(move, now)
        move.save(update_fields=["attempts", "state"])


def waiting(game: uuid.UUID) -> Any:
    """The moves that wait to be judged, in the order in which they are."""
    return Move.objects.filter(game=game, state=Move.State.RECEIVED).order_by("received_at", "id")


def judge_all(sitting: Sitting, limit: int | None = None) -> int:
    """Judge the waiting moves of a held game; gives how many there were."""
    moves = sitting.waiting[:limit]
    for move in moves:
        judge(sitting, move)
    if moves:
        absence.settle(sitting)
    return len(moves)


def judge(sitting: Sitting, move: Move) -> None:
    """Apply one move to a held game, or refuse it. Its row is stored with what happened."""
    try:
        if sitting.state is None:
            raise RuleViolation(NOT_ASKED, Phrase(gettext_noop("The game has not begun.")))
        if move.text is not None and is_resignation(move.text):
            _resign(sitting, move)
        else:
            _play(sitting, move)
    except RuleViolation as violation:
        move.state = Move.State.REJECTED
        move.code = violation.code
        move.phrase = msgspec.json.encode(violation.phrase).decode()
        sitting.judged.append(move)
    else:
        move.state = Move.State.APPLIED


def is_resignation(text: str) -> bool:
    """Whether this is the move by which one gives up. RuleViolation ``malformed`` where only *yes* is missing."""
    words = _RESIGN_WORDS.tokens(fold(text), {})
    if words == ("resign",):
        raise RuleViolation(MALFORMED, Phrase(HOW_TO_RESIGN))
    return words == ("resign", "yes")


def _resign(sitting: Sitting, move: Move) -> None:
    seat, chance = Seat(move.seat), sitting.chance()
    events = sitting.rules.resign(sitting.state, seat, chance)
    sitting.tell(GaveUp(seat=seat), move.via, seat)
    sitting.happen(events, chance, move)


def _play(sitting: Sitting, move: Move) -> None:
    seat, chance = Seat(move.seat), sitting.chance()
    question = sitting.question(seat, move.question)
    row = sitting.open[question.id]
    if not row.house and move.via != Move.Via.CLOCK and move.received_at > row.due_at:
        raise RuleViolation(QUESTION_CLOSED, Phrase(gettext_noop("This answer came after its time was over.")))
    if move.text is not None:
        answer = sitting.rules.parse(sitting.state, question, move.text, names_to_read(sitting.names()))
    else:
        answer = decode(sitting.rules.move_type, move.body or "", question.id)
    move.body = encode(answer)
    events = sitting.rules.decide(sitting.state, seat, answer, chance)
    sitting.happen(events, chance, move)
