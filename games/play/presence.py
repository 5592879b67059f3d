"""Counts of the questions of each player that timed out.

Whatever a player answers themselves, *allow* too, by whichever door, ends the row, and so does an answer of their
delegate. The first miss of a game is not counted. What a bot answers counts for nothing, and neither does what
a standing order does: somebody who is gone for good may have left one.
"""

from games.models import Move, Seat


def count(place: Seat, move: Move) -> bool:
    """Note who has answered a question of this seat; whether that was somebody for whom a bot sits in.

    The seat's row is stored with what happened (``games.play.locked_game``).
    """
    if place.bot or not move.question or move.via == Move.Via.BOT or move.obeyed is not None:
        return False
    if move.via == Move.Via.TIMEOUT:
        if not place.away:
            _missed(place)
        return False
    place.missed = 0
    return place.away


def _missed(place: Seat) -> None:
    if place.spared:
        place.missed += 1
    else:
        place.spared = True
