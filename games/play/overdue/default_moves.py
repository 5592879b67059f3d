"""Plays the default move of a player who did not answer in time."""

from config.core import metrics
from config.core.database.rows import new
from games.engine import SeatNumber
from games.event_log.encoding import encode
from games.models import Move, OpenQuestion
from games.play.locked_game import LockedGame


def play_default(locked: LockedGame, row: OpenQuestion) -> None:
    """Answer a question with the default move of the rules. The log has it with ``via: timeout``."""
    seat = SeatNumber(row.seat)
    question = locked.question(seat, row.question)
    chance = locked.chance()
    answer = locked.rules.default_move(locked.state, question, chance)
    events = locked.rules.decide(locked.state, seat, answer, chance)
    move = new(
        Move,
        game_id=locked.game.id,
        seat=seat,
        question=row.question,
        body=encode(answer),
        via=Move.Via.TIMEOUT,
        received_at=locked.now,
        seen_at=row.seen_at,
        state=Move.State.APPLIED,
    )
    locked.apply_events(events, chance, move)
    metrics.MOVES.labels(str(move.via), str(move.state)).inc()
    metrics.DEADLINE_SECONDS_LATE.observe((locked.now - row.due_at).total_seconds())
