"""Parser of a sentence that asks for a new game: “new chess for 4, slow, private, with ali@example.org and 1 bot”.

The title and the parts are in any order: the number of players, bots, addresses of invited people, a speed, expansions,
and whether the game is private. Words such as “new”, “start” or “I’d like to play” say that a game is wanted. A
part that is unknown or stated twice makes the whole sentence unreadable.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from games.engine.types import NORMAL
from games.mail.mailbox_commands import OPTION, SPEED, WITHOUT, CreateGame, Titles, read_options, speed_of, title_in
from games.mail.reading.periods import ADDRESS, COUNTS, IN_WORDS, count_of
from games.mail.reading.sentences import (
    MAY_I,
    WISHES,
    asks,
    is_statement,
    is_wanted,
    join_words,
    merge,
    phrases,
    polite_phrase,
)

_SEATS_IN_WORDS: Final = "|".join(word for word in COUNTS if word not in ("a", "an", "یه"))
_SEATS: Final = re.compile(
    rf"(?:(?P<for>for|برای)|(?P<with>with|با) )? ?(?:(?P<number>\d{{1,2}})|(?P<word>{_SEATS_IN_WORDS}))"
    r"(?P<people> ?(?:(?P<players>players|seats|نفره|بازیکن)|people|of us|نفر))?(?![\w@.])"
)
_BOTS: Final = re.compile(
    rf"(?P<count>\d{{1,2}}|(?:{IN_WORDS})(?!\w))? ?(?:darbar |تا )?"
    r"(?:(?P<level>easy|normal|strong|master) )?(?:(?P<many>bots)|bot|ربات)"
    r"(?: (?P<level_fa>اسان|معمولی|قوی|استاد))?(?!\w)"
)
_PERSIAN_LEVELS: Final = {"اسان": "easy", "معمولی": "normal", "قوی": "strong", "استاد": "master"}
_PRIVATE: Final = re.compile(r"(?:it is |make it |an? )?(?:(?P<private>private|خصوصی)|public|عمومی)(?: game)?(?!\w)")
_BETWEEN: Final = re.compile(r"(?:\s|[,،;؛+&]|(?:and|و)(?!\w))*")
_WITH: Final = re.compile(r"(?:with|against|versus|با|مقابل) ")
_CREATE: Final = phrases(
    "start|starting|create|make|set up|launch|arrange|organise|organize|open|*ساز|درست *کن|شروع *کن|باز *کن|راه *انداز"
    "|ایجاد *کن"
)
_NEW: Final = phrases("new|تازه|تازهی|جدید")
_PLAY: Final = phrases("play|try|do|have|get|going|round|دست|یه دست|بازی *کن|*زن")
_GAME: Final = phrases("game|table|the game|my game|our game|بازی|میز")
_ALL: Final = merge(_CREATE, _NEW, _PLAY, _GAME)
_WANTED: Final = WISHES | MAY_I | {word for word in _PLAY.all if word.endswith("یم")}
_EXISTING: Final = ("in", "into", "the game", "my game", "our game")
"""Words for a game that exists: “Let me in a game”, “Start my game”."""
_ONE: Final = ("یه ", "یک ")
WORDS: Final = (_SEATS.pattern, _BOTS.pattern, _PRIVATE.pattern, _WITH.pattern, *_CREATE.all, *_NEW.all, *_PLAY.all)
"""Patterns whose words are known for typing errors."""


def read_new_game(folded: str, titles: Titles) -> CreateGame | None:
    """Return a game for the given number of players, or for the sender and all who are named. Both must agree."""
    text, is_question = asks(join_words(folded))
    title, before, after = title_in(text, titles)
    if not title:
        return None
    parts = _Parts(titles[title])
    if not parts.read(f"{before} {after.lstrip(' ,،:')}"):
        return None
    is_wanted_now = is_wanted(frozenset(parts.words), _ALL, "proposal", is_question=is_question)
    return parts.game() if is_wanted_now and parts.is_for_new_game(text.startswith(_ONE)) else None


@dataclass
class _Parts:
    """The parts of a command that have been read."""

    rules: str
    seats: int | None = None
    bots: list[str] = field(default_factory=list)
    addresses: list[str] = field(default_factory=list)
    speed: str | None = None
    options: dict[str, bool] = field(default_factory=dict)
    private: bool | None = None
    words: list[str] = field(default_factory=list)
    """The phrases beside the parts."""
    has_bare_number: bool = False
    """True if the number of players has no “players” beside it: “chess 4”, “chess for 4”."""

    has_unclear_number: bool = False
    """True for “with 3 people”, who may be three or four with the sender."""

    def read(self, text: str) -> bool:
        """Read all parts of a text. Return False if a part is unknown or stated twice."""
        while text := text[_end(_BETWEEN, text) :].rstrip(" ."):
            length = self._read_part(text)
            if not length:
                return False
            text = text[length:]
        return True

    def _read_part(self, text: str) -> int:
        """Read the first part of a text, and return its length, or 0."""
        start = _end(_WITH, text)
        for reader in (self._read_bots, self._read_address):
            if length := reader(text[start:]):
                return start + length
        for reader in (self._read_speed, self._read_privacy, self._read_seats, self._read_option, self._read_word):
            if length := reader(text):
                return length
        return 0

    def _read_bots(self, text: str) -> int:
        part = _BOTS.match(text)
        if part is None or (part["many"] and not part["count"]):
            return 0
        level = part["level"] or _PERSIAN_LEVELS.get(part["level_fa"] or "", NORMAL)
        self.bots += [level] * count_of(part["count"] or "a")
        return part.end()

    def _read_address(self, text: str) -> int:
        part = ADDRESS.match(text)
        if part is None or _end(_BETWEEN, text[part.end() :]) == 0 < len(text) - part.end():
            return 0
        if part[1] not in self.addresses:
            self.addresses.append(part[1])
        return part.end()

    def _read_speed(self, text: str) -> int:
        part = SPEED.match(text)
        if part is None or self.speed:
            return 0
        self.speed = speed_of(part)
        return part.end()

    def _read_privacy(self, text: str) -> int:
        part = _PRIVATE.match(text)
        if part is None or self.private is not None:
            return 0
        self.private = bool(part["private"])
        return part.end()

    def _read_seats(self, text: str) -> int:
        """Read the number of players. A number in words needs “for” or “players”."""
        part = _SEATS.match(text)
        if part is None or self.seats is not None or not (part["number"] or part["for"] or part["people"]):
            return 0
        if part["with"] and not part["players"]:
            self.has_unclear_number = True
        self.seats = count_of(part["number"] or part["word"])
        self.has_bare_number = not part["people"]
        return part.end()

    def _read_option(self, text: str) -> int:
        names, part = read_options(self.rules), OPTION.match(text)
        if part is None or part["option"] not in names or names[part["option"]] in self.options:
            return 0
        self.options[names[part["option"]]] = (part["wish"] or "") not in WITHOUT
        return part.end()

    def _read_word(self, text: str) -> int:
        phrase, length = polite_phrase(text, _ALL)
        if phrase in _EXISTING or is_statement(self.words, phrase):
            return 0
        self.words.append(phrase)
        return length

    def is_for_new_game(self, is_one_game: bool) -> bool:
        """Return whether the words ask for a new game. The title may be a move of another game."""
        words = frozenset(self.words)
        if words & _NEW.all or words & _CREATE.all:
            return True
        is_game = not words.isdisjoint(_GAME.all)
        is_play = is_game or is_one_game or not words.isdisjoint(_PLAY.all)
        return is_play and (is_game or not self.has_bare_number) and (is_one_game or bool(words & _WANTED))

    def game(self) -> CreateGame | None:
        """Return the game, or None if the number of players is missing or too small for all who are named."""
        least = 1 + len(self.bots) + len(self.addresses)
        seats = self.seats if self.seats is not None else least
        if self.has_unclear_number or least > seats or (self.seats is None and least == 1):
            return None
        return CreateGame(
            self.rules,
            seats,
            tuple(self.bots),
            tuple(self.addresses),
            speed=self.speed,
            options=tuple(sorted(self.options.items())),
            private=self.private,
        )


def _end(pattern: re.Pattern[str], text: str) -> int:
    match = pattern.match(text)
    return match.end() if match else 0
