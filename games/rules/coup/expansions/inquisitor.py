"""The inquisitor, in the ambassador's place (rules, section 6)."""

from typing import Annotated, Final

from msgspec.structs import replace

from games.engine import Move, SeatEvent, SeatNumber
from games.engine.visibility import only
from games.rules.coup import moves as m
from games.rules.coup.asking import by_card, each_card, first
from games.rules.coup.flow import draw, first_card
from games.rules.coup.law import ActionLaw, Expansion, Law, Play, QuestionLaw
from games.rules.coup.state import (
    AMBASSADOR,
    INQUISITOR,
    Card,
    Character,
    State,
    alive,
    ask,
    court,
    hand_after,
    nothing_asked,
)


class ShowAsked(SeatEvent, frozen=True, tag="show-asked"):
    """The target of an examination is asked which card to show."""

    def after(self, state: State) -> State:
        return ask(state, "show", (self.seat,), "examine")


class Shown(SeatEvent, frozen=True, tag="shown"):
    """A card was shown to the inquisitor alone, who is asked what to do with it."""

    to: SeatNumber
    card: Annotated[Card, only("seat", "to")]

    def after(self, state: State) -> State:
        return ask(replace(state, shown=self.card), "examine", (self.to,), "examine")


class HandedBack(SeatEvent, frozen=True, tag="handed-back"):
    """The examined card stays with its owner."""

    def after(self, state: State) -> State:
        return nothing_asked(replace(state, shown=None))


class Swapped(SeatEvent, frozen=True, tag="swapped"):
    """The examined card was exchanged for one drawn before it was returned (Coup C21)."""

    to: SeatNumber
    """The inquisitor, who knows the card that was returned."""
    drawn: Annotated[Card, only("seat")]
    returned: Annotated[Card, only("seat", "to")]

    def after(self, state: State) -> State:
        if alive(state, self.seat):
            state = replace(state, hands=hand_after(state, self.seat, (self.returned,), (self.drawn,)))
        return nothing_asked(replace(state, shown=None))


def examine(play: Play) -> None:
    """Let the target choose the card to show. With one card left there is no choice (Coup C23)."""
    hand = play.state.hands[play.target - 1]
    if len(hand) > 1:
        play.emit(ShowAsked(seat=play.target))
    elif hand:
        show_card(play, play.target, first_card(play.state, play.target))
    else:
        play.step("end")


def show(play: Play, seat: SeatNumber, move: m.Show) -> None:
    """Show the card that the target chose."""
    show_card(play, seat, move.character)


def show_card(play: Play, seat: SeatNumber, card: Character) -> None:
    """Show a card to the inquisitor alone."""
    play.emit(Shown(seat=seat, to=play.action.seat, card=card))


def hand_back(play: Play, seat: SeatNumber, move: m.Return) -> None:
    """Return the examined card to its owner."""
    play.emit(HandedBack(seat=play.target))
    play.step("end")


def swap(play: Play, seat: SeatNumber, move: m.Swap) -> None:
    """Draw a card first, then return the shown card and shuffle (Coup C21)."""
    drawn_card = play.chance.choose(court(play.state))
    play.emit(Swapped(seat=play.target, to=seat, drawn=drawn_card, returned=play.state.shown))
    play.step("end")


def target_resigned(play: Play, seat: SeatNumber) -> bool:
    """End an examination whose target has left (Coup C17)."""
    action = play.state.action
    if play.state.asking not in ("show", "examine") or action is None or action.target != seat:
        return False
    play.emit(HandedBack(seat=seat))
    play.step("end")
    return True


def examine_moves(law: Law, state: State, seat: SeatNumber, question: str) -> tuple[Move, ...]:
    """Return the answers of the inquisitor: return the card, or force a swap."""
    return (m.Return(question=question), m.Swap(question=question))


INQUISITION: Final = Expansion(
    replaces={AMBASSADOR: INQUISITOR},
    actions=(
        ActionLaw("exchange", m.Exchange, draw(1), claims=INQUISITOR),
        ActionLaw("examine", m.Examine, examine, claims=INQUISITOR, target="one"),
    ),
    questions={"show": QuestionLaw(each_card(m.Show), by_card), "examine": QuestionLaw(examine_moves, first)},
    answers={m.Show: show, m.Return: hand_back, m.Swap: swap},
    resignation=target_resigned,
)
