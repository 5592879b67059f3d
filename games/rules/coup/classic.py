"""The classic game: the law that every expansion changes (rules, sections 1 to 4)."""

from typing import Final

from games.rules.coup import asking, effects, flow
from games.rules.coup import events as e
from games.rules.coup import moves as m
from games.rules.coup.cards import AMBASSADOR, ASSASSIN, CAPTAIN, CLASSIC, CONTESSA, DUKE
from games.rules.coup.law import ActionLaw, Law, Play
from games.rules.coup.state import SEATS, alive, court, next_living


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
    ActionLaw("income", m.Income, effects.gain(1)),
    ActionLaw("foreign-aid", m.ForeignAid, effects.gain(2), blocked_by=(DUKE,), blockers="opponents"),
    ActionLaw("coup", m.Coup, effects.target_loses("coup"), cost=7, target="one", costs_influence=True),
    ActionLaw("tax", m.Tax, effects.gain(3), claims=DUKE),
    ActionLaw(
        "assassinate",
        m.Assassinate,
        effects.target_loses("assassination"),
        cost=3,
        claims=ASSASSIN,
        target="one",
        blocked_by=(CONTESSA,),
        costs_influence=True,
    ),
    ActionLaw(
        "steal",
        m.Steal,
        effects.steal,
        claims=CAPTAIN,
        target="one",
        blocked_by=(AMBASSADOR, CAPTAIN),
        takes_purse=True,
        possible=effects.target_has_coins,
    ),
    ActionLaw("exchange", m.Exchange, effects.draw(2), claims=AMBASSADOR),
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
        m.Keep: effects.keep,
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
