"""The lines that mail programs put above a quotation, in the languages of their users.

There are two kinds. After a sentence that ends in a colon (“On ... wrote:”) the quotation may be marked or not. After a
block of header lines (“From: ... Sent: ...”) or a divider it is never marked.
"""

import re
from itertools import takewhile
from typing import Final

from notifications.mail_parsing.reply_markers import BEGINS, DIVIDING, FROM, LABELS, WROTE

_MOST_LINES: Final = 4
"""The most lines into which such a sentence may be wrapped."""

_WHEN: Final = re.compile(r"\d{1,2}[:.h]\d{2}|\b\d{4}\b|\d{1,2}[./-]\d{1,2}|\d年")
_YEAR: Final = re.compile(r"\b\d{4}\b")
_FIELD: Final = re.compile(r"\*?([^\W\d][\w .'’־\u200c-]{0,24}?)\*?\s?[:：]\*?\s*(\S.*)?", re.I)
_DIVIDER: Final = re.compile(r"[-_=—–\s*]{3,40}+(?P<words>\w.{2,60}?)[-_=—–\s*]{3,40}")


def quoted_after(is_own: list[bool]) -> int:
    """Return the index of the first quoted line, or the number of lines."""
    return next((index for index, is_line_own in enumerate(is_own) if not is_line_own), len(is_own))


def unmark_attributions(texts: list[str], is_own: list[bool]) -> None:
    """Set ``is_own`` to False for attributions and for the unmarked quotations below them."""
    end = next((index for index in range(len(texts)) if is_own[index] and _divides(texts, index)), len(texts))
    is_own[end:] = [False] * (len(is_own) - end)
    for index, text in enumerate(texts):
        if (
            is_own[index]
            and text.rstrip("* ").endswith((":", "："))
            and (start := _start(texts, is_own, index)) is not None
        ):
            is_own[start : index + 1] = [False] * (index + 1 - start)
            following = next((position for position in range(index + 1, len(texts)) if texts[position]), len(texts))
            if following < len(texts) and is_own[following]:
                is_own[following:] = [False] * (len(is_own) - following)
                return


def _divides(texts: list[str], index: int) -> bool:
    """Return whether an unmarked quotation begins with this line."""
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
    """Return the name of the header field that a line looks like, or None."""
    field = _FIELD.fullmatch(text[:300]) if text else None
    return field[1].strip().lower() if field else None


def _start(texts: list[str], is_own: list[bool], end: int) -> int | None:
    """Return the first line of the attribution that ends at this line, or None."""
    for start in range(end, max(-1, end - _MOST_LINES), -1):
        if not is_own[start] or not texts[start]:
            return None
        if _is_attribution(" ".join(texts[start : end + 1]), _is_quoted_below(is_own, texts, end)):
            return _wrapped_start(texts, is_own, start)
    return None


def _is_attribution(text: str, quoted_below: bool) -> bool:
    wrote, when, address = WROTE.search(text), _WHEN.search(text), "@" in text
    signs = sum(map(bool, (wrote, when, address)))
    return len(text) <= 500 and (signs > 1 or (quoted_below and (wrote or _YEAR.search(text)) is not None))


def _is_quoted_below(is_own: list[bool], texts: list[str], index: int) -> bool:
    line_below = next((position for position in range(index + 1, len(texts)) if texts[position]), None)
    return line_below is not None and not is_own[line_below]


def _wrapped_start(texts: list[str], is_own: list[bool], start: int) -> int:
    """Return the first line of a wrapped attribution: lines above belong to it while they look like a part of one."""
    for line_above in range(start - 1, max(-1, start - _MOST_LINES), -1):
        if BEGINS.match(texts[start]) or not (is_own[line_above] and texts[line_above]):
            return start
        if not (
            BEGINS.match(texts[line_above])
            or _WHEN.search(texts[line_above])
            or re.search("@|[<(]$", texts[line_above])
        ):
            return start
        start = line_above
    return start
