"""Reading notation as people write it. The reader accepts many spellings, but never guesses.

A game supplies its vocabulary: every way to write a word, and the canonical form of the word. The text is then compared
with the canonical texts of the legal moves, so only legal moves can be understood.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from functools import cached_property, lru_cache, partial
from pathlib import Path
from typing import Any, Final, TypeVar, get_args
from unicodedata import digit

import msgspec

from games.engine.forms import AnswerForm, NumberSlot, fill, forms_of, written_so
from games.engine.phrases import Notation, Phrase, Value, as_written, fold_letters, gettext_noop
from games.engine.types import Move, Question, SeatNumber
from games.engine.validation import ILLEGAL, MALFORMED, RuleViolation

M = TypeVar("M", bound=Move)

_OVERRIDES: Final = re.compile("[\u202d\u202e]")
_WITHIN: Final = re.compile(r"[\s\-\u200c]+")
_PART: Final = re.compile(r"[^\s\-\u200c]+")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?(?!\w)")
_POINTS: Final = re.compile("[,;:،؛]")
_LONGEST: Final = 500
_ORDINAL: Final = re.compile(r"(\d+)(?:st|nd|rd|th)")
_MISTYPED: Final = re.compile(r"[^\W\d_]{4,}")
_MOST_CORRECTED: Final = 6
"""The most words of a text in which typing errors are looked for. Longer texts are seldom moves."""
_SIMILARITY: Final = 0.75
"""The least similarity of a mistyped word to the word that was probably meant, from 0 to 1 (see ``difflib``)."""


def fold(text: str) -> str:
    """Return a text with one case, one form of each letter and digit, single blanks, and no invisible marks.

    Raises RuleViolation(malformed) if the text is displayed in another order than it is stored.
    """
    if _OVERRIDES.search(text):
        raise RuleViolation(
            MALFORMED,
            Phrase(
                gettext_noop("This line is displayed in a different order from how it’s written. Please type it again.")
            ),
        )
    return fold_letters(text)


def _squeezed(text: str) -> str:
    return _WITHIN.sub("", text)


@lru_cache(maxsize=8192)
def _folded_word(word: str) -> str:
    return _squeezed(fold(word))


class Vocabulary:
    """The words of a game's notation.

    ``words`` maps each way to write a word to its canonical form. Within a word, a half-space, a hyphen and a blank may
    be exchanged or left out.
    """

    def __init__(self, words: Mapping[str, str]) -> None:
        self._aliases = tuple(words)
        self._canonical = {_folded_word(alias): canonical for alias, canonical in words.items()}
        self._pattern = _pattern(self._aliases)

    @classmethod
    def of(cls, words: Mapping[str, str], also: Mapping[str, str] = {}) -> "Vocabulary":
        """Return the vocabulary of a notation with its translations, and other ways to write some of the words."""
        return cls(
            {**{word: word for word in words}, **{translation: word for word, translation in words.items()}, **also}
        )

    def __contains__(self, text: str) -> bool:
        """Return whether a folded text is a word of the notation."""
        return _squeezed(text) in self._canonical

    def corrected(self, text: str, names: Collection[str]) -> str:
        """Return a folded text with the most similar words or names in place of unknown words.

        The result may be suggested, but must never be played.
        """
        if len(_WITHIN.split(text)) > _MOST_CORRECTED:
            return text
        known_words = self._parts.union(*map(str.split, names))
        return _PART.sub(lambda word: _corrected_word(word[0], known_words), text)

    @cached_property
    def _parts(self) -> frozenset[str]:
        """The folded parts of all words: “foreign” and “aid” of “foreign-aid”."""
        return frozenset(part for alias in self._aliases for part in _WITHIN.split(fold(alias)))

    def tokens(self, text: str, names: Mapping[str, SeatNumber]) -> tuple[str, ...] | None:
        """Return a folded text as canonical tokens, with player names as ``seat <n>``, or None for unknown words."""
        names_pattern = _pattern(tuple(names)) if names else None
        tokens: list[str] = []
        at = 0
        while at < len(text):
            if text[at] == " ":
                at += 1
            elif text[at] == "/" and tokens and text[at + 1 : at + 2].strip():
                tokens.append("/")
                at += 1
            elif names_pattern and (match := names_pattern.match(text, at)):
                tokens.append(f"seat {names[match.group()]}")
                at = match.end()
            elif match := self._pattern.match(text, at) or _NUMBER.match(text, at):
                tokens.append(self._canonical.get(_squeezed(match.group()), match.group()))
                at = match.end()
            else:
                return None
        return _joined(tokens)


# A line of an email is tried several times. The cache is small, because its keys hold all known words.
@lru_cache(maxsize=64)
def _corrected_word(word: str, known_words: frozenset[str]) -> str:
    if word in known_words:
        return word
    if ordinal := _ORDINAL.fullmatch(word):
        return ordinal[1]
    if len(word) == 1 and word.isdigit():
        return str(digit(word))  # such as ②
    if not _MISTYPED.fullmatch(word):
        return word
    # The first letter is rarely wrong, but it may have changed places with the second one.
    if (swapped := f"{word[1]}{word[0]}{word[2:]}") in known_words:
        return swapped
    candidates = sorted(candidate for candidate in known_words if candidate.startswith(word[0]))
    return next(iter(get_close_matches(word, candidates, 1, _SIMILARITY)), word)


@lru_cache(maxsize=256)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted((re.sub(r"[\-\u200c]", " ", word) for word in words), key=len, reverse=True)
    ways = (r"[\s\-]*".join(re.escape(fold(part)) for part in word.split()) for word in longest_first)
    return re.compile(f"(?:{'|'.join(ways)})(?!\\w)")


def _joined(tokens: list[str]) -> tuple[str, ...]:
    """Return the tokens with each ``a / b`` joined to one token."""
    joined: list[str] = []
    for token in tokens:
        if token == "/" or (joined and joined[-1].endswith("/")):
            joined[-1] += token
        else:
            joined.append(token)
    return tuple(joined)


def read_move(
    answer: str,
    moves: Sequence[M],
    text: Callable[[M], str],
    vocabulary: Vocabulary,
    names: Mapping[str, SeatNumber],
    why_illegal: Callable[[Sequence[str]], Phrase | None] = lambda words: None,
    also: Sequence[Phrase] = (),
) -> M:
    """Return the one legal move that ``answer`` means.

    The reader understands the number of an offered answer, the canonical text with the words after the verb in any
    order and with names instead of seats, and a verb alone if only one legal move has it. For anything else it raises a
    RuleViolation that lists the legal moves and ``also``: ``malformed`` if the text cannot be read, ``illegal`` if the
    move is not legal, with the reason from ``why_illegal``.
    """
    # A canonical text always means its own move, even if a player's name contains the same words: an account may be
    # older than a game. Checking this first also reads the moves of programs four to nine times as fast.
    for move in moves:
        if text(move) == answer:
            return move
    listed = [text(move) for move in moves]
    offered = [*map(as_written, listed), *also]
    folded = fold(answer[:_LONGEST])
    if folded.isascii() and folded.isdigit():
        if 1 <= int(folded) <= len(moves):
            return moves[int(folded) - 1]
        raise _refused(
            ILLEGAL, gettext_noop("There’s no answer number %(written)s. You can answer: %(moves)s."), answer, offered
        )
    if names and (literal := matching_move(vocabulary.tokens(folded, {}) or (), moves, text)) is not None:
        return literal
    tokens = vocabulary.tokens(folded, names)
    if not tokens:
        raise _refused(
            MALFORMED,
            gettext_noop("We can’t read “%(written)s” as a move. You can answer: %(moves)s."),
            answer,
            offered,
        )
    if (exact := matching_move(tokens, moves, text)) is not None:
        return exact
    same = [move for move, form in zip(moves, listed, strict=True) if form.split()[0] == tokens[0]]
    if len(tokens) > 1 or not same:
        raise illegal_move(answer, offered, why_illegal(tokens))
    if len(same) > 1:
        sentence = gettext_noop("“%(written)s” fits several moves. You can answer: %(moves)s.")
        raise _refused(MALFORMED, sentence, answer, offered)
    return same[0]


def read_filled(
    answer: str,
    moves: Sequence[M],
    forms: Sequence[AnswerForm],
    vocabulary: Vocabulary,
    names: Mapping[str, SeatNumber],
    question: str,
) -> Any | None:
    """Return the move that results from filling in one of these forms as ``answer``, or None.

    If the only possible answer is a form with one number, the number alone is enough.
    """
    folded = fold(answer[:_LONGEST])
    for names_to_read in ({}, names):
        tokens = vocabulary.tokens(folded, names_to_read) or ("",)
        for form in forms:
            if tokens[0] == form.verb and (move := fill(form, tokens[1:], question)) is not None:
                return move
    if not moves and len(forms) == 1 and [type(slot) for slot in forms[0].slots] == [NumberSlot]:
        return fill(forms[0], folded.split(), question)
    return None


def _form(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Return the verb followed by the other tokens in alphabetical order, with seats as numbers."""
    return (tokens[0], *sorted(token.removeprefix("seat ") for token in tokens[1:]))


def illegal_move(answer: str, offered: Sequence[Phrase], reason: Phrase | None) -> RuleViolation:
    """Return the error for a move that was read but is not legal: the reason with its ruling, and the legal moves."""
    reason = reason or Phrase(gettext_noop("“%(written)s” isn’t possible here."))
    return _refused(ILLEGAL, gettext_noop("%(reason)s You can answer: %(moves)s."), answer, offered, reason)


def _refused(
    code: str, sentence: str, answer: str, offered: Sequence[Phrase], reason: Phrase | None = None
) -> RuleViolation:
    clean = "".join(character for character in answer[:80] if character.isprintable()).strip()
    values: dict[str, Value] = {
        "written": Notation(clean),
        "moves": tuple(offered),
    }
    if reason is not None:
        values["reason"] = msgspec.structs.replace(reason, values={**reason.values, "written": values["written"]})
    ruling = reason.ruling if reason else ""
    return RuleViolation(MALFORMED if code == MALFORMED else ILLEGAL, Phrase(sentence, values, ruling))


def with_suggestion(violation: RuleViolation, text: str) -> RuleViolation:
    """Return the error for a text with typing errors, with the move that was probably meant."""
    sentence = gettext_noop("%(refusal)s Did you mean “%(nearest)s”?")
    values: dict[str, Value] = {"refusal": violation.phrase, "nearest": as_written(text)}
    return RuleViolation(violation.code, Phrase(sentence, values))


def names_to_read(names: Mapping[SeatNumber, str]) -> dict[str, SeatNumber]:
    """Return the players' names as people may write them, without names that cannot be read."""
    readable: dict[str, SeatNumber] = {}
    for seat, name in names.items():
        try:
            folded = fold(name)
        except RuleViolation:
            continue
        if folded:
            readable[folded] = seat
    return readable


def plan_tokens(plan: str, vocabulary: Vocabulary, names: Mapping[str, SeatNumber]) -> tuple[str, ...]:
    """Return the words of a plan without commas and colons, or an empty tuple if it has an unknown word."""
    return vocabulary.tokens(fold(_POINTS.sub(" ", plan[:_LONGEST])), names) or ()


def matching_move(words: Sequence[str], moves: Sequence[M], text: Callable[[M], str]) -> M | None:
    """Return the move whose text has the same words in the same order, or else in another order after the verb.

    Returns None if several moves have the words in another order.
    """
    if not words:
        return None
    plain_words, form = [word.removeprefix("seat ") for word in words], _form(tuple(words))
    same_form = []
    for move in moves:
        move_words = text(move).split()
        if move_words == plain_words:
            return move
        if _form(tuple(move_words)) == form:
            same_form.append(move)
    return same_form[0] if len(same_form) == 1 else None


def unread_plan(plan: str, ways: Sequence[str]) -> RuleViolation:
    """Return the error for a text that is not a plan, with examples of plans."""
    sentence = gettext_noop("We can’t read “%(written)s” as a plan. Plans are, for example: %(moves)s.")
    return _refused(MALFORMED, sentence, plan, [*map(as_written, ways)])


def notation_words(rules: Any) -> set[str]:
    """Return all words of a game's notation in all languages."""
    kinds = getattr(rules.move_type, "__args__", (rules.move_type,))
    words = {str(kind.__struct_config__.tag) for kind in kinds}
    for languages in rules.words.notation.values():
        words |= {*languages.keys(), *languages.values()}
    return words | {word for meanings in rules.vocabulary.values() for word in meanings}


def is_notation(rules: Any, answer: str, names: Mapping[str, SeatNumber]) -> bool:
    """Return whether a text consists of words of a game's notation, player names and numbers only."""
    try:
        folded = fold(answer[:_LONGEST])
    except RuleViolation:
        return False
    languages = rules.words.notation.values()
    translations = {word for language in languages for word in language.values()}
    words = {*notation_words(rules), *rules.vocabulary, *translations}
    return bool(Vocabulary({word: word for word in sorted(words)}).tokens(folded, names))


def offered_vocabulary(rules: Any, moves: Iterable[Any], forms: Iterable[AnswerForm]) -> Vocabulary:
    """Return the words of a game whose notation is not written down: those of its verbs and of the offered answers."""
    slots = (slot for form in forms for slot in form.slots)
    words = {word for move in moves for word in rules.text(move).split()} | notation_words(rules)
    words |= {word for slot in slots for word, _ in getattr(slot, "choices", ())}
    return Vocabulary({word: word for word in sorted(words) if not word.isdigit()})


def parse_by_words(rules: Any) -> Callable[..., Any]:
    """Return a ``parse`` function that reads canonical texts in every language of the notation.

    It also reads those spellings in ``rules.vocabulary`` that have one meaning only. A text with typing errors is
    refused, with the legal move that was probably meant.
    """
    kinds = get_args(rules.move_type) or (rules.move_type,)
    fields = [field.type for kind in kinds for field in msgspec.structs.fields(kind)]
    names_players = any(kind in (SeatNumber, SeatNumber | None) for kind in fields)

    @lru_cache(maxsize=1)
    def vocabulary() -> Vocabulary:
        words = {word: word for word in sorted(notation_words(rules))}
        for language in rules.words.notation.values():
            words |= {translation: word for word, translation in language.items()}
        clear = {way: meanings[0] for way, meanings in rules.vocabulary.items() if len(meanings) == 1}
        return Vocabulary(clear | words)

    def parse(state: Any, question: Question, answer: str, names: Mapping[str, SeatNumber]) -> Any:
        readable_names = names if names_players else {}
        try:
            return read(state, question, answer, readable_names)
        except RuleViolation as violation:
            if violation.code != MALFORMED or (move := nearest(state, question, answer, readable_names)) is None:
                raise
            raise with_suggestion(violation, rules.text(move)) from None

    def nearest(state: Any, question: Question, answer: str, readable_names: Mapping[str, SeatNumber]) -> Any | None:
        """Return the legal move that a text with typing errors seems to mean, or None."""
        with suppress(RuleViolation):
            corrected = vocabulary().corrected(fold(answer[:_LONGEST]), readable_names)
            return read(state, question, corrected, readable_names)
        return None

    def read(state: Any, question: Question, answer: str, readable_names: Mapping[str, SeatNumber]) -> Any:
        why = partial(rules.why_illegal, state, question)
        moves, forms = rules.legal_moves(state, question), forms_of(rules, state, question)
        words = vocabulary() if rules.words.notation else offered_vocabulary(rules, moves, forms)
        if forms and (filled := read_filled(answer, moves, forms, words, readable_names, question.id)) is not None:
            return filled
        also = [phrase for form in forms for phrase in written_so(form)]
        return read_move(answer, moves, rules.text, words, readable_names, why, also)

    return parse


class _Word(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The entry of a word of the notation."""

    fa: str
    """The word in Persian."""
    ways: str = ""
    """Other ways to write the word, in both languages, separated by commas."""


def read_words(path: Path) -> tuple[Mapping[str, str], Mapping[str, tuple[str, ...]]]:
    """Return the Persian of each word, and the possible meanings of each way to write a word.

    A way with an apostrophe may also be written without it. Raises msgspec.ValidationError if the file is wrong.
    """
    words = msgspec.toml.decode(path.read_bytes(), type=dict[str, _Word])
    meanings: dict[str, list[str]] = {}
    for name, word in words.items():
        ways = (way.strip() for way in word.ways.split(","))
        for way in (name, word.fa, *filter(None, ways)):
            for spelling in dict.fromkeys((way, way.replace("'", ""))):
                meanings.setdefault(spelling, []).append(name)
    vocabulary = {way: tuple(dict.fromkeys(names)) for way, names in meanings.items()}
    return {name: word.fa for name, word in words.items()}, vocabulary
