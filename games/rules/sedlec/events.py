"""The events of the game."""

from typing import Annotated

from games.engine import Event, SeatEvent, SeatNumber
from games.engine.visibility import HIDDEN
from games.rules.sedlec.cards import Card
from games.rules.sedlec.options import Options
from games.rules.sedlec.pyramid import Place
from games.rules.sedlec.scoring import Score


class SetUp(Event, frozen=True, gc=False, tag="set-up"):
    """The cards were shuffled into six piles."""

    rules: str
    version: int
    seats: int
    options: Options
    deck: tuple[Card, ...]
    """The deck in the order of its file, which says nothing about the piles."""
    piles: Annotated[tuple[tuple[Card | None, ...], ...], HIDDEN]
    """The cards of each pile, the uppermost first; None where hidden."""


class CardTurned(Event, frozen=True, gc=False, tag="card-turned"):
    """The top card of a pile was turned up at set-up (Sedlec S2)."""

    pile: int
    card: Card


class TurnBegan(SeatEvent, frozen=True, gc=False, tag="turn-began"):
    """A seat's turn has come."""

    begins_line = True

    forfeited: bool = False
    """The seat was given up: chance plays on, nothing is asked (Sedlec S8)."""


class Dug(SeatEvent, frozen=True, gc=False, tag="dug"):
    """A player turned up the top cards of two piles, or of the only one that was face down."""

    piles: tuple[int, ...]
    cards: tuple[Card, ...]


class Taken(SeatEvent, frozen=True, gc=False, tag="taken"):
    """A player took the face-up card of a pile into their hand."""

    pile: int
    card: Card


class Laid(SeatEvent, frozen=True, gc=False, tag="laid"):
    """A player laid a card of their hand into their pyramid."""

    card: Card
    place: Place


class Resigned(SeatEvent, frozen=True, gc=False, tag="resigned"):
    """A player gave up; their seat is played on, and cannot win."""


class GameEnded(Event, frozen=True, gc=False, tag="game-ended"):
    """Every pyramid is full, or every seat was given up."""

    begins_line = True

    winners: tuple[SeatNumber, ...]
    scores: tuple[Score, ...]
    """The points of each seat, from seat 1."""


SedlecEvent = SetUp | CardTurned | TurnBegan | Dug | Taken | Laid | Resigned | GameEnded
