"""Counts of the questions of each player that timed out.

An answer of the player or of their stand-in ends the row, *allow* too. The first miss of a game is not counted, and
answers of bots are not either.

Questions about others alone (``OpenQuestion.aimed`` is false) are not counted: silence is no miss, and an answer does
not end the row. Players who are gone for good may have left a plan that allows all this, and its answers must count
like answers by hand: otherwise the absence that follows would tell of the plan. For the same reason an answer by plan
that has waited counts. An answer by a quick plan does not.
"""

from games.models import Move, Seat


def count(seat: Seat, move: Move, *, aimed: bool = True, has_waited: bool = False) -> bool:
    """Count an answer to a question of this seat. Return whether an absent player is back.

    The seat's row is stored with what happened (``games.play.locked_game``).
    """
    at_once = move.plan is not None and not has_waited
    if seat.bot or not move.question or move.via == Move.Via.BOT or at_once:
        return False
    if move.via == Move.Via.TIMEOUT:
        if aimed and not seat.away:
            _missed(seat)
        return False
    if aimed:
        seat.missed = 0
    return seat.away


def _missed(seat: Seat) -> None:
    if seat.spared:
        seat.missed += 1
    else:
        seat.spared = True
