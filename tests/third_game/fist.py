"""Fist: a third game, and a minimal game of bluff.

All players get a secret number. In turn, they claim a number, which the others allow or doubt. The first doubt ends the
game: a claimant who lied loses to the doubter, and an honest claimant wins. Without a doubt, the highest claim wins.
"""

from typing import Annotated

from msgspec import Struct
from msgspec.structs import replace

from games.engine import EVERYONE, Chance, Event, Move, Outcome, Phrase, Question, Rules, SeatNumber, Viewer, one_by_one
from games.engine import Words as WordsOf
from games.engine.validation import check_in_game, check_seat_count, find_question, not_possible
from games.engine.visibility import EACH_OWN

PLAYERS = range(2, 6)


class Options(Struct, frozen=True, forbid_unknown_fields=True):
    highest: int = 6
    """The highest number that is dealt."""


class State(Struct, frozen=True):
    numbers: tuple[int | None, ...]
    highest: int
    turn: SeatNumber = SeatNumber(1)
    claims: tuple[int, ...] = ()
    asked: tuple[SeatNumber, ...] = ()
    counts: tuple[int, ...] = ()
    winners: tuple[SeatNumber, ...] | None = None


class View(Struct, frozen=True):
    number: int | None
    """My own."""
    turn: SeatNumber
    claims: tuple[int, ...]
    winners: tuple[SeatNumber, ...] | None
    numbers: tuple[int | None, ...]


class Dealt(Event, frozen=True, tag="dealt"):
    options: Options
    numbers: Annotated[tuple[int | None, ...], EACH_OWN]


class Claimed(Event, frozen=True, tag="claimed"):
    seat: SeatNumber
    number: int


class Allowed(Event, frozen=True, tag="allowed"):
    in_open_window = True
    only_for = "seat"
    seat: SeatNumber


class Stood(Event, frozen=True, tag="stood"):
    closes_window = True
    next: SeatNumber | None


class Doubted(Event, frozen=True, tag="doubted"):
    closes_window = True
    seat: SeatNumber


class Won(Event, frozen=True, tag="won"):
    winners: tuple[SeatNumber, ...]
    numbers: tuple[int, ...]


class Claim(Move, frozen=True, tag="claim"):
    """Say which number I was dealt."""

    number: int


class Allow(Move, frozen=True, tag="allow"):
    """Let it stand."""


class Doubt(Move, frozen=True, tag="doubt"):
    """Call it a lie."""


def setup(options: Options, seats: int, chance: Chance) -> tuple[Event, ...]:
    check_seat_count(PLAYERS, seats)
    return (Dealt(options=options, numbers=tuple(chance.choose(range(1, options.highest + 1)) for _ in range(seats))),)


def evolve(state: State | None, event: Event) -> State:
    match event:
        case Dealt():
            return State(event.numbers, event.options.highest, counts=(1, *(0 for _ in event.numbers[1:])))
        case Claimed():
            other_seats = tuple(SeatNumber(seat) for seat in range(1, len(state.numbers) + 1) if seat != event.seat)
            counts = tuple(count + (seat != event.seat) for seat, count in enumerate(state.counts, 1))
            return replace(state, claims=(*state.claims, event.number), asked=other_seats, counts=counts)
        case Allowed():
            return replace(state, asked=tuple(seat for seat in state.asked if seat != event.seat))
        case Stood():
            counts = tuple(count + (seat == event.next) for seat, count in enumerate(state.counts, 1))
            return replace(state, asked=(), counts=counts, turn=event.next or state.turn)
        case Doubted():
            return replace(state, asked=())
        case Won():
            return replace(state, winners=event.winners, numbers=event.numbers, asked=())
    raise AssertionError(event)


def questions(state: State) -> tuple[Question, ...]:
    if state.winners is not None:
        return ()
    kind, seats = ("doubt", state.asked) if state.asked else ("turn", (state.turn,))
    return tuple(Question(f"{seat}.{state.counts[seat - 1]}", seat, kind, kind) for seat in seats)


def legal_moves(state: State, question: Question) -> tuple[Move, ...]:
    if question.kind == "doubt":
        return Allow(question=question.id), Doubt(question=question.id)
    return tuple(Claim(number=number, question=question.id) for number in range(1, state.highest + 1))


def decide(state: State, seat: SeatNumber, move: Move, chance: Chance) -> tuple[Event, ...]:
    question = find_question(questions(state), seat, move.question)
    if move not in legal_moves(state, question):
        raise not_possible()
    match move:
        case Claim():
            return (Claimed(seat=seat, number=move.number),)
        case Doubt():
            lied = state.claims[-1] != state.numbers[state.turn - 1]
            return Doubted(seat=seat), won(state, seat if lied else state.turn)
    allowed = Allowed(seat=seat)
    if len(state.asked) > 1:
        return (allowed,)
    if state.turn < len(state.numbers):
        return allowed, Stood(next=SeatNumber(state.turn + 1))
    best = max(state.claims)
    return (
        allowed,
        Stood(next=None),
        won(state, *(SeatNumber(n) for n, claim in enumerate(state.claims, 1) if claim == best)),
    )


def won(state: State, *winners: SeatNumber) -> Won:
    return Won(winners=winners, numbers=state.numbers)


def default_move(state: State, question: Question, chance: Chance) -> Move:
    moves = legal_moves(state, question)
    return moves[0] if question.kind == "doubt" else moves[state.numbers[question.seat - 1] - 1]


def resign(state: State, seat: SeatNumber, chance: Chance) -> tuple[Event, ...]:
    check_in_game(state.winners is None and 1 <= seat <= len(state.numbers))
    return (won(state, *(SeatNumber(other) for other in range(1, len(state.numbers) + 1) if other != seat)),)


def view(state: State, viewer: Viewer) -> View:
    over = state.winners is not None or viewer == EVERYONE
    own_number = state.numbers[viewer - 1] if viewer > 0 else None
    visible_numbers = tuple(n if over or seat == viewer else None for seat, n in enumerate(state.numbers, 1))
    return View(own_number, state.turn, state.claims, state.winners, visible_numbers)


def story(event: Event, reader: SeatNumber | None) -> Phrase | None:
    match event:
        case Claimed(seat=seat, number=number):
            return Phrase("Seat %(seat)s claims %(number)s.", {"seat": seat, "number": number})
        case Won():
            return Phrase("It is over.")
    return None


RULES = Rules(
    name="fist",
    version=1,
    players=PLAYERS,
    option_type=Options,
    state_type=State,
    view_type=View,
    event_type=Dealt | Claimed | Allowed | Stood | Doubted | Won,
    move_type=Claim | Allow | Doubt,
    setup=setup,
    evolve=evolve,
    questions=questions,
    legal_moves=legal_moves,
    decide=decide,
    default_move=default_move,
    resign=resign,
    view=view,
    outcome=lambda state: None if state.winners is None else Outcome(state.winners),
    words=WordsOf(
        title=Phrase("Fist"),
        story=one_by_one(story),
        asks=lambda view, question: Phrase("What do you say?"),
        label=lambda move: Phrase(str(move)),
        summary=lambda options, seats: (Phrase("Claim the number in your fist, or another."),),
        table=lambda view: (Phrase("Claims: %(claims)s.", {"claims": ", ".join(map(str, view.claims)) or "none"}),),
    ),
)
