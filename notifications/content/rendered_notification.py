"""The content of a notification for one reader: plain data without hidden facts, in the reader's language.

The code that makes it has applied the visibility rules for this reader. Channels only format it. Text may contain the
Unicode isolates U+2066 to U+2069 around pieces in another direction of writing. Channels keep or translate them.
"""

from datetime import datetime
from typing import Final

import msgspec
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
