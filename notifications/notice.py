"""What is told to one person: plain data, already redacted and already in the reader's language.

Whoever writes a notice has looked at what this reader may know and nothing else; every channel only
gives it a shape. Text in it may hold the Unicode isolates U+2066 to U+2069 round a piece that runs
in the other direction; channels keep or translate them.
"""

from typing import Final

import msgspec

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


class Answers(msgspec.Struct, frozen=True, tag="answers"):
    """What may be answered, under a title."""

    title: str
    answers: tuple[Answer, ...]


class Code(msgspec.Struct, frozen=True, tag="code"):
    """Something to be copied letter by letter, shown large."""

    text: str


class Link(msgspec.Struct, frozen=True, tag="link"):
    """A page to go to, with what the button says."""

    label: str
    url: str


class Footnote(msgspec.Struct, frozen=True, tag="footnote"):
    """What is said small: how to answer, why this was sent."""

    lines: tuple[str, ...]


Block = Prose | Listing | Answers | Code | Link | Footnote


class Notice(msgspec.Struct, frozen=True):
    """A whole message, top to bottom."""

    language: str
    """The reader's language, as Django names it."""
    subject: str
    """Short, without secrets, the same for every notice of one topic to one reader, so that mail programs thread it."""
    headline: str
    """The message in one sentence without secrets: a preview may show it."""
    blocks: tuple[Block, ...] = ()


def encode(notice: Notice) -> bytes:
    """``notice`` as it is stored."""
    return msgspec.json.encode(notice)


def decode(stored: bytes) -> Notice:
    """The notice that ``encode`` stored. msgspec.ValidationError for anything else."""
    return msgspec.json.decode(stored, type=Notice)
