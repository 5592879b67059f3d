"""Reads mail to the server's own address: a command for an account, which is about no question and no seat."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from games.engine.reading import fold
from notifications.mail_parsing.courtesies import plain_line, says_nothing, without_courtesies
from notifications.mail_parsing.parsed_mail import Content, Written

_MOST_LINES: Final = 300
_LONGEST: Final = 300
_DIRECTION_OVERRIDES: Final = re.compile("[\u202d\u202e]")


@dataclass(frozen=True, slots=True)
class ShowHelp:
    """``help``: the commands that there are."""


@dataclass(frozen=True, slots=True)
class ShowGames:
    """``games``: my games, and which of them wait for me."""


@dataclass(frozen=True, slots=True)
class ShowStatus:
    """``status``: when emails come, when I sleep, and when I am away."""


@dataclass(frozen=True, slots=True)
class ShowRules:
    """``rules``, ``rules coup``: the rules in short."""

    rules: str = ""
    """The name of a game's rules; blank for all games."""


AccountCommand = ShowHelp | ShowGames | ShowStatus | ShowRules
Titles = Mapping[str, str]
"""The name of a game's rules by each of its titles, folded, and by itself."""
Build = Callable[[re.Match[str], Titles], AccountCommand | None]


def read_account_command(content: Content, titles: Titles) -> AccountCommand | None:
    """Return the command that a mail gives; None where it gives none, or its lines or forms give several."""
    if not isinstance(content, Written):
        return None
    found = {_read_lines(version, titles) for version in content.versions if version}
    return found.pop() if len(found) == 1 else None


def first_line(content: Content) -> str:
    """Return the first line of a mail that says something; blank where there is none."""
    lines = content.versions[0] if isinstance(content, Written) and content.versions else ()
    return next((line.strip() for line in lines if not says_nothing(line)), "")


def _read_lines(lines: Sequence[str], titles: Titles) -> AccountCommand | None:
    """Return what the first line says that says something; prose may follow, but no other command."""
    telling = [line for line in lines[:_MOST_LINES] if not says_nothing(line)]
    said = [_read_line(line, titles) for line in telling]
    return said[0] if said and {*said[1:]} <= {said[0], None} else None


def _read_line(line: str, titles: Titles) -> AccountCommand | None:
    if len(line) > _LONGEST or _DIRECTION_OVERRIDES.search(line):
        return None
    plain = plain_line(line)
    return _read_words(fold(plain), titles) or _read_words(fold(without_courtesies(plain)), titles)


def _read_words(folded: str, titles: Titles) -> AccountCommand | None:
    for pattern, build in _COMMANDS:
        if found := pattern.fullmatch(folded):
            return build(found, titles)
    return None


def _rules(found: re.Match[str], titles: Titles) -> ShowRules | None:
    said = (found["title"] or "").strip()
    if not said:
        return ShowRules()
    return ShowRules(titles[said]) if said in titles else None


_COMMANDS: Final[tuple[tuple[re.Pattern[str], Build], ...]] = tuple(
    (re.compile(pattern), build)
    for pattern, build in (
        (r"[?؟]|help|commands|راهنما", lambda _found, _titles: ShowHelp()),
        (r"(?:my )?games|بازی ?ها(?:ی من|یم)?", lambda _found, _titles: ShowGames()),
        (r"(?:my )?(?:status|settings)|وضعیت(?: من)?", lambda _found, _titles: ShowStatus()),
        (r"(?:the )?rules(?: (?:of )?(?P<title>.+))?", _rules),
        (r"قوانین(?: (?P<title>.+))?", _rules),
    )
)
