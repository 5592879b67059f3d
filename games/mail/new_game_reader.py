"""Parser of a command for a new game: “new”, a title, then “for 4, slow, private, with ali@example.org and 1 bot”.

The title comes first or after some of the parts. The parts are in any order: the number of players, bots, addresses of
invited people, a speed, expansions, and whether the game is private. A part that is unknown or stated twice makes the
whole command unreadable.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from games.engine.types import NORMAL
from games.mail.account_commands import ADDRESS
from games.mail.mailbox_commands import (
    COUNTS,
    IN_WORDS,
    OPTION,
    SPEED,
    WITHOUT,
    CreateGame,
    Titles,
    count_of,
    read_options,
    speed_of,
    title_at,
)

_SEATS_IN_WORDS: Final = "|".join(word for word in COUNTS if word not in ("a", "an"))
_SEATS: Final = re.compile(
    rf"(?P<for>for |برای )?(?:(?P<number>\d{{1,2}})|(?P<word>{_SEATS_IN_WORDS}))"
    r"(?P<people> ?(?:players|people|seats|نفره|نفر|بازیکن))?(?![\w@.])"
)
_BOTS: Final = re.compile(
    rf"(?P<count>\d{{1,2}}|(?:{IN_WORDS})(?!\w))? ?(?:darbar )?"
    r"(?:(?P<level>easy|normal|strong|master) )?(?:(?P<many>bots)|bot|ربات)"
    r"(?: (?P<level_fa>اسان|معمولی|قوی|استاد))?(?!\w)"
)
_PERSIAN_LEVELS: Final = {"اسان": "easy", "معمولی": "normal", "قوی": "strong", "استاد": "master"}
_PRIVATE: Final = re.compile(r"(?:it is |make it |an? )?(?:(?P<private>private|خصوصی)|public|عمومی)(?: game)?(?!\w)")
_BETWEEN: Final = re.compile(r"(?:\s|[,،;؛+&]|(?:and|و|game|بازی)(?!\w))*")
_WITH: Final = re.compile(r"(?:with|با) ")
WORDS: Final = (_SEATS.pattern, _BOTS.pattern, _PRIVATE.pattern, _WITH.pattern)
"""Patterns whose words are known for typing errors."""


def read_new_game(match: re.Match[str], titles: Titles) -> CreateGame | None:
    """Return a game for the given number of players, or for the sender and all who are named. Both must agree."""
    text = (match.groupdict().get("first") or "") + match["rest"]
    starts = [start for start in (0, *(gap.end() for gap in re.finditer(" ", text))) if title_at(text[start:], titles)]
    if not starts:
        return None
    title = title_at(text[starts[0] :], titles)
    parts = _Parts(titles[title])
    rest = f"{text[: starts[0]]} {text[starts[0] + len(title) :].lstrip(' ,،:')}"
    return parts.game() if parts.read(rest) else None


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
        for reader in (self._read_speed, self._read_privacy, self._read_seats, self._read_option):
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
        self.seats = count_of(part["number"] or part["word"])
        return part.end()

    def _read_option(self, text: str) -> int:
        names, part = read_options(self.rules), OPTION.match(text)
        if part is None or part["option"] not in names or names[part["option"]] in self.options:
            return 0
        self.options[names[part["option"]]] = (part["wish"] or "") not in WITHOUT
        return part.end()

    def game(self) -> CreateGame | None:
        """Return the game, or None if the number of players is missing or too small for all who are named."""
        least = 1 + len(self.bots) + len(self.addresses)
        seats = self.seats if self.seats is not None else least
        if least > seats or (self.seats is None and least == 1):
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
