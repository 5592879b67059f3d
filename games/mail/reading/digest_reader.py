"""Reads the reply to an email that puts several questions: a line for each game, which begins with its code."""

import re
from collections.abc import Collection, Mapping
from typing import Final

from games.engine.reading import fold
from notifications.mail_parsing.courtesies import plain_line, says_nothing
from notifications.mail_parsing.parsed_mail import Content, Written

_MOST_LINES: Final = 300
_LONGEST: Final = 300
_DIRECTION_OVERRIDES: Final = re.compile("[\u202d\u202e]")


def read_digest_reply(content: Content, codes: Collection[str]) -> Mapping[str, str]:
    """Return what a reply says in each game, by the game's code; nothing where that is not certain.

    Above the first line with a code there may be greetings only, and prose only below the last. All forms of the mail
    have to say the same, and no game two things.
    """
    if not isinstance(content, Written) or not codes:
        return {}
    line = re.compile(
        rf"(?:(?:in|for|در|برای)\s+)?(?:(?:game|table|بازی|میز)\s+)?({'|'.join(map(re.escape, map(fold, codes)))})"
        r"\s*(?:[:\-.)،,]*|-+>|=+>?|→)\s+(\S.*)",
        re.I,
    )
    said, *others = (_read_lines(lines, line) for lines in content.versions)
    return said if all(_folded(other) == _folded(said) for other in others) else {}


def _folded(said: Mapping[str, str]) -> Mapping[str, str]:
    return {code: fold(text) for code, text in said.items()}


def _read_lines(lines: tuple[str, ...], with_code: re.Pattern[str]) -> dict[str, str]:
    """Return the text for each code; nothing where a line stands in the way or two disagree."""
    said: dict[str, str] = {}
    prose = False
    for each in lines[:_MOST_LINES]:
        if _DIRECTION_OVERRIDES.search(each):
            return {}
        found = with_code.fullmatch(plain_line(each)[:_LONGEST])
        if found is None:
            prose = prose or not says_nothing(each)
            continue
        code, text = found[1].upper(), found[2]
        if prose or fold(said.get(code, text)) != fold(text):
            return {}
        said[code] = text
    return said
