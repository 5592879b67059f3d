"""Finds what of a body its writer wrote: the lines that are left without quotations and signatures.

In the order in which the steps are sure of themselves: what the mail marks itself, our own marker
line, mail-parser-reply, and then what is left of the habits of mail programs. A step only ever takes
lines away. ``Torn`` where what is left begins with what may be a piece of the quotation.
"""

import re
from collections.abc import Sequence
from typing import Final

from mailparser_reply import EmailMessage
from mailparser_reply.constants import MAIL_LANGUAGES

from notifications.content.rendered_notification import MARKER_BEGINS
from notifications.mail_parsing import attribution
from notifications.mail_parsing.lines import Line, seen
from notifications.mail_parsing.reply_markers import CORRECTS, PHONE, WRITTEN_BEHIND

_LANGUAGES: Final = sorted(MAIL_LANGUAGES)
_HANDED_LINES: Final = 60
_HANDED_WIDTH: Final = 300
_SIGNATURE: Final = re.compile("[-–—]{2}")
_RULE: Final = re.compile(r"[-_=*~—–]{4,}")


class Torn(Exception):
    """The rest of a text begins where a broken-off piece of a quotation would stand."""


def own(lines: Sequence[Line]) -> tuple[str, ...]:
    """The writer's own lines, empty ones for gaps; nothing where all is quoted."""
    texts = [seen(line.text) for line in lines]
    mine = [not line.quoted for line in lines]
    _take_from(mine, _own_end(lines, texts, mine))
    _take_from(mine, _parsed_end(texts, mine), attribution.quoted_after(mine))
    attribution.take_away(texts, mine)
    _take_signatures(texts, mine)
    kept = [index for index, text in enumerate(texts) if mine[index] and text]
    if kept and lines[kept[0]].torn:
        raise Torn
    return tuple(_with_gaps(lines, kept))


def _take_from(mine: list[bool], start: int, end: int | None = None) -> None:
    for index in range(start, len(mine) if end is None else end):
        mine[index] = False


def _own_end(lines: Sequence[Line], texts: list[str], mine: list[bool]) -> int:
    """Return where the mail itself, or our unquoted marker line, says that the writer's part ends."""
    for index, line in enumerate(lines):
        if line.ends or (mine[index] and MARKER_BEGINS in texts[index][:40]):
            return index
    return len(lines)


def _parsed_end(texts: list[str], mine: list[bool]) -> int:
    """Return where mail-parser-reply sees the first reply end, in the unquoted beginning of a text.

    Only the place is taken from it. Where a text begins with a quotation's header it gives the quotation
    for the reply, it takes lines that begin with ``- `` for signatures, and it changes what it reads.
    """
    end = attribution.quoted_after(mine)
    handed = texts[: min(end, _HANDED_LINES)]
    wide = next((index for index, text in enumerate(handed) if len(text) > _HANDED_WIDTH), len(handed))
    first = EmailMessage(text="\n".join(handed[:wide]), languages=list(_LANGUAGES)).read().replies[0]
    if first.headers:
        return next((index for index, text in enumerate(texts) if text), end)
    kept = first.content.split("\n")
    start = next((index for index, text in enumerate(handed) if text), 0)
    if handed[start : start + len(kept)] != kept or start + len(kept) >= wide:
        return end
    return start + len(kept)


def _take_signatures(texts: list[str], mine: list[bool]) -> None:
    """Signatures (which end where a quotation begins: some programs put them above it), and drawn lines."""
    signature = False
    for index, text in enumerate(texts):
        signature = mine[index] and (signature or _SIGNATURE.fullmatch(text) is not None)
        if (signature and not CORRECTS.search(text)) or _is_added(text) or _RULE.fullmatch(text):
            mine[index] = False


def _is_added(text: str) -> bool:
    """Return whether a telephone or a program has added a line, and its owner has written nothing behind it."""
    return PHONE.fullmatch(text) is not None and WRITTEN_BEHIND.search(text) is None


def _with_gaps(lines: Sequence[Line], kept: list[int]) -> list[str]:
    texts: list[str] = []
    for place, index in enumerate(kept):
        if place and index != kept[place - 1] + 1:
            texts.append("")
        texts.append(lines[index].text.strip())
    return texts
