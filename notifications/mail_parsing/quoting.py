"""Finding the sender's own lines of a body: the lines without quotations and signatures.

The steps are applied in the order of their certainty: the marks in the email itself, this server's marker line,
mail-parser-reply, and then further habits of mail programs. A step only removes lines. ``Torn`` is raised if the rest
begins with a possible piece of the quotation.
"""

import re
from collections.abc import Sequence
from typing import Final

from mailparser_reply import EmailMessage
from mailparser_reply.constants import MAIL_LANGUAGES

from notifications.content.rendered_notification import MARKER_BEGINS
from notifications.mail_parsing import attribution
from notifications.mail_parsing.lines import Line, visible_text
from notifications.mail_parsing.reply_markers import CORRECTS, PHONE, WRITTEN_BEHIND

_LANGUAGES: Final = sorted(MAIL_LANGUAGES)
_HANDED_LINES: Final = 60
_HANDED_WIDTH: Final = 300
_SIGNATURE: Final = re.compile("[-–—]{2}")
_RULE: Final = re.compile(r"[-_=*~—–]{4,}")


class Torn(Exception):
    """The remaining text begins with what may be a wrapped piece of a quotation."""


def own_lines(lines: Sequence[Line]) -> tuple[str, ...]:
    """Return the sender's own lines, with empty lines for gaps. Nothing if all lines are quoted."""
    texts = [visible_text(line.text) for line in lines]
    is_own = [not line.quoted for line in lines]
    _unmark(is_own, _own_end(lines, texts, is_own))
    _unmark(is_own, _parsed_end(texts, is_own), attribution.quoted_after(is_own))
    attribution.unmark_attributions(texts, is_own)
    _unmark_signatures(texts, is_own)
    kept_lines = [index for index, text in enumerate(texts) if is_own[index] and text]
    if kept_lines and lines[kept_lines[0]].torn:
        raise Torn
    return tuple(_with_gaps(lines, kept_lines))


def _unmark(is_own: list[bool], start: int, end: int | None = None) -> None:
    for index in range(start, len(is_own) if end is None else end):
        is_own[index] = False


def _own_end(lines: Sequence[Line], texts: list[str], is_own: list[bool]) -> int:
    """Return the line at which the email or the unquoted marker line ends the sender's text."""
    for index, line in enumerate(lines):
        if line.ends or (is_own[index] and MARKER_BEGINS in texts[index][:40]):
            return index
    return len(lines)


def _parsed_end(texts: list[str], is_own: list[bool]) -> int:
    """Return the line at which mail-parser-reply sees the end of the first reply, in the unquoted beginning of a text.

    Only this position is used. If a text begins with the header of a quotation, the library returns the quotation as
    the reply. It takes lines that begin with ``- `` for signatures, and it changes the text.
    """
    end = attribution.quoted_after(is_own)
    beginning = texts[: min(end, _HANDED_LINES)]
    limit = next((index for index, text in enumerate(beginning) if len(text) > _HANDED_WIDTH), len(beginning))
    first = EmailMessage(text="\n".join(beginning[:limit]), languages=list(_LANGUAGES)).read().replies[0]
    if first.headers:
        return next((index for index, text in enumerate(texts) if text), end)
    reply_lines = first.content.split("\n")
    start = next((index for index, text in enumerate(beginning) if text), 0)
    if beginning[start : start + len(reply_lines)] != reply_lines or start + len(reply_lines) >= limit:
        return end
    return start + len(reply_lines)


def _unmark_signatures(texts: list[str], is_own: list[bool]) -> None:
    """Set ``is_own`` to False for signatures and drawn lines. A signature ends where a quotation begins."""
    in_signature = False
    for index, text in enumerate(texts):
        in_signature = is_own[index] and (in_signature or _SIGNATURE.fullmatch(text) is not None)
        if (in_signature and not CORRECTS.search(text)) or _is_added(text) or _RULE.fullmatch(text):
            is_own[index] = False


def _is_added(text: str) -> bool:
    """Return whether a phone or a program has added a line, and its owner wrote nothing behind it."""
    return PHONE.fullmatch(text) is not None and WRITTEN_BEHIND.search(text) is None


def _with_gaps(lines: Sequence[Line], kept_lines: list[int]) -> list[str]:
    texts: list[str] = []
    for place, index in enumerate(kept_lines):
        if place and index != kept_lines[place - 1] + 1:
            texts.append("")
        texts.append(lines[index].text.strip())
    return texts
