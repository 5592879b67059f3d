"""The words by which players name answers: the game's words, those of labels and claims, filler words and numbers.

A player who denies all other answers of a question gives the remaining answer.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final

from django.conf import settings
from django.utils.translation import override

from games.engine import AnyRules, Phrase, Question, SeatNumber
from games.engine.phrases import SeatName
from games.engine.reading import Vocabulary, fold
from games.mail.reading.courtesies import plain_line
from games.phrases import render_phrase

_BETWEEN_WORDS: Final = re.compile(r"[,:;،؛+&]|(?<=\s)(?:[-=]+>?|→)(?=\s)|\.(?!\d)|[(\[](?!\d)|(?<!\d)[)\]]")
_COINS: Final = re.compile(
    r"\b(\d+|one|two|three|یک|یه|دو|سه)\s*(?:(?:تا )?(?:coins?|سکه)(?!\w)|(?= from (?!seat|player|\d)))"
)
"""A sum of coins. The “2” of “steal 2 from Kaveh” is one, too."""
_FEW: Final = {"one": "1", "two": "2", "three": "3", "یک": "1", "یه": "1", "دو": "2", "سه": "3"}
_WORD: Final = re.compile(r"[^\W\d_]+")
_CARD: Final = "card"
_COST: Final = "coins"
_ACTORS: Final = ("player", "challenger")

_FILLERS: Final = (
    "i, we, a, an, the, my, me, it, him, her, his, their, them, this, that, you, your, to, from, of, with, as, "
    "against, at, for, and, do, by, using, i'm, am, is, it's, so, have, have got, got, just, only, this time, "
    "too, also, can, would, like, want, go, go for, take, choose, try, court, now, again, then, turn, here, off, "
    "player, card, cards, player, seat, claim, action, will, please, i'll, i'd, own, round, taking, get,"
    " getting, ask, "
    "asking, request, requesting, play, playing, claiming, on, pay, paying, yes, yeah, yep, sure, money, coins, "
    "i'm sure, i am sure, for sure, surely, clearly, obviously, definitely, certainly, ill, id, im, "
    "i think i'll, think i'll, i think i will, i guess i'll, guess i'll, i guess i will, "
    "going for, going to, gonna, shall, today, this turn, deck, myself, pile, piles, here's, here is, for a second, "
    "for one second, for a minute, for a moment, "
    "بله, آره, سکه‌های, سکه‌هایش, سکه‌هاش, است, اینم, دسته, داشته باشی, شرمنده, من, را, از, به, با, علیه, ضد, "
    "برضد, برای, لطفا, کارت, کارت‌ها, که, این, آن, او, یک, و, صندلی, بازیکن, به‌عنوان, عنوان, در نقش, نقش, ادعا, "
    "ادعای, جان, جون, فقط, فعلا, دارم, هستم, الان, حالا, دیگر, دیگه, هم, این بار, نوبت, بازم, باز هم, می‌خوام,"
    " می‌خواهم, "
    "کنم, می‌کنم, بکنم, می‌گیرم, بگیرم, می‌دهم, می‌دم, بدهم, بدم, برمی‌دارم, بردارم, می‌زنم, استفاده می‌کنم, کردن, "
    "گرفتن, دادن, رو, همان, همون, همین, ازت, ازش, ام, منم, خودم, "
    "این دور, این دفعه, امروز, روی, مطمئنم, معلومه, معلومه که"
)
"""Words that change nothing in what a line means."""
_DENYING: Final = frozenset({"no", "not", "without", "never", "نداشتن", "نه", "بدون"})
"""Words that reverse the meaning of their neighbours. They are read only as part of a whole label."""
FILLER: Final = "~"
"""The first character of the token of a filler word."""

FILLER_WORDS: Final = {word: FILLER for word in map(str.strip, _FILLERS.split(",")) if word}


class AnswerWords:
    """The words of the answers to a question."""

    def __init__(self, rules: AnyRules, state: Any, question: Question, moves: Sequence[Any]) -> None:
        self.rules = rules
        self.question = question
        self.moves = moves
        self.view = rules.view(state, question.seat)
        self.texts = [rules.text(move).split() for move in moves]
        self.verbs = {text[0] for text in self.texts}

    @cached_property
    def nameless_labels(self) -> list[tuple[str, ...]]:
        """The labels with seats instead of names, because the words of a name are no words of an answer."""
        return self.labels({})

    def labels(self, names: Mapping[SeatNumber, str]) -> list[tuple[str, ...]]:
        """Return the labels of each move in all languages."""
        labels: list[tuple[str, ...]] = [()] * len(self.moves)
        for language, _ in settings.LANGUAGES:
            with override(language):
                for index, move in enumerate(self.moves):
                    labels[index] += (render_phrase(self.rules.words.label(move), names),)
        return labels

    @cached_property
    def question_phrase(self) -> Phrase:
        """The question as a sentence."""
        return self.rules.words.asks(self.view, self.question)

    @cached_property
    def actors(self) -> frozenset[SeatNumber]:
        """The players that the question names as actors."""
        return frozenset(_actors(self.question_phrase))

    @cached_property
    def claims(self) -> list[frozenset[str]]:
        """The cards and sums of coins that each move is about, even if its label does not name them.

        They come from the move's meaning, or from the question if the move names none.
        """
        claims = []
        for move, text in zip(self.moves, self.texts, strict=True):
            phrases = [*self.rules.words.meanings(self.view, move), *([self.question_phrase] if len(text) == 1 else ())]
            cards = {str(phrase.values[_CARD]) for phrase in phrases if _CARD in phrase.values}
            claims.append(
                frozenset(
                    cards | {FILLER + _coins(phrase.values[_COST]) for phrase in phrases if _COST in phrase.values}
                )
            )
        return claims

    def claims_of(self, move: Any) -> frozenset[str]:
        """Return the cards that a move claims by its own meaning, without those of the question."""
        meanings = self.rules.words.meanings(self.view, move)
        return frozenset(str(meaning.values[_CARD]) for meaning in meanings if _CARD in meaning.values)

    @cached_property
    def names_players(self) -> bool:
        """True if an answer can be aimed at a player. Otherwise a player's name is no part of a move."""
        labels = (self.rules.words.label(move) for move in self.moves)
        return any(isinstance(value, SeatName) for label in labels for value in label.values.values())

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The game's words, the words of the labels, and filler words."""
        labels = {word for labels in self.nameless_labels for label in labels for word in _label_words(label)}
        words = {word: f"{FILLER}{word}" for word in labels}
        words |= {token.removeprefix(FILLER): token for tokens in self.claims for token in tokens}
        words |= FILLER_WORDS
        for word, meanings in self.rules.vocabulary.items():
            tokens = (*meanings, FILLER) if word in FILLER_WORDS else meanings
            words[_COINS.sub(_sum_of_coins, word)] = "|".join(tokens)
        return Vocabulary(words)

    @cached_property
    def label_tokens(self) -> list[frozenset[str]]:
        """The tokens of each move's labels without verbs and numbers."""
        return [
            frozenset(
                token
                for label in labels
                for word in _label_words(label)
                for token in (self.vocabulary.tokens(word, {}) or ("",))[0].split("|")
                if token not in self.verbs and not token.isdigit()
            )
            for labels in self.nameless_labels
        ]


def _actors(phrase: Phrase) -> Iterator[SeatNumber]:
    """Yield the players that a phrase names as actors."""
    for name, value in phrase.values.items():
        if isinstance(value, Phrase):
            yield from _actors(value)
        elif isinstance(value, SeatName) and name in _ACTORS:
            yield SeatNumber(value.seat)


def words_of(line: str) -> str:
    """Return a line without punctuation between its words. Each sum of coins becomes one word."""
    return " ".join(_BETWEEN_WORDS.sub(" ", _COINS.sub(_sum_of_coins, fold(line))).split())


def _sum_of_coins(match: re.Match[str]) -> str:
    return _coins(_FEW.get(match[1], match[1]))


def _coins(number: object) -> str:
    """Return a sum of coins as one word without digits."""
    return "coins" + "".join(chr(ord("a") + int(digit)) for digit in str(number))


def _label_words(label: str) -> list[str]:
    return [word for word in _WORD.findall(words_of(plain_line(label))) if word not in _DENYING]


_WORDS: Final = (
    "one first یک یکم یکمی اول اولی",
    "two second دو دوم دومی",
    "three third سه سوم سومی",
    "four fourth چهار چهارم چهارمی",
    "five fifth پنج پنجم پنجمی",
    "six sixth شش ششم ششمی شیش",
    "seven seventh هفت هفتم هفتمی",
    "eight eighth هشت هشتم هشتمی",
    "nine ninth نه نهم نهمی",
    "ten tenth ده دهم دهمی",
)
_NUMBERS: Final = {word: number for number, words in enumerate(_WORDS, 1) for word in words.split() if word != "نه"}
"""The Persian words for numbers, without «نه», which also means no."""
_PATTERN: Final = re.compile(
    rf"(?:i pick )?(?:the )?(?:(?:number|option|answer|no|مورد|گزینه ?ی?|شماره ?ی?) )?(?P<word>{'|'.join(_NUMBERS)})"
    r"(?: (?:one|option|answer|choice))?"
)


def number_in_words(folded: str) -> int | None:
    """Return the number that a whole folded line names, or None."""
    match = _PATTERN.fullmatch(folded)
    return _NUMBERS[match["word"]] if match else None


_CLAUSE: Final = re.compile(r"\s*[,;.!،؛]+\s*|\s+(?:and|nor|و)\s+")
_DENIED: Final = (
    re.compile(
        r"(?:(?:i|we) )?(?:no|not|won't|will not|don't|do not|wouldn't|dont|wont|without)(?: (?:to|a|any|the|my))?"
        r" (?P<verb>.+?)(?: from me| it| this| that| you| her| him| them)?"
    ),
    re.compile(r"(?P<verb>.+?) ?(?:نمی ?(?:کنم|زنم|گیرم)|ندارم)"),
    re.compile(r"(?:بدون|نه) (?P<verb>.+)"),
)


def leaves_only(line: str, verb: str, others: Collection[str], verbs_of: Callable[[str], Collection[str]]) -> bool:
    """Return whether a folded line leaves only the answer ``verb``: it denies all others, or it names ``verb`` too.

    ``verbs_of`` returns the verbs that a piece of text may mean, or nothing for other text.
    """
    clauses = [clause for clause in _CLAUSE.split(line) if clause]
    denied = [_denied(clause, verbs_of) for clause in clauses]
    affirmed = [clause for clause, verbs in zip(clauses, denied, strict=True) if not verbs]
    denied_verbs = {verb for verbs in denied for verb in verbs}
    if not denied_verbs or not denied_verbs <= {*others} or any({*verbs_of(clause)} != {verb} for clause in affirmed):
        return False
    return bool(affirmed) or denied_verbs == {*others}


def _denied(clause: str, verbs_of: Callable[[str], Collection[str]]) -> Collection[str]:
    """Return the verbs that a clause denies, or nothing."""
    matches = (pattern.fullmatch(clause) for pattern in _DENIED)
    return next((verbs for match in matches if match and (verbs := verbs_of(match["verb"]))), ())
