"""Checks of questions and their answers."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from games.engine.answers.forms import is_legal, offered_texts
from games.engine.chance import SeededChance
from games.engine.errors import ILLEGAL, NOT_ASKED, QUESTION_CLOSED, RuleViolation
from games.engine.rules import AnyRules, play, replay
from games.engine.testing import contract
from games.engine.testing.facts import answers, difference
from games.engine.testing.playing import Decision, RandomGame
from games.engine.types import Move, Question, SeatNumber


class QuestionChecker:
    """A checker of questions: their ids are unique, and their answers do not change."""

    def __init__(self, rules: AnyRules) -> None:
        self.rules = rules
        self.open: dict[str, Question] = {}
        self.offers: dict[str, list[str]] = {}
        self.gone: set[SeatNumber] = set()

    def examine(self, game: RandomGame, decision: Decision) -> Iterator[str]:
        """Yield the faults in the questions after a decision."""
        questions = self.rules.questions(decision.after)
        if decision.before is not None and decision.move is None:
            self.gone.add(decision.seat)
        yield from self._of_the_state(decision.after, questions)
        if (outcome := self.rules.outcome(decision.after)) is not None:
            yield from contract.ended(outcome, game.seats)
        for question in questions:
            yield from self._one(decision.after, question)
        self.open = {question.id: question for question in questions}

    def _of_the_state(self, state: Any, questions: tuple[Question, ...]) -> Iterator[str]:
        over = self.rules.outcome(state) is not None
        if over and questions:
            yield f"The game is over and still asks {questions[0].id}."
        if not over and not questions:
            yield "The game is not over and waits for nobody."
        if len({question.seat for question in questions}) < len(questions):
            yield f"A seat is asked two things at once: {[question.id for question in questions]}."
        slow = {
            question.kind for question in questions if self.rules.paces.get(question.kind, "reaction") != "reaction"
        }
        if len(questions) > 1 and slow:
            yield (
                f"Several are asked `{slow.pop()}` at once, so its pace has to be `reaction`: the others must not "
                "learn from the deadline when somebody answered."
            )

    def _one(self, state: Any, question: Question) -> Iterator[str]:
        if not re.fullmatch(rf"{question.seat}\.[1-9]\d*", question.id):
            yield f"The id {question.id!r} of a question to seat {question.seat} is not `{question.seat}.<number>`."
        if self.rules.reasons and question.reason not in self.rules.reasons:
            yield f"The reason `{question.reason}` of a question is not one of its `reasons`."
        if question.seat in self.gone:
            yield f"Seat {question.seat} has resigned and is asked {question.id} (`{question.kind}`)."
        if question.id in self.offers and question.id not in self.open:
            yield f"The question id {question.id} is used twice."
        elif self.open.get(question.id, question) != question:
            yield f"The open question {question.id} has changed: {difference(self.open[question.id], question)}."
        moves = answers(self.rules, state, question)
        texts = offered_texts(self.rules, state, question)
        if self.offers.setdefault(question.id, texts) != texts and question.id in self.open:
            yield (
                f"The answers to the open question {question.id} have changed from {self.offers[question.id]} to "
                f"{texts}. Ask it anew, under another id."
            )
        yield from _offered(question, moves, texts)


def _offered(question: Question, moves: tuple[Move, ...], texts: list[str]) -> Iterator[str]:
    if not moves:
        yield f"The question {question.id} (`{question.kind}`) has no legal answer."
    if len(set(texts)) < len(texts):
        twice = next(text for text in texts if texts.count(text) > 1)
        yield f"Two legal moves have the same text, “{twice}”."
    for move in moves:
        if move.question != question.id:
            yield f"The move {move!r} answers {move.question!r}, but it is offered for {question.id}."


class Decided:
    """A checker of decisions: they are reproducible, and refused for seats without a question."""

    def __init__(self, rules: AnyRules) -> None:
        self.rules = rules
        self.pool: dict[str, Move] = {}
        self.past: dict[str, tuple[Question, Move]] = {}

    def examine(self, game: RandomGame, decision: Decision) -> Iterator[str]:
        """Yield the faults in the decisions of a state."""
        questions = self.rules.questions(decision.after)
        for question in questions:
            offered = answers(self.rules, decision.after, question)
            move = game.luck.choose(offered)
            yield from self._same_each_time(game, decision.after, question, move)
            yield from self._refused(game, decision.after, question, move)
            yield from self._foreign(game, decision.after, question, offered)
            self.past[question.id] = question, move
        for closed_id in self.past.keys() - {question.id for question in questions}:
            past_question, move = self.past.pop(closed_id)
            yield from self._code(
                game, decision.after, past_question.seat, move, QUESTION_CLOSED, "of a closed question"
            )

    def _same_each_time(self, game: RandomGame, state: Any, question: Question, move: Move) -> Iterator[str]:
        seed = len(game.history).to_bytes(32, "big")
        text = self.rules.text(move)
        try:
            decided = tuple(self.rules.decide(state, question.seat, move, SeededChance(seed)))
        except RuleViolation as violation:
            yield f"“{text}” is offered for {question.id}, and `decide` refuses it: {violation}"
            return
        after = replay(self.rules, decided, state)
        again = tuple(self.rules.decide(state, question.seat, move, SeededChance(seed)))
        if again != decided:
            yield f"`decide` gives other events for “{text}” the second time: luck comes from the chance alone."
        events, played = play(self.rules, state, question.seat, move, SeededChance(seed))
        if tuple(events) != decided:
            yield f"`play` gives other events than `decide` for “{text}”: {difference(events, decided)}."
        elif played != after:
            yield f"`play` leads to another state than the events of “{text}”: {difference(played, after)}."

    def _refused(self, game: RandomGame, state: Any, question: Question, move: Move) -> Iterator[str]:
        other = SeatNumber(question.seat % game.seats + 1)
        yield from self._code(
            game, state, other, move, NOT_ASKED, f"of seat {other} to seat {question.seat}'s question"
        )
        strange = msgspec.structs.replace(move, question=f"{question.seat}.999999")
        yield from self._code(game, state, question.seat, strange, NOT_ASKED, "to a question that was never asked")
        blank = msgspec.structs.replace(move, question="")
        yield from self._code(game, state, question.seat, blank, NOT_ASKED, "without a question")

    def _foreign(self, game: RandomGame, state: Any, question: Question, offered: tuple[Move, ...]) -> Iterator[str]:
        """Check that a move that is not offered is refused."""
        texts = {self.rules.text(move) for move in offered}
        strangers = [text for text in self.pool if text not in texts]
        if strangers:
            foreign = msgspec.structs.replace(self.pool[game.luck.choose(strangers)], question=question.id)
            why = f"“{self.rules.text(foreign)}”, which is not offered"
            if not is_legal(self.rules, state, question, foreign):
                yield from self._code(game, state, question.seat, foreign, ILLEGAL, why)
        self.pool.update((self.rules.text(move), move) for move in offered)

    def _code(
        self, game: RandomGame, state: Any, seat: SeatNumber, move: Move, code: str, description: str
    ) -> Iterator[str]:
        """Yield a fault if a move is not refused with this code."""
        try:
            self.rules.decide(state, seat, move, SeededChance(bytes(32)))
        except RuleViolation as violation:
            if violation.code != code:
                yield f"A move {description} is refused as `{violation.code}`, and should be as `{code}`."
        else:
            yield f"A move {description} is accepted; it should be refused as `{code}`."
