"""Analysis of a finished game: better moves, given the seat's knowledge at that time, and the turns that mattered.

Only the events that the seat had been shown before the decision are used. All its moves are screened by search. Then
the chosen move is compared with the two best other moves in new worlds, with the same random numbers. New worlds are
needed because the best move of a search looks better than it is: it was selected by its luck there. For the same
reason, a better move is reported only if it is better again in further worlds.
"""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any, Final

import msgspec

from games.engine.chance import Chance
from games.engine.phrases import Phrase
from games.engine.rules import AnyRules, even_worlds, replay, same_world
from games.engine.search import QuickChance, Weighed, roll_out, state_at_next_turn, weigh
from games.engine.types import Event, Move, Question, SeatNumber

SCREENED: Final = 800
"""The number of roll-outs for screening all moves."""
COMPARED: Final = (60, 140, 300, 300)
"""The number of new worlds in which two moves are compared. After each part, hopeless comparisons stop."""
REPEATS: Final = 2
"""The number of comparisons that must all find a move better. Each uses other worlds."""
FURTHER: Final = 3
"""The factor by which these roll-outs are longer than those of a bot."""
EVEN: Final = 200
"""The number of evenly drawn worlds that decide whether a guess is certain."""
LEAST: Final = 0.05
"""A move must be better by at least this share of the game to be reported, because roll-outs do not play as people
do."""
ERRORS: Final = 2.5
"""A difference is reported only if it is larger than this multiple of its error."""
REASONED: Final = 200
"""The number of worlds in which the reason for a better move is looked for."""
CLEAR_CHANGE: Final = 20
"""A reason must change the number of games in 100 in which something happens by at least this number."""
SURE: Final = 6.0
"""No further worlds are tried once a difference exceeds ``LEAST`` by this multiple of its error."""


class Decision(msgspec.Struct, frozen=True):
    """A decision of a seat, with the events that it had been shown."""

    events: Sequence[Event]
    question: Question
    moves: Sequence[Move]
    answer: Move


class Better(msgspec.Struct, frozen=True):
    """A move that would have been better than the one chosen."""

    move: Phrase
    means: tuple[Phrase, ...]
    """The meaning of the move, as the player saw it when it was offered (for example, that it is a bluff), and the
    reason why it is better. Both may be missing."""
    share: float
    """The share of the game after the move, from 0 to 1."""
    gain: float
    """The difference to the share after the move that was chosen."""
    error: float
    """The standard error of ``gain``."""


class Finding(msgspec.Struct, frozen=True, omit_defaults=True):
    """A decision in words, with its evaluation."""

    asked: Phrase
    """The question that the seat had."""
    chosen: Phrase
    better: Better | None = None
    guesses: tuple[Phrase, ...] = ()
    """The probability of statements about the hidden cards, as far as the seat could know."""


def can_be_analysed(rules: AnyRules) -> bool:
    """Return whether the game has possible worlds for a seat. Otherwise it cannot be analysed."""
    return rules.worlds is not same_world


def analyse(rules: AnyRules, decision: Decision, chance: Chance) -> Finding:
    """Return the evaluation of a decision. The same chance gives the same result."""
    question, seat = decision.question, decision.question.seat
    state = replay(rules, decision.events)
    view = rules.view(state, seat)
    finding = Finding(rules.words.asks(view, question), rules.words.label(decision.answer))
    if len(decision.moves) < 2 or question.kind in rules.search.unanalysed or decision.answer not in decision.moves:
        return finding
    quick = QuickChance(chance.choose(range(1 << 62)))
    best = _best_others(rules, decision, quick)
    sizes = [round(size * rules.search.effort) for size in COMPARED]
    worlds = rules.search.worlds(rules, decision.events, seat, quick, REPEATS * sum(sizes))
    finding = msgspec.structs.replace(finding, guesses=_guessed(rules, decision, state, worlds))
    comparisons: list[tuple[Weighed, Weighed]] = []
    for move in best:
        other, actual, fresh = Weighed(move), Weighed(decision.answer), iter(worlds)
        pair = (other, actual)
        if all(_is_better(rules, decision, pair, islice(fresh, sum(sizes)), quick) for _ in range(REPEATS)):
            comparisons.append(pair)
    if not comparisons:
        return finding
    other, actual = max(comparisons, key=lambda pair: pair[0].better_than(pair[1])[0])
    gain, error = other.better_than(actual)
    means = (*rules.words.meanings(view, other.move)[:1], *_reason(rules, decision, state, other.move, worlds, quick))
    numbers = (round(number, 4) for number in (other.mean, gain, error))
    return msgspec.structs.replace(finding, better=Better(rules.words.label(other.move), means, *numbers))


def _best_others(rules: AnyRules, decision: Decision, chance: Chance) -> list[Move]:
    """Return the two best of the other moves."""
    rollouts = round(SCREENED * rules.search.effort)
    weighed = weigh(rules, decision.events, decision.question, decision.moves, chance, rollouts)
    return [alternative.move for alternative in weighed if alternative.move != decision.answer][:2]


def _is_better(
    rules: AnyRules, decision: Decision, pair: tuple[Weighed, Weighed], worlds: Iterable[Any], chance: Chance
) -> bool:
    """Return whether the first move of a pair is clearly better in these worlds. Add the results to both."""
    question, habits = decision.question, rules.search.habits(decision.events, decision.question.seat)
    other, actual = trial = tuple(Weighed(weighed.move) for weighed in pair)
    gain = error = 0.0
    for size in COMPARED:
        for world in islice(worlds, round(size * rules.search.effort)):
            luck = chance.choose(range(1 << 62))
            for weighed in trial:
                share = roll_out(rules, world, question, weighed.move, QuickChance(luck), habits, FURTHER)
                weighed.shares.append(share)
        gain, error = other.better_than(actual)
        if gain + ERRORS * error < LEAST or gain - SURE * error > LEAST:
            break
    for weighed, new in zip(pair, trial, strict=True):
        weighed.shares += new.shares
    return gain >= LEAST and gain > ERRORS * error


def _reason(
    rules: AnyRules, decision: Decision, state: Any, better: Move, worlds: Sequence[Any], chance: Chance
) -> tuple[Phrase, ...]:
    """Return the consequence that the better move changes most for the good, or nothing if no change is clear."""
    question, habits = decision.question, rules.search.habits(decision.events, decision.question.seat)
    changes: list[tuple[int, Phrase]] = []
    consequences = rules.search.consequences(state, question)
    reached: dict[Move, list[Any]] = {better: [], decision.answer: []}
    for world in worlds[:REASONED] if consequences else ():
        luck = chance.choose(range(1 << 62))
        for move, states in reached.items():
            states.append(state_at_next_turn(rules, world, question, move, QuickChance(luck), habits))
    for consequence in consequences:
        after_better, after_chosen = (
            round(100 * sum(map(consequence.holds, states)) / len(states)) for states in reached.values()
        )
        change = after_better - after_chosen
        changes.append((change if consequence.is_good else -change, consequence.phrase(after_better, after_chosen)))
    change, phrase = max(changes, key=lambda pair: pair[0], default=(0, None))
    return (phrase,) if phrase is not None and change >= CLEAR_CHANGE else ()


def _guessed(rules: AnyRules, decision: Decision, state: Any, worlds: Sequence[Any]) -> tuple[Phrase, ...]:
    """Return the probability of each statement about hidden cards: the share of the worlds in which it is true.

    A statement that is true in no world or in all of them counts as impossible or certain only if the same holds in
    worlds that are drawn evenly, because the likely worlds leave out unlikely cases. Otherwise it gets 1 or 99 percent.
    """
    question, sentences = decision.question, []
    for guess in rules.search.guesses(state, question):
        count = sum(map(guess.holds, worlds))
        percent = max(1, min(99, round(100 * count / len(worlds))))
        if count in (0, len(worlds)):
            even = even_worlds(rules, decision.events, question.seat, QuickChance(0), EVEN)
            if {bool(guess.holds(world)) for world in even} == {count > 0}:
                percent = 100 * bool(count)
        sentences.append(guess.phrase(percent))
    return tuple(sentences)


LEAST_SWING: Final = 0.1
"""A swing changes the share of some player by at least this much."""


class Swing(msgspec.Struct, frozen=True):
    """A turn of a game, and the seat whose share changed most."""

    event: int
    """The index of the turn's first event among the game's events."""
    seat: SeatNumber
    before: float
    """The seat's share of the game before the turn, from 0 to 1."""
    after: float
    """The seat's share when the next turn began."""


def swings(rules: AnyRules, events: Sequence[Event], seats: int, most: int = 3) -> list[Swing]:
    """Return the greatest swings of a game in order, or nothing if its rules have no ``share``.

    The whole log is read, including hidden cards. So only finished games may be passed.
    """
    share = rules.search.share
    if share is None:
        return []
    numbers = [SeatNumber(seat) for seat in range(1, seats + 1)]
    begins, shares = list[int](), list[list[float]]()
    state = None
    for index, event in enumerate(events):
        if event.begins_line and not event.tells_winners:
            begins.append(index)
            shares.append([share(state, seat) for seat in numbers])
        state = rules.evolve(state, event)
    shares.append([share(state, seat) for seat in numbers])
    all_swings = [_swing(*step) for step in zip(begins, shares[:-1], shares[1:], strict=True)]
    greatest = sorted(all_swings, key=lambda swing: -abs(swing.after - swing.before))[:most]
    return sorted(
        (swing for swing in greatest if abs(swing.after - swing.before) >= LEAST_SWING), key=lambda swing: swing.event
    )


def _swing(event: int, before: Sequence[float], after: Sequence[float]) -> Swing:
    """Return the seat whose share changed most in a turn. Of two equal ones, the one that lost."""
    changes = [(abs(b - a), a > b, -index) for index, (a, b) in enumerate(zip(before, after, strict=True))]
    index = -max(changes)[2]
    return Swing(event, SeatNumber(index + 1), before[index], after[index])
