"""The content of notifications as plain data, and texts that players write for other people in it.

The content is for one reader: it contains no facts that are hidden from them, and is in their language. The code that
makes it has applied the visibility rules for this reader. Channels only format it. Text may contain the Unicode
isolates U+2066 to U+2069 around pieces in another direction of writing. Channels keep or translate them.

Names, notes and descriptions must not contain links, addresses or phone numbers (``find_contact``), because they appear
in emails to strangers and would look like an advertisement or a warning of this server. Chat messages may contain
links. In emails all text is changed so that mail programs make no links (``without_links``), because the reader cannot
see who wrote which part.

Unicode isolates around text in another direction become HTML elements, and stay in plain text only where the direction
changes.
"""

import re
import unicodedata
from datetime import datetime
from functools import partial
from html import escape
from typing import Final

import msgspec
from django.conf import settings
from django.utils.translation import gettext

MARKER_BEGINS: Final = "##-"
MARKER_ENDS: Final = "-##"


def marker(sentence: str) -> str:
    """Return the marker in the first line of every email that can be answered. The headline is before it.

    ``sentence`` (at most 50 characters) asks the reader to reply above it. In a reply all text from this line on counts
    as quoted, however the mail program formats it.
    """
    return f"{MARKER_BEGINS} {sentence} {MARKER_ENDS}"


class Prose(msgspec.Struct, frozen=True, tag="prose"):
    """Sentences. Each is a paragraph."""

    lines: tuple[str, ...]


class Listing(msgspec.Struct, frozen=True, tag="listing"):
    """Short lines under a title: events, the table, the reader's own cards."""

    title: str
    lines: tuple[str, ...]


class Answer(msgspec.Struct, frozen=True):
    """A possible answer to a question."""

    number: str
    """The number in the reader's digits."""
    notation: str
    """The text of the move. Blank if the number is enough for a reply."""
    label: str
    page: str = ""
    """The link to the page with this answer's button."""
    mail: str = ""
    """The ``mailto:`` link to an email with this answer."""


class Answers(msgspec.Struct, frozen=True, tag="answers"):
    """The possible answers, under a title."""

    title: str
    answers: tuple[Answer, ...]
    by_mail: str = ""
    """The label of the links to emails."""


class Code(msgspec.Struct, frozen=True, tag="code"):
    """A code to copy, shown in large letters."""

    text: str


class Link(msgspec.Struct, frozen=True, tag="link"):
    """A link to a page, shown as a button."""

    label: str
    url: str


class Links(msgspec.Struct, frozen=True, tag="links"):
    """Further links in small print."""

    links: tuple[Link, ...]


class Heading(msgspec.Struct, frozen=True, tag="heading"):
    """The heading of the next part of a digest."""

    text: str


class Picture(msgspec.Struct, frozen=True, tag="picture"):
    """A picture of facts that the listings describe in words. Plain text leaves it out."""

    name: str
    """An id within the email. Its characters are allowed in an address."""
    png: bytes
    """At most 13 kB."""
    alt: str

    @property
    def width(self) -> int:
        """The width in pixels, from the head of the PNG."""
        return int.from_bytes(self.png[16:20])


class Footnote(msgspec.Struct, frozen=True, tag="footnote"):
    """Small print: how to answer, and why this was sent."""

    lines: tuple[str, ...]
    explains_reply: bool = False
    """True if it explains how to answer by a reply."""


Block = Prose | Listing | Answers | Code | Link | Links | Heading | Picture | Footnote


class RenderedNotification(msgspec.Struct, frozen=True):
    """The content of a message, from top to bottom."""

    language: str
    """The reader's language, as a language code of Django."""
    subject: str
    """A short name of the topic without secrets. It ends the subject of every email about this topic."""
    headline: str
    """The message in one sentence."""
    blocks: tuple[Block, ...] = ()
    question: str = ""
    """The question without secrets. It begins the subject of the email. Blank for a subject that is only the topic."""
    preview: str = ""
    """The message in one sentence without secrets, for visible screens. Blank if the headline has no secrets."""
    marker: str = ""
    """The sentence of the marker line, at most 50 characters. Blank if the email cannot be answered."""
    reply_to: str = ""
    """The address for replies. Blank if none are expected."""
    in_reply_to: str = ""
    """The Message-ID of the email that this one answers, or blank."""
    references: str = ""
    """The Message-IDs to which that email refers, the oldest first."""
    thread: str = ""
    """The topic of the thread. Blank for the notification's own topic."""
    command: str = ""
    """The command that the reader confirms by answering yes, or blank."""
    is_official: bool = False
    """True if the operator or a moderator wrote the text, so that links in it are allowed."""
    stop: str = ""
    """The link at which one POST ends such emails. Blank for the link of the notification itself."""
    page: str = ""
    """The link to the page of its game or tournament, which requires a log-in. Blank for the home page."""
    deadline: datetime | None = None
    """The time until which its question can be answered. None without a question."""

    @property
    def pictures(self) -> "tuple[Picture, ...]":
        """The pictures among the blocks."""
        return tuple(block for block in self.blocks if isinstance(block, Picture))


def answerable(rendered: RenderedNotification) -> RenderedNotification:
    """Return a notification with a marker line in the active language."""
    return msgspec.structs.replace(rendered, marker=gettext("Reply above this line"))


def headline_of(rendered: RenderedNotification) -> RenderedNotification:
    """Return the part of a notification that a preview may show."""
    return RenderedNotification(
        language=rendered.language,
        subject=rendered.subject,
        headline=rendered.preview or rendered.headline,
        page=rendered.page,
        deadline=rendered.deadline,
    )


def encode(rendered: RenderedNotification) -> bytes:
    """Return a notification in the form in which it is stored."""
    return msgspec.json.encode(rendered)


def decode(stored: bytes) -> RenderedNotification:
    """Return a stored notification. Raises msgspec.ValidationError."""
    return msgspec.json.decode(stored, type=RenderedNotification)


_UNSEEN: Final = re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]")
_FULL_STOPS: Final = "\u06d4\ua60e\u1362"
_ASCII_DOTS: Final = re.compile(r"(?<=[a-z0-9])[。•∙⋅·‧・ꞏ⸱⸳](?=[a-z]{2})(?<!l·(?=l))", re.I)
"""Dots of other scripts between Latin letters. The Catalan name Gal·la contains one too."""
_BRACKETED: Final = re.compile(r"\s*[\[({<]\s*(\.|dot|punkt|nokta|نقطه|نقطة|دات)\s*[\])}>]\s*", re.I)
_SPELLED: Final = re.compile(r"(?<=[^\W_])\s+(?:dot|punkt|nokta|نقطه|نقطة|دات)\s+(?=[^\W\d_]{2})", re.I)
_LOOSE: Final = re.compile(r"(?<=[^\W_])\s+\.\s*(?=[^\W\d_]{2})")
_ENDINGS: Final = "com net org info biz xyz io app dev site online shop link click top ly gg"
_TRAILING: Final = re.compile(
    rf"(?<=[^\W_]{{2}})\.\s+(?=(?:{'|'.join((*_ENDINGS.split(), *_ENDINGS.upper().split()))})(?![^\W_]))"
)
"""The dot of “example. com”. Titles contain one too, as in “Dr. Dev Patel”."""
_DATES: Final = re.compile(
    r"(?<!\d)(?:\d{4}\s?[-–./]\s?\d{1,2}[-–./]\d{1,2}|\d{1,2}[-./]\d{1,2}[-./]\d{4}|(?:1[34]|19|20)\d\d\s?[-–/]\s?"
    r"(?:1[34]|19|20)\d\d)(?!\d)"
)
_DOMAIN: Final = r"[^\W_](?:[\w-]*[^\W_])?(?:\.[^\W_](?:[\w-]*[^\W_])?)*\.(?:[^\W\d_]{2,}|xn--[\w-]+)"
_CONTACT: Final = re.compile(
    r"\b(?:h\s?[tx]{2}\s?ps?|ftps?|mailto|tel|sms|javascript|tg|magnet)\s*:\S*"  # a scheme
    r"|\S*://\S*|//[^\s/]\S*|\bwww\b\S*|\bh[tx]{2}ps?\b"
    rf"|\S*@\s?\S*|{_DOMAIN}(?::\d+)?(?:/\S*)?"
    r"|(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?![\d.])|\[[0-9a-f]*:[0-9a-f:]+\]"  # an IP address
    r"|(?:\+|\b00)\s?\d(?:[\s\-–./()]*\d){4,}|\d(?:[\s\-–./()]*\d){6,}",  # a phone number
    re.I,
)
_LINKED_DOT: Final = re.compile(r"(?<=[^\W_])[.。．｡․۔](?=[^\W\d_]{2}|xn--)", re.I)
_WORD: Final = re.compile(r"\S+")
_PUNCTUATION: Final = "\u2066\u2067\u2068\u2069“”«»\"'()<>.,;:!?؟،؛"
"""Marks around a word that do not belong to it."""


def find_contact(text: str) -> str:
    """Return the first part of a text that is a link, an address or a phone number, or a blank text.

    A dot between two letters makes a domain if two letters follow it. So J. R. R. Tolkien, St. John and Ali.R are
    names, and St.John is not.
    """
    contact = _CONTACT.search(_plain(text))
    return contact[0].strip() if contact else ""


def _plain(text: str) -> str:
    """Return a text with one form of each letter, digit and dot, and without dates."""
    text = unicodedata.normalize("NFKC", _UNSEEN.sub("", text))
    text = "".join(letter for letter in unicodedata.normalize("NFD", text) if unicodedata.category(letter)[0] != "M")
    text = "".join(str(unicodedata.decimal(letter, letter)) for letter in text)
    text = text.translate(dict.fromkeys(map(ord, _FULL_STOPS), "."))
    for pattern in (_ASCII_DOTS, _BRACKETED, _SPELLED, _LOOSE, _TRAILING):
        text = pattern.sub(".", text)
    return _DATES.sub(" ", text)


def without_links(text: str) -> str:
    """Return a text that mail programs turn into no links, except addresses of this server: ``example[.]org``."""
    return _WORD.sub(lambda word: word[0] if _is_own(word[0].strip(_PUNCTUATION)) else _without_link(word[0]), text)


def _is_own(word: str) -> bool:
    mailbox, page = f"@{settings.MAIL_DOMAIN}", f"{settings.PUBLIC_URL}/"
    return word.endswith(mailbox) or word.startswith(page)


def _without_link(word: str) -> str:
    return _LINKED_DOT.sub("[.]", word.replace("://", "[:]//"))


_ISOLATE: Final = re.compile("([\u2066-\u2068])([^\u2066-\u2069]*)\u2069")
RIGHT_TO_LEFT: Final = "\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc"
"""The letters that are written from right to left, in the form of a character class."""
_RIGHT: Final = re.compile(f"[{RIGHT_TO_LEFT}]")
_LEFT: Final = re.compile("[A-Za-z\u00c0-\u058f]")
_STRAY: Final = re.compile("[\u2066-\u2069]")
_PIECE: Final = re.compile("[\u2066-\u2068]([^\u2066-\u2069<]*)\u2069")
"""An isolated piece of HTML without elements."""
_REFERENCE: Final = re.compile("&#(829[4-7]);")
_TAGS: Final = {"\u2066": '<bdi dir="ltr">', "\u2067": '<bdi dir="rtl">', "\u2068": "<bdi>"}


def with_bdi(text: str, *, characters: bool = False) -> str:
    """Return an escaped text with each isolated piece in a ``bdi`` element. Isolates without an end are left out.

    With ``characters`` the isolates stay within the elements, because most mail programs remove the elements.
    """
    html = escape(text)
    if not _STRAY.search(html):
        return html
    while (inner := _ISOLATE.sub(partial(_element, characters), html)) != html:
        html = inner
    return _REFERENCE.sub(lambda match: chr(int(match[1])), _STRAY.sub("", html))


def _element(characters: bool, match: re.Match[str]) -> str:
    # References to the characters, so that they are not taken for isolates that are still to be replaced.
    start, end = (f"&#{ord(match[1])};", f"&#{0x2069};") if characters else ("", "")
    return f"{_TAGS[match[1]]}{start}{match[2]}{end}</bdi>"


def plain_text(text: str, direction: str) -> str:
    """Return a text for plain text in this direction. Isolates stay only around pieces that need them."""
    foreign = _LEFT if direction == "rtl" else _RIGHT
    return _ISOLATE.sub(lambda match: match[0] if foreign.search(match[2]) else match[2], text)


def with_needed_isolates(html: str, direction: str) -> str:
    """Return HTML in this direction without the isolates around pieces that need none."""
    foreign = _LEFT if direction == "rtl" else _RIGHT
    return _PIECE.sub(lambda match: match[0] if foreign.search(match[1]) else match[1], html)


def notation(text: str, direction: str) -> str:
    """Return notation within plain text, isolated if its direction differs from that of the text."""
    return f"\u2066{text}\u2069" if direction == "rtl" and not _RIGHT.search(text) else text
