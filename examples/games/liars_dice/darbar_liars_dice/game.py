"""The rules: bids on the dice under all cups together, until a player doubts one."""

from collections.abc import Generator, Sequence
from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from games.engine import (
    Chance,
    Event,
    Knowledge,
    Move,
    OpenQuestions,
    Question,
    SeatEvent,
    SeatNumber,
    in_steps,
    next_seat,
    no_questions,
)
from games.engine.validation import check_in_game, check_seat_count
from games.engine.visibility import EACH_OWN

PLAYERS: Final = range(2, 7)
FACES: Final = range(1, 7)
STEP: Final = 3
Dice = tuple[int | None, ...]
Seat = SeatNumber


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game."""

    dice: Annotated[int, Meta(ge=1, le=5)] = 3
    wild_ones: bool = True
    """Ones count as every face, unless the bid is on ones."""


class Bid(Move, frozen=True, tag="bid"):
    """Bid that at least this number of dice shows this face."""

    count: int
    face: int


class Liar(Move, frozen=True, tag="liar"):
    """Doubt the bid. All dice are shown."""


class SetUp(Event, frozen=True, tag="set-up"):
    """The first event."""

    options: Options
    seats: int

    def after(self, state: "State | None") -> "State":
        dice = (self.options.dice,) * self.seats
        return State(self.options, dice, ((),) * self.seats, no_questions(self.seats))


class Rolled(Event, frozen=True, tag="rolled"):
    """All players rolled their dice, under their cups."""

    begins_line = True
    dice: Annotated[tuple[Dice, ...], EACH_OWN]
    turn: Seat

    def after(self, state: "State") -> "State":
        return replace(state, dice=self.dice, bid=None, open=state.open.ask(self.turn, reason="first"))


class Raised(SeatEvent, frozen=True, tag="raised"):
    """A player made a bid, and the next player is asked."""

    begins_line = True
    count: int
    face: int
    next: Seat

    def after(self, state: "State") -> "State":
        return replace(state, bid=self, open=state.open.ask(self.next, reason="bid"))


class Called(SeatEvent, frozen=True, tag="called"):
    """A player doubted a bid. The dice were shown, and one of the two lost a die."""

    against: Seat
    dice: tuple[Dice, ...]
    found: int
    loser: Seat

    def after(self, state: "State") -> "State":
        return replace(state, left=less(state.left, self.loser, 1), shown=self)


class Resigned(SeatEvent, frozen=True, tag="resigned"):
    """A player resigned, and their dice are gone."""

    def after(self, state: "State") -> "State":
        return replace(state, left=less(state.left, self.seat, state.left[self.seat - 1]))


class Won(Event, frozen=True, tag="won"):
    """A single player is left with dice."""

    begins_line = True
    tells_winners = True
    winners: tuple[Seat, ...]

    def after(self, state: "State") -> "State":
        return replace(state, winners=self.winners, open=state.open.ask())


class State(Struct, frozen=True):
    """A game between two events."""

    options: Options
    left: tuple[int, ...]
    dice: Annotated[tuple[Dice, ...], EACH_OWN]
    open: OpenQuestions
    bid: Raised | None = None
    shown: Called | None = None
    winners: tuple[Seat, ...] | None = None


View = State
"""The table as a viewer may know it: the state, with None for the dice of others."""


def setup(options: Options, seats: int, chance: Chance) -> tuple[Event, ...]:
    """Deal the dice, and draw the starter."""
    check_seat_count(PLAYERS, seats)
    first = SetUp(options=options, seats=seats)
    starter = Seat(chance.choose(range(1, seats + 1)))
    return first, roll((options.dice,) * seats, starter, chance)


def roll(left: Sequence[int], turn: Seat, chance: Chance) -> Rolled:
    """Begin a new round."""
    dice = tuple(tuple(sorted(chance.choose(FACES) for _ in range(count))) for count in left)
    return Rolled(dice=dice, turn=turn)


def less(counts: tuple[int, ...], seat: Seat, by: int) -> tuple[int, ...]:
    """Return the counts with fewer dice for one seat."""
    return tuple(count - by if number == seat else count for number, count in enumerate(counts, 1))


def legal_moves(state: State, question: Question) -> tuple[Move, ...]:
    """Return the higher bids, and the doubt of the last bid."""
    bid, most = state.bid, sum(state.left)
    last = (bid.count, bid.face) if bid else (0, FACES[-1])
    counts = range(max(1, last[0]), min(most, last[0] + STEP) + 1)
    bids = tuple(Bid(n, face, question=question.id) for n in counts for face in FACES if (n, face) > last)
    return (*bids, Liar(question=question.id)) if bid else bids


@in_steps
def decide(state: State, seat: Seat, move: Move, chance: Chance) -> Generator[Event, State, None]:
    """Yield the events of a move."""
    bid = state.bid
    if isinstance(move, Bid):
        seats = [other for other, count in enumerate(state.left, 1) if count]
        yield Raised(seat=seat, count=move.count, face=move.face, next=next_seat(seat, seats, len(state.left)))
    elif bid is not None:
        count = count_dice(state.dice, bid.face, state.options.wild_ones)
        loser = seat if count >= bid.count else bid.seat
        state = yield Called(seat=seat, against=bid.seat, dice=state.dice, found=count, loser=loser)
        yield next_round(state.left, loser, chance)


def count_dice(dice: Sequence[Dice], face: int, wild_ones: bool) -> int:
    """Return how many dice show a face. Ones count as well if they are wild."""
    return sum(die == face or (die == 1 and wild_ones) for hand in dice for die in hand)


def next_round(left: tuple[int, ...], begins: Seat, chance: Chance) -> Event:
    """Begin a new round with this seat or the next one that has dice, or end the game."""
    if len(alive := tuple(Seat(seat) for seat, count in enumerate(left, 1) if count)) == 1:
        return Won(winners=alive)
    return roll(left, begins if begins in alive else next_seat(begins, alive, len(left)), chance)


@in_steps
def resign(state: State, seat: Seat, chance: Chance) -> Generator[Event, State, None]:
    """Resign a seat: its dice are gone, and the others roll again."""
    check_in_game(state.winners is None and 1 <= seat <= len(state.left) and state.left[seat - 1] > 0)
    state = yield Resigned(seat=seat)
    yield next_round(state.left, state.open.seats[0], chance)


def bot_move(knowledge: Knowledge[View, Event], question: Question, moves: Sequence[Move], chance: Chance) -> Move:
    """Doubt an unlikely bid; else make the smallest raise on the most frequent face under the bot's own cup."""
    view = knowledge.view
    own_dice = view.dice[question.seat - 1]
    others = sum(view.left) - len(own_dice)
    if (bid := view.bid) is not None and bid.count > likely(own_dice, others, bid.face, view) + 0.5:
        return moves[-1]
    bids = [move for move in moves if isinstance(move, Bid)]
    worths = [likely(own_dice, others, move.face, view) - move.count for move in bids]
    good = [move for move, worth in zip(bids, worths, strict=True) if worth >= max(worths) - 0.2]
    return chance.choose(good or moves)


def likely(own_dice: Dice, others: int, face: int, view: View) -> float:
    """Return how many dice of a face are likely on the table."""
    wild = view.options.wild_ones and face != 1
    return count_dice((own_dice,), face, view.options.wild_ones) + others * (2 if wild else 1) / len(FACES)
