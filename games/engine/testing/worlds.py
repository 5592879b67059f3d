"""Two worlds that a viewer cannot tell apart look alike to them, whatever is played next.

A game that gives no ``worlds`` of its own is played once more with other luck and with other moves of the others, for
as long as the viewer's view and questions stay the same.
"""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from games.engine.answers.forms import offered_texts
from games.engine.chance import SeededChance
from games.engine.errors import RuleViolation
from games.engine.rules import AnyRules, replay, same_world, show_all
from games.engine.testing.facts import alike, difference, own_questions, who
from games.engine.testing.playing import Decision, RandomGame
from games.engine.types import Event, Move, Question, Viewer

TRIES: Final = 24
"""The number of times a decision is taken anew to find one that looks the same."""
LONGEST_TWIN: Final = 40
"""A game of more decisions is not played once more."""


class Worlds:
    """Compares one game with others that look the same."""

    def __init__(self, rules: AnyRules) -> None:
        self.rules = rules
        self.found = False
        """True where there was another world at all."""

    def examine(self, game: RandomGame, decision: Decision) -> Iterator[str]:
        """Yield what a viewer can tell that they may not know."""
        if self.rules.outcome(decision.after) is not None:
            return
        viewer = game.luck.choose(game.viewers)
        yield from self._either_move(game, decision.after, viewer)
        twin = _twin(game, viewer)
        yield from self._log(game, twin, viewer)
        other = twin[-1].after if twin and self.rules.worlds is same_world else other_world(game, viewer)
        if other is None or other == decision.after:
            return
        self.found = True
        yield from self._now(decision.after, other, viewer)
        yield from self._next(game, decision.after, other, viewer)

    def _log(self, game: RandomGame, twin: Sequence[Decision], viewer: Viewer) -> Iterator[str]:
        """All that was shown so far, in this game and in another that looked the same."""
        for here, there in zip(game.history, twin, strict=False):
            told = [self._lasting(show_all(self.rules, each.events, viewer)) for each in (here, there)]
            if told[0] != told[1]:
                yield (
                    f"What {who(viewer)} is shown tells apart what looks the same in their view: {told[0]}, or "
                    f"{told[1]}. Hide it in `show`, keep it in `view`, or name the event in `momentary`."
                )
                return

    def _now(self, state: Any, other: Any, viewer: Viewer) -> Iterator[str]:
        view, there = self.rules.view(state, viewer), self.rules.view(other, viewer)
        if view != there:
            yield f"The view of {who(viewer)} tells what is hidden from them: {difference(view, there)}."
        asked, asked_there = (own_questions(self.rules, each, viewer) for each in (state, other))
        if asked != asked_there:
            yield f"What {who(viewer)} is asked depends on what is hidden from them: {asked}, or {asked_there}."
        for question in asked:
            here, elsewhere = (offered_texts(self.rules, each, question) for each in (state, other))
            if here != elsewhere:
                yield f"What is offered to {who(viewer)} depends on what is hidden from them: {here}, or {elsewhere}."
            for written in ("xyzzy", "99", *here[:1]):
                if _refusal(self.rules, state, question, written) != _refusal(self.rules, other, question, written):
                    yield f"“{written}” is read or refused otherwise where what is hidden from {who(viewer)} differs."

    def _next(self, game: RandomGame, state: Any, other: Any, viewer: Viewer) -> Iterator[str]:
        """The same move in both worlds."""
        question = game.luck.choose(self.rules.questions(state))
        move = game.any_answer(state, question)
        yield from self._told_apart(game, viewer, (state, question, move), (other, question, move))

    def _either_move(self, game: RandomGame, state: Any, viewer: Viewer) -> Iterator[str]:
        """Two moves of somebody else."""
        asked = [question for question in self.rules.questions(state) if question.seat != viewer]
        if not asked:
            return
        question = game.luck.choose(asked)
        one, two = (game.any_answer(state, question) for _ in range(2))
        yield from self._told_apart(game, viewer, (state, question, one), (state, question, two))

    def _told_apart(
        self, game: RandomGame, viewer: Viewer, one: tuple[Any, Question, Move], two: tuple[Any, Question, Move]
    ) -> Iterator[str]:
        """Yield that shown events tell apart what leads to equal views."""
        seed = len(game.history).to_bytes(32, "big")
        here, there = _decided(self.rules, *one, seed), _decided(self.rules, *two, seed)
        if here is None or there is None or not alike(self.rules, here[1], there[1], viewer):
            return
        if self.rules.outcome(here[1]) is not None or self.rules.outcome(there[1]) is not None:
            return
        told = [self._lasting(show_all(self.rules, events, viewer)) for events, _ in (here, there)]
        if told[0] != told[1]:
            yield (
                f"What {who(viewer)} is shown of “{self.rules.text(one[2])}” tells what their view hides afterwards: "
                f"{told[0]}, or {told[1]}. Hide it in `show`, keep it in `view`, or name the event in `momentary`."
            )

    def _lasting(self, events: Sequence[Event]) -> list[Event]:
        return [event for event in events if not isinstance(event, self.rules.momentary)]


def other_world(game: RandomGame, viewer: Viewer) -> Any:
    """Another state that this viewer cannot tell from the game's own; None where none was found."""
    if game.rules.worlds is not same_world:
        return game.rules.worlds(game.state, viewer, game.luck)
    twin = _twin(game, viewer)
    return twin[-1].after if twin else None


def _twin(game: RandomGame, viewer: Viewer) -> Sequence[Decision]:
    """A game with other luck that is like this one as this viewer sees it; nothing where none was found."""
    twin: list[Decision] = []
    if len(game.history) > LONGEST_TWIN:
        return ()
    for decision in game.history:
        tries = (_again(game, twin[-1].after if twin else None, decision, viewer) for _ in range(TRIES))
        found = next((each for each in tries if each is not None), None)
        if found is None:
            return ()
        twin.append(found)
    return twin


def _again(game: RandomGame, state: Any, decision: Decision, viewer: Viewer) -> Decision | None:
    """A decision that looks like this one; None where it came out otherwise."""
    rules, chance = game.rules, SeededChance(game.luck.choose(range(2**31)).to_bytes(32, "big"))
    try:
        if decision.before is None:
            events = rules.setup(rules.options(**game.chosen), game.seats, chance)
        elif decision.move is None:
            events = rules.resign(state, decision.seat, chance)
        else:
            events = rules.decide(state, decision.seat, _move(game, state, decision, viewer), chance)
    except RuleViolation:
        return None
    after = replay(rules, events, state)
    found = Decision(state, decision.seat, decision.move, events, after)
    return found if alike(rules, after, decision.after, viewer) else None


def _move(game: RandomGame, state: Any, decision: Decision, viewer: Viewer) -> Any:
    """The move itself; of somebody else now and then another one."""
    if decision.seat == viewer or game.luck.choose((True, False)):
        return decision.move
    asked = [each for each in game.rules.questions(state) if each.seat == decision.seat]
    return game.any_answer(state, asked[0]) if asked else decision.move


def _decided(rules: AnyRules, state: Any, question: Question, move: Move, seed: bytes) -> Any:
    """The events of a move and the state after it; None where it is not possible."""
    try:
        events = rules.decide(state, question.seat, move, SeededChance(seed))
    except RuleViolation:
        return None
    return events, replay(rules, events, state)


def _refusal(rules: AnyRules, state: Any, question: Question, written: str) -> str:
    """Return how a text is read, or refused."""
    try:
        return rules.text(rules.parse(state, question, written, {}))
    except RuleViolation as violation:
        return str(violation)
