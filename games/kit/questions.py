"""Checks of questions and their answers: offers, refusals, forms, default moves, bots and resignations."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from games.engine.chance import SeededChance
from games.engine.forms import AnswerForm, NumberSlot, Slot, is_legal, offered_texts
from games.engine.rules import AnyRules, know, play, replay
from games.engine.types import Move, Question, SeatNumber
from games.engine.validation import ILLEGAL, QUESTION_CLOSED, RuleViolation
from games.kit import checking
from games.kit.random_games import Decision, RandomGame, answers, difference


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
            yield from checking.ended(outcome, game.seats)
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
            game, state, other, move, QUESTION_CLOSED, f"of seat {other} to seat {question.seat}'s question"
        )
        strange = msgspec.structs.replace(move, question=f"{question.seat}.999999")
        yield from self._code(
            game, state, question.seat, strange, QUESTION_CLOSED, "to a question that was never asked"
        )
        blank = msgspec.structs.replace(move, question="")
        yield from self._code(game, state, question.seat, blank, QUESTION_CLOSED, "without a question")

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


def timed_out(game: RandomGame, decision: Decision) -> Iterator[str]:
    """Yield the default moves and bot moves that are not legal."""
    rules, state = game.rules, decision.after
    seed = len(game.history).to_bytes(32, "big")
    for question in rules.questions(state):
        moves = rules.legal_moves(state, question)
        default = rules.default_move(state, question, SeededChance(seed))
        if not is_legal(rules, state, question, default):
            yield f"The default move {default!r} is none of the legal answers to {question.id} (`{question.kind}`)."
        knowledge = know(rules, state, question.seat, game.log)
        answer, again = (rules.bot_move(knowledge, question, moves, SeededChance(seed)) for _ in range(2))
        if not is_legal(rules, state, question, answer):
            yield f"The bot answers {question.id} (`{question.kind}`) with {answer!r}, which is not legal."
        if answer != again:
            yield f"The bot answers {question.id} (`{question.kind}`) otherwise when it is asked again."


def resigned(game: RandomGame, decision: Decision) -> Iterator[str]:
    """Yield the faults after a resignation in this state, with any open questions."""
    if game.rules.outcome(decision.after) is not None:
        yield from _refused(game, decision.after, SeatNumber(1), "after the end")
        return
    yield from _refused(game, decision.after, SeatNumber(game.seats + 1), "of a seat that there is not")
    seat = SeatNumber(1 + len(game.history) % game.seats)
    has_resigned = any(past.move is None and past.seat == seat for past in game.history)
    try:
        events = game.rules.resign(decision.after, seat, SeededChance(bytes(32)))
    except RuleViolation as violation:
        if violation.code != ILLEGAL:
            yield f"`resign` is refused as `{violation.code}`, and should be as `{ILLEGAL}`."
        if any(question.seat == seat for question in game.rules.questions(decision.after)):
            yield f"Seat {seat} is asked something and may not resign."
        return
    if has_resigned:
        yield f"Seat {seat} may resign twice."
    yield from _after(game, replay(game.rules, events, decision.after), seat)


def _after(game: RandomGame, state: Any, seat: SeatNumber) -> Iterator[str]:
    questions = game.rules.questions(state)
    if game.rules.outcome(state) is None and not questions:
        yield f"After seat {seat} resigned the game is not over and waits for nobody."
    if any(question.seat == seat for question in questions):
        yield f"Seat {seat} has resigned and is still asked something."
    yield from _refused(game, state, seat, "a second time")


def _refused(game: RandomGame, state: Any, seat: SeatNumber, when: str) -> Iterator[str]:
    try:
        game.rules.resign(state, seat, SeededChance(bytes(32)))
    except RuleViolation as violation:
        if violation.code != ILLEGAL:
            yield f"A resignation {when} is refused as `{violation.code}`, and should be as `{ILLEGAL}`."
    else:
        yield f"A resignation {when} is accepted; it should be refused as `{ILLEGAL}`."


def fillable(game: RandomGame, decision: Decision) -> Iterator[str]:
    """Yield the slots of the present forms that cannot be filled."""
    rules = game.rules
    for question in rules.questions(decision.after):
        # Not `forms_of`, which leaves out what cannot be filled in.
        for form in rules.forms(rules.view(decision.after, question.seat), question):
            yield from _form(form)


def _form(form: AnswerForm) -> Iterator[str]:
    fields = [field for field in form.move.__struct_fields__ if field != "question"]
    if len(fields) != len(form.slots):
        yield (
            f"The form `{form.verb}` has {len(form.slots)} slots, and its move has {len(fields)} fields: one list is "
            "longer than the other."
        )
        return
    for name, slot in zip(fields, form.slots, strict=True):
        if isinstance(slot, NumberSlot):
            if slot.lowest > slot.highest:
                yield (
                    f"The slot `{name}` of the form `{form.verb}` takes a number from {slot.lowest} to {slot.highest}, "
                    "and there is none. Leave the form out."
                )
        else:
            yield from _choices(f"The slot `{name}` of the form `{form.verb}`", slot)


def _choices(slot_name: str, slot: Slot) -> Iterator[str]:
    words = [word for word, _ in slot.choices]
    if not words:
        yield f"{slot_name} has no choices. Leave the form out."
    elif not 0 <= slot.least <= slot.most <= len(words):
        yield (
            f"{slot_name} takes {slot.least} to {slot.most} of {len(words)} choices. `least` is at most `most`, and "
            "`most` at most their number."
        )
    if len(set(words)) < len(words):
        yield f"{slot_name} has a choice twice: {words}."
    strange = next((word for word in words if word != "".join(word.split()) or not word), None)
    if strange is not None:
        yield f"{slot_name} has the choice {strange!r}. A choice is one word of the notation."
