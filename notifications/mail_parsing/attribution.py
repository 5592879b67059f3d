"""The lines that mail programs put above what they quote, in the languages of their users.

There are two kinds: a sentence that ends in a colon ("On ... wrote:"), after which the quotation is
marked or not, and a block of header lines ("From: ... Sent: ...") or a divider, after which it never is.
"""

import re
from itertools import takewhile
from typing import Final

from notifications.mail_parsing.reply_markers import BEGINS, DIVIDING, FROM, LABELS, WROTE

_MOST_LINES: Final = 4
"""Over so many lines such a sentence may be wrapped."""

_WHEN: Final = re.compile(r"\d{1,2}[:.h]\d{2}|\b\d{4}\b|\d{1,2}[./-]\d{1,2}|\d年")
_YEAR: Final = re.compile(r"\b\d{4}\b")
_FIELD: Final = re.compile(r"\*?([^\W\d][\w .'’־\u200c-]{0,24}?)\*?\s?[:：]\*?\s*(\S.*)?", re.I)
_DIVIDER: Final = re.compile(r"[-_=—–\s*]{3,40}+(?P<words>\w.{2,60}?)[-_=—–\s*]{3,40}")


def quoted_after(mine: list[bool]) -> int:
    """The index of the first line that is quoted, or the end."""
    return next((index for index, own in enumerate(mine) if not own), len(mine))


def take_away(texts: list[str], mine: list[bool]) -> None:
    """Take the writer's name off the attributions, and off what follows them without being marked."""
    end = next((index for index in range(len(texts)) if mine[index] and _divides(texts, index)), len(texts))
    mine[end:] = [False] * (len(mine) - end)
    for index, text in enumerate(texts):
        if (
            mine[index]
            and text.rstrip("* ").endswith((":", "："))
            and (start := _start(texts, mine, index)) is not None
        ):
            mine[start : index + 1] = [False] * (index + 1 - start)
            following = next((each for each in range(index + 1, len(texts)) if texts[each]), len(texts))
            if following < len(texts) and mine[following]:
                mine[following:] = [False] * (len(mine) - following)
                return


def _divides(texts: list[str], index: int) -> bool:
    """Return whether what follows this line, itself included, is an unmarked quotation."""
    divider = _DIVIDER.fullmatch(texts[index])
    if divider and DIVIDING.search(divider["words"]):
        return True
    first = _label(texts[index])
    if first is None:
        return False
    block = [texts[index], *takewhile(lambda text: _label(text) is not None, texts[index + 1 : index + 6])]
    if first in FROM and len(block) > 1 and _label(block[1]) in LABELS:
        return True
    return len(block) > 2 and any("@" in text for text in block) and any(_WHEN.search(text) for text in block)


def _label(text: str) -> str | None:
    """The name of the header field that a line looks like."""
    field = _FIELD.fullmatch(text[:300]) if text else None
    return field[1].strip().lower() if field else None


def _start(texts: list[str], mine: list[bool], end: int) -> int | None:
    """The index of the first line of the attribution that ends at this line; None where there is none."""
    for start in range(end, max(-1, end - _MOST_LINES), -1):
        if not mine[start] or not texts[start]:
            return None
        if _is_attribution(" ".join(texts[start : end + 1]), _is_quoted_below(mine, texts, end)):
            return _wrapped_start(texts, mine, start)
    return None


def _is_attribution(text: str, quoted_below: bool) -> bool:
    wrote, when, address = WROTE.search(text), _WHEN.search(text), "@" in text
    signs = sum(map(bool, (wrote, when, address)))
    return len(text) <= 500 and (signs > 1 or (quoted_below and (wrote or _YEAR.search(text)) is not None))


def _is_quoted_below(mine: list[bool], texts: list[str], index: int) -> bool:
    below = next((each for each in range(index + 1, len(texts)) if texts[each]), None)
    return below is not None and not mine[below]


def _wrapped_start(texts: list[str], mine: list[bool], start: int) -> int:
    """Return where an attribution begins that was wrapped: above its recognised part, as long as it looks like one."""
    for above in range(start - 1, max(-1, start - _MOST_LINES), -1):
        if BEGINS.match(texts[start]) or not (mine[above] and texts[above]):
            return start
        if not (BEGINS.match(texts[above]) or _WHEN.search(texts[above]) or re.search("@|[<(]$", texts[above])):
            return start
        start = above
    return start
