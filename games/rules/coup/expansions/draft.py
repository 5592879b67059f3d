"""Two players get their first card by simultaneous secret draft (Coup C2)."""

from typing import Annotated, Any, Final

from msgspec.structs import replace

from games.engine import Event, SeatEvent, SeatNumber, Viewer
from games.engine.visibility import only
from games.rules.coup import events as e
from games.rules.coup import moves as m
from games.rules.coup.asking import by_lot, each_card
from games.rules.coup.law import Expansion, Play, QuestionLaw
from games.rules.coup.state import (
    SEATS,
    Answer,
    Card,
    State,
    ask,
    court,
    hand_after,
    nothing_asked,
    open_seats,
    with_answer,
    without,
)


class DraftOpened(Event, frozen=True, tag="draft-opened"):
    """Both players hold one of each character and are asked which to keep."""

    asked: tuple[SeatNumber, ...]

    def after(self, state: State) -> State:
        return ask(state, "draft", self.asked, "draft")


class Picked(Event, frozen=True, tag="picked"):
    """A player picked a card, which the other player may not know."""

    in_open_window = True

    seat: SeatNumber | None
    card: Card
    waiting: str

    def shown_to(self, viewer: Viewer) -> Any:
        """Return the card for its owner. Others see of the answer what the table's option allows."""
        return e.shown_answer(self, viewer, card=None)

    def after(self, state: State) -> State:
        return with_answer(state, Answer(self.seat, "pick", self.card) if self.seat else None)


class PutOut(SeatEvent, frozen=True, tag="put-out"):
    """The other four cards of a player's draft go out of the game, unseen."""

    closes_window = True

    cards: Annotated[tuple[Card, ...], only("seat")]

    def after(self, state: State) -> State:
        hands = hand_after(state, self.seat, self.cards)
        return nothing_asked(replace(state, hands=hands, aside=(*state.aside, *self.cards)))


def open_draft(play: Play) -> None:
    """Give each player one card of each character to choose from."""
    seats = SEATS[: len(play.state.hands)]
    for seat in seats:
        play.emit(e.Dealt(seat=seat, cards=play.law.characters))
    play.emit(DraftOpened(asked=seats))


def pick(play: Play, seat: SeatNumber, move: m.Pick) -> None:
    """Record a pick. Both picks come before the third set is dealt, one card to each seat (Coup C24)."""
    play.emit(Picked(seat=seat, card=move.character, waiting=play.state.options.waiting))
    if open_seats(play.state):
        return
    for answer in sorted(play.state.answers, key=lambda answer: answer.seat):
        rest = without(play.state.hands[answer.seat - 1], (answer.character,))
        play.emit(PutOut(seat=answer.seat, cards=rest))
    for other in SEATS[: len(play.state.hands)]:
        play.emit(e.Dealt(seat=other, cards=play.chance.take(court(play.state), 1)))
    play.step("begin")


DRAFT: Final = Expansion(
    questions={"draft": QuestionLaw(each_card(m.Pick), by_lot, "reaction")},
    answers={m.Pick: pick},
    steps={"deal": open_draft},
)
