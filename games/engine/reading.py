"""Reading notation as people write it: kinder than the printer, and never guessing.

A game brings its vocabulary (every way to write a word, and the word's canonical form); what was
written is then compared with the legal moves' own canonical texts, so that nothing can be
understood that is not legal.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache, partial
from typing import Any, Final, TypeVar, get_args

import msgspec

from games.engine.answers.forms import AnswerForm, NumberSlot, fill, forms_of, written_so
from games.engine.errors import ILLEGAL, MALFORMED, RuleViolation
from games.engine.letters import fold_letters
from games.engine.phrases import Notation, Phrase, Value, as_written, gettext_noop
from games.engine.types import Move, Question, SeatNumber

M = TypeVar("M", bound=Move)

_OVERRIDES: Final = re.compile("[\u202d\u202e]")
_WITHIN: Final = re.compile(r"[\s\-\u200c]+")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?(?!\w)")
_POINTS: Final = re.compile("[,;:،؛]")
_LONGEST: Final = 500


def fold(text: str) -> str:
    """``text`` as it is compared: one case, one form of each Persian letter and digit, single blanks,
    no invisible marks, no trailing full stop.

    RuleViolation ``malformed`` for a text that shows its letters in another order than it stores them.
    """
    if _OVERRIDES.search(text):
        raise RuleViolation(
            MALFORMED,
            Phrase(gettext_noop("This line is shown in another order than it is written. Please type it again.")),
        )
    return fold_letters(text)


def _squeezed(text: str) -> str:
    return _WITHIN.sub("", text)


@lru_cache(maxsize=8192)
def _folded_word(word: str) -> str:
    return _squeezed(fold(word))


class Vocabulary:
    """The words of a game's notation.

    ``words`` maps each way to write a word to its canonical form. Within a word a half-space, a
    hyphen, a blank and nothing at all are the same.
    """

    def __init__(self, words: Mapping[str, str]) -> None:
        self._canonical = {_folded_word(alias): canonical for alias, canonical in words.items()}
        self._pattern = _pattern(tuple(words))

    @classmethod
    def of(cls, words: Mapping[str, str], also: Mapping[str, str] = {}) -> "Vocabulary":
        """The words of a notation in its own language and in another, and other ways to write some of them."""
        return cls({**{word: word for word in words}, **{written: word for word, written in words.items()}, **also})

    def __contains__(self, text: str) -> bool:
        """Return whether a folded text is a word of the notation."""
        return _squeezed(text) in self._canonical

    def tokens(self, text: str, names: Mapping[str, SeatNumber]) -> tuple[str, ...] | None:
        """``text`` (folded) as canonical tokens, a player's name as ``seat <n>``; None where a piece is unknown."""
        names_pattern = _pattern(tuple(names)) if names else None
        found: list[str] = []
        at = 0
        while at < len(text):
            if text[at] == " ":
                at += 1
            elif text[at] == "/" and found and text[at + 1 : at + 2].strip():
                found.append("/")
                at += 1
            elif names_pattern and (match := names_pattern.match(text, at)):
                found.append(f"seat {names[match.group()]}")
                at = match.end()
            elif match := self._pattern.match(text, at) or _NUMBER.match(text, at):
                found.append(self._canonical.get(_squeezed(match.group()), match.group()))
                at = match.end()
            else:
                return None
        return _joined(found)


@lru_cache(maxsize=256)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted((re.sub(r"[\-\u200c]", " ", word) for word in words), key=len, reverse=True)
    ways = (r"[\s\-]*".join(re.escape(fold(part)) for part in word.split()) for word in longest_first)
    return re.compile(f"(?:{'|'.join(ways)})(?!\\w)")


def _joined(tokens: list[str]) -> tuple[str, ...]:
    """Tokens with ``a / b`` made one."""
    joined: list[str] = []
    for token in tokens:
        if token == "/" or (joined and joined[-1].endswith("/")):
            joined[-1] += token
        else:
            joined.append(token)
    return tuple(joined)


def read_move(
    written: str,
    moves: Sequence[M],
    text: Callable[[M], str],
    vocabulary: Vocabulary,
    names: Mapping[str, SeatNumber],
    why_illegal: Callable[[Sequence[str]], Phrase | None] = lambda words: None,
    also: Sequence[Phrase] = (),
) -> M:
    """The one legal move that ``written`` means.

    Understood are: the number of an offered answer; the canonical text, with what follows the verb in
    any order and with names for seats; and a verb alone where only one answer has it. Anything else is
    a RuleViolation that lists the legal moves: ``malformed`` where it cannot be read, ``illegal`` where
    it can but is not among them, with the reason that ``why_illegal`` gives. What is legal ``also``, is listed too.

    A canonical text as it stands means its own move, in every language and whatever players are called: an account may
    be older than a game. Comparing it first reads a program's move four to nine times as fast.
    """
    for move in moves:
        if text(move) == written:
            return move
    listed = [text(move) for move in moves]
    offered = [*map(as_written, listed), *also]
    folded = fold(written[:_LONGEST])
    if folded.isascii() and folded.isdigit():
        if 1 <= int(folded) <= len(moves):
            return moves[int(folded) - 1]
        raise _refused(
            ILLEGAL, gettext_noop("There is no answer number %(written)s. You may answer: %(moves)s."), written, offered
        )
    if names and (literal := meant(vocabulary.tokens(folded, {}) or (), moves, text)) is not None:
        return literal
    tokens = vocabulary.tokens(folded, names)
    if not tokens:
        raise _refused(
            MALFORMED,
            gettext_noop("“%(written)s” cannot be read as a move. You may answer: %(moves)s."),
            written,
            offered,
        )
    if (exact := meant(tokens, moves, text)) is not None:
        return exact
    same = [move for move, form in zip(moves, listed, strict=True) if form.split()[0] == tokens[0]]
    if len(tokens) > 1 or not same:
        raise illegal_move(written, offered, why_illegal(tokens))
    if len(same) > 1:
        sentence = gettext_noop("“%(written)s” fits several moves. You may answer: %(moves)s.")
        raise _refused(MALFORMED, sentence, written, offered)
    return same[0]


def read_filled(
    written: str,
    moves: Sequence[M],
    forms: Sequence[AnswerForm],
    vocabulary: Vocabulary,
    names: Mapping[str, SeatNumber],
    question: str,
) -> Any | None:
    """The move that ``written`` makes of one of these forms; None where it makes none.

    Where nothing can be answered but one number, that number alone is enough.
    """
    folded = fold(written[:_LONGEST])
    for known in ({}, names):
        tokens = vocabulary.tokens(folded, known) or ("",)
        for form in forms:
            if tokens[0] == form.verb and (move := fill(form, tokens[1:], question)) is not None:
                return move
    if not moves and len(forms) == 1 and [type(slot) for slot in forms[0].slots] == [NumberSlot]:
        return fill(forms[0], folded.split(), question)
    return None


def _form(tokens: tuple[str, ...]) -> tuple[str, ...]:
    """Verb first, the rest in one order, seats as numbers."""
    return (tokens[0], *sorted(token.removeprefix("seat ") for token in tokens[1:]))


def illegal_move(written: str, offered: Sequence[Phrase], reason: Phrase | None) -> RuleViolation:
    """Return the refusal of a move that can be read: the reason, with its ruling, and the moves that are legal."""
    reason = reason or Phrase(gettext_noop("“%(written)s” is not possible here."))
    return _refused(ILLEGAL, gettext_noop("%(reason)s You may answer: %(moves)s."), written, offered, reason)


def _refused(
    code: str, sentence: str, written: str, offered: Sequence[Phrase], reason: Phrase | None = None
) -> RuleViolation:
    clean = "".join(character for character in written[:80] if character.isprintable()).strip()
    values: dict[str, Value] = {
        "written": Notation(clean),
        "moves": tuple(offered),
    }
    if reason is not None:
        values["reason"] = msgspec.structs.replace(reason, values={**reason.values, "written": values["written"]})
    ruling = reason.ruling if reason else ""
    return RuleViolation(MALFORMED if code == MALFORMED else ILLEGAL, Phrase(sentence, values, ruling))


def names_to_read(names: Mapping[SeatNumber, str]) -> dict[str, SeatNumber]:
    """The players' names as people may write them; a name that cannot be read is left out."""
    readable: dict[str, SeatNumber] = {}
    for seat, name in names.items():
        try:
            folded = fold(name)
        except RuleViolation:
            continue
        if folded:
            readable[folded] = seat
    return readable


def plan_tokens(written: str, vocabulary: Vocabulary, names: Mapping[str, SeatNumber]) -> tuple[str, ...]:
    """The words of a plan, commas and colons left out; none where one of them is unknown."""
    return vocabulary.tokens(fold(_POINTS.sub(" ", written[:_LONGEST])), names) or ()


def meant(words: Sequence[str], moves: Sequence[M], text: Callable[[M], str]) -> M | None:
    """The one of these moves whose text has the same words: in the same order, else in another behind the verb.

    None where several have them in another order.
    """
    if not words:
        return None
    said, wanted = [word.removeprefix("seat ") for word in words], _form(tuple(words))
    found = []
    for move in moves:
        written = text(move).split()
        if written == said:
            return move
        if _form(tuple(written)) == wanted:
            found.append(move)
    return found[0] if len(found) == 1 else None


def unread_plan(written: str, ways: Sequence[str]) -> RuleViolation:
    """Return the error for a text that is no plan; it names some that are."""
    sentence = gettext_noop("“%(written)s” cannot be read as a plan. Plans are, for example: %(moves)s.")
    return _refused(MALFORMED, sentence, written, [*map(as_written, ways)])


def notation_words(rules: Any) -> set[str]:
    """Every word of a game's notation, in every language: the verbs of its moves, and what it gives words for."""
    kinds = getattr(rules.move_type, "__args__", (rules.move_type,))
    words = {str(kind.__struct_config__.tag) for kind in kinds}
    for languages in rules.words.notation.values():
        words |= {*languages.keys(), *languages.values()}
    return words | {word for meant in rules.vocabulary.values() for word in meant}


def is_notation(rules: Any, written: str, names: Mapping[str, SeatNumber]) -> bool:
    """Return whether a text is made of a game's words, of players and of numbers: whether some question may take it."""
    try:
        folded = fold(written[:_LONGEST])
    except RuleViolation:
        return False
    languages = rules.words.notation.values()
    words = {*notation_words(rules), *rules.vocabulary, *(word for each in languages for word in each.values())}
    return bool(Vocabulary({word: word for word in sorted(words)}).tokens(folded, names))


def parse_by_words(rules: Any) -> Callable[..., Any]:
    """The ``parse`` of a game: its canonical texts, in the words of its notation in every language.

    Of other ways to write a word (``rules.vocabulary``) those are read that mean one thing.
    """
    kinds = get_args(rules.move_type) or (rules.move_type,)
    fields = [field.type for kind in kinds for field in msgspec.structs.fields(kind)]
    names_players = any(kind in (SeatNumber, SeatNumber | None) for kind in fields)

    @lru_cache(maxsize=1)
    def vocabulary() -> Vocabulary:
        words = {word: word for word in sorted(notation_words(rules))}
        for language in rules.words.notation.values():
            words |= {written: word for word, written in language.items()}
        clear = {way: meant[0] for way, meant in rules.vocabulary.items() if len(meant) == 1}
        return Vocabulary(clear | words)

    def parse(state: Any, question: Question, written: str, names: Mapping[str, SeatNumber]) -> Any:
        why = partial(rules.why_illegal, state, question)
        known = names if names_players else {}
        moves, forms = rules.legal_moves(state, question), forms_of(rules, state, question)
        if forms and (filled := read_filled(written, moves, forms, vocabulary(), known, question.id)) is not None:
            return filled
        also = [phrase for form in forms for phrase in written_so(form)]
        return read_move(written, moves, rules.text, vocabulary(), known, why, also)

    return parse
