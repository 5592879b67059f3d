"""Parser of a line as one of the answers that a question offers.

A line is compared with the number, notation and labels of the answers in all languages, then parsed by the game's
grammar, then read word by word: all words must be known and must name exactly one answer.
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
from games.engine.phrases import Notation, Phrase, as_written
from games.engine.reading import Vocabulary, fold, names_to_read, with_suggestion
from games.engine.validation import MALFORMED
from games.mail.reading.answer_words import FILLER, FILLER_WORDS, AnswerWords, leaves_only, number_in_words, words_of
from games.mail.reading.courtesies import cache_short_lines, plain_line, says_nothing, without_courtesies
from games.mail.reading.trailing_text import (
    PRONOUNS,
    ClaimedCard,
    find_claimed_card,
    is_courtesy,
    is_idle,
    sender_names,
)
from games.phrases import localized

_PUNCTUATION: Final = re.compile(r"[,;:!،؛]|(?<=\s)=(?=\s)|\.(?!\d)|(?<!\d)-(?!\d)|[(\[](?!\d)|(?<!\d)[)\]]")
_SENTENCES: Final = re.compile(r"(?<=\w)[.!]+\s+")
_LEADING_NUMBER: Final = re.compile(r"^[(\[]?(\d+)[)\]]")
_STRETCHED: Final = re.compile(r"([^\W\d_])\1{2,}")
_NOT_MEANT: Final = re.compile(
    r"\b(?:doubt|believe|trust|buy|like|way)(?: that| if| whether)? (?:i|we)(?:'?(?:d|ll|m|ve|re))?\b"
    r"|\bno way \w+ ha(?:s|ve) to\b"
    r"|(?:^|\b(?:want|like|ask|asking) )(?:you|him|her|them) to\b"
    r"|^have (?:i|we|you|they)\b"
    r"|^(?:can|could|may|do|did|should|shall|would|will|is|am|are) (?:i|we|you|he|she|they|this|that|it)\b"
)
"""Words before a move that its writer does not want: “I doubt I’d challenge”, “No way she has to allow”. The same holds
for questions, such as “Can I challenge”, and for wishes about another player: “I want you to pass”."""
_MOST_READINGS: Final = 64
_LONGEST: Final = 500
_THEM: Final = "them"
_REACTION: Final = "reaction"
_ENOUGH: Final = 2
"""The number of words that name an answer without its verb, such as the character and the coins."""
_SHORT: Final = 4
"""The most words, at least one of them of the notation, that may be a mistyped move."""


class OfferedMoves:
    """The answers that a question offers, and the ways in which players write them."""

    def __init__(self, rules: AnyRules, state: Any, question: Question, names: Mapping[SeatNumber, str]) -> None:
        self.rules = rules
        self.state = state
        self.question = question
        self.seat_names = names
        self.names = names_to_read(names)
        self.moves = rules.legal_moves(state, question)
        self.words = AnswerWords(rules, state, question, self.moves)

    def read(self, line: str) -> Any:
        """Return the move that a line means. Raises RuleViolation if it means none or may mean two."""
        forms = self._forms(line)
        for form in forms:
            if len(indices := self._by_text.get(_normalized(form), frozenset())) == 1:
                return self.moves[next(iter(indices))]
            if (number := self._number_in_words(form)) is not None:
                return self.moves[number - 1]
        try:
            return self._parse(line)
        except RuleViolation as violation:
            for form in forms:
                candidates = self._named_moves(form)
                if len(candidates) == 1:
                    return self.moves[candidates.pop()]
                if candidates:
                    raise self._ambiguous(line) from None
                if (parsed := self._parsed(form)) is not None:
                    return parsed
            if (default := self._default_left(forms)) is not None:
                return default
            raise self._with_suggestion(violation, forms) from None

    def _with_suggestion(self, violation: RuleViolation, forms: tuple[str, ...]) -> RuleViolation:
        """Return the error with the offered move that a line with typing errors seems to mean, if there is one."""
        if "nearest" in violation.phrase.values:
            return violation
        for form in forms:
            corrected = self.words.vocabulary.corrected(words_of(form), self._names_and_genitives)
            if len(indices := self._named_moves(corrected)) == 1:
                return with_suggestion(violation, self.rules.text(self.moves[indices.pop()]))
        return violation

    def is_aside(self, move: Any, clause: str) -> bool:
        """Return whether a clause beside a move changes nothing: an address, a fitting claim or an idle phrase."""
        text = fold(without_courtesies(plain_line(clause)))
        if says_nothing(clause) or is_idle(text):
            return True
        verb, *arguments = self.rules.text(move).split()
        if (seat := self.names.get(text)) is not None:
            return seat in self.words.actors or (self.words.names_players and str(seat) in arguments)
        cards = self.words.claims_of(move).union(argument for argument in arguments if not argument.isdigit())
        claim = find_claimed_card(text)
        if claim is None or (claim.is_denied and self._one_word(claim.card) & self._rivals(verb)):
            return False
        return self._agrees(verb, cards, claim)

    def _rivals(self, verb: str) -> frozenset[str]:
        """Return the words of other answers: “Tax… no, income” and “Captain, no contessa” may be corrections."""
        arguments = {word for text in self.words.texts if text[0] == verb for word in text[1:]}
        return frozenset(self.words.verbs | arguments)

    def _agrees(self, verb: str, cards: frozenset[str], claim: ClaimedCard) -> bool:
        """Return whether a claim supports a move, or contradicts only other moves."""
        if claim.card in PRONOUNS:
            return bool(cards) and not claim.is_denied
        meanings = self._one_word(claim.card) or self._one_word(claim.card.removesuffix("s"))
        if not meanings:
            return False
        supports_move = not meanings.isdisjoint({verb, *cards})
        if claim.is_denied:
            return not supports_move
        return supports_move or (claim.is_plural and not cards and verb != self._default)

    def _one_word(self, text: str) -> frozenset[str]:
        """Return the meanings of a single word of the notation, or nothing for other text."""
        tokens = [token for token in self.words.vocabulary.tokens(words_of(text), {}) or () if token != FILLER]
        is_word = len(tokens) == 1 and not tokens[0].startswith(FILLER) and not tokens[0].isdigit()
        return frozenset(tokens[0].split("|")) if is_word else frozenset()

    def _forms(self, line: str) -> tuple[str, ...]:
        """Return a line without markup, and without courtesies unless these are a player's name."""
        plain = plain_line(line)
        bare = without_courtesies(plain)
        before, after = _normalized(plain), _normalized(bare)
        cut = any(name in before and name not in after for name in self.names)
        forms = (plain,) if cut else (plain, bare)
        return tuple(dict.fromkeys((*forms, *(_STRETCHED.sub(r"\1", form) for form in forms))))

    def _number_in_words(self, form: str) -> int | None:
        """Return the number that a line names in words, unless a player has such a name."""
        text = _normalized(form)
        number = None if any(name in text for name in self.names) else number_in_words(text)
        return number if number and number <= len(self.moves) else None

    def _default_left(self, forms: tuple[str, ...]) -> Any | None:
        """Return the default move of a reaction if a line denies all other answers."""
        verb, verbs = self._default, self.words.verbs
        if verb not in verbs or self.rules.paces.get(self.question.kind, _REACTION) != _REACTION:
            return None
        is_denied = any(
            leaves_only(self._about_actor(fold(form)), verb, verbs - {verb}, self._verbs_of) for form in forms
        )
        return next(move for move in self.moves if self.rules.text(move) == verb) if is_denied else None

    @cached_property
    def _asks_another(self) -> re.Pattern[str]:
        """A pattern of words that tell another player to move: “You can challenge”, “Challenge me”, “Trust me”."""
        verbs, vocabulary = self.words.verbs, self.rules.vocabulary
        words = (word for word in vocabulary if word.isalpha() and verbs.intersection(vocabulary[word]))
        # “Show me” is a challenge.
        before_me = "|".join(word for word in words if f"{word} me" not in vocabulary)
        actions = "|".join(map(re.escape, verbs))
        return re.compile(
            rf"^(?:please )?(?:you|he|she|they) (?:(?:can|will|would|want to) )?(?:{actions})\b|\b(?:{before_me}) me\b"
        )

    @cached_property
    def _default(self) -> str:
        """The notation of the default move, or a blank text if it is drawn at random."""
        try:
            return self.rules.text(self.rules.default_move(self.state, self.question, ScriptedChance()))
        except ValueError:
            return ""

    def _verbs_of(self, text: str) -> set[str]:
        """Return the verbs that a piece of text may mean if it has no other meaning."""
        tokens = [token for token in self.words.vocabulary.tokens(words_of(text), {}) or () if token != FILLER]
        verbs = self.words.verbs
        return verbs.intersection(*(token.split("|") for token in tokens)) if tokens else set()

    def _parse(self, line: str) -> Any:
        return self.rules.parse(self.state, self.question, line, self.names)

    def _parsed(self, line: str) -> Any | None:
        """Return the move that the game's grammar parses, or None."""
        try:
            return self._parse(line)
        except RuleViolation:
            return None

    def _ambiguous(self, line: str) -> RuleViolation:
        sentence = gettext_noop("“%(written)s” fits several moves. You can answer: %(moves)s.")
        moves = tuple(as_written(self.rules.text(move)) for move in self.moves)
        return RuleViolation(MALFORMED, Phrase(sentence, {"written": Notation(line[:80]), "moves": moves}))

    @cached_property
    def _by_text(self) -> dict[str, frozenset[int]]:
        """The indexes of the moves by the texts that show them: number, notation, label, or these in this order."""
        moves: dict[str, frozenset[int]] = {}
        for index, (move, labels) in enumerate(zip(self.moves, self.words.labels(self.seat_names), strict=True)):
            notations = self._notations(move)
            pairs = (f"{notation} {label}" for notation, label in product(notations, labels))
            for shown_text in (*notations, *labels, *pairs):
                for text in (shown_text, f"{index + 1} {shown_text}"):
                    moves[_normalized(text)] = moves.get(_normalized(text), frozenset()) | {index}
        return moves | {str(number): frozenset({number - 1}) for number in range(1, len(self.moves) + 1)}

    def _notations(self, move: Any) -> set[str]:
        """Return the notation of a move in all languages."""
        notations = set()
        for language, _ in settings.LANGUAGES:
            with override(language):
                notations.add(localized(self.rules, self.rules.text(move)))
        return notations

    def _named_moves(self, line: str) -> set[int]:
        """Return the indexes of the moves that the words of a line name.

        The set is empty if a word is unknown, if the line begins with a number, or if it says what its writer does not
        want.
        """
        if any(map(self._says_something_else, _SENTENCES.split(line))):
            return set()
        folded = words_of(self._about_actor(fold(line)))
        if not self.rules.vocabulary or folded[:1].isdigit():
            return set()
        if _NOT_MEANT.search(folded) or self._asks_another.search(folded):
            return set()
        tokens = self.words.vocabulary.tokens(folded, self._names_and_genitives if self.words.names_players else {})
        if not tokens:
            return set()
        verb_is_clear = len(self.words.verbs) == 1 and not any(map(_is_name, tokens))
        alternatives = [token.removeprefix("seat ").split("|") for token in tokens]
        readings = list(zip(range(_MOST_READINGS), product(*alternatives), strict=False))
        return {index for _, reading in readings for index in self._named_by(reading, verb_is_clear)}

    def _says_something_else(self, sentence: str) -> bool:
        """Return whether a sentence has only filler words but is no courtesy: “Ask me again” beside “Allow”."""
        tokens = self.words.vocabulary.tokens(words_of(fold(sentence)), {}) or ()
        return (
            bool(tokens)
            and {*tokens} == {FILLER}
            and not is_courtesy(sentence, sender_names((), self.seat_names.values()))
        )

    def _named_by(self, reading: tuple[str, ...], verb_is_clear: bool) -> Iterator[int]:
        """Yield the indexes of the moves that these words name. A verb that all answers share may be missing."""
        words = Counter(word for word in reading if word != FILLER)
        verbs = [text[0] for text in self.words.texts]
        candidates = [
            index
            for index, text in enumerate(self.words.texts)
            if not words - Counter(text) - self._optional(index, words)
        ]
        complete = [index for index in candidates if not _missing(self.words.texts[index], words, verb_is_clear)]
        if complete:
            yield from complete
        elif by_verb := [index for index in candidates if words[verbs[index]] and verbs.count(verbs[index]) == 1]:
            yield from by_verb
        elif len(words) >= _ENOUGH:
            yield from (index for index in candidates if len(self.words.texts[index]) == 1)

    def _optional(self, index: int, words_of_line: Counter[str]) -> Counter[str]:
        """Return the words that may stand beside a move's notation: other words of its labels, and its verb again."""
        verb, *others = self.words.texts[index]
        beside = (self.words.label_tokens[index] | self.words.claims[index]) - {*others}
        return Counter({word: words_of_line[word] for word in (*beside, verb)})

    def _about_actor(self, folded: str) -> str:
        """Replace the names of the question's actors with “them”, if no answer is aimed at a player."""
        actors = () if self.words.names_players else self.words.actors
        for name, seat in self.names.items():
            if seat in actors:
                folded = re.sub(rf"(?<!\w){re.escape(name)}(?:'s)?(?!\w)", _THEM, folded)
        return folded

    @cached_property
    def _names_and_genitives(self) -> Mapping[str, SeatNumber]:
        """The players' names, and their genitives."""
        return {**self.names, **{f"{name}'s": seat for name, seat in self.names.items()}}


def resembles_move(rules: AnyRules, names: Mapping[str, SeatNumber], line: str) -> bool:
    """Return whether a line may be meant as a move of the game, offered or not.

    This is so for a line that begins with a number, that has only filler words and words of moves, or that is short and
    has a word of the notation.
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


# The texts of the offered moves are compared with every part of an email.
@cache_short_lines
def _normalized(text: str) -> str:
    """Return a text in the form in which texts are compared, or a blank text if it overrides the direction of
    writing.
    """
    try:
        text = _LEADING_NUMBER.sub(r"\1 ", fold(plain_line(text)))
        return " ".join(_PUNCTUATION.sub(" ", text).split())
    except RuleViolation:
        return ""


def _missing(text: list[str], words: Counter[str], verb_is_clear: bool) -> bool:
    """Return whether words of a notation are missing. Its verb may be left out if it is clear."""
    return bool(Counter(text[verb_is_clear and len(text) > 1 :]) - words)
