"""Counts the questions in a row that a player did not answer in time.

An answer of the player or of a stand-in sets the count to zero. The first miss of a game is not counted, and neither
are answers of bots.
"""

from games.models import Move, Seat


def count_answer(seat: Seat, move: Move, *, aimed: bool = True, has_waited: bool = False) -> bool:
    """Count an answer, or a timeout, of a seat. Return True if it shows that an absent player is back.

    ``aimed`` is False for a question that concerns other players only. ``has_waited`` is True for an answer by a plan
    that was given as late as an answer by hand. The caller stores the row of the seat.
    """
    # Absence must not tell of a plan. Players who left may have a plan that allows everything that does not concern
    # them. So such questions never count, and an answer by plan that has waited counts like an answer by hand.
    is_quick_plan = move.plan is not None and not has_waited
    if seat.bot or not move.question or move.via == Move.Via.BOT or is_quick_plan:
        return False
    if move.via == Move.Via.TIMEOUT:
        if aimed and not seat.away:
            _count_miss(seat)
        return False
    if aimed:
        seat.missed = 0
    return seat.away


def _count_miss(seat: Seat) -> None:
    if seat.spared:
        seat.missed += 1
    else:
        seat.spared = True
