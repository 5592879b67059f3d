"""Parser of sentences that consist of known words only, in both languages.

A kind of sentence has words that it needs, and words that may stand beside them in any order. Polite words (“please”,
“I’d like to”) may stand in every sentence. A sentence with another word is not read. Negations, conditions, the past
tense and other people are such words, so a sentence with one of them never acts.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import islice, takewhile
from typing import Final

from games.engine.reading import fold
from games.mail.reading.courtesies import NO_NAMES
from games.mail.reading.periods import VALUES

_POLITE: Final = (
    "please|pls|plz|i|we|me|us|to|the|a|an|of|for|and|just|now|right now|currently|at the moment|from now on|my|mine"
    "|our|i'm|im|i am|we're|we are|i'll|i will|we'll|in|on|into|with|also|so|then|at|all"
    "|لطفا|بی زحمت|خواهشا|من|منو|مرا|ما|را|رو|و|به|از|در|تو|توی|برای|برا|برایم|برام|بهم|ی|یه|یک|الان|حالا"
    "|همه|همه ی|همه‌ی|واسه|هم|که|با"
    "|این|از این به بعد|لطف *کن"
)
_WISHES: Final = (
    "want|want to|want you to|would like you to|i'd like you to"
    "|need|need to|would like|would like to|i'd like|i'd like to|we'd like|we'd like to|i'd love"
    "|i'd love to|we'd love|would love|would love to|wish to|have to|going to|gonna|wanna|fancy|feel like"
    "|let me|let us|let's|lets"
    "|می خواهم|می خوام|می خواهیم|می خوایم|دوست دارم|مایلم|دلم می خواد|بذار|بگذار|بگذارید|قصد دارم|بیا|بیایید|بیاین"
)
_REQUESTS: Final = (
    "can you|could you|would you|will you|می شه|می شود|می تونی|می تونید|می تونین|می توانید|می توانی|ممکنه|ممکن است"
    "|امکانش هست"
)
_MAY_I: Final = "can i|can we|could i|could we|may i|may we|shall we|می تونم|می توانم|می تونیم|می توانیم"
"""Words of a wish (“Can we play?”) that may also be a real question."""

_STEMS: Final[Mapping[str, str]] = {
    "ده": "ده د", "رو": "رو ر", "گو": "گو گوی گ", "ا": "یا ا", "شو": "شو ش", "گذار": "گذار ذار", "انداز": "انداز نداز",
    "آور": "آور یار ار",
}  # fmt: skip
"""The stems of irregular Persian verbs, in writing and in speech."""
_ENDINGS: Final = (
    "",
    "م",
    "مو",
    "مون",
    "ی",
    "ای",
    "ام",
    "یم",
    "یی",
    "های",
    "هام",
    "هامو",
    "هایم",
    "هایی",
    "ها",
    "هامون",
)
_PARTED: Final = re.compile(r"\b(ن?می|بی|هم) (?=\w)|(?<=\w) (?=ها(?:ی|م|مو|یم|یی|مون)?\b)")
"""Blanks within Persian words, which people write or leave out."""
_WISHED: Final = "!"
_REQUESTED: Final = "?"
"""The marks of phrases that are no wish by themselves."""
_SUBJECTS: Final = ("i", "we", "i'll", "we'll")
_IMPERATIVES: Final = frozenset({"write", "send", "get", "receive", "give", "tell", "show", "have", "do"})
"""Verbs that make a statement behind “I”: “I get emails daily”, “We have a new game”."""
_WE: Final = "یم"
"""The ending of verbs that propose something: «بازی کنیم؟»."""
_ARTICLES: Final = ("a", "an", "the", "my", "our", "this")
"""Words that never stand before a code: “the year” in “rematch of the year” is none."""
_OBJECT_MARKS: Final = ("را", "رو")
_PREPOSITIONS: Final = ("to", "به")
"""Words between a verb and a name."""
_MOST_NAME_WORDS: Final = 3
_MOST_WORDS: Final = 40
_LONGEST_PHRASE: Final = 6
_BREAKS: Final = re.compile(r"[,،;؛!()\s]+|[.:](?=\s|$)|(?<=\s)[-–](?=\s)")
_QUESTION_MARK: Final = re.compile(r"\s*[?؟]+$")
_PLACES: Final = 0xE000
"""The first of the private characters that stand for values. No text may have them."""
_PLACE: Final = re.compile("[\ue000-\uf8ff]")
_WORD: Final = re.compile(r"\s*([^\s,،.:;!]+)[.:;!]*(?=[\s,،]|$)")
_CODE: Final = re.compile(r"[a-z0-9]{4}|[a-z0-9]{12}")


def join_words(text: str) -> str:
    """Return a folded text without blanks within Persian words."""
    return _PARTED.sub(lambda match: match[1] or "", text)


def _verb_forms(stem: str) -> Iterator[tuple[str, str]]:
    """Yield the forms of a Persian verb that ask for something, and the mark of each form."""
    for part in _STEMS.get(stem, stem).split():
        for start in ("", "ب") if len(part) > 1 else ("ب",):
            yield from ((f"{start}{part}{end}", "") for end in ("ید", "ین", "یم"))
            yield f"{start}{part}م", _WISHED
            yield f"{start}{part}ی", _REQUESTED
            if len(part) > 1:
                yield f"{start}{part}", ""
        yield from ((f"می{part}{end}", "") for end in ("م", "یم"))


def _forms(phrase: str) -> Iterator[tuple[str, str]]:
    """Yield the spellings of a phrase, and the mark of each spelling."""
    before, star, rest = phrase.partition("*")
    if star:
        stem, blank, after = rest.partition(" ")
        yield from ((f"{before}{form}{blank}{after}", mark) for form, mark in _verb_forms(stem))
    elif phrase.endswith("+"):
        yield from ((phrase[:-1] + ending, "") for ending in _ENDINGS)
    else:
        yield phrase.rstrip(_WISHED), phrase[-1:] if phrase.endswith(_WISHED) else ""


@dataclass(frozen=True)
class Phrases:
    """Phrases with one meaning in a kind of sentence."""

    all: frozenset[str]
    wished: frozenset[str]
    """The phrases that need a wish beside them: «بسازم» alone is “Shall I make …”, “I get” alone is a complaint."""
    requested: frozenset[str]
    """The phrases that need a wish or a request beside them: «بسازی» alone is “You make …”."""


@lru_cache(maxsize=512)
def phrases(words: str) -> Phrases:
    """Return the phrases of a list with bars.

    ``*`` stands before a Persian verb, ``+`` behind a Persian noun, and ``!`` behind a word that needs a wish.
    """
    marks: dict[str, str] = {}
    for phrase in filter(None, map(str.strip, words.split("|"))):
        for text, mark in _forms(phrase):
            form = join_words(fold(text))
            marks[form] = min(mark, marks.get(form, mark))
    by_mark = (frozenset(text for text in marks if marks[text] == mark) for mark in (_WISHED, _REQUESTED))
    return Phrases(frozenset(marks), *by_mark)


def merge(*parts: Phrases) -> Phrases:
    """Return the phrases of several lists. A phrase keeps its mark if it has it in each list."""
    certain = frozenset[str]().union(*(part.all - part.wished - part.requested for part in parts))
    wished, requested = (
        frozenset[str]().union(*(getattr(part, name) for part in parts)) - certain for name in ("wished", "requested")
    )
    return Phrases(frozenset[str]().union(*(part.all for part in parts)), wished, requested)


_ALWAYS: Final = phrases(f"{_POLITE}|{_WISHES}|{_REQUESTS}").all
WISHES: Final = phrases(_WISHES).all
_UNWANTED: Final = phrases("نمی خواهم|نمی خوام|نمی خواهیم|نمی خوایم").all
"""Wishes that something ends. They stand beside the words that end it."""
REQUESTS: Final = phrases(_REQUESTS).all
MAY_I: Final = phrases(_MAY_I).all


@dataclass(frozen=True)
class Sentence:
    """The words of a folded line, with private characters in the places of its values."""

    words: tuple[str, ...]
    values: Mapping[str, tuple[str, re.Match[str]]]
    """The kind and the match of each value, by its character."""
    is_question: bool

    @cached_property
    def distinct(self) -> frozenset[str]:
        """The words in any order."""
        return frozenset(self.words)


def split_sentence(folded: str) -> Sentence | None:
    """Return the words of a folded line, or None if it is too long, or has more than one sentence and a question."""
    text, is_question = asks(join_words(folded))
    if _PLACE.search(text) or "?" in text or "؟" in text:
        return None
    values: dict[str, tuple[str, re.Match[str]]] = {}

    def place(kind: str, match: re.Match[str]) -> str:
        character = chr(_PLACES + len(values))
        values[character] = (kind, match)
        return f" {character} "

    for kind, pattern in VALUES:
        text = pattern.sub(partial(place, kind), text)
    words = tuple(word for word in _BREAKS.split(text) if word)
    return Sentence(words, values, is_question) if len(words) <= _MOST_WORDS else None


@dataclass(frozen=True)
class Reading:
    """A sentence that was read as one kind."""

    phrases: frozenset[str]
    values: Mapping[str, tuple[re.Match[str] | str, ...]]
    """The values by their kinds: matches, and the texts of codes and titles."""


@dataclass(frozen=True)
class Kind:
    """A kind of sentence."""

    needs: tuple[str, ...]
    """Lists of phrases. The sentence has at least one phrase of each list."""
    may: str = ""
    """A list of other phrases that the sentence may have."""
    values: tuple[str, ...] = ()
    """The kinds of values that the sentence may have. A kind that is named twice may occur twice. A kind that begins
    with ``!`` is needed.
    """
    asks: str = "request"
    """The questions that count as this command: “any”, “proposal” (“Can we …?”, too) or “request” (“Could you …?”)."""

    @cached_property
    def _needed(self) -> tuple[Phrases, ...]:
        return tuple(map(phrases, self.needs))

    @cached_property
    def first_words(self) -> tuple[frozenset[str], ...]:
        """The first words of the phrases of each list that is needed."""
        return tuple(frozenset(text.split(" ", 1)[0] for text in need.all) for need in self._needed)

    @cached_property
    def _phrases(self) -> Phrases:
        asking = MAY_I if self.asks != "request" else frozenset[str]()
        always = Phrases(_ALWAYS | asking, frozenset(), frozenset())
        return merge(always, phrases(self.may), *self._needed)

    def read(self, sentence: Sentence, titles: Mapping[str, str]) -> Reading | None:
        """Return the parts of a sentence of this kind, or None if it is of another kind."""
        if any(map(sentence.distinct.isdisjoint, self.first_words)):
            return None
        parts: list[str] = []
        values: dict[str, tuple[re.Match[str] | str, ...]] = {}
        value: re.Match[str] | str
        at = 0
        while at < len(sentence.words):
            word = sentence.words[at]
            if phrase := longest(sentence.words[at : at + _LONGEST_PHRASE], self._phrases.all):
                if is_statement(parts, phrase):
                    return None
                parts.append(phrase)
                at += phrase.count(" ") + 1
                continue
            if title := longest(sentence.words[at : at + _LONGEST_PHRASE], titles):
                kind, value = "title", titles[title]
                at += title.count(" ")
            elif word in sentence.values:
                kind, value = sentence.values[word]
            elif "name" in self._value_kinds:
                name = self._name_at(sentence.words, at, parts)
                kind, value = "name", name
                at += name.count(" ")
            elif _CODE.fullmatch(word) and word not in NO_NAMES and sentence.words[at - 1] not in _ARTICLES:
                kind, value = "code", word
            else:
                return None
            if not value:
                return None
            values[kind] = (*values.get(kind, ()), value)
            at += 1
        reading = Reading(frozenset(parts), values)
        return reading if self._allows(reading) and self._is_wanted(reading, sentence) else None

    def _name_at(self, words: Sequence[str], at: int, parts: Sequence[str]) -> str:
        """Return the name between some words, or a blank text.

        A name in Latin letters ends the sentence or stands before polite words, and stands behind a verb. Before a
        Persian verb, it has an ending of its own: «کاوه را مسدود کن».
        """
        run = takewhile(
            lambda word: word not in self._first_words and word not in NO_NAMES and word.isalpha(), words[at:]
        )
        name = list(islice(run, _MOST_NAME_WORDS + 1))
        after = words[at + len(name) : at + len(name) + 1]
        verbs = phrases(self.may).all.union(*(need.all for need in self._needed))
        before = parts[:-1] if parts and parts[-1] in _PREPOSITIONS else parts
        is_behind = bool(before) and before[-1] in verbs
        ends = frozenset(_OBJECT_MARKS).union(*self.first_words)
        is_object = bool(after and name) and not name[0].isascii() and after[0] in ends
        if not name or len(name) > _MOST_NAME_WORDS or not (is_behind or is_object):
            return ""
        return " ".join(name)

    @cached_property
    def _first_words(self) -> frozenset[str]:
        return frozenset(text.split(" ", 1)[0] for text in self._phrases.all)

    @cached_property
    def _value_kinds(self) -> frozenset[str]:
        return frozenset(kind.removeprefix("!") for kind in self.values)

    def _allows(self, reading: Reading) -> bool:
        allowed = [kind.removeprefix("!") for kind in self.values]
        needed = {kind[1:] for kind in self.values if kind.startswith("!")}
        return (
            not any(map(reading.phrases.isdisjoint, (need.all for need in self._needed)))
            and needed <= reading.values.keys()
            and all(len(values) <= allowed.count(kind) for kind, values in reading.values.items())
        )

    def _is_wanted(self, reading: Reading, sentence: Sentence) -> bool:
        return is_wanted(reading.phrases, self._phrases, self.asks, is_question=sentence.is_question)


def is_wanted(parts: frozenset[str], vocabulary: Phrases, asks: str, *, is_question: bool) -> bool:
    """Return whether a sentence with these phrases is a request, rather than a complaint or a real question."""
    if asks == "any":
        return True
    may_ask = REQUESTS | MAY_I if asks == "proposal" else REQUESTS
    wishes = WISHES | _UNWANTED | (may_ask if asks == "proposal" else frozenset())
    if (parts & vocabulary.wished and parts.isdisjoint(wishes)) or (
        parts & vocabulary.requested and parts.isdisjoint(wishes | REQUESTS)
    ):
        return False
    if not is_question or not parts.isdisjoint(may_ask):
        return True
    return asks == "proposal" and any(part.endswith(_WE) for part in parts)


def is_statement(parts: Sequence[str], phrase: str) -> bool:
    """Return whether a phrase makes a statement with the phrase before it: “I get”."""
    return bool(parts) and parts[-1] in _SUBJECTS and phrase in _IMPERATIVES


def asks(folded: str) -> tuple[str, bool]:
    """Return a line without question marks at its end, and whether it had one."""
    text = _QUESTION_MARK.sub("", folded)
    return text, text != folded


def polite_phrase(text: str, vocabulary: Phrases) -> tuple[str, int]:
    """Return the longest polite or known phrase at the beginning of a text, and its length. Blank and 0 if none."""
    words = list(islice(_WORD.finditer(text), _LONGEST_PHRASE))
    phrase = longest([word[1] for word in words], _ALWAYS | MAY_I | vocabulary.all)
    return phrase, words[phrase.count(" ")].end() if phrase else 0


def longest(words: Sequence[str], vocabulary: frozenset[str] | Mapping[str, str]) -> str:
    """Return the longest known phrase at the beginning of some words, or a blank text."""
    lengths = range(min(len(words), _LONGEST_PHRASE), 0, -1)
    return next((phrase for length in lengths if (phrase := " ".join(words[:length])) in vocabulary), "")
