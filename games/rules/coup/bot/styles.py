"""Styles of bots: how much each likes lying, doubting, saving and revenge, and the heat of its draws."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from games.engine import Knowledge, Move, SeatNumber
from games.rules.coup import events as e
from games.rules.coup import moves as m
from games.rules.coup.expansions.book import AnyEvent, law_of
from games.rules.coup.visibility.views import View


class Style(msgspec.Struct, frozen=True):
    """The share of the game by which a bot of this style overrates each kind of move."""

    lying: float = 0.0
    """Claims that are not true."""
    doubting: float = 0.0
    """Challenges."""
    saving: float = 0.0
    """Taking coins without a claim that can be challenged, or with a true one."""
    revenge: float = 0.0
    """Moves against the last player who cost it a card or coins."""


STYLES: Final[Mapping[str, Style]] = {
    "balanced": Style(),
    "bold": Style(lying=0.02, doubting=0.01),
    "patient": Style(lying=-0.02, doubting=-0.02, saving=0.015),
    "vengeful": Style(revenge=0.04),
    "scholar": Style(lying=-0.03, doubting=0.015),
}
"""The styles by name, as ``games.engine.search`` lists them."""


AT_A_TABLE: Final = 4
"""The number of players for which the randomness of the levels was tuned."""


def heat(view: View) -> float:
    """Return the part of its level's heat with which a bot draws: less if more than four players are in the game."""
    return min(1.0, (AT_A_TABLE / sum(seat.alive for seat in view.seats)) ** 2)


def fondness(style: str, knowledge: Knowledge[View, AnyEvent], move: Move) -> float:
    """Return how much a bot of this style overrates a move, as a share of the game."""
    likes, view = STYLES[style], knowledge.view
    if isinstance(move, m.Challenge):
        return likes.doubting
    value = likes.lying if is_lie(view, move) else likes.saving * is_saving(move)
    if likes.revenge and getattr(move, "target", None) == last_attacker(knowledge.events(), view.viewer):
        value += likes.revenge
    return value


def is_saving(move: Move) -> bool:
    """Return whether a move only takes coins from the treasury."""
    return isinstance(move, m.Income | m.ForeignAid | m.Tax)


def is_lie(view: View, move: Move) -> bool:
    """Return whether a move claims a card that its player does not hold."""
    hand = view.seats[view.viewer - 1].hand or ()
    if isinstance(move, m.Block):
        return move.character not in hand
    action = law_of(view.options, len(view.seats)).actions.get(m.VERBS[type(move)])
    return action is not None and action.claims is not None and (action.claims in hand) == action.denies


def last_attacker(events: Sequence[Any], me: SeatNumber) -> SeatNumber | None:
    """Return the seat that last aimed an action at this seat or challenged it."""
    for event in reversed(events):
        if isinstance(event, e.Declared) and event.target == me:
            return event.seat
        if isinstance(event, e.Challenged) and event.against == me:
            return event.seat
    return None
