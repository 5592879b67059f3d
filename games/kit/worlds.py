"""Comparison of states that look the same to a viewer. They must look the same after the next move, too.

A game without ``worlds`` is replayed: with some draws exchanged, with other random numbers, or with other moves of the
other players, as long as the viewer's view and questions stay the same.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from games.engine.chance import Chance, SeededChance
from games.engine.forms import fill, fill_at_random, forms_of, offered_texts
from games.engine.rules import AnyRules, replay, same_world, show_all
from games.engine.types import Event, Move, Question, SeatNumber, Viewer
from games.engine.validation import RuleViolation
from games.kit.random_games import Decision, RandomGame, alike, answers, difference, facts, own_questions, who
from games.kit.words import AwkwardReader

TRIES: Final = 12
"""The number of attempts to replace a decision by another that looks the same."""
STARTS: Final = 3
"""The number of the latest random decisions, and of other players' decisions, from which another game may differ."""
LONGEST_TWIN: Final = 40
"""The highest number of decisions that are replayed."""
MOST_WRITTEN: Final = 4
"""The number of texts of other moves that are tried at a question."""


class Worlds:
    """A comparison of one game with others that look the same."""

    def __init__(self, rules: AnyRules, folds: Mapping[Viewer, Any], moves: dict[str, Move]) -> None:
        """Use ``folds``, the states that follow from the events shown to each viewer. Every offered move is added to
        ``moves`` by its text.
        """
        self.rules = rules
        self.folds = folds
        self.moves = moves
        self.compared: set[Viewer] = set()
        """The viewers who were shown the same in another world."""
        self.examined = self.without_twin = 0
        """The number of positions that hide something from a viewer, and of those without another that looks alike."""

    def examine(self, game: RandomGame, decision: Decision) -> Iterator[str]:
        """Yield the hidden facts that a viewer can infer."""
        for question in self.rules.questions(decision.after):
            moves = answers(self.rules, decision.after, question)
            self.moves.update((self.rules.text(move), move) for move in moves)
        if self.rules.outcome(decision.after) is not None:
            return
        viewer = game.luck.choose(game.viewers)
        yield from self._either_move(game, decision.after, viewer)
        twin = _twin(game, viewer)
        yield from self._log(game, twin, viewer)
        other = twin[-1].after if twin and self.rules.worlds is same_world else other_world(game, viewer)
        hides = self.folds.get(viewer) != decision.after
        self.examined += hides
        if other is None or other == decision.after:
            self.without_twin += hides
            return
        self.compared.add(viewer)
        yield from self._now(game, decision.after, other, viewer)
        yield from self._next(game, decision.after, other, viewer)

    def _log(self, game: RandomGame, twin: Sequence[Decision], viewer: Viewer) -> Iterator[str]:
        """Compare everything that was shown so far in this game and in a second game that looked the same."""
        for here, there in zip(game.history, twin, strict=False):
            if contrast := self._contrast(here.events, there.events, viewer):
                yield f"What {who(viewer)} is shown tells apart what looks the same in their view: {contrast}"
                return

    def _now(self, game: RandomGame, state: Any, other: Any, viewer: Viewer) -> Iterator[str]:
        view, there = (facts(self.rules.view(world, viewer)) for world in (state, other))
        if view != there:
            yield f"The view of {who(viewer)} tells what is hidden from them: {difference(view, there)}."
        questions, asked_there = (own_questions(self.rules, world, viewer) for world in (state, other))
        if questions != asked_there:
            yield f"What {who(viewer)} is asked depends on what is hidden from them: {questions}, or {asked_there}."
        for question in questions:
            yield from self._offered(state, other, question)
            yield from self._refused(game, state, other, question)
        if game.luck.choose(range(4)) == 0:  # pictures take long
            yield from self._words_and_picture(state, other, viewer)
        if viewer > 0:
            seat = SeatNumber(viewer)
            yield from self._same(state, other, viewer, "A resignation", lambda world: self._resigned(world, seat))
            for move in self._strangers(game):
                decided = _deciding(self.rules, seat, msgspec.structs.replace(move, question=""))
                yield from self._same(state, other, viewer, f"“{self.rules.text(move)}” without a question", decided)

    def _offered(self, state: Any, other: Any, question: Question) -> Iterator[str]:
        """Return the offered answers of a viewer, as texts and as JSON."""
        seat = question.seat
        here, there = (offered_texts(self.rules, world, question) for world in (state, other))
        if here != there:
            yield f"What is offered to {who(seat)} depends on what is hidden from them: {here}, or {there}."
            return
        here, there = (facts(self.rules.legal_moves(world, question)) for world in (state, other))
        if here != there:
            yield f"A move that is offered to {who(seat)} holds what is hidden from them: {difference(here, there)}."
        here, there = ([_form(form) for form in forms_of(self.rules, world, question)] for world in (state, other))
        if here != there:
            yield f"A form for {who(seat)} tells what is hidden from them: {difference(here, there)}."

    def _refused(self, game: RandomGame, state: Any, other: Any, question: Question) -> Iterator[str]:
        """Compare the refusals of texts and moves in both worlds, with their reasons."""
        rules, viewer = self.rules, question.seat
        moves = self._strangers(game)
        texts = [rules.text(move) for move in moves]
        for text in ("xyzzy", "99", *offered_texts(rules, state, question)[:1], *texts):
            reading = f"The way in which “{text}” is read or refused"
            yield from self._same(state, other, viewer, reading, _reading(rules, question, text))
            reason = f"The reason that `why_illegal` gives for “{text}”"
            yield from self._same(state, other, viewer, reason, _reasoning(rules, question, text))
        for move in moves:
            decided = _deciding(rules, viewer, msgspec.structs.replace(move, question=question.id))
            yield from self._same(state, other, viewer, f"The refusal of “{rules.text(move)}”", decided)

    def _strangers(self, game: RandomGame) -> list[Move]:
        """Return random moves of this game and of earlier games."""
        moves = list(self.moves.values())
        return list(game.luck.take(moves, min(MOST_WRITTEN, len(moves))))

    def _same(
        self, state: Any, other: Any, viewer: Viewer, subject: str, answer: Callable[[Any], str]
    ) -> Iterator[str]:
        """Compare the answers that a viewer gets in both worlds."""
        here, there = (_answer(answer, world) for world in (state, other))
        if here != there:
            yield f"{subject} tells {who(viewer)} what is hidden from them: “{here}”, or “{there}”."

    def _resigned(self, state: Any, seat: SeatNumber) -> str:
        self.rules.resign(state, seat, SeededChance(bytes(32)))
        return ""

    def _words_and_picture(self, state: Any, other: Any, viewer: Viewer) -> Iterator[str]:
        """Compare the words and the picture of two states."""
        here, there = (_words(self.rules, world, viewer) for world in (state, other))
        for name in here.keys() & there.keys():
            if here[name] != there[name]:
                yield (
                    f"{name} for {who(viewer)} depends on what is hidden from them: “{here[name]}”, or “{there[name]}”."
                )

    def _next(self, game: RandomGame, state: Any, other: Any, viewer: Viewer) -> Iterator[str]:
        """Return the same move in both worlds."""
        question = game.luck.choose(self.rules.questions(state))
        move = game.any_answer(state, question)
        yield from self._told_apart(game, viewer, (state, question, move), (other, question, move))

    def _either_move(self, game: RandomGame, state: Any, viewer: Viewer) -> Iterator[str]:
        """Return two possible moves of another seat."""
        questions = [question for question in self.rules.questions(state) if question.seat != viewer]
        if not questions:
            return
        question = game.luck.choose(questions)
        one, two = (game.any_answer(state, question) for _ in range(2))
        yield from self._told_apart(game, viewer, (state, question, one), (state, question, two))

    def _told_apart(
        self, game: RandomGame, viewer: Viewer, one: tuple[Any, Question, Move], two: tuple[Any, Question, Move]
    ) -> Iterator[str]:
        """Yield a fault if shown events distinguish states with equal views."""
        seed = len(game.history).to_bytes(32, "big")
        here, there = _decided(self.rules, *one, seed), _decided(self.rules, *two, seed)
        if here is None or there is None or not alike(self.rules, here[1], there[1], viewer):
            return
        if self.rules.outcome(here[1]) is not None or self.rules.outcome(there[1]) is not None:
            return
        if contrast := self._contrast(here[0], there[0], viewer):
            move = self.rules.text(one[2])
            yield f"What {who(viewer)} is shown of “{move}” tells what their view hides afterwards: {contrast}"

    def _contrast(self, here: Sequence[Event], there: Sequence[Event], viewer: Viewer) -> str:
        """Return the events that only one world shows, with advice, or a blank text if both worlds show the same."""
        shown_events = [
            [event for event in show_all(self.rules, events, viewer) if not isinstance(event, self.rules.momentary)]
            for events in (here, there)
        ]
        if shown_events[0] == shown_events[1]:
            return ""
        only_here = [event for event in shown_events[0] if event not in shown_events[1]]
        only_there = [event for event in shown_events[1] if event not in shown_events[0]]
        names = sorted({type(event).__name__ for event in (*only_here, *only_there)})
        if not names:
            return f"the order of {shown_events[0]}. Hide it in `show`, or keep it in `view`."
        return (
            f"{only_here or 'nothing'}, or {only_there or 'nothing'}. Hide it in `show`, keep it in `view`, or add "
            f"{', '.join(f'`{name}`' for name in names)} to `momentary`."
        )


def _deciding(rules: AnyRules, seat: SeatNumber, move: Move) -> Callable[[Any], str]:
    """Return a function that returns the reason why a state refuses this move, or nothing for an accepted move."""

    def decide(state: Any) -> str:
        rules.decide(state, seat, move, SeededChance(bytes(32)))
        return "accepted"

    return decide


def _reading(rules: AnyRules, question: Question, text: str) -> Callable[[Any], str]:
    """Return a function that reads a text in a state."""

    def read(state: Any) -> str:
        return str(rules.text(rules.parse(state, question, text, {})))

    return read


def _reasoning(rules: AnyRules, question: Question, text: str) -> Callable[[Any], str]:
    """Return a function that gives the reason why a text is illegal in a state."""

    def reason(state: Any) -> str:
        phrase = rules.why_illegal(state, question, text.split())
        # The phrase is incomplete: the server adds the text of the move.
        return "no reason" if phrase is None else f"{phrase.text} {dict(phrase.values) or ''}".strip()

    return reason


def _answer(answer: Callable[[Any], str], state: Any) -> str:
    try:
        return answer(state)
    except RuleViolation as violation:
        return str(violation)


def _form(form: Any) -> Any:
    """Return the parts of a form as values that can be compared, with its phrases as sentences."""
    return [form.verb, str(form.title), *(_slot(slot) for slot in form.slots)]


def _slot(slot: Any) -> Any:
    numbers = [getattr(slot, name, None) for name in ("lowest", "highest", "least", "most")]
    return [str(slot.label), numbers, [(word, str(meaning)) for word, meaning in getattr(slot, "choices", ())]]


def _words(rules: AnyRules, state: Any, viewer: Viewer) -> dict[str, str]:
    """Return all texts and pictures of a state for a viewer."""
    reader = SeatNumber(viewer) if viewer > 0 else None
    view = rules.view(state, viewer)
    words = {
        "The board": "; ".join(map(str, rules.words.table(view))),
        "The status": "; ".join(map(str, rules.words.status(view, reader))),
        "The picture": str(rules.picture(view, AwkwardReader(right_to_left=False, viewer=viewer))),
    }
    for question in own_questions(rules, state, viewer):
        words["The text of the question"] = str(rules.words.asks(view, question))
        if rules.words.coaching is not None:
            words["The risks of the answers"] = "; ".join(map(str, rules.words.coaching.risks(view, question)))
        for move in rules.legal_moves(state, question):
            text = rules.text(move)
            words[f"The label of “{text}”"] = str(rules.words.label(move))
            words[f"The meaning of “{text}”"] = "; ".join(map(str, rules.words.meanings(view, move)))
    return words


def other_world(game: RandomGame, viewer: Viewer) -> Any:
    """Return another state that looks the same to this viewer, or None if none was found."""
    if game.rules.worlds is not same_world:
        return game.rules.worlds(game.state, viewer, game.luck)
    twin = _twin(game, viewer)
    return twin[-1].after if twin else None


def _twin(game: RandomGame, viewer: Viewer) -> Sequence[Decision]:
    """Return a second game that looks the same to this viewer and is in another state, or None.

    It differs from one of the latest decisions on, or from the deal. Earlier secrets have often been shown since.
    """
    history = game.history
    latest = range(len(history) - 1, max(-1, len(history) - LONGEST_TWIN - 1), -1)
    by_chance = [number for number in latest if history[number].draws]
    by_others = [number for number in latest if history[number].seat != viewer and number not in by_chance]
    for start in dict.fromkeys([*by_chance[:STARTS], *by_others[:STARTS], *by_chance[-1:]]):
        for number in range(TRIES):
            other = _again(game, history[start].before, history[start], viewer, exchanged=number % 3 + 1)
            if other is None or other.after == history[start].after:
                continue
            twin = _continued(game, [*history[:start], other], viewer)
            if twin and twin[-1].after != history[-1].after:
                return twin
    return ()


def _continued(game: RandomGame, twin: list[Decision], viewer: Viewer) -> Sequence[Decision]:
    """Return the rest of a game from another state, or nothing if the viewer can distinguish them."""
    for decision in game.history[len(twin) :]:
        tries = (_again(game, twin[-1].after, decision, viewer, exchanged=number) for number in range(3))
        again = next((attempt for attempt in tries if attempt is not None), None)
        if again is None:
            return ()
        twin.append(again)
    return twin


class ExchangedChance(Chance):
    """The draws of an earlier decision, with some of them exchanged.

    New random numbers seldom deal a viewer the same hand again. When two cards are exchanged, most hands stay.
    """

    def __init__(self, results: Sequence[Any], luck: Chance, exchanged: int) -> None:
        super().__init__()
        self._results = results
        self._luck = luck
        self._exchanged = set(luck.take(range(len(results)), min(len(results), exchanged)))
        self._count = 0
        self._early: list[tuple[Any, Any]] = []
        """Items that were drawn earlier than in the other game, each with the item that is drawn later in its place."""

    def _index(self, options: Sequence[object]) -> int:
        number, self._count = self._count, self._count + 1
        things = list(options)
        original = self._results[number] if number < len(self._results) else None
        if number < len(self._results) and number not in self._exchanged:
            replaced = next((left for early, left in self._early if early == original), None)
            for thing in (original, replaced):
                if thing in things:
                    return things.index(thing)
        index: int = self._luck.choose(range(len(things)))
        self._early.append((things[index], original))
        return index


def _again(game: RandomGame, state: Any, decision: Decision, viewer: Viewer, *, exchanged: int) -> Decision | None:
    """Return a decision that looks like this one, with a number of its draws exchanged, or None."""
    rules = game.rules
    chance = ExchangedChance(decision.draws, game.luck, exchanged)
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
    again = Decision(state, decision.seat, decision.move, events, after)
    return again if alike(rules, after, decision.after, viewer) else None


def _move(game: RandomGame, state: Any, decision: Decision, viewer: Viewer) -> Any:
    """Return the move, or sometimes another move of another seat."""
    if decision.seat == viewer or game.luck.choose((True, False)):
        return decision.move
    question = next((question for question in game.rules.questions(state) if question.seat == decision.seat), None)
    if question is None:
        return decision.move
    return _nearly(game, state, question, decision.move) or game.any_answer(state, question)


def _nearly(game: RandomGame, state: Any, question: Question, move: Any) -> Any | None:
    """Return a move of a form with one word exchanged, because the others may know the rest. None for other moves."""
    for form in forms_of(game.rules, state, question):
        if isinstance(move, form.move):
            other = fill_at_random(form, game.luck, question.id)
            words, others = (game.rules.text(answer).split()[1:] for answer in (move, other))
            if not words or len(words) != len(others):
                return None
            number = game.luck.choose(range(len(words)))
            return fill(form, [*words[:number], others[number], *words[number + 1 :]], question.id)
    return None


def _decided(rules: AnyRules, state: Any, question: Question, move: Move, seed: bytes) -> Any:
    """Return the events of a move and the state after it, or None if it is not possible."""
    try:
        events = rules.decide(state, question.seat, move, SeededChance(seed))
    except RuleViolation:
        return None
    return events, replay(rules, events, state)
