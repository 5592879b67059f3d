"""The players of roll-outs, and the habits and styles that they use.

Fewer than four players play like the simple bot; four and more are those of ``quick.py``. Habits are observed in a
game: how readily each player challenges. A style is how much a bot likes lying, doubting, saving and revenge.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from games.engine import Chance, Event, Knowledge, Move, SeatNumber
from games.rules.coup import events as e
from games.rules.coup import moves as m
from games.rules.coup.asking import turn_moves, window_moves
from games.rules.coup.bot import beliefs, quick, simple
from games.rules.coup.bot.estimates import CARDS, COINS, COINS_IN_A_DUEL, COUP, DUEL, SHELTER, Suspicion
from games.rules.coup.bot.quick import FINE, LOTS, doubt
from games.rules.coup.expansions.reformation import opposed
from games.rules.coup.flow import WINDOWS, close_window, declare
from games.rules.coup.game import AnyEvent, law_of
from games.rules.coup.law import Law, Play
from games.rules.coup.state import SEATS, Answer, Card, State, living, open_seats
from games.rules.coup.views import View, view

Doubts = Mapping[SeatNumber, float]
"""The likelihood that each seat challenges a claim. Seats that showed no habit are left out."""

MANY: Final = 4
"""With this many players or more, the faster ones of ``quick.py`` play, because those of this module take too long."""

HAND: Final = 0.1
"""The factor by which better cards raise the value of a hand."""


def step(rules: object, state: State, chance: Chance, habits: Doubts) -> State:
    """Return the state at the beginning of the next turn, or at the end of the game."""
    play, is_quick = Play(law_of(state.options, len(state.hands)), state, chance), len(living(state)) >= MANY
    while True:
        if play.state.asking in WINDOWS:
            _answer_window(play, habits, quick.react if is_quick else react)
        else:
            _answer(play, quick.turn if is_quick else turn)
        if play.state.asking == "turn" or play.state.winner is not None:
            return play.state


def _answer_window(play: Play, habits: Doubts, react: Callable[..., Answer | None]) -> None:
    """Close a reaction with all its answers in one step. Players who allow are left out."""
    law, state, chance = play.law, play.state, play.chance
    reactions = [react(law, state, seat, chance, habits.get(seat, DOUBTS)) for seat in open_seats(state)]
    if answers := [answer for answer in reactions if answer is not None]:
        play.state = replace(state, answers=(*state.answers, *answers))
    close_window(play)


def _answer(play: Play, act: Callable[..., Any]) -> None:
    law, state, chance = play.law, play.state, play.chance
    seat = open_seats(state)[0]
    moves = law.questions[state.asking].moves(law, state, seat, "")
    if len(moves) == 1:
        move: Any = moves[0]
    elif state.asking == "turn":
        move = act(state, seat, moves, chance)
    else:
        move = simple.ANSWERS[state.asking](Suspicion(view(state, seat)), moves, chance)
    law.answers.get(type(move), declare)(play, seat, move)


def turn(state: State, seat: SeatNumber, moves: Sequence[Any], chance: Chance) -> Any:
    """Return the action of the simple bot."""
    return chance.choose(chance.choose(_best_actions(known_to(state, seat), seat, chance.choose(simple.FEARS))))


def react(law: Law, state: State, seat: SeatNumber, chance: Chance, readiness: float) -> Answer | None:
    """Return the reaction of the simple bot, or the challenge of a player who challenges more than the bot does.

    Return None to allow.
    """
    mood, bold = 0.0, False
    if state.claim is not None:
        if chance.choose(LOTS) < FINE * doubt(state, state.hands[seat - 1], state.claim, readiness):
            return Answer(seat, "challenge", None)
        mood = chance.choose(simple.MOODS)
    if seat in state.blockers:
        bold = chance.choose(LOTS) < FINE * simple.BLUFFED_BLOCKS
    move = _best_reaction(known_to(state, seat), seat, mood, bold)
    return None if isinstance(move, m.Allow) else Answer(seat, m.VERBS[type(move)], getattr(move, "character", None))


def known_to(state: State, seat: SeatNumber) -> State:
    """Return the part of a state that a seat knows and that decides its answer. Such parts recur in a search."""
    hands: list[tuple[Card, ...]] = [(None,) * len(hand) for hand in state.hands]
    hands[seat - 1] = state.hands[seat - 1]
    return replace(state, hands=tuple(hands), counts=_NO_COUNTS[: len(hands)], answers=(), aside=())


_NO_COUNTS: Final = (0,) * len(SEATS)


@lru_cache(maxsize=1 << 13)
def _best_actions(position: State, seat: SeatNumber, fear: float | None) -> Sequence[Sequence[Move]]:
    moves = turn_moves(law_of(position.options, len(position.hands)), position, seat, "")
    return simple.best_actions(Suspicion(view(position, seat)), moves, fear)


@lru_cache(maxsize=1 << 13)
def _best_reaction(position: State, seat: SeatNumber, mood: float, bold: bool) -> Move:
    moves = window_moves(law_of(position.options, len(position.hands)), position, seat, "")
    return simple.best_reaction(Suspicion(view(position, seat)), moves, mood, bold)


def horizon(state: State) -> int:
    """Return the number of turns after which a roll-out stops. Games of few players are nearly always over by then."""
    return 6 if len(living(state)) >= MANY else 20


def share(state: State, seat: SeatNumber) -> float:
    """Return a seat's share of the game: its cards, coins and hand compared with those of all seats."""
    if state.winner is not None:
        return float(state.winner == seat)
    players = len(living(state))
    purse = COINS_IN_A_DUEL if players == 2 else COINS
    strengths = []
    for hand, coins in zip(state.hands, state.coins, strict=True):
        fine = 1 + HAND * (beliefs.value(hand) - 0.8 * len(hand)) if hand else 1.0
        strengths.append(CARDS[min(2, len(hand))] * purse[max(0, min(coins, 10))] * fine)
    if state.parties and players > 2:
        strengths = _exposed(state, strengths)
    own_strength, total = strengths[seat - 1], sum(strengths)
    if players == 2:
        return float(own_strength**DUEL / (own_strength**DUEL + (total - own_strength) ** DUEL))
    return own_strength / total


def _exposed(state: State, strengths: Sequence[float]) -> list[float]:
    """Return the strengths less the expected damage by the other party: each of its players who can pay for a coup
    attacks the strong.
    """
    players = living(state)
    safe = [1.0] * len(strengths)
    for striker in players:
        if state.coins[striker - 1] >= COUP:
            targets = opposed(state, striker, tuple(seat for seat in players if seat != striker))
            total = sum(strengths[target - 1] for target in targets)
            for target in targets:
                safe[target - 1] *= 1 - strengths[target - 1] / total
    return [strength * (1 - SHELTER * (1 - free)) for strength, free in zip(strengths, safe, strict=True)]


DOUBTS: Final = 0.03
"""The probability that an unknown player challenges a claim, before visible cards raise it."""

PRIOR_WINDOWS: Final = 6
"""The number of reactions after which a player's own record has the same weight as that prior."""


def doubts(events: Sequence[Event], me: SeatNumber) -> Doubts:
    """Return how readily each other seat challenges, from the claims that it let pass and those that it challenged."""
    windows: Counter[SeatNumber] = Counter()
    doubted: Counter[SeatNumber] = Counter()
    seats: tuple[SeatNumber, ...] = ()
    for event in events:
        if isinstance(event, e.WindowOpened):
            seats = event.asked if event.claim else ()
        elif isinstance(event, e.WindowClosed):
            windows.update(seats)
        elif isinstance(event, e.Challenged):
            # The first challenge ended the window. What the others would have done is not known.
            windows.subtract(seats)
            windows[event.seat] += 1
            doubted[event.seat] += 1
    return {
        seat: (PRIOR_WINDOWS * DOUBTS + doubted[seat]) / (PRIOR_WINDOWS + windows[seat])
        for seat in windows
        if seat != me
    }


class Style(msgspec.Struct, frozen=True):
    """The share of the game by which a bot of this style overrates each kind of move."""

    lying: float = 0.0
    """False claims."""
    doubting: float = 0.0
    """Challenges."""
    saving: float = 0.0
    """Taking coins without a claim that can be challenged, or with a true one."""
    revenge: float = 0.0
    """Moves against the last player who took a card or coins from the bot."""


STYLES: Final[Mapping[str, Style]] = {
    "balanced": Style(),
    "bold": Style(lying=0.02, doubting=0.01),
    "patient": Style(lying=-0.02, doubting=-0.02, saving=0.015),
    "vengeful": Style(revenge=0.04),
    "scholar": Style(lying=-0.03, doubting=0.015),
}
"""The styles by name, as ``games.engine.search`` lists them."""


AT_A_TABLE: Final = 4
"""The number of players for which the randomness of the levels was tuned."""


def heat(view: View) -> float:
    """Return the part of its level's heat with which a bot draws: less if more than four players are in the game."""
    return min(1.0, (AT_A_TABLE / sum(seat.alive for seat in view.seats)) ** 2)


def fondness(style: str, knowledge: Knowledge[View, AnyEvent], move: Move) -> float:
    """Return how much a bot of this style overrates a move, as a share of the game."""
    likes, view = STYLES[style], knowledge.view
    if isinstance(move, m.Challenge):
        return likes.doubting
    value = likes.lying if is_lie(view, move) else likes.saving * is_saving(move)
    if likes.revenge and getattr(move, "target", None) == last_attacker(knowledge.events(), view.viewer):
        value += likes.revenge
    return value


def is_saving(move: Move) -> bool:
    """Return whether a move only takes coins from the treasury."""
    return isinstance(move, m.Income | m.ForeignAid | m.Tax)


def is_lie(view: View, move: Move) -> bool:
    """Return whether a move claims a card that its player does not hold."""
    hand = view.seats[view.viewer - 1].hand or ()
    if isinstance(move, m.Block):
        return move.character not in hand
    action = law_of(view.options, len(view.seats)).actions.get(m.VERBS[type(move)])
    return action is not None and action.claims is not None and (action.claims in hand) == action.denies


def last_attacker(events: Sequence[Any], me: SeatNumber) -> SeatNumber | None:
    """Return the seat that last aimed an action at this seat or challenged it."""
    for event in reversed(events):
        if isinstance(event, e.Declared) and event.target == me:
            return event.seat
        if isinstance(event, e.Challenged) and event.against == me:
            return event.seat
    return None
