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

from games.engine import AnyRules, Question, RuleViolation, SeatNumber, gettext_noop
from games.engine.errors import MALFORMED
from games.engine.phrases import MoveText, Notation, Phrase, SeatName
from games.engine.reading import Vocabulary, fold, names_to_read
from games.text.notation import localized
from games.text.phrases import render_phrase
from notifications.mail_parsing.courtesies import plain_line, without_courtesies

_PUNCTUATION: Final = re.compile(r"[,;:!،؛]|\.(?!\d)|(?<!\d)-(?!\d)|[(\[](?!\d)|(?<!\d)[)\]]")
_LEADING_NUMBER: Final = re.compile(r"^[(\[]?(\d+)[)\]]")
_BETWEEN_WORDS: Final = re.compile(r"[,:;،؛]|(?<=\s)-(?=\s)|\.(?!\d)")
_COINS: Final = re.compile(r"\b(\d+)\s*(?:coins?|سکه)(?!\w)")
_WORD: Final = re.compile(r"[^\W\d_]+")
_MOST_READINGS: Final = 64
_LONGEST: Final = 500
_SHORT: Final = 4
"""So few words with one of the notation among them may be a move that was mistyped."""

_FILLERS: Final = (
    "i, we, a, an, the, my, me, it, him, her, his, their, them, this, that, you, your, to, from, of, with, as, "
    "against, at, for, and, do, by, using, i'm, am, is, it's, so, have, have got, got, just, only, this time, "
    "too, also, can, would, like, want, go, go for, take, choose, try, court, now, again, then, turn, here, off, "
    "player, card, cards, player, seat, claim, action, will, please, i'll, i'd, من, را, از, به, با, علیه, ضد, "
    "برضد, برای, لطفا, کارت, کارت‌ها, که, این, آن, او, یک, و, صندلی, بازیکن, به‌عنوان, عنوان, در نقش, نقش, ادعا, "
    "ادعای, جان, فقط, فعلا, دارم, هستم, الان, حالا, دیگر, دیگه, هم, این بار, نوبت, بازم, باز هم, می‌خوام, می‌خواهم, "
    "کنم, می‌کنم, می‌گیرم, می‌دهم, کردن, گرفتن, دادن"
)
"""Words that change nothing in what a line means."""
_DENYING: Final = frozenset({"no", "not", "without", "never", "نداشتن", "نه", "بدون"})
"""Words that turn what stands beside them round: they are read in a whole label alone."""
_FILLER: Final = "~"
"""Begins the token of a word that names nothing."""

_FILLER_WORDS: Final = {each: _FILLER for each in map(str.strip, _FILLERS.split(",")) if each}


class OfferedMoves:
    """The answers that a question offers, as people write them."""

    def __init__(self, rules: AnyRules, state: Any, question: Question, names: Mapping[SeatNumber, str]) -> None:
        self.rules = rules
        self.state = state
        self.question = question
        self.seat_names = names
        self.names = names_to_read(names)
        self.moves = rules.legal_moves(state, question)

    def read(self, line: str) -> Any:
        """Return the move that a line means. RuleViolation where it means none, or may mean two."""
        forms = self._forms(line)
        for form in forms:
            if len(shown := self._shown.get(_compared(form), frozenset())) == 1:
                return self.moves[next(iter(shown))]
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
            raise violation

    def _forms(self, line: str) -> tuple[str, ...]:
        """A line without what no meaning hangs on, then without courtesies too, where those are no player's name."""
        plain = plain_line(line)
        bare = without_courtesies(plain)
        before, after = _compared(plain), _compared(bare)
        cut = any(name in before and name not in after for name in self.names)
        return (plain,) if cut or plain == bare else (plain, bare)

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
        moves = tuple(Phrase("%(move)s", {"move": MoveText(self.rules.text(move))}) for move in self.moves)
        return RuleViolation(MALFORMED, Phrase(sentence, {"written": Notation(line[:80]), "moves": moves}))

    @cached_property
    def _nameless_labels(self) -> list[tuple[str, ...]]:
        """The labels with seats in place of names: a name's words are nothing that a line may say besides."""
        return self._labels({})

    def _labels(self, names: Mapping[SeatNumber, str]) -> list[tuple[str, ...]]:
        """The labels of each move, in every language."""
        labels: list[tuple[str, ...]] = [()] * len(self.moves)
        for language, _ in settings.LANGUAGES:
            with override(language):
                for index, move in enumerate(self.moves):
                    labels[index] += (render_phrase(self.rules.words.label(move), names),)
        return labels

    @cached_property
    def _shown(self) -> dict[str, frozenset[int]]:
        """The moves by what is shown of them: number, notation, label, and these in a row."""
        found: dict[str, frozenset[int]] = {}
        for index, (move, labels) in enumerate(zip(self.moves, self._labels(self.seat_names), strict=True)):
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
        folded = _words(line)
        if not self.rules.vocabulary or folded[:1].isdigit():
            return set()
        tokens = self._vocabulary.tokens(folded, self.names if self._names_players else {})
        if not tokens:
            return set()
        verb_is_clear = len({text[0] for text in self._texts}) == 1 and not any(map(_is_name, tokens))
        ways = [token.removeprefix("seat ").split("|") for token in tokens]
        readings = list(zip(range(_MOST_READINGS), product(*ways), strict=False))
        return {index for _, reading in readings for index in self._named_by(reading, verb_is_clear)}

    def _named_by(self, reading: tuple[str, ...], verb_is_clear: bool) -> Iterator[int]:
        """Yield the moves that one reading of the words names; a verb that all answers have need not be said."""
        said = Counter(word for word in reading if word != _FILLER)
        verbs = [text[0] for text in self._texts]
        named = [
            index for index, text in enumerate(self._texts) if not said - Counter(text) - self._optional(index, said)
        ]
        whole = [index for index in named if not _missing(self._texts[index], said, verb_is_clear)]
        if whole:
            yield from whole
        else:
            yield from (index for index in named if said[verbs[index]] and verbs.count(verbs[index]) == 1)

    def _optional(self, index: int, said: Counter[str]) -> Counter[str]:
        """Return what may stand beside a move's notation: the other words of its labels, and its verb again."""
        verb, *others = self._texts[index]
        return Counter({word: said[word] for word in (*(self._label_tokens[index] - {*others}), verb)})

    @cached_property
    def _names_players(self) -> bool:
        """True where an answer is aimed at a player: elsewhere a player's name is no part of a move."""
        labels = (self.rules.words.label(move) for move in self.moves)
        return any(isinstance(value, SeatName) for label in labels for value in label.values.values())

    @cached_property
    def _texts(self) -> list[list[str]]:
        return [self.rules.text(move).split() for move in self.moves]

    @cached_property
    def _vocabulary(self) -> Vocabulary:
        """The game's words, the words of the labels, and those that change nothing."""
        labels = {word for labels in self._nameless_labels for label in labels for word in _label_words(label)}
        words = {word: f"{_FILLER}{word}" for word in labels}
        words |= _FILLER_WORDS
        return Vocabulary({**words, **{way: "|".join(meant) for way, meant in self.rules.vocabulary.items()}})

    @cached_property
    def _label_tokens(self) -> list[frozenset[str]]:
        """The tokens of each move's labels, without verbs and numbers."""
        verbs = {text[0] for text in self._texts}
        return [
            frozenset(
                token
                for label in labels
                for word in _label_words(label)
                for token in (self._vocabulary.tokens(word, {}) or ("",))[0].split("|")
                if token not in verbs and not token.isdigit()
            )
            for labels in self._nameless_labels
        ]


def resembles_move(rules: AnyRules, names: Mapping[str, SeatNumber], line: str) -> bool:
    """Return whether a line may be meant as a move of the game, offered or not: it says little but words of moves.

    So does a line that begins with a number, or a short one with any word of the notation.
    """
    text = _words(without_courtesies(plain_line(line[:_LONGEST])))
    notation = {way: way for way in rules.vocabulary}
    vocabulary = Vocabulary({**_FILLER_WORDS, **notation})
    if not rules.vocabulary or text[:1].isdigit() or vocabulary.tokens(text, names) is not None:
        return True
    words, verbs_and_cards = text.split(), Vocabulary(notation)
    return len(words) <= _SHORT and any(each in verbs_and_cards for each in words)


def _is_name(token: str) -> bool:
    return token.startswith("seat ")


def _compared(text: str) -> str:
    """``text`` as what is shown is compared; blank for a text that is shown in another order than it is written."""
    try:
        text = _LEADING_NUMBER.sub(r"\1 ", fold(plain_line(text)))
        return " ".join(_PUNCTUATION.sub(" ", text).split())
    except RuleViolation:
        return ""


def _words(line: str) -> str:
    """``line`` without the points between its words, each sum of coins one word."""
    return " ".join(_BETWEEN_WORDS.sub(" ", _COINS.sub(_coins, fold(line))).split())


def _coins(found: re.Match[str]) -> str:
    return "coins" + "".join(chr(ord("a") + int(digit)) for digit in found[1])


def _label_words(label: str) -> list[str]:
    return [word for word in _WORD.findall(_words(plain_line(label))) if word not in _DENYING]


def _missing(text: list[str], said: Counter[str], verb_is_clear: bool) -> bool:
    """Return whether words of a notation were not said, its verb perhaps left out."""
    return bool(Counter(text[verb_is_clear and len(text) > 1 :]) - said)
