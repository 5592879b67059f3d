"""The rules: two houses bid for caravans. Each player seals a bid, and the bids of a house are added."""

from typing import Annotated, Final

from msgspec import Meta, Struct
from msgspec.structs import replace

from games.engine import AnswerForm, Chance, NumberSlot, Phrase, allows, gettext_noop, question_to
from games.engine.types import Event, Move, Outcome, Question, SeatEvent, SeatNumber
from games.engine.validation import check_in_game, check_seat_count, find_question, not_possible
from games.engine.visibility import EACH_OWN, only

PLAYERS: Final = range(2, 5, 2)
WORTHS: Final = range(1, 10)
Seat = SeatNumber


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game."""

    coins: Annotated[int, Meta(ge=10, le=100)] = 30
    caravans: Annotated[int, Meta(ge=3, le=7)] = 5


class Bid(Move, frozen=True, tag="bid"):
    """Seal a bid. The coins are lost in any case."""

    coins: int


class SetUp(Event, frozen=True, tag="set-up"):
    """The first event."""

    options: Options
    seats: int


class Arrived(Event, frozen=True, tag="arrived"):
    """A caravan arrived, and all players in the game are asked for a bid."""

    begins_line = True
    worth: int


class Sealed(SeatEvent, frozen=True, tag="sealed"):
    """A player sealed a bid. The others do not see it before the bids are opened."""

    in_open_window = True
    only_for = "seat"
    coins: Annotated[int | None, only("seat")]


class Opened(Event, frozen=True, tag="opened"):
    """All bids were opened. The house with the higher sum gets the caravan. On a tie it waits for the next one."""

    begins_line = True
    closes_window = True
    bids: tuple[int, ...]
    side: int | None
    worth: int


class Resigned(SeatEvent, frozen=True, tag="resigned"):
    """A player left with their coins. Their house goes on without them."""


class Won(Event, frozen=True, tag="won"):
    """The last caravan is gone, or a house is empty."""

    begins_line = True
    tells_winners = True
    closes_window = True
    winners: tuple[Seat, ...]


class State(Struct, frozen=True):
    """A game between two events."""

    options: Options
    coins: tuple[int, ...]
    bids: Annotated[tuple[int | None, ...], EACH_OWN]
    counts: tuple[int, ...]
    points: tuple[int, int] = (0, 0)
    worth: int = 0
    """The worth of the waiting caravans, or 0."""
    came: int = 0
    gone: tuple[Seat, ...] = ()
    winners: tuple[Seat, ...] | None = None


View = State
"""The table as a viewer may know it: the state, with None for the sealed bids of others."""


def side_of(seat: int) -> int:
    """The house of a seat, 0 or 1: neighbours belong to different ones."""
    return (seat + 1) % 2


def members(state: State, side: int) -> tuple[Seat, ...]:
    """Return the seats of a house, including players who left."""
    return tuple(Seat(seat) for seat in range(1, len(state.coins) + 1) if side_of(seat) == side)


def setup(options: Options, seats: int, chance: Chance) -> tuple[Event, ...]:
    """Deal the coins, and let the first caravan arrive."""
    check_seat_count(PLAYERS, seats)
    return SetUp(options=options, seats=seats), Arrived(worth=chance.choose(WORTHS))


def evolve(state: State | None, event: Event) -> State:
    """Return the state after an event."""
    if isinstance(event, SetUp):
        return State(event.options, (event.options.coins,) * event.seats, (None,) * event.seats, (0,) * event.seats)
    assert state is not None
    match event:
        case Arrived(worth=worth):
            counts = tuple(count + (seat not in state.gone) for seat, count in enumerate(state.counts, 1))
            return replace(state, worth=state.worth + worth, came=state.came + 1, counts=counts)
        case Sealed(seat=seat, coins=coins):
            return replace(state, bids=with_bid(state, seat, coins))
        case Opened(bids=bids, side=side, worth=worth):
            left = tuple(coins - bid for coins, bid in zip(state.coins, bids, strict=True))
            first, second = (state.points[number] + worth * (side == number) for number in (0, 1))
            blank, waits = (None,) * len(bids), worth if side is None else 0
            return replace(state, coins=left, bids=blank, points=(first, second), worth=waits)
        case Resigned(seat=seat):
            return replace(state, gone=(*state.gone, seat), bids=with_bid(state, seat, None))
        case Won(winners=winners):
            return replace(state, winners=winners)
    raise AssertionError(event)


def with_bid(state: State, seat: Seat, coins: int | None) -> tuple[int | None, ...]:
    """Return the sealed bids with a new bid of one seat."""
    return tuple(coins if number == seat else bid for number, bid in enumerate(state.bids, 1))


def questions(state: State) -> tuple[Question, ...]:
    """Return the questions to all players who have not sealed a bid."""
    if state.winners is not None or not state.came:
        return ()
    bidding_seats = (Seat(n) for n, bid in enumerate(state.bids, 1) if bid is None and n not in state.gone)
    return tuple(question_to(seat, state.counts[seat - 1], "bid", "caravan") for seat in bidding_seats)


def forms(view: View, question: Question) -> tuple[AnswerForm, ...]:
    """Return the form for a bid, from no coin to all coins of the player."""
    slot = NumberSlot(Phrase(gettext_noop("Coins")), 0, view.coins[question.seat - 1])
    return (AnswerForm(Bid, Phrase(gettext_noop("Seal a bid")), (slot,)),)


def decide(state: State, seat: Seat, move: Move, chance: Chance) -> tuple[Event, ...]:
    """Return the events of a move."""
    question = find_question(questions(state), seat, move.question)
    if not isinstance(move, Bid) or not allows(forms(state, question), move):
        raise not_possible()
    sealed = Sealed(seat=seat, coins=move.coins)
    return sealed, *opened(evolve(state, sealed), chance)


def opened(state: State, chance: Chance) -> tuple[Event, ...]:
    """Return the events after the last bid, or nothing if a bid is missing."""
    if questions(state):
        return ()
    bids = tuple(bid or 0 for bid in state.bids)
    first, second = (sum(bids[seat - 1] for seat in members(state, side)) for side in (0, 1))
    side = None if first == second else int(second > first)
    open_bids = Opened(bids=bids, side=side, worth=state.worth)
    after = evolve(state, open_bids)
    if after.came < after.options.caravans:
        return open_bids, Arrived(worth=chance.choose(WORTHS))
    return open_bids, won(after, *(number for number in (0, 1) if after.points[number] == max(after.points)))


def won(state: State, *houses: int) -> Won:
    """Return the end of the game. All players of the winning houses win, including those who left."""
    return Won(winners=tuple(sorted(seat for side in houses for seat in members(state, side))))


def resign(state: State, seat: Seat, chance: Chance) -> tuple[Event, ...]:
    """Resign a seat. A house without players loses."""
    check_in_game(state.winners is None and 1 <= seat <= len(state.coins) and seat not in state.gone)
    after = evolve(state, left := Resigned(seat=seat))
    is_empty = set(members(after, side_of(seat))) <= set(after.gone)
    return left, *((won(after, 1 - side_of(seat)),) if is_empty else opened(after, chance))


def outcome(state: State) -> Outcome | None:
    """Return the outcome. Both players of a house share it."""
    if state.winners is None:
        return None
    scores = tuple(state.points[side_of(seat)] for seat in range(1, len(state.coins) + 1))
    return Outcome(state.winners, scores=scores, teams=(members(state, 0), members(state, 1)))
