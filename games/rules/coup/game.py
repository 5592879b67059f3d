"""The contract of a game for Coup, with the law for each set of options.

The classic law (rules, sections 1 to 4) and the list of expansions are here.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from games.engine import Chance, Event, Move, Outcome, Question, SeatNumber, question_to
from games.engine.types import Pace
from games.engine.validation import check_in_game, check_seat_count, choose_starter, find_question, not_possible
from games.rules.coup import asking, flow
from games.rules.coup import events as e
from games.rules.coup import moves as m
from games.rules.coup.expansions import anarchist, draft, inquisitor, reformation
from games.rules.coup.flow import declare, leave
from games.rules.coup.law import ActionLaw, Expansion, Law, Play
from games.rules.coup.state import (
    AMBASSADOR,
    ASSASSIN,
    CAPTAIN,
    CLASSIC,
    CONTESSA,
    DUKE,
    SEATS,
    Options,
    State,
    alive,
    court,
    next_living,
    open_seats,
    pack,
)

NAME: Final = "coup"

VERSION: Final = 1

PLAYERS: Final = range(2, 11)

COINS: Final = 50


def setup(options: Options, seats: int, chance: Chance) -> tuple[Event, ...]:
    """Set up the pack, the purses, the starter and the deal (rules, section 1)."""
    check_seat_count(PLAYERS, seats, "§1")
    law = law_of(options, seats)
    starter = choose_starter(options, seats, chance, "§1")
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
    play = Play(law, first.after(None), chance)
    play.events.append(first)
    play.step("deal")
    return tuple(play.events)


def questions(state: State) -> tuple[Question, ...]:
    return law_and_questions(state)[2]


def law_and_questions(state: State) -> tuple[State | None, Law, tuple[Question, ...]]:
    """Return the state with its law and its open questions."""
    global _last_state
    last = _last_state
    if last[0] is state:
        return last
    kind, reason, counts = state.asking, state.reason, state.counts
    questions = []
    for seat in open_seats(state):  # no comprehension: for so few it takes longer to begin than to run
        questions.append(question_to(seat, counts[seat - 1], kind, reason))
    _last_state = entry = (state, law_of(state.options, len(state.hands)), tuple(questions))
    return entry


def deal(play: Play) -> None:
    """Deal two cards to seat 1, two to seat 2, and so on. The starter makes no difference (Coup C24)."""
    seats = SEATS[: len(play.state.hands)]
    cards = play.chance.take(court(play.state), 2 * len(seats))
    for seat in seats:
        play.emit(e.Dealt(seat=seat, cards=tuple(sorted(cards[2 * seat - 2 : 2 * seat]))))
    play.step("begin")


def first_turn(play: Play) -> None:
    """Begin the turn of the starter, or of the next living player if the starter has already left."""
    starter = play.state.starter
    play.emit(e.TurnBegan(seat=starter if alive(play.state, starter) else next_living(play.state, starter)))


ACTIONS: Final = (
    ActionLaw("income", m.Income, flow.gain(1)),
    ActionLaw("foreign-aid", m.ForeignAid, flow.gain(2), blocked_by=(DUKE,), blockers="opponents"),
    ActionLaw("coup", m.Coup, flow.target_loses("coup"), cost=7, target="one", costs_influence=True),
    ActionLaw("tax", m.Tax, flow.gain(3), claims=DUKE),
    ActionLaw(
        "assassinate",
        m.Assassinate,
        flow.target_loses("assassination"),
        cost=3,
        claims=ASSASSIN,
        target="one",
        blocked_by=(CONTESSA,),
        costs_influence=True,
    ),
    ActionLaw(
        "steal",
        m.Steal,
        flow.steal,
        claims=CAPTAIN,
        target="one",
        blocked_by=(AMBASSADOR, CAPTAIN),
        takes_purse=True,
        possible=flow.target_has_coins,
    ),
    ActionLaw("exchange", m.Exchange, flow.draw(2), claims=AMBASSADOR),
)

LAW: Final = Law(
    characters=CLASSIC,
    actions={action.verb: action for action in ACTIONS},
    questions=asking.QUESTIONS,
    answers={
        m.Allow: flow.answer,
        m.Challenge: flow.answer,
        m.Block: flow.answer,
        m.Prove: flow.prove,
        m.Concede: flow.concede,
        m.Lose: flow.lose,
        m.Keep: flow.keep,
    },
    steps={
        "deal": deal,
        "begin": first_turn,
        "first-turn": first_turn,
        "block": flow.ask_blockers,
        "resolve": flow.resolve,
        "stop": flow.stop,
        "end": flow.end_turn,
    },
)


_last_state: tuple[State | None, Law, tuple[Question, ...]] = (None, LAW, ())
"""The last state that was read. A caller that lists its questions usually lists its moves and decides next."""


def question_of(state: State, seat: SeatNumber) -> Question | None:
    """Return the open question to this seat, or None if it has none or has answered."""
    if seat not in open_seats(state):
        return None
    return question_to(seat, state.counts[seat - 1], state.asking, state.reason)


def legal_moves(state: State, question: Question) -> tuple[Move, ...]:
    """Return the moves that answer a question, in the order of their numbers."""
    global _listed
    last = _listed
    if last[0] is state and last[1] is question:
        return last[2]
    law = law_and_questions(state)[1]
    moves = law.questions[question.kind].moves(law, state, question.seat, question.id)
    _listed = (state, question, moves)
    return moves


_listed: tuple[State | None, Question, tuple[Move, ...]] = (None, Question("", SeatNumber(0), "", ""), ())
"""The last list of moves. A move that is decided has usually just been listed."""


def decide(state: State, seat: SeatNumber, move: Move, chance: Chance) -> tuple[Event, ...]:
    """Return the events that follow from a move. Raises RuleViolation."""
    return play(state, seat, move, chance)[0]


def play(state: State, seat: SeatNumber, move: Move, chance: Chance) -> tuple[tuple[Event, ...], State]:
    """Return the events that follow from a move, and the state after them. Raises RuleViolation."""
    _, law, questions = law_and_questions(state)
    listed, question, moves = _listed
    if listed is not state or question not in questions or question.seat != seat or move not in moves:
        question = find_question(questions, seat, move.question)
        if move not in legal_moves(state, question):
            raise not_possible("§3")
    decision = Play(law, state, chance)
    law.answers.get(type(move), declare)(decision, seat, move)
    return tuple(decision.events), decision.state


def default_move(state: State, question: Question, chance: Chance) -> Move:
    """Return the move that is played when a deadline passes (rules, section 8)."""
    law = law_of(state.options, len(state.hands))
    moves = legal_moves(state, question)
    return law.questions[question.kind].default(law, state, question.seat, moves, chance)


def resign(state: State, seat: SeatNumber, chance: Chance) -> tuple[Event, ...]:
    """Return the events that follow when a player resigns (Coup C17)."""
    check_in_game(state.winner is None and 1 <= seat <= len(state.hands) and alive(state, seat))
    play = Play(law_of(state.options, len(state.hands)), state, chance)
    leave(play, seat)
    return tuple(play.events)


def outcome(state: State) -> Outcome | None:
    """Return the outcome: the last player left wins (Coup C16)."""
    return None if state.winner is None else Outcome((state.winner,))


EXPANSIONS: Final[Mapping[str, Expansion]] = {
    "inquisitor": inquisitor.INQUISITION,
    "reformation": reformation.REFORMATION,
    "anarchist": anarchist.ANARCHY,
}
"""The expansions by the option that names them."""


@lru_cache(maxsize=256)
def law_of(options: Options, seats: int) -> Law:
    """Return the classic law with the changes of every chosen expansion."""
    law = LAW
    for option, expansion in EXPANSIONS.items():
        if getattr(options, option):
            law = law.amended(expansion)
    if seats == 2 and options.two_player_setup == "draft":
        law = law.amended(draft.DRAFT)
    return law


PACES: Final[Mapping[str, Pace]] = {
    kind: question.pace
    for questions in (LAW.questions, draft.DRAFT.questions, *(expansion.questions for expansion in EXPANSIONS.values()))
    for kind, question in questions.items()
}
"""The length of time that each kind of question gives for thought."""

AnyEvent = (
    e.SetUp | e.Dealt | e.TurnBegan | e.Declared | e.WindowOpened | e.Answered | e.WindowClosed | e.Challenged
    | e.ChallengeDropped | e.Proved | e.Replaced | e.Conceded | e.Refunded | e.Blocked | e.BlockLapsed | e.Stopped
    | e.LossAsked | e.Lost | e.WentOut | e.PurseEmptied | e.Gained | e.Stole | e.Drew | e.Kept | e.Resigned
    | e.AskedAnew | e.GameEnded
    | draft.DraftOpened | draft.Picked | draft.PutOut
    | reformation.PartyAsked | reformation.PartiesChosen | reformation.Converted | reformation.Embezzled
    | inquisitor.ShowAsked | inquisitor.Shown | inquisitor.HandedBack | inquisitor.Swapped
    | anarchist.BombHanded | anarchist.BombClaimed | anarchist.Exploded | anarchist.BombReturned
)  # fmt: skip
"""Every event of every game of Coup."""
