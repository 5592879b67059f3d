"""Reads a line of a mail as one of the answers that a question offers.

First as what was shown: the number, the notation or the label of an answer, in any language. Then as the grammar
reads it. Then word by word: every word has to be known, and together they must name one answer and no other.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import product
from typing import Any, Final

from django.conf import settings
from django.utils.translation import override

from games.engine import AnyRules, Question, RuleViolation, ScriptedChance, SeatNumber, gettext_noop
from games.engine.errors import MALFORMED
from games.engine.phrases import Notation, Phrase, as_written
from games.engine.reading import Vocabulary, fold, names_to_read
from games.mail.reading.answer_words import FILLER, FILLER_WORDS, AnswerWords, words_of
from games.mail.reading.asides import PRONOUNS, Held, find_held, is_idle
from games.mail.reading.denials import says_only
from games.mail.reading.number_words import number_in_words
from games.mail.reading.trailing_text import is_courtesy, writer
from games.text.notation import localized
from notifications.mail_parsing.courtesies import plain_line, says_nothing, without_courtesies

_PUNCTUATION: Final = re.compile(r"[,;:!،؛]|(?<=\s)=(?=\s)|\.(?!\d)|(?<!\d)-(?!\d)|[(\[](?!\d)|(?<!\d)[)\]]")
_SENTENCES: Final = re.compile(r"(?<=\w)[.!]+\s+")
_LEADING_NUMBER: Final = re.compile(r"^[(\[]?(\d+)[)\]]")
_STRETCHED: Final = re.compile(r"([^\W\d_])\1{2,}")
_MOST_READINGS: Final = 64
_LONGEST: Final = 500
_THEM: Final = "them"
_REACTION: Final = "reaction"
_ENOUGH: Final = 2
"""The number of words of a label that name its answer without its verb, such as the character and the coins."""
_SHORT: Final = 4
"""The most words, one of the notation among them, that may be a mistyped move."""


class OfferedMoves:
    """The answers that a question offers, as people write them."""

    def __init__(self, rules: AnyRules, state: Any, question: Question, names: Mapping[SeatNumber, str]) -> None:
        self.rules = rules
        self.state = state
        self.question = question
        self.seat_names = names
        self.names = names_to_read(names)
        self.moves = rules.legal_moves(state, question)
        self.words = AnswerWords(rules, state, question, self.moves)

    def read(self, line: str) -> Any:
        """Return the move that a line means. RuleViolation where it means none, or may mean two."""
        forms = self._forms(line)
        for form in forms:
            if len(shown := self._shown.get(_compared(form), frozenset())) == 1:
                return self.moves[next(iter(shown))]
            if (number := self._number_in_words(form)) is not None:
                return self.moves[number - 1]
        try:
            return self._parse(line)
        except RuleViolation as violation:
            for form in forms:
                named = self._named(form)
                if len(named) == 1:
                    return self.moves[named.pop()]
                if named:
                    raise self._open(line) from None
                if (parsed := self._parsed(form)) is not None:
                    return parsed
            if (default := self._default_left(forms)) is not None:
                return default
            raise violation

    def is_aside(self, move: Any, clause: str) -> bool:
        """Return whether a clause beside a move changes nothing: who is addressed, what is held, or an idle phrase."""
        said = fold(without_courtesies(plain_line(clause)))
        if says_nothing(clause) or is_idle(said):
            return True
        verb, *named = self.rules.text(move).split()
        if (seat := self.names.get(said)) is not None:
            return seat in self.words.actors or (self.words.names_players and str(seat) in named)
        cards = self.words.claims_of(move).union(each for each in named if not each.isdigit())
        held = find_held(said)
        return held is not None and self._agrees(verb, cards, held)

    def _agrees(self, verb: str, cards: frozenset[str], held: Held) -> bool:
        """Return whether what is held speaks for a move, or against none but others."""
        if held.card in PRONOUNS:
            return bool(cards) and not held.denied
        said = self._one_word(held.card) or self._one_word(held.card.removesuffix("s"))
        if not said:
            return False
        speaks_for_it = not said.isdisjoint({verb, *cards})
        if held.denied:
            return not speaks_for_it
        return speaks_for_it or (held.several and not cards and verb != self._default)

    def _one_word(self, text: str) -> frozenset[str]:
        """Return what a word of the notation may mean; nothing for another text."""
        tokens = [each for each in self.words.vocabulary.tokens(words_of(text), {}) or () if each != FILLER]
        is_word = len(tokens) == 1 and not tokens[0].startswith(FILLER) and not tokens[0].isdigit()
        return frozenset(tokens[0].split("|")) if is_word else frozenset()

    def _forms(self, line: str) -> tuple[str, ...]:
        """A line without what no meaning hangs on, then without courtesies too, where those are no player's name."""
        plain = plain_line(line)
        bare = without_courtesies(plain)
        before, after = _compared(plain), _compared(bare)
        cut = any(name in before and name not in after for name in self.names)
        forms = (plain,) if cut else (plain, bare)
        return tuple(dict.fromkeys((*forms, *(_STRETCHED.sub(r"\1", form) for form in forms))))

    def _number_in_words(self, form: str) -> int | None:
        """The number of the answer that a line is in words, where no player is called so."""
        said = _compared(form)
        number = None if any(name in said for name in self.names) else number_in_words(said)
        return number if number and number <= len(self.moves) else None

    def _default_left(self, forms: tuple[str, ...]) -> Any | None:
        """The default move of a window, where a line denies every other answer: no challenge and no block allow."""
        verb, verbs = self._default, self.words.verbs
        if verb not in verbs or self.rules.paces.get(self.question.kind, _REACTION) != _REACTION:
            return None
        said = any(says_only(self._about_actor(fold(form)), verb, verbs - {verb}, self._verbs_of) for form in forms)
        return next(move for move in self.moves if self.rules.text(move) == verb) if said else None

    @cached_property
    def _default(self) -> str:
        """The notation of the default move; blank where chance makes it."""
        try:
            return self.rules.text(self.rules.default_move(self.state, self.question, ScriptedChance()))
        except ValueError:
            return ""

    def _verbs_of(self, text: str) -> set[str]:
        """The verbs of answers that a piece of text may mean, if it says nothing else."""
        tokens = [token for token in self.words.vocabulary.tokens(words_of(text), {}) or () if token != FILLER]
        verbs = self.words.verbs
        return verbs.intersection(*(token.split("|") for token in tokens)) if tokens else set()

    def _parse(self, line: str) -> Any:
        return self.rules.parse(self.state, self.question, line, self.names)

    def _parsed(self, line: str) -> Any | None:
        """The move as the grammar reads it, or None."""
        try:
            return self._parse(line)
        except RuleViolation:
            return None

    def _open(self, line: str) -> RuleViolation:
        sentence = gettext_noop("“%(written)s” fits several moves. You may answer: %(moves)s.")
        moves = tuple(as_written(self.rules.text(move)) for move in self.moves)
        return RuleViolation(MALFORMED, Phrase(sentence, {"written": Notation(line[:80]), "moves": moves}))

    @cached_property
    def _shown(self) -> dict[str, frozenset[int]]:
        """The moves by what is shown of them: number, notation, label, and these in a row."""
        found: dict[str, frozenset[int]] = {}
        for index, (move, labels) in enumerate(zip(self.moves, self.words.labels(self.seat_names), strict=True)):
            notations = self._notations(move)
            pairs = (f"{notation} {label}" for notation, label in product(notations, labels))
            for said in (*notations, *labels, *pairs):
                for text in (said, f"{index + 1} {said}"):
                    found[_compared(text)] = found.get(_compared(text), frozenset()) | {index}
        return found | {str(number): frozenset({number - 1}) for number in range(1, len(self.moves) + 1)}

    def _notations(self, move: Any) -> set[str]:
        """The notation of a move in every language."""
        found = set()
        for language, _ in settings.LANGUAGES:
            with override(language):
                found.add(localized(self.rules, self.rules.text(move)))
        return found

    def _named(self, line: str) -> set[int]:
        """The moves that the words of a line name; none where a word is unknown or the line begins with a number."""
        if any(map(self._says_something_else, _SENTENCES.split(line))):
            return set()
        folded = words_of(self._about_actor(fold(line)))
        if not self.rules.vocabulary or folded[:1].isdigit():
            return set()
        tokens = self.words.vocabulary.tokens(folded, self._names_said if self.words.names_players else {})
        if not tokens:
            return set()
        verb_is_clear = len(self.words.verbs) == 1 and not any(map(_is_name, tokens))
        ways = [token.removeprefix("seat ").split("|") for token in tokens]
        readings = list(zip(range(_MOST_READINGS), product(*ways), strict=False))
        return {index for _, reading in readings for index in self._named_by(reading, verb_is_clear)}

    def _says_something_else(self, sentence: str) -> bool:
        """Return whether a sentence has fillers alone and is no courtesy: “Ask me again” beside “Allow”."""
        tokens = self.words.vocabulary.tokens(words_of(fold(sentence)), {}) or ()
        return (
            bool(tokens) and {*tokens} == {FILLER} and not is_courtesy(sentence, writer((), self.seat_names.values()))
        )

    def _named_by(self, reading: tuple[str, ...], verb_is_clear: bool) -> Iterator[int]:
        """Yield the moves that one reading of the words names; a verb that all answers have need not be said."""
        said = Counter(word for word in reading if word != FILLER)
        verbs = [text[0] for text in self.words.texts]
        named = [
            index
            for index, text in enumerate(self.words.texts)
            if not said - Counter(text) - self._optional(index, said)
        ]
        whole = [index for index in named if not _missing(self.words.texts[index], said, verb_is_clear)]
        if whole:
            yield from whole
        elif by_verb := [index for index in named if said[verbs[index]] and verbs.count(verbs[index]) == 1]:
            yield from by_verb
        elif len(said) >= _ENOUGH:
            yield from (index for index in named if len(self.words.texts[index]) == 1)

    def _optional(self, index: int, said: Counter[str]) -> Counter[str]:
        """Return what may stand beside a move's notation: the other words of its labels, and its verb again."""
        verb, *others = self.words.texts[index]
        beside = (self.words.label_tokens[index] | self.words.claimed[index]) - {*others}
        return Counter({word: said[word] for word in (*beside, verb)})

    def _about_actor(self, folded: str) -> str:
        """A folded line with “them” for the player whom the question is about, where no answer is aimed at one."""
        actors = () if self.words.names_players else self.words.actors
        for name, seat in self.names.items():
            if seat in actors:
                folded = re.sub(rf"(?<!\w){re.escape(name)}(?:'s)?(?!\w)", _THEM, folded)
        return folded

    @cached_property
    def _names_said(self) -> Mapping[str, SeatNumber]:
        """The players' names, and what belongs to them."""
        return {**self.names, **{f"{name}'s": seat for name, seat in self.names.items()}}


def resembles_move(rules: AnyRules, names: Mapping[str, SeatNumber], line: str) -> bool:
    """Return whether a line may be meant as a move of the game, offered or not: it says little but words of moves.

    So does a line that begins with a number, or a short one with any word of the notation.
    """
    text = words_of(without_courtesies(plain_line(line[:_LONGEST])))
    notation = {way: way for way in rules.vocabulary}
    vocabulary = Vocabulary({**FILLER_WORDS, **notation})
    if not rules.vocabulary or text[:1].isdigit() or vocabulary.tokens(text, names) is not None:
        return True
    words, verbs_and_cards = text.split(), Vocabulary(notation)
    return len(words) <= _SHORT and any(word in verbs_and_cards for word in words)


def _is_name(token: str) -> bool:
    return token.startswith("seat ")


def _compared(text: str) -> str:
    """``text`` as what is shown is compared; blank for a text that is shown in another order than it is written."""
    try:
        text = _LEADING_NUMBER.sub(r"\1 ", fold(plain_line(text)))
        return " ".join(_PUNCTUATION.sub(" ", text).split())
    except RuleViolation:
        return ""


def _missing(text: list[str], said: Counter[str], verb_is_clear: bool) -> bool:
    """Return whether words of a notation were not said, its verb perhaps left out."""
    return bool(Counter(text[verb_is_clear and len(text) > 1 :]) - said)
