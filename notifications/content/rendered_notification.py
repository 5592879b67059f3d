"""The content for one person: plain data, already redacted and already in the reader's language.

Whoever writes a rendered notification has looked at what this reader may know and nothing else; every channel only
gives it a shape. Text in it may hold the Unicode isolates U+2066 to U+2069 round a piece that runs
in the other direction; channels keep or translate them.
"""

from typing import Final

import msgspec
from django.utils.translation import gettext

MARKER_BEGINS: Final = "##-"
MARKER_ENDS: Final = "-##"


def marker(sentence: str) -> str:
    """The first line of every mail that may be answered, before anything else that it shows, hidden text included.

    ``sentence`` (at most 50 characters, so that nothing wraps it) asks to answer above it. Whoever reads the
    answer takes what stands from this line on for ours, whatever the answer's program made of it.
    """
    return f"{MARKER_BEGINS} {sentence} {MARKER_ENDS}"


class Prose(msgspec.Struct, frozen=True, tag="prose"):
    """Sentences, a paragraph each."""

    lines: tuple[str, ...]


class Listing(msgspec.Struct, frozen=True, tag="listing"):
    """Short lines under a title: what happened, the table, one's own cards."""

    title: str
    lines: tuple[str, ...]


class Answer(msgspec.Struct, frozen=True):
    """One of the answers a question offers."""

    number: str
    """Its number, in the reader's digits."""
    notation: str
    label: str
    page: str = ""
    """The link to the page with the button for it."""
    mail: str = ""
    """The ``mailto:`` link to a mail that gives it."""


class Answers(msgspec.Struct, frozen=True, tag="answers"):
    """The answers that may be given, under a title."""

    title: str
    answers: tuple[Answer, ...]
    by_mail: str = ""
    """The words of the links to emails."""


class Code(msgspec.Struct, frozen=True, tag="code"):
    """Something to be copied letter by letter, shown large."""

    text: str


class Link(msgspec.Struct, frozen=True, tag="link"):
    """A page to go to, with what the button says."""

    label: str
    url: str


class Links(msgspec.Struct, frozen=True, tag="links"):
    """Further links, said small."""

    links: tuple[Link, ...]


class Heading(msgspec.Struct, frozen=True, tag="heading"):
    """The heading of the next part of a message that gathers several."""

    text: str


class Picture(msgspec.Struct, frozen=True, tag="picture"):
    """A picture of what the listings say in words; text readers get those only."""

    name: str
    """Its id within the message: letters, digits and signs that an address may hold."""
    png: bytes
    """At most 11 kB."""
    alt: str

    @property
    def width(self) -> int:
        """Its width in pixels, as the head of every PNG says."""
        return int.from_bytes(self.png[16:20])


class Footnote(msgspec.Struct, frozen=True, tag="footnote"):
    """The small print: how to answer, why this was sent."""

    lines: tuple[str, ...]


Block = Prose | Listing | Answers | Code | Link | Links | Heading | Picture | Footnote


class RenderedNotification(msgspec.Struct, frozen=True):
    """A whole message, top to bottom."""

    language: str
    """The reader's language, as Django names it."""
    subject: str
    """Short and without secrets. The same for all notifications of one topic to one reader, so mail programs thread
    them.
    """
    headline: str
    """The message in one sentence."""
    blocks: tuple[Block, ...] = ()
    preview: str = ""
    """The message in one sentence without secrets, for screens that others may see; blank where the headline is so."""
    marker: str = ""
    """The sentence of the marker line, at most 50 characters; blank where an answer by mail goes nowhere."""
    reply_to: str = ""
    """The address for an answer by email; blank where none is expected."""
    in_reply_to: str = ""
    """The Message-ID of the mail that it answers; blank where it answers none."""
    thread: str = ""
    """The topic with which it is shown; blank where that is its notification's own."""
    command: str = ""
    """The command that is given by answering yes; blank where no command waits for that."""
    is_official: bool = False
    """True where the operator or a moderator wrote the text, so that mail programs may make links of it."""
    stop: str = ""
    """The link at which one POST ends such mails; blank where that is the one that every notification has."""

    @property
    def pictures(self) -> "tuple[Picture, ...]":
        """The pictures in it."""
        return tuple(block for block in self.blocks if isinstance(block, Picture))


def answerable(rendered: RenderedNotification) -> RenderedNotification:
    """Return a notification with the line above which its reader replies, in the language that is active."""
    return msgspec.structs.replace(rendered, marker=gettext("Reply above this line"))


def headline_of(rendered: RenderedNotification) -> RenderedNotification:
    """Return what a preview may show of a rendered notification, and nothing else of it."""
    headline = rendered.preview or rendered.headline
    return RenderedNotification(language=rendered.language, subject=rendered.subject, headline=headline)


def encode(rendered: RenderedNotification) -> bytes:
    """``rendered`` as it is stored."""
    return msgspec.json.encode(rendered)


def decode(stored: bytes) -> RenderedNotification:
    """The rendered notification that ``encode`` stored. msgspec.ValidationError for anything else."""
    return msgspec.json.decode(stored, type=RenderedNotification)
