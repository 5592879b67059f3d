"""The bot, and the statistics of a finished game. Both use the opened bids."""

from collections.abc import Iterable, Sequence
from typing import Final

from games.engine import Chance, Event, Knowledge, Move, Phrase, Question, SeatNumber, gettext_noop
from games.engine.hindsight import Count, Statistics

from .game import Bid, Opened, View, side_of

IN_VAIN: Final = gettext_noop("coins bid in vain:")


def bot_move(knowledge: Knowledge[View, Event], question: Question, moves: Sequence[Move], chance: Chance) -> Move:
    """Bid the seat's share of the caravan, a little more against a rival with high bids, and never quite the same."""
    view, seat = knowledge.view, question.seat
    coins, rounds = view.coins[seat - 1], view.options.caravans - view.came + 1
    if rounds == 1:
        return Bid(coins, question=question.id)
    share = coins / rounds * view.worth / 5
    rival = paid_by_rival(knowledge.events(), seat)
    amount = round(share if rival is None else (2 * share + min(rival, 2 * share)) / 3) + chance.choose((-2, 0, 1))
    return Bid(min(coins, max(0, amount)), question=question.id)


def paid_by_rival(events: Sequence[Event], seat: SeatNumber) -> float | None:
    """Return the average bid of the other house, or None before the first bids were opened."""
    opened = (event.bids for event in events if isinstance(event, Opened))
    bids_of_rival = [bid for bids in opened for n, bid in enumerate(bids, 1) if side_of(n) != side_of(seat)]
    return sum(bids_of_rival) / len(bids_of_rival) if bids_of_rival else None


def statistics(events: Iterable[Event]) -> Statistics:
    """Count the coins of each player for caravans that went to the other house, or waited."""
    opened = [event for event in events if isinstance(event, Opened)]
    lost = [[bid * (e.side != side_of(n)) for n, bid in enumerate(e.bids, 1)] for e in opened]
    sums = enumerate(map(sum, zip(*lost, strict=True)), 1)
    return Statistics(counts=tuple(Count(SeatNumber(n), "coins-in-vain", Phrase(IN_VAIN), paid) for n, paid in sums))
