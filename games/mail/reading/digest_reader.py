"""Parser of replies to an email with several questions. Each line begins with the code of its game."""

import re
from collections.abc import Collection, Mapping
from typing import Final

from games.engine.reading import fold
from games.mail.reading.courtesies import plain_line, says_nothing
from games.mail.reading.trailing_text import find_unclear, sender_names
from notifications.mail_parsing.parsed_mail import Content, SenderText

_MOST_LINES: Final = 300
_LONGEST: Final = 300
_DIRECTION_OVERRIDES: Final = re.compile("[\u202d\u202e]")


def read_digest_reply(content: Content, codes: Collection[str], own_names: Collection[str] = ()) -> Mapping[str, str]:
    """Return the text for each game of a reply, by the game's code, or nothing if a line is unclear.

    Only greetings may stand above the first answer, and only small talk below the last. All forms of the email must
    give the same texts, and a game must not get two different ones.
    """
    if not isinstance(content, SenderText) or not codes or find_unclear_prose(content, codes, own_names):
        return {}
    with_code = _line_with_code(codes)
    answers, *others = (_read_lines(lines, with_code) for lines in content.versions)
    return answers if all(_folded(other) == _folded(answers) for other in others) else {}


def find_unclear_prose(content: Content, codes: Collection[str], own_names: Collection[str] = ()) -> str:
    """Return the first line below the answers that may change an answer, or a blank text."""
    if not isinstance(content, SenderText) or not codes:
        return ""
    with_code, sender = _line_with_code(codes), sender_names(own_names)
    for lines in content.versions:
        answers = [index for index, line in enumerate(lines[:_MOST_LINES]) if _answer_in(line, with_code)]
        if answers and (unclear := find_unclear(lines[answers[-1] + 1 : _MOST_LINES], sender)):
            return unclear
    return ""


def _answer_in(line: str, with_code: re.Pattern[str]) -> re.Match[str] | None:
    return with_code.fullmatch(plain_line(line)[:_LONGEST])


def _line_with_code(codes: Collection[str]) -> re.Pattern[str]:
    return re.compile(
        rf"(?:(?:in|for|در|برای)\s+)?(?:(?:game|table|بازی|میز)\s+)?({'|'.join(map(re.escape, map(fold, codes)))})"
        r"\s*(?:[:\-.)،,]*|-+>|=+>?|→)\s+(\S.*)",
        re.I,
    )


def _folded(texts: Mapping[str, str]) -> Mapping[str, str]:
    return {code: fold(text) for code, text in texts.items()}


def _read_lines(lines: tuple[str, ...], with_code: re.Pattern[str]) -> dict[str, str]:
    """Return the text for each code, or nothing if there is other text between answers or two answers differ."""
    texts: dict[str, str] = {}
    has_prose = False
    for line in lines[:_MOST_LINES]:
        if _DIRECTION_OVERRIDES.search(line):
            return {}
        answer = _answer_in(line, with_code)
        if answer is None:
            has_prose = has_prose or not says_nothing(line)
            continue
        code, text = answer[1].upper(), answer[2]
        if has_prose or fold(texts.get(code, text)) != fold(text):
            return {}
        texts[code] = text
    return texts
