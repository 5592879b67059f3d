"""A game of cards that draws no picture: two cards for each seat, a deck and a discard pile."""

from typing import Annotated, Any, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from games.engine import (
    Chance,
    Event,
    Move,
    Phrase,
    Question,
    Rules,
    SeatEvent,
    SeatName,
    SeatNumber,
    Words,
    one_by_one,
    question_to,
)
from games.engine.validation import NoOptions, check_answer, check_in_game, check_seat_count
from games.engine.visibility import EACH_OWN, HIDDEN

Card = Literal["duke", "captain", "contessa"]
PACK: Final[tuple[Card, ...]] = ("duke", "captain", "contessa") * 8
PLAYERS: Final = range(2, 11)


class State(Struct, frozen=True):
    """The table: each seat knows its own hand, and the deck is hidden."""

    hands: Annotated[tuple[tuple[Card | None, ...], ...], EACH_OWN]
    deck: Annotated[tuple[Card | None, ...], HIDDEN]
    coins: tuple[int, ...]
    discards: tuple[Card, ...] = ()
    turn: SeatNumber = SeatNumber(1)
    count: int = 1
    winners: tuple[SeatNumber, ...] | None = None


class Discard(Move, frozen=True, tag="discard"):
    """Discard a card of the own hand."""

    card: Card


class Dealt(Event, frozen=True, tag="dealt"):
    """The first event."""

    hands: Annotated[tuple[tuple[Card | None, ...], ...], EACH_OWN]
    deck: Annotated[tuple[Card | None, ...], HIDDEN]

    def after(self, state: State | None) -> State:
        return State(self.hands, self.deck, (2,) * len(self.hands))


class Discarded(SeatEvent, frozen=True, tag="discarded"):
    """A player discarded a card."""

    card: Card

    def after(self, state: State) -> State:
        hands = list(state.hands)
        hand = list(hands[self.seat - 1])
        hand.remove(self.card if self.card in hand else None)
        hands[self.seat - 1] = tuple(hand)
        seats = len(hands)
        return replace(
            state,
            hands=tuple(hands),
            discards=(*state.discards, self.card),
            coins=tuple(coins + (seat == self.seat) for seat, coins in enumerate(state.coins, 1)),
            turn=SeatNumber(self.seat % seats + 1),
            count=state.count + (self.seat == seats),
        )


class Won(Event, frozen=True, tag="won"):
    """All cards are shown."""

    winners: tuple[SeatNumber, ...]
    hands: tuple[tuple[Card, ...], ...]
    deck: tuple[Card, ...]

    def after(self, state: State) -> State:
        return replace(state, winners=self.winners, hands=self.hands, deck=self.deck)


def setup(options: NoOptions, seats: int, chance: Chance) -> tuple[Event, ...]:
    check_seat_count(PLAYERS, seats)
    pack = chance.take(PACK, len(PACK))
    hands = tuple(tuple(pack[2 * seat : 2 * seat + 2]) for seat in range(seats))
    return (Dealt(hands=hands, deck=tuple(pack[2 * seats :])),)


def questions(state: State) -> tuple[Question, ...]:
    return () if state.winners is not None else (question_to(state.turn, state.count, "turn", "turn"),)


def legal_moves(state: State, question: Question) -> tuple[Discard, ...]:
    return tuple(Discard(card, question=question.id) for card in dict.fromkeys(state.hands[question.seat - 1]) if card)


def decide(state: State, seat: SeatNumber, move: Discard, chance: Chance) -> tuple[Event, ...]:
    check_answer(state, seat, move, questions, legal_moves)
    discarded = Discarded(seat=seat, card=move.card)
    after = discarded.after(state)
    return (discarded,) if any(after.hands) else (discarded, won(after, seat))


def won(state: State, *winners: SeatNumber) -> Won:
    return Won(winners=winners, hands=state.hands, deck=state.deck)


def resign(state: State, seat: SeatNumber, chance: Chance) -> tuple[Event, ...]:
    check_in_game(state.winners is None and 1 <= seat <= len(state.hands))
    return (won(state, *(SeatNumber(other) for other in range(1, len(state.hands) + 1) if other != seat)),)


def table(view: State) -> tuple[Phrase, ...]:
    return (
        Phrase("%(count)s cards are in the deck.", {"count": len(view.deck)}),
        *(
            Phrase("%(player)s: %(coins)s coins", {"player": SeatName(SeatNumber(seat)), "coins": coins})
            for seat, coins in enumerate(view.coins, 1)
        ),
    )


def tell(event: Any, reader: SeatNumber | None) -> Phrase | None:
    if isinstance(event, Discarded):
        return Phrase("%(player)s discarded.", {"player": SeatName(event.seat)})
    return Phrase("It is over.") if isinstance(event, Won) else None


RULES: Final = Rules(
    name="hands",
    version=1,
    players=PLAYERS,
    state_type=State,
    event_type=Dealt | Discarded | Won,
    move_type=Discard,
    setup=setup,
    questions=questions,
    legal_moves=legal_moves,
    decide=decide,
    resign=resign,
    words=Words(
        title=Phrase("Hands"),
        story=one_by_one(tell),
        asks=lambda view, question: Phrase("Which card do you discard?"),
        label=lambda move: Phrase("Discard %(card)s", {"card": Phrase(move.card)}),
        summary=lambda options, seats: (Phrase("Discard your cards."),),
        table=table,
        notation={"fa": {"discard": "دورریختن", "duke": "دوک", "captain": "فرمانده", "contessa": "شاهدخت"}},
    ),
)
