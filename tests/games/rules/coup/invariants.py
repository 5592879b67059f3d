"""Tests of what holds in every state of every game of Coup (rules, section 11), read from views alone."""

from games.engine import SPECTATOR
from games.rules.coup import RULES

COINS = 50


def deck_size(seats: int) -> int:
    """Return the number of character cards for a number of seats."""
    return 15 if seats <= 6 else 20 if seats <= 8 else 25


def check_event(state) -> None:
    """Check after an event that no coin or card is lost, and that players who are out hold none."""
    view = RULES.view(state, SPECTATOR)
    assert sum(seat.coins for seat in view.seats) + view.reserve + view.treasury == COINS
    assert all(seat.coins >= 0 for seat in view.seats)
    assert view.reserve >= 0
    for seat in view.seats:
        assert 0 <= seat.cards <= 5
        assert seat.alive or seat.cards == 0


def check_rest(state) -> None:
    """Check that a waiting game has questions to living players with legal answers, and a finished game has none."""
    questions = RULES.questions(state)
    if RULES.outcome(state) is not None:
        assert questions == ()
        return
    view = RULES.view(state, SPECTATOR)
    living = {seat.seat for seat in view.seats if seat.alive}
    assert living == {seat.seat for seat in view.seats if seat.cards}
    assert questions, "an unfinished game that waits for nobody"
    assert len({question.seat for question in questions}) == len(questions)
    for question in questions:
        assert question.seat in living
        assert question.id.split(".")[0] == str(question.seat)
        assert RULES.legal_moves(state, question), f"{question} has no legal answer"
    if any(question.kind == "turn" for question in questions):
        _check_between_turns(view)


def _check_between_turns(view) -> None:
    """Check that all players hold two cards, up or down, and that the court holds the others, at least three."""
    for seat in view.seats:
        assert seat.cards + len(seat.lost) == 2
        assert seat.alive or seat.coins == 0
    drafted = sum(seat.cards + len(seat.lost) for seat in view.seats) + view.court == 7
    whole = deck_size(len(view.seats)) - 2 * len(view.seats)
    assert view.court == (3 if drafted and len(view.seats) == 2 else whole)
    assert view.court >= 3
