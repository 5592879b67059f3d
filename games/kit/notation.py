"""Checks of the notation: the text of a move or plan is read as that move or plan, with any names of players."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final

import msgspec

from games.engine.plans import PlanRules
from games.engine.reading import names_to_read
from games.engine.types import SPECTATOR, Move, Question, SeatNumber
from games.engine.validation import MALFORMED, RuleViolation
from games.kit.random_games import Decision, RandomGame, answers
from games.kit.words import Spoken
from games.kit.worlds import other_world

CAST: Final = ("Maryam", "سپیده", "Bahareh", "Kaveh", "Dariush", "Shirin", "Omid", "Shahin", "Zoë", "Maryam Banu")
"""Usual names of people."""
NONSENSE: Final = ("", "   ", "xyzzy plugh", "\u202edrowkcab", "-1", "1.5", "resign yes", "resign")


class TextChecker:
    """A checker that reads each text of a game once."""

    def __init__(self) -> None:
        self.seen: set[tuple[str, ...]] = set()

    def examine(self, game: RandomGame, decision: Decision) -> Iterator[str]:
        """Yield the offered moves whose text is not read as the move."""
        for question in game.rules.questions(decision.after):
            moves = answers(game.rules, decision.after, question)
            texts = tuple(map(game.rules.text, moves))
            if texts not in self.seen:
                self.seen.add(texts)
                yield from _offered(game, decision.after, question, moves)


def _offered(game: RandomGame, state: Any, question: Question, moves: tuple[Move, ...]) -> Iterator[str]:
    rules = game.rules
    plain = names_to_read({SeatNumber(seat): CAST[(seat - 1) % len(CAST)] for seat in range(1, game.seats + 1)})
    awkward = names_to_read(_awkward(game, moves))
    listed = len(rules.legal_moves(state, question))
    for number, move in enumerate(moves, 1):
        text = rules.text(move)
        if text != " ".join(text.split()) or text.split()[0] in ("resign", *map(str, range(10))):
            yield f"The text “{text}” has to be one line of words, a verb first."
        for names, whose in ({}, "nobody's name"), (plain, "names"), (awkward, f"players who are called {[*awkward]}"):
            yield from _reads(game, state, question, text, names, move, f"is read with {whose} as")
        if number <= listed:
            yield from _reads(game, state, question, str(number), plain, move, "is read as")
        for nonsense in _otherwise(game, move, text):
            yield from _reads(game, state, question, nonsense, plain, move, "is read as")
        for nonsense in _translated(game, text):
            yield from _reads(game, state, question, nonsense, awkward, move, f"is read with {[*awkward]} as")
        yield from _as_json(rules.move_type, move)
    for nonsense in (*NONSENSE, *([str(listed + 1)] if listed else [])):
        try:
            answer = rules.parse(state, question, nonsense, plain)
            yield f"“{nonsense}” is no answer to {question.id} and is read as {answer!r}."
        except RuleViolation as violation:
            if not str(violation.phrase):
                yield f"“{nonsense}” is refused without a sentence."


def _awkward(game: RandomGame, moves: tuple[Move, ...]) -> Mapping[SeatNumber, str]:
    """Return players with the names of moves. Accounts may be older than a game."""
    texts = [game.rules.text(move) for move in moves]
    words = [*texts, *(word for text in texts for word in text.split() if not word.isdigit())]
    words += [language[word] for language in game.rules.words.notation.values() for word in words if word in language]
    words = [*dict.fromkeys(words)]
    start = len(game.history) % len(words)
    return {SeatNumber(seat): word for seat, word in enumerate((words[start:] + words[:start])[: game.seats], 1)}


def _reads(
    game: RandomGame,
    state: Any,
    question: Question,
    text: str,
    names: Mapping[str, SeatNumber],
    move: Move,
    how: str,
) -> Iterator[str]:
    try:
        answer = game.rules.parse(state, question, text, names)
    except RuleViolation as violation:
        yield f"“{text}” is offered as {move!r}, and cannot be read: {violation}"
        return
    if answer != move:
        yield f"“{text}” means {move!r}, but {how} {answer!r}."


def _otherwise(game: RandomGame, move: Move, text: str) -> Iterator[str]:
    """Yield other spellings of a move: in each language of the notation, and with names for seats."""
    yield from _translated(game, text)
    for field in msgspec.structs.fields(type(move)):
        seat = getattr(move, field.name)
        if field.type in (SeatNumber, SeatNumber | None) and seat is not None:
            yield re.sub(rf"\b{seat}\b", CAST[(seat - 1) % len(CAST)], text, count=1)


def _translated(game: RandomGame, text: str) -> Iterator[str]:
    """Yield a canonical text in each language of the notation."""
    for words in game.rules.words.notation.values():
        yield "".join(words.get(piece, piece) for piece in re.split(r"([^\W\d][\w-]*)", text))


def _as_json(kind: Any, move: Move) -> Iterator[str]:
    bare = msgspec.structs.replace(move, question="")
    encoded = msgspec.json.encode(bare)
    if msgspec.json.decode(encoded, type=kind) != bare:
        yield f"The move {bare!r} does not come back from JSON as it was."
    try:
        msgspec.json.decode(encoded[:-1] + b',"no-such-member":1}', type=kind)
        yield f"The move {bare!r} is read from JSON with members that it does not have: subclass `Move`."
    except msgspec.ValidationError:
        pass


MOST: Final = 12
"""The number of plans of each form that are tried at one point of a game."""


def plans(game: RandomGame, decision: Decision, spoken: Spoken) -> Iterator[str]:
    """Yield the faults in the plans that are possible for a seat now."""
    plans = game.rules.plans
    if plans is None or game.rules.outcome(decision.after) is not None:
        return
    seat = game.luck.choose(game.rules.questions(decision.after)).seat
    view = game.rules.view(decision.after, seat)
    examples = plans.examples(view, seat)
    for plan in examples:
        if why := plans.wrong(view, seat, plan):
            yield f"The plan “{plans.text(plan)}” is given as an example and is wrong: {why}"
    plans_to_try = [*examples]
    for text in _of_forms(plans, view, seat):
        try:
            plans_to_try.append(plans.parse(view, seat, text, {}))
        except RuleViolation as violation:
            yield from _refused(text, violation)
    for plan in plans_to_try:
        yield from _one(plans, view, seat, plan)
        yield from spoken.wrong_with(plans.describe(plan))
    yield from _answers(game, decision.after, plans_to_try)
    try:
        plans.parse(view, seat, "xyzzy plugh", {})
        yield "“xyzzy plugh” is read as a plan."
    except RuleViolation as violation:
        yield from _refused("xyzzy plugh", violation)


def _refused(text: str, violation: RuleViolation) -> Iterator[str]:
    if violation.code != MALFORMED:
        yield f"A plan that cannot be read is refused as `{violation.code}`, and should be as `{MALFORMED}`."
    if not str(violation.phrase):
        yield f"The plan “{text}” is refused without a sentence."


def _of_forms(plans: PlanRules[Any, Any, Any], view: Any, seat: SeatNumber) -> Iterator[str]:
    """Yield plans as the forms compose them, in notation. An impossible combination must be refused."""
    for form in plans.forms(view, seat):
        combinations = [*product(*([word for word, _ in slot.choices] for slot in form.slots))]
        for words in combinations[:: max(1, len(combinations) // MOST)]:
            yield " ".join(filter(None, (form.begins, *words)))


def _one(plans: PlanRules[Any, Any, Any], view: Any, seat: SeatNumber, plan: Any) -> Iterator[str]:
    text = plans.text(plan)
    words = [word for word in dict.fromkeys(text.split()) if not word.isdigit()]
    awkward = names_to_read({SeatNumber(number): word for number, word in enumerate(words, 1)})
    try:
        for names in ({}, awkward):
            if (reading := plans.parse(view, seat, text, names)) != plan:
                yield f"The plan “{text}” means {plan!r}, but is read with players called {[*names]} as {reading!r}."
    except RuleViolation as violation:
        yield f"The plan “{text}” cannot be read: {violation}"
    if msgspec.json.decode(msgspec.json.encode(plan), type=plans.plan_type) != plan:
        yield f"The plan {plan!r} does not come back from JSON as it was."


def _answers(game: RandomGame, state: Any, plans_to_try: Sequence[Any]) -> Iterator[str]:
    """Check that an answer is legal, and that its existence does not depend on hidden facts."""
    rules, plans = game.rules, game.rules.plans
    assert plans is not None
    other = other_world(game, SPECTATOR)
    for question in rules.questions(state):
        view, moves = rules.view(state, question.seat), rules.legal_moves(state, question)
        for plan in plans_to_try:
            answer = plans.answer(view, question, moves, plan)
            if answer is not None and answer not in moves:
                yield f"The plan “{plans.text(plan)}” answers {question.id} with {answer!r}, which is not legal."
            if other is not None and question in rules.questions(other):
                there = rules.view(other, question.seat), question, rules.legal_moves(other, question), plan
                if (answer is None) != (plans.answer(*there) is None):
                    yield (
                        f"Whether the plan “{plans.text(plan)}” answers {question.id} (`{question.kind}`) depends on "
                        "what only its owner knows: the others would learn it from when the answer comes."
                    )
