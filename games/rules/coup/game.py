"""The engine's contract for Coup: setting up, asking, deciding, folding."""

from typing import Final

from games.engine import (
    EVERYONE,
    Chance,
    Event,
    Move,
    Outcome,
    Phrase,
    Question,
    RuleViolation,
    SeatNumber,
    Viewer,
    gettext_noop,
    question_to,
)
from games.engine.errors import ILLEGAL, NOT_ASKED, QUESTION_CLOSED
from games.rules.coup import events as e
from games.rules.coup.cards import pack
from games.rules.coup.classic import LAW
from games.rules.coup.expansions.book import FOLDS, GATES, law_of
from games.rules.coup.fold import set_up
from games.rules.coup.law import Law, Play
from games.rules.coup.leaving import leave
from games.rules.coup.options import Options
from games.rules.coup.state import State, alive, open_seats

NAME: Final = "coup"
VERSION: Final = 1
PLAYERS: Final = range(2, 11)
COINS: Final = 50


def setup(options: Options, seats: int, chance: Chance) -> tuple[Event, ...]:
    """The pack, the purses, the starter and the deal (rules, section 1)."""
    if seats not in PLAYERS:
        sentence = gettext_noop("Coup is played by 2 to 10, not by %(seats)s.")
        raise RuleViolation(ILLEGAL, Phrase(sentence, {"seats": seats}, "§1"))
    law = law_of(options, seats)
    starter = starting_seat(options, seats, chance)
    coins = [2] * seats
    if seats == 2:
        coins[starter - 1] = 1  # Coup C2
    first = e.SetUp(
        rules=NAME,
        version=VERSION,
        options=options,
        seats=seats,
        pack=pack(law.characters, seats),
        coins=tuple(coins),
        treasury=COINS - sum(coins),
        starter=starter,
    )
    play = Play(law, evolve(None, first), chance)
    play.events.append(first)
    play.step("deal")
    return tuple(play.events)


def starting_seat(options: Options, seats: int, chance: Chance) -> SeatNumber:
    """The seat named, a winner of the game before, or one by lot."""
    named = options.starting_player
    if isinstance(named, int):
        if not 1 <= named <= seats:
            sentence = gettext_noop("There is no seat %(seat)s; the starting player sits on one of 1 to %(seats)s.")
            raise RuleViolation(ILLEGAL, Phrase(sentence, {"seat": named, "seats": seats}, "§1"))
        return SeatNumber(named)
    winners = [seat for seat in options.previous_winners if 1 <= seat <= seats]
    if named == "previous_winner" and winners:
        return SeatNumber(winners[0] if len(winners) == 1 else chance.choose(winners))
    return SeatNumber(chance.choose(range(1, seats + 1)))


def evolve(state: State | None, event: Event) -> State:
    """The state after an event, shown or whole."""
    if state is None or isinstance(event, e.SetUp):
        assert isinstance(event, e.SetUp)
        return set_up(state, event)
    return FOLDS[type(event)](state, event)


def show(event: Event, viewer: Viewer) -> Event | None:
    """Return what a viewer may know of an event: the only gate for secrets."""
    if viewer == EVERYONE:
        return event
    gate = GATES.get(type(event))
    return gate(event, viewer) if gate else None


def questions(state: State) -> tuple[Question, ...]:
    """Return what the game waits for."""
    return seen(state)[2]


def seen(state: State) -> tuple[State | None, Law, tuple[Question, ...]]:
    """A state, the law it is played by, and what it waits for."""
    global _seen
    last = _seen
    if last[0] is state:
        return last
    kind, reason, counts = state.asking, state.reason, state.counts
    asked = []
    for seat in open_seats(state):  # no comprehension: for so few it takes longer to begin than to run
        asked.append(question_to(seat, counts[seat - 1], kind, reason))
    _seen = found = (state, law_of(state.options, len(state.hands)), tuple(asked))
    return found


_seen: tuple[State | None, Law, tuple[Question, ...]] = (None, LAW, ())
"""The last state that was looked at: whoever lists its questions mostly lists moves next, and decides."""


def question_of(state: State, seat: SeatNumber) -> Question | None:
    """Return what this seat is asked; None where it is asked nothing, or has answered."""
    if seat not in open_seats(state):
        return None
    return question_to(seat, state.counts[seat - 1], state.asking, state.reason)


def legal_moves(state: State, question: Question) -> tuple[Move, ...]:
    """The moves that answer a question, in the order of their numbers."""
    global _listed
    last = _listed
    if last[0] is state and last[1] == question.id:
        return last[2]
    law = seen(state)[1]
    moves = law.questions[question.kind].moves(law, state, question.seat, question.id)
    _listed = (state, question.id, moves)
    return moves


_listed: tuple[State | None, str, tuple[Move, ...]] = (None, "", ())
"""The last list of moves that was made: what is decided has mostly just been listed."""


def open_question(state: State, asked: tuple[Question, ...], seat: SeatNumber, question_id: str) -> Question:
    """Of those asked, the question with this id to this seat; RuleViolation where there is none (any more)."""
    for question in asked:
        if question.seat == seat and question.id == question_id:
            return question
    named, _, number = question_id.partition(".")
    own = named == str(seat) and 1 <= seat <= len(state.counts) and number.isascii() and number.isdigit()
    if own and 1 <= int(number) <= state.counts[seat - 1]:
        raise RuleViolation(QUESTION_CLOSED, Phrase(gettext_noop("This question has been answered or is over.")))
    raise RuleViolation(
        NOT_ASKED, Phrase(gettext_noop("This question is not for you. Your own are on the list of questions."))
    )


def decide(state: State, seat: SeatNumber, move: Move, chance: Chance) -> tuple[Event, ...]:
    """Return what follows from a move, or RuleViolation."""
    return play(state, seat, move, chance)[0]


def play(state: State, seat: SeatNumber, move: Move, chance: Chance) -> tuple[tuple[Event, ...], State]:
    """Return what follows from a move, and the state to which it leads; or RuleViolation."""
    _, law, asked = seen(state)
    question = open_question(state, asked, seat, move.question)
    if move not in legal_moves(state, question):
        raise RuleViolation(ILLEGAL, Phrase(gettext_noop("This move is not possible here."), {}, "§3"))
    decision = Play(law, state, chance)
    law.answers[type(move)](decision, seat, move)
    return tuple(decision.events), decision.state


def default_move(state: State, question: Question, chance: Chance) -> Move:
    """Return what the clock plays (rules, section 8)."""
    law = law_of(state.options, len(state.hands))
    moves = legal_moves(state, question)
    return law.questions[question.kind].default(law, state, question.seat, moves, chance)


def resign(state: State, seat: SeatNumber, chance: Chance) -> tuple[Event, ...]:
    """Return what follows when a player gives up (Coup C17)."""
    if state.winner is not None or not 1 <= seat <= len(state.hands) or not alive(state, seat):
        raise RuleViolation(NOT_ASKED, Phrase(gettext_noop("You are no longer in this game, so you cannot resign.")))
    play = Play(law_of(state.options, len(state.hands)), state, chance)
    leave(play, seat)
    return tuple(play.events)


def outcome(state: State) -> Outcome | None:
    """The last player left has won (Coup C16)."""
    return None if state.winner is None else Outcome((state.winner,))
