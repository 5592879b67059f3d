"""Counts of the questions of each player that timed out.

Whatever a player answers themselves, *allow* too, by whichever door, ends the row, and so does an answer of their
stand-in. The first miss of a game is not counted, nor is silence where anybody may speak up and nobody has to
(``OpenQuestion.aimed``). What a bot answers counts for nothing, and neither does what a plan answers at once: somebody
who is gone for good may have left one. An answer by plan that has waited, so that nobody can tell it from one by hand,
counts as one: else the absence that follows would tell.
"""

from games.models import Move, Seat


def count(seat: Seat, move: Move, *, aimed: bool = True, has_waited: bool = False) -> bool:
    """Note who has answered a question of this seat; whether that was somebody for whom a bot sits in.

    The seat's row is stored with what happened (``games.play.locked_game``).
    """
    at_once = move.plan is not None and not has_waited
    if seat.bot or not move.question or move.via == Move.Via.BOT or at_once:
        return False
    if move.via == Move.Via.TIMEOUT:
        if aimed and not seat.away:
            _missed(seat)
        return False
    seat.missed = 0
    return seat.away


def _missed(seat: Seat) -> None:
    if seat.spared:
        seat.missed += 1
    else:
        seat.spared = True
