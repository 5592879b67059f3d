"""A notification as HTML for mail programs. Styles are attributes of elements, because many programs ignore others.

Repeated styles are in the head only. An email is readable without them.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from html import escape
from typing import Any, Final

from notifications.content import (
    Answer,
    Answers,
    Code,
    Footnote,
    Heading,
    Link,
    Links,
    Listing,
    Picture,
    Prose,
    RenderedNotification,
    with_bdi,
    with_needed_isolates,
)

LONGEST: Final = 200
"""The most bytes of a line, unless a single word or address is longer. Programs quote lines unchanged, and some servers
refuse lines of 998 bytes.
"""
_PIECES: Final = re.compile(r'(?:[^" ]|"[^"]*"?)+')
"""Pieces of HTML between spaces. Values in quotation marks are not split. A quotation mark in text is ``&quot;``."""

_HEAD: Final = """\
<!DOCTYPE html>
<html lang="{language}" dir="{direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="format-detection" content="telephone=no,date=no,address=no,email=no,url=no">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>{subject}</title>
<style>
p{{margin:0 0 12px}}
li{{margin:0 0 4px}}
.answers{{width:100%;border-collapse:collapse;margin:0 0 14px}}
.answers td{{padding:8px 6px;border-top:1px solid #e2d8c8;vertical-align:top}}
.answers a{{display:inline-block;padding:2px 0}}
.number{{width:2em;color:#6b5f55}}
.mail{{font-size:14px;white-space:nowrap}}
.notation{{font-family:Consolas,Menlo,monospace;font-size:15px;color:#1d4f78}}
.rtl .notation{{font-family:inherit}}
a{{color:#1d4f78}}
.footnote p{{margin:0 0 8px;word-break:break-word;overflow-wrap:anywhere}}
@media (prefers-color-scheme:dark){{
body,.page,.code{{background-color:#15120f!important;color:#ece4d8!important}}
.sheet{{background-color:#211c18!important;color:#ece4d8!important}}
h1,h2{{color:#f0a3a0!important}}
.answers td,.footnote,.part{{border-color:#453c34!important}}
.number,.footnote,.marker{{color:#b5a999!important}}
.notation,a{{color:#9fcdf2!important}}
}}
</style>
</head>
<body style="margin:0;padding:0;background-color:#f4efe6">
<table role="presentation" cellpadding="0" cellspacing="0" border="0" lang="{language}" dir="{direction}"
class="page {direction}" style="width:100%;table-layout:fixed;background-color:#f4efe6;color:#2a2420;font-size:17px;
{font}">
<tr><td align="center">
<table role="presentation" cellpadding="0" cellspacing="0" border="0" class="sheet"
style="width:100%;max-width:600px;table-layout:fixed;background-color:#fffdf8">
"""
_FONTS: Final = {
    "ltr": "font-family:Georgia,'Times New Roman',serif;line-height:1.5",
    "rtl": "font-family:Vazirmatn,'Segoe UI',Tahoma,Arial,sans-serif;line-height:1.8",
}
_MARKER: Final = 'style="margin:0;padding:8px 20px 0;font-size:12px;color:#6b5f55"'
_PREVIEW: Final = 'style="display:none;font-size:0;max-height:0;overflow:hidden;mso-hide:all"'
_HEADLINE: Final = 'style="margin:0 0 20px;font-size:22px;line-height:1.4;color:#7a1f2b"'
_TITLE: Final = 'style="margin:24px 0 6px;font-size:15px;color:#7a1f2b"'
_QUESTION: Final = 'style="margin:24px 0 6px;font-size:18px;color:#7a1f2b"'
_PART: Final = 'style="margin:36px 0 12px;padding:16px 0 0;border-top:3px double #cbbda8;font-size:20px;color:#7a1f2b"'
_LIST: Final = 'style="margin:0 0 12px;padding:0 22px"'
_PICTURE: Final = 'style="display:block;max-width:100%;height:auto;margin:12px 0;border:0"'
_CODE: Final = (
    'style="margin:8px 0 16px;padding:14px;background-color:#f4efe6;font-family:Consolas,Menlo,monospace;\n'
    'font-size:26px;letter-spacing:4px;text-align:center;color:#2a2420"'
)
_FOOTNOTE: Final = 'style="margin:26px 0 0;padding:12px 0 0;border-top:1px solid #e2d8c8;font-size:14px;color:#6b5f55"'
_FURTHER_FOOTNOTE: Final = 'style="margin:12px 0 0;font-size:14px;color:#6b5f55"'
_END: Final = "</td></tr>\n</table>\n</td></tr>\n</table>\n</body>\n</html>\n"

_isolated: Final = partial(with_bdi, characters=True)


def html_body(rendered: RenderedNotification, marker: str, direction: str) -> str:
    """Return a notification as HTML in this direction of writing, below its marker line."""
    language, subject = escape(rendered.language), escape(rendered.subject)
    head = _HEAD.format(language=language, subject=subject, direction=direction, font=_FONTS[direction])
    rows = with_needed_isolates("\n".join(_rows(rendered, marker, direction)), direction)
    html = "\n".join((head, rows, _END))
    lines = (line for line in html.split("\n") if line and not line.isspace())
    return "\n".join(_wrapped(line) if len(line.encode()) > LONGEST else line for line in lines)


def _rows(rendered: RenderedNotification, marker: str, direction: str) -> Iterator[str]:
    if marker:
        # Inboxes show the beginning of an email, also if it is hidden. In a quotation it is on the marker's line.
        preview = f"<span {_PREVIEW}>{_isolated(rendered.headline)} </span>"
        yield f'<tr><td><p class="marker" dir="{direction}" {_MARKER}>{preview}{escape(marker)}</p></td></tr>'
    yield f'<tr><td class="inner" dir="{direction}" style="padding:24px 20px">'
    yield f"<h1 {_HEADLINE}>{_isolated(rendered.headline)}</h1>"
    in_small_print = False
    for block in rendered.blocks:
        for line in _WRITERS[type(block)](block):
            yield line.replace(_FOOTNOTE, _FURTHER_FOOTNOTE) if in_small_print else line
        in_small_print = isinstance(block, Footnote | Links)


def _prose(block: Prose) -> Iterator[str]:
    yield from _paragraphs(block.lines)


def _paragraphs(lines: tuple[str, ...]) -> Iterator[str]:
    return (f"<p>{_isolated(line)}</p>" for line in lines)


def _listing(block: Listing) -> Iterator[str]:
    yield f"<h2 {_TITLE}>{_isolated(block.title)}</h2>"
    yield f"<ul {_LIST}>"
    yield from (f"<li>{_isolated(line)}</li>" for line in block.lines)
    yield "</ul>"


def _answers(block: Answers) -> Iterator[str]:
    yield f'<h2 class="question" {_QUESTION}>{_isolated(block.title)}</h2>'
    yield '<table role="presentation" class="answers" cellpadding="0" cellspacing="0">'
    by_mail = _isolated(block.by_mail)
    for answer in block.answers:
        yield from _answer(answer, by_mail)
    yield "</table>"


def _answer(answer: Answer, by_mail: str) -> Iterator[str]:
    number = f'<td class="number">{escape(answer.number)}</td>' if answer.number else ""
    yield f"<tr>{number}<td>" if number or answer.notation else '<tr><td colspan="2">'
    label = _isolated(answer.label)
    yield _linked(label, answer.page) if answer.page else label
    if answer.notation:
        notation = _isolated(f"\u2068{answer.notation}\u2069")
        yield f'<br><span class="notation">{notation}</span>'
    if answer.mail:
        yield f"&nbsp; {_linked(by_mail, answer.mail, 'mail')}"
    yield "</td></tr>"


def _linked(label: str, address: str, css_class: str = "") -> str:
    """Return a link on two lines, because addresses are long. Spaces in it are encoded, so that it is not wrapped."""
    address = escape(address).replace(" ", "%20")
    return f'<a class="{css_class}"\nhref="{address}">{label}</a>' if css_class else f'<a\nhref="{address}">{label}</a>'


def _code(block: Code) -> Iterator[str]:
    yield f'<p class="code" {_CODE}><bdi dir="ltr">{escape(block.text)}</bdi></p>'


def _heading(block: Heading) -> Iterator[str]:
    yield f'<h2 class="part" {_PART}>{_isolated(block.text)}</h2>'


def _picture(block: Picture) -> Iterator[str]:
    yield f'<img class="picture" width="{block.width:03}" src="cid:{escape(block.name)}" {_PICTURE}'
    yield f'alt="{escape(block.alt)}">'


def _footnote(block: Footnote) -> Iterator[str]:
    yield f'<div class="footnote" {_FOOTNOTE}>'
    yield from _paragraphs(block.lines)
    yield "</div>"


def _links(block: Links) -> Iterator[str]:
    links = " &nbsp;·&nbsp;\n".join(_linked(_isolated(link.label), link.url) for link in block.links)
    yield f'<div class="footnote" {_FOOTNOTE}><p>{links}</p></div>'


def _link(block: Link) -> Iterator[str]:
    yield f"<p>{_linked(_isolated(block.label), block.url)}</p>"


_WRITERS: Final[Mapping[type, Callable[[Any], Iterator[str]]]] = {
    Prose: _prose,
    Listing: _listing,
    Answers: _answers,
    Code: _code,
    Heading: _heading,
    Picture: _picture,
    Footnote: _footnote,
    Links: _links,
    Link: _link,
}


def _wrapped(line: str) -> str:
    """Replace spaces of a long line with line breaks. Values of attributes do not change."""
    first, *others = _PIECES.findall(line)
    wrapped, size = [first], len(first.encode())
    for piece in others:
        piece_size = len(piece.encode())
        size, separator = (size + 1 + piece_size, " ") if size + 1 + piece_size <= LONGEST else (piece_size, "\n")
        wrapped += separator, piece
    return "".join(wrapped)
