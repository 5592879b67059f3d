"""The characters, the options and the state of Coup, and changes that several events share.

All functions accept hidden facts as None, because shown events are folded too.
"""

from collections.abc import Collection, Iterable
from functools import lru_cache
from itertools import compress
from typing import Annotated, Any, Final, Literal, NewType

import msgspec
from msgspec.structs import replace

from games.engine import SeatNumber, code

Character = NewType(
    "Character",
    Annotated[str, code("Character", ("ambassador", "assassin", "captain", "contessa", "duke", "inquisitor"))],
)
"""A character card's name, as the notation writes it."""

Card = Character | None
"""A card, or None if the reader of the log may not know it."""

Party = Annotated[str, code("Party", ("empire", "resistance"))]

ACTIONS: Final = (
    "income", "foreign-aid", "coup", "tax", "assassinate", "steal", "exchange",
    "convert", "embezzle", "examine", "bomb",
)  # fmt: skip

ActionVerb = Annotated[str, code("Action", ACTIONS)]

Reply = Annotated[str, code("Reply", ("allow", "challenge", "block", "pick"))]

WindowKind = Annotated[str, code("Window", ("challenge", "block", "challenge-block"))]

LossReason = Annotated[str, code("LossReason", ("challenge", "coup", "assassination", "bomb"))]

REASONS: Final = (
    "turn", "draft", "party", "challenge", "coup", "assassination", "bomb",
    "foreign-aid", "tax", "assassinate", "steal", "exchange", "embezzle", "examine", "hand", "defuse",
    "ambassador", "assassin", "captain", "contessa", "duke", "inquisitor",
)  # fmt: skip
"""All reasons of a question: the action or the claimed character that it is about, or the cause of a loss."""

QuestionReason = Annotated[str, code("QuestionReason", REASONS)]

KINDS: Final = (
    "turn", "challenge", "block", "challenge-block", "proof", "loss", "exchange",
    "draft", "party", "examine", "show", "bomb",
)  # fmt: skip

QuestionKind = Annotated[str, code("QuestionKind", KINDS)]


class Action(msgspec.Struct, frozen=True, gc=False):
    """The action of this turn."""

    seat: SeatNumber
    verb: ActionVerb
    target: SeatNumber | None
    cost: int


class Block(msgspec.Struct, frozen=True, gc=False):
    """A block of the action of this turn."""

    seat: SeatNumber
    character: Character


class Claim(msgspec.Struct, frozen=True, gc=False):
    """A claim about cards that may be challenged, and its consequences.

    The last three fields name steps of the law.
    """

    seat: SeatNumber
    character: Character
    denies: bool
    """True where the claim is to hold *no* such card."""
    costs_both: bool
    """True where both cards are lost if the claim falls, so that there is nothing to choose."""
    unchallenged: str
    proved: str
    disproved: str


class Answer(msgspec.Struct, frozen=True, gc=False):
    """An answer that was given while others are still asked."""

    seat: SeatNumber
    answer: Reply | None
    """The kind of answer, or None if it is hidden."""
    character: Card


class Bomb(msgspec.Struct, frozen=True, gc=False):
    """The anarchist, on its way round the table."""

    holder: SeatNumber
    held: tuple[SeatNumber, ...]
    """The seats that have paid for the bomb or held it in this turn."""
    receiver: SeatNumber | None = None
    """The seat that the holder wants to hand it to."""


class Options(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """The options of a game of Coup, independent of one another."""

    inquisitor: bool = False
    """The inquisitor replaces the ambassador everywhere."""
    reformation: bool = False
    """Parties, conversion and the reserve."""
    anarchist: bool = False
    """The bomb."""
    two_player_setup: Literal["draft", "dealt"] = "draft"
    """The way two players get their cards: by secret draft (Coup C2), or dealt as for more players."""
    starting_player: Literal["random", "previous_winner"] | int = "random"
    """The player who starts: by lot, the winner of the last game this one, or a seat."""
    previous_winners: tuple[int, ...] = ()
    """The seats that won the game before; filled in by the table."""
    answers: Literal["first", "sealed"] = "first"
    """The end of a reaction: at the first challenge or block, or only when all have answered (Coup C7)."""
    waiting: Literal["hidden", "number", "public"] = "hidden"
    """The detail in which all players learn who has not answered yet. With quick plans, the other two settings reveal
    who has plans."""
    prompts: Literal["separate"] | msgspec.UnsetType = msgspec.UNSET
    """``separate`` asks those who could also block in a second reaction, against Coup C6. Measurements compare with it;
    no table uses it. The default is not stored."""


class State(msgspec.Struct, frozen=True, gc=False):
    """A game of Coup between two events. Tuples with an entry for each seat begin with seat 1."""

    options: Options
    pack: tuple[Character, ...]
    """All cards of the game, sorted."""
    starter: SeatNumber
    coins: tuple[int, ...]
    treasury: int
    hands: tuple[tuple[Card, ...], ...]
    """Face-down cards, sorted."""
    lost: tuple[tuple[Character, ...], ...]
    """Face-up cards, in the order in which they were lost."""
    counts: tuple[int, ...]
    """The number of questions that each seat has been asked."""
    reserve: int = 0
    parties: tuple[Party, ...] = ()
    turn: SeatNumber = SeatNumber(0)
    asking: str = ""
    """The kind of the open question, or blank."""
    reason: str = ""
    asked: tuple[SeatNumber, ...] = ()
    """The seats with the open question, including those that have answered."""
    answers: tuple[Answer, ...] = ()
    """The answers so far, as far as they may be known."""
    waiting: int = 0
    """The number of seats that have not answered."""
    then: str = ""
    """The step of the law that follows the loss that is being chosen."""
    action: Action | None = None
    claim: Claim | None = None
    """The claim that is in question."""
    block: Block | None = None
    blockers: tuple[SeatNumber, ...] = ()
    """The asked seats that may also block."""
    challenger: SeatNumber | None = None
    drawn: tuple[Card, ...] = ()
    """The cards that an exchange has drawn from the court."""
    shown: Card = None
    """The card that is being examined."""
    bomb: Bomb | None = None
    aside: tuple[Card, ...] = ()
    """Cards that the draft put out of the game."""
    winner: SeatNumber | None = None
    court: tuple[Character, ...] | None = None
    """The cards of the court once the game is over."""


SEATS: Final = tuple(SeatNumber(seat) for seat in range(1, 11))
"""All possible seats, in ascending order."""


def living(state: State) -> list[SeatNumber]:
    """Return the seats that still have a face-down card, in ascending order."""
    return [*compress(SEATS, state.hands)]


def alive(state: State, seat: SeatNumber) -> bool:
    """Return whether this seat still has a face-down card."""
    return bool(state.hands[seat - 1])


def next_living(state: State, seat: SeatNumber) -> SeatNumber:
    """Return the next living seat clockwise after ``seat``. Raises LookupError if there is none."""
    hands = state.hands
    for further in range(len(hands)):
        following = (seat + further) % len(hands)
        if hands[following]:
            return SEATS[following]
    raise LookupError("nobody is in the game")


def nearest(seats: Collection[SeatNumber], after: SeatNumber) -> SeatNumber:
    """Return the first of ``seats`` clockwise after ``after``."""
    return min([seat for seat in seats if seat > after] or seats)


def others(state: State, seat: SeatNumber) -> tuple[SeatNumber, ...]:
    """Return all living seats except this one."""
    left = [*compress(SEATS, state.hands)]
    if state.hands[seat - 1]:
        left.remove(seat)
    return tuple(left)


def open_seats(state: State) -> tuple[SeatNumber, ...]:
    """Return the seats with a question that have not answered, as far as the answers are visible."""
    if not state.answers:
        return state.asked
    left = [*state.asked]
    for answer in state.answers:
        if answer.seat in left:
            left.remove(answer.seat)
    return tuple(left)


def court_size(state: State) -> int:
    """Return how many cards the court holds."""
    elsewhere = sum(map(len, state.hands)) + sum(map(len, state.lost)) + len(state.drawn) + len(state.aside)
    return len(state.pack) - elsewhere


def court(state: State) -> tuple[Character, ...]:
    """Return the cards of the court, sorted. Every card of the state must be known."""
    left = list(state.pack)
    for cards in (*state.hands, *state.lost, state.drawn, state.aside):
        for card in cards:
            if card:
                left.remove(card)
    return tuple(left)


def with_entry(entries: tuple[Any, ...], seat: SeatNumber, value: Any) -> tuple[Any, ...]:
    """Return ``entries`` with a new entry for this seat."""
    changed = [*entries]
    changed[seat - 1] = value
    return tuple(changed)


def without(hand: tuple[Card, ...], cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return ``hand`` without ``cards``. For a known card that it does not contain, an unknown card is removed."""
    left = [*hand]
    for card in cards:
        if card in left:
            left.remove(card)
        elif None in left:
            left.remove(None)
        elif left:
            left.pop()
    return tuple(left)


def known_cards(cards: Iterable[Card]) -> tuple[Character, ...]:
    """Return the cards that are not hidden."""
    return tuple(filter(None, cards))


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """Return cards in alphabetical order, unknown ones first, so that no position in a hand can be followed."""
    return tuple(sorted(cards, key=lambda card: card or ""))


def counted(state: State, seats: tuple[SeatNumber, ...]) -> tuple[int, ...]:
    """Return how many questions each seat has been asked, with one more for these."""
    counts = [*state.counts]
    for seat in seats:
        counts[seat - 1] += 1
    return tuple(counts)


def ask(state: State, kind: str, seats: tuple[SeatNumber, ...], reason: str) -> State:
    """Return ``state`` with a question to these seats, each under a new id."""
    counts = counted(state, seats)
    return replace(state, asking=kind, reason=reason, asked=seats, answers=(), waiting=len(seats), counts=counts)


def nothing_asked(state: State) -> State:
    """Return ``state`` without the open question."""
    return replace(state, asking="", reason="", asked=(), answers=(), waiting=0, blockers=())


def with_answer(state: State, answer: Answer | None) -> State:
    """Return ``state`` after an answer. ``seat`` is None if it is hidden who answered."""
    answers = state.answers if answer is None else (*state.answers, answer)
    return replace(state, waiting=state.waiting - 1, answers=answers)


def paid(state: State, seat: SeatNumber, coins: int) -> tuple[int, ...]:
    """Return all purses after a seat received coins, or paid them if the number is negative."""
    purses = [*state.coins]
    purses[seat - 1] += coins
    return tuple(purses)


def hand_after(state: State, seat: SeatNumber, less: tuple[Card, ...], more: tuple[Card, ...] = ()) -> Any:
    """Return all hands after a player gave cards away and received others."""
    hand = without(state.hands[seat - 1], less)
    return with_entry(state.hands, seat, in_order((*hand, *more)) if more else hand)


DUKE: Final = Character("duke")

ASSASSIN: Final = Character("assassin")

CAPTAIN: Final = Character("captain")

AMBASSADOR: Final = Character("ambassador")

CONTESSA: Final = Character("contessa")

INQUISITOR: Final = Character("inquisitor")

CLASSIC: Final = (AMBASSADOR, ASSASSIN, CAPTAIN, CONTESSA, DUKE)
"""The five characters of the classic game."""


def copies(seats: int) -> int:
    """Return how many cards of each character are in the pack: 3 up to 6 players, 4 up to 8, 5 up to 10."""
    return 3 if seats <= 6 else 4 if seats <= 8 else 5


@lru_cache(maxsize=64)
def pack(characters: tuple[Character, ...], seats: int) -> tuple[Character, ...]:
    """Return all cards of the pack, in alphabetical order."""
    return tuple(sorted(characters * copies(seats)))
