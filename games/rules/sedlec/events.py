"""The events of the game."""

from typing import Annotated

from msgspec.structs import replace

from games.engine import Event, SeatEvent, SeatNumber
from games.engine.visibility import HIDDEN
from games.rules.sedlec.pyramid import EMPTY, Card, Place, Score, lay, size, width
from games.rules.sedlec.state import Options, State, ask, one_more, put, turn_up, why_lay


class SetUp(Event, frozen=True, gc=False, tag="set-up"):
    """The cards were shuffled into six piles."""

    rules: str
    version: int
    seats: int
    options: Options
    deck: tuple[Card, ...]
    """The deck in the order of its file, which reveals nothing about the piles."""
    piles: Annotated[tuple[tuple[Card | None, ...], ...], HIDDEN]
    """The cards of each pile, the uppermost first; None where hidden."""

    def after(self, state: State | None) -> State:
        seats = self.seats
        return State(
            deck=self.deck,
            size=size(seats),
            width=width(seats),
            face_down=self.piles,
            face_up=(None,) * len(self.piles),
            hands=((),) * seats,
            pyramids=(EMPTY,) * seats,
            laid=(0,) * seats,
            asked=(0,) * seats,
            turn=SeatNumber(0),
        )


class CardTurned(Event, frozen=True, gc=False, tag="card-turned"):
    """The top card of a pile is turned up at set-up (Sedlec S2)."""

    pile: int
    card: Card

    def after(self, state: State) -> State:
        return turn_up(state, (self.pile,), (self.card,))


class TurnBegan(SeatEvent, frozen=True, gc=False, tag="turn-began"):
    """A seat has the turn."""

    begins_line = True

    forfeited: bool = False
    """The seat was given up: a default move is played and nothing is asked (Sedlec S8)."""

    def after(self, state: State) -> State:
        if self.forfeited:
            return replace(state, turn=self.seat)
        return ask(state, self.seat, "turn", why_lay(state, self.seat) or "turn")


class Dug(SeatEvent, frozen=True, gc=False, tag="dug"):
    """A player turned up the top cards of two piles, or of the only one that was face down."""

    piles: tuple[int, ...]
    cards: tuple[Card, ...]

    def after(self, state: State) -> State:
        if len(self.piles) == 1:
            return replace(turn_up(state, self.piles, self.cards), question=None)
        dug = turn_up(state, self.piles, self.cards, self.piles)
        return dug if self.seat in state.forfeited else ask(dug, self.seat, "take", "dug")


class Taken(SeatEvent, frozen=True, gc=False, tag="taken"):
    """A player took the face-up card of a pile into their hand."""

    pile: int
    card: Card

    def after(self, state: State) -> State:
        hands = put(state.hands, self.seat, (*state.hands[self.seat - 1], self.card))
        return replace(state, face_up=put(state.face_up, self.pile, None), hands=hands, question=None, dug=())


class Laid(SeatEvent, frozen=True, gc=False, tag="laid"):
    """A player laid a card of their hand into their pyramid."""

    card: Card
    place: Place

    def after(self, state: State) -> State:
        seat = self.seat
        hand = list(state.hands[seat - 1])
        hand.remove(self.card)
        return replace(
            state,
            hands=put(state.hands, seat, tuple(hand)),
            pyramids=put(state.pyramids, seat, lay(state.pyramids[seat - 1], self.card, self.place)),
            laid=one_more(state.laid, seat),
            question=None,
        )


class Resigned(SeatEvent, frozen=True, gc=False, tag="resigned"):
    """A player resigned. Their seat is continued by default moves and cannot win."""

    def after(self, state: State) -> State:
        question = None if self.seat == state.turn else state.question
        return replace(state, forfeited=(*state.forfeited, self.seat), question=question)


class GameEnded(Event, frozen=True, gc=False, tag="game-ended"):
    """Every pyramid is full, or every seat was given up."""

    begins_line = True
    tells_winners = True

    winners: tuple[SeatNumber, ...]
    scores: tuple[Score, ...]
    """The points of each seat, from seat 1."""

    def after(self, state: State) -> State:
        return replace(state, winners=self.winners, question=None, dug=())


SedlecEvent = SetUp | CardTurned | TurnBegan | Dug | Taken | Laid | Resigned | GameEnded
