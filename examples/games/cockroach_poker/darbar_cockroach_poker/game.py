"""The rules: pass a card face down and name its kind. Four cards of one kind lose the game."""

from collections.abc import Generator, Sequence
from itertools import islice
from typing import Annotated, Any, Final

from msgspec import Struct
from msgspec.structs import replace

from games.engine import (
    AnswerForm,
    Chance,
    Event,
    Knowledge,
    Move,
    MoveText,
    OpenQuestions,
    Phrase,
    Question,
    SeatEvent,
    SeatName,
    SeatNumber,
    Slot,
    gettext_noop,
    in_steps,
    no_questions,
)
from games.engine.validation import NoOptions, check_in_game, check_seat_count
from games.engine.visibility import EACH_OWN, only

PLAYERS: Final = range(3, 7)
KINDS: Final = ("bat", "cockroach", "fly", "rat", "scorpion", "spider", "stinkbug", "toad")
OF_A_KIND: Final = 8
TOO_MANY: Final = 4
Card = str | None
Hand = tuple[Card, ...]
Seat = SeatNumber


class Give(Move, frozen=True, tag="give"):
    """Give a card of one's hand to a player, face down, and name its kind."""

    card: str
    player: Seat
    claim: str


class Pass(Move, frozen=True, tag="pass"):
    """Pass the card on, after a look at it, and name its kind."""

    player: Seat
    claim: str


class Look(Move, frozen=True, tag="look"):
    """Look at the card, to pass it on."""


class Believe(Move, frozen=True, tag="true"):
    """Say that the claim is true. The card is turned over."""


class Doubt(Move, frozen=True, tag="false"):
    """Say that the claim is false. The card is turned over."""


class State(Struct, frozen=True):
    """The table. ``insiders`` know the card that lies between ``giver`` and the player who is asked."""

    hands: Annotated[tuple[Hand, ...], EACH_OWN]
    piles: tuple[tuple[str, ...], ...]
    open: OpenQuestions
    card: Annotated[Card, only("insiders")] = None
    claim: str = ""
    giver: Seat = Seat(0)
    insiders: tuple[Seat, ...] = ()
    winners: tuple[Seat, ...] | None = None

    def unaware(self, *but: Seat) -> list[Seat]:
        """Return the players who do not know the card, without some."""
        seats = map(Seat, range(1, len(self.hands) + 1))
        return [seat for seat in seats if seat not in self.insiders and seat not in but]


class Dealt(Event, frozen=True, tag="dealt"):
    """All players got a hand, and one of them begins."""

    hands: Annotated[tuple[Hand, ...], EACH_OWN]
    starter: Seat

    def after(self, state: State | None) -> State:
        return State(self.hands, ((),) * len(self.hands), no_questions(len(self.hands)).ask(self.starter))


class CardGiven(SeatEvent, frozen=True, tag="given"):
    """A player gave a card to another one."""

    begins_line = True
    card: Annotated[Card, only("seat")]
    to: Seat
    claim: str

    def after(self, state: State) -> State:
        hand = list(state.hands[self.seat - 1])
        hand.remove(self.card)
        hands = tuple(tuple(hand) if seat == self.seat else other for seat, other in enumerate(state.hands, 1))
        questions = state.open.ask(self.to, kind="guess")
        return replace(
            state, hands=hands, card=self.card, claim=self.claim, giver=self.seat, insiders=(self.seat,), open=questions
        )


class Looked(SeatEvent, frozen=True, tag="looked"):
    """A player looked at the card, and has to pass it on."""

    card: Annotated[Card, only("seat")]

    def after(self, state: State) -> State:
        questions = state.open.ask(self.seat, kind="turn", reason="pass")
        return replace(state, card=self.card or state.card, insiders=(*state.insiders, self.seat), open=questions)


class Passed(SeatEvent, frozen=True, tag="passed"):
    """A player passed the card on."""

    to: Seat
    claim: str

    def after(self, state: State) -> State:
        return replace(state, claim=self.claim, giver=self.seat, open=state.open.ask(self.to, kind="guess"))


class Guessed(SeatEvent, frozen=True, tag="guessed"):
    """A player said whether the claim is true. The player who was wrong keeps the card, face up, and is next."""

    believed: bool
    card: str
    loser: Seat

    def after(self, state: State) -> State:
        piles = tuple(
            tuple(sorted((*pile, self.card))) if seat == self.loser else pile
            for seat, pile in enumerate(state.piles, 1)
        )
        return replace(state, piles=piles, card=None, claim="", insiders=(), open=state.open.ask(self.loser))


class Lost(SeatEvent, frozen=True, tag="lost"):
    """A player lost, and all others win. All cards are shown."""

    begins_line = True
    hands: tuple[Hand, ...]
    card: Card

    def after(self, state: State) -> State:
        others = tuple(Seat(seat) for seat in range(1, len(self.hands) + 1) if seat != self.seat)
        return replace(state, hands=self.hands, card=self.card, open=state.open.ask(), winners=others)


def setup(options: NoOptions, seats: int, chance: Chance) -> tuple[Event, ...]:
    """Deal all cards, as many to each player. The rest is put aside."""
    check_seat_count(PLAYERS, seats)
    size = len(KINDS) * OF_A_KIND // seats
    cards = chance.take(KINDS * OF_A_KIND, size * seats)
    hands = tuple(tuple(sorted(cards[start : start + size])) for start in range(0, len(cards), size))
    return (Dealt(hands=hands, starter=Seat(chance.choose(range(1, seats + 1)))),)


def legal_moves(state: State, question: Question) -> tuple[Move, ...]:
    """Return the answers to a claim. A look is possible if the card can be passed on."""
    if question.kind != "guess":
        return ()
    look = (Look(question=question.id),) if state.unaware(question.seat) else ()
    return Believe(question=question.id), Doubt(question=question.id), *look


def forms(view: State, question: Question) -> tuple[AnswerForm, ...]:
    """Return the form for a card that is given or passed on."""
    if question.kind == "guess":
        return ()
    players = [(str(seat), Phrase("%(player)s", {"player": SeatName(seat)})) for seat in view.unaware(question.seat)]
    to = Slot(Phrase(gettext_noop("Player")), tuple(players))
    claim = Slot(Phrase(gettext_noop("Say that it is")), kinds(KINDS))
    if question.reason == "pass":
        return (AnswerForm(Pass, Phrase(gettext_noop("Pass the card on")), (to, claim)),)
    hand = Slot(Phrase(gettext_noop("Card")), kinds(view.hands[question.seat - 1]))
    return (AnswerForm(Give, Phrase(gettext_noop("Give a card")), (hand, to, claim)),)


def kinds(cards: Sequence[Card]) -> tuple[tuple[str, Phrase], ...]:
    """Return the choices of a slot for cards."""
    return tuple((kind, Phrase("%(kind)s", {"kind": MoveText(kind)})) for kind in KINDS if kind in cards)


@in_steps
def decide(state: State, seat: Seat, move: Move, chance: Chance) -> Generator[Event, State, None]:
    """Yield the events of a move."""
    match move:
        case Give(card=card, player=to, claim=claim):
            yield CardGiven(seat=seat, card=card, to=to, claim=claim)
        case Pass(player=to, claim=claim):
            yield Passed(seat=seat, to=to, claim=claim)
        case Look():
            yield Looked(seat=seat, card=state.card)
        case _:
            believed = isinstance(move, Believe)
            loser = state.giver if believed == (state.card == state.claim) else seat
            card = state.card or ""
            state = yield Guessed(seat=seat, believed=believed, card=card, loser=loser)
            if state.piles[loser - 1].count(card) == TOO_MANY or not state.hands[loser - 1]:
                yield Lost(seat=loser, hands=state.hands, card=None)


def resign(state: State, seat: Seat, chance: Chance) -> tuple[Event, ...]:
    """End the game: the player has lost it."""
    check_in_game(state.winners is None and 1 <= seat <= len(state.hands))
    return (Lost(seat=seat, hands=state.hands, card=state.card),)


def worlds(state: State, viewer: Seat, chance: Chance) -> State:
    """Return the state with all cards that the viewer does not know dealt again."""
    unknown = list(KINDS * OF_A_KIND)
    own_hand = state.hands[viewer - 1] if viewer > 0 else ()
    is_known = viewer in state.insiders
    for card in (*own_hand, *(card for pile in state.piles for card in pile), *((state.card,) if is_known else ())):
        unknown.remove(card or "")
    rest = iter(chance.take(unknown, len(unknown)))
    hands = tuple(
        hand if seat == viewer else tuple(sorted(islice(rest, len(hand)))) for seat, hand in enumerate(state.hands, 1)
    )
    return replace(state, hands=hands, card=next(rest) if state.claim and not is_known else state.card)


def bot_move(knowledge: Knowledge[State, Event], question: Question, moves: Sequence[Any], chance: Chance) -> Any:
    """Tell the truth half of the time, and doubt what the bot holds many cards of."""
    view, seat = knowledge.view, question.seat
    if question.kind == "guess":
        doubts = view.hands[seat - 1].count(view.claim) + sum(pile.count(view.claim) for pile in view.piles)
        return moves[1] if chance.choose(range(OF_A_KIND)) < 2 + doubts else moves[0]
    card = view.card or chance.choose([card for card in view.hands[seat - 1] if card])
    # The player with most cards of this kind is the nearest to losing by it.
    player = max(view.unaware(seat), key=lambda other: view.piles[other - 1].count(card))
    claim = chance.choose((card, chance.choose(KINDS)))
    if question.reason == "pass":
        return Pass(player, claim, question=question.id)
    return Give(card, player, claim, question=question.id)
