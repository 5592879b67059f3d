"""Mails with something broken in them by chance, and what of them was the writer's own."""

import base64
import random
import re
from collections.abc import Callable, Iterator
from typing import Final

Span = tuple[int, int]
Mutation = Callable[[random.Random, bytes, list[Span]], bytes]

_BASE64: Final = re.compile(rb"base64\r?\n\r?\n([A-Za-z0-9+/=\r\n]+)")
_TRIES: Final = 200


def own_spans(raw: bytes, answer_text: str) -> list[Span]:
    """Return the positions of the sender's first line in an email's bytes, in every form and encoding, with its
    neighbours.
    """
    forms = {answer_text, answer_text.replace("ی", "ي").replace("ک", "ك")}
    coded = {form.encode(charset, "ignore") for form in forms for charset in ("utf-8", "windows-1256", "windows-1255")}
    spans = [match.span() for coded_text in coded if coded_text for match in _soft(coded_text).finditer(raw)]
    spans += _within_base64(raw, coded)
    return [(start - 1, end + 1) for start, end in spans]


def _soft(text: bytes) -> re.Pattern[bytes]:
    """Return a pattern for a text, plain or in quoted-printable with soft line breaks anywhere."""
    letters = (b"(?:%s|=%02X)" % (re.escape(bytes([letter])), letter) for letter in text)
    return re.compile(rb"(?:=\r?\n)?".join(letters))


def _within_base64(raw: bytes, coded: set[bytes]) -> Iterator[Span]:
    """A break in base64 changes everything behind it, so all of it up to the line counts."""
    for block in _BASE64.finditer(raw):
        decoded = base64.b64decode(block[1])
        at = max(
            (decoded.find(coded_text) + len(coded_text) for coded_text in coded if coded_text in decoded), default=0
        )
        if at:
            yield block.start(1), min(block.end(1), block.start(1) + (at // 3 + 2) * 4 * 78 // 76 + 8)


def mutated(seed: int, raw: bytes, spared: list[Span], most: int = 4) -> bytes:
    """``raw`` with one to ``most`` things broken, all outside the spans."""
    chance = random.Random(seed)
    for _ in range(chance.randint(1, most)):
        mutation = chance.choice(_MUTATIONS)
        changed = mutation(chance, raw, spared)
        if changed is not raw and spared:
            spared = _moved(raw, changed, spared)
        raw = changed
    return raw


def _moved(before: bytes, after: bytes, spared: list[Span]) -> list[Span]:
    """The spans where they lie after a change that left them alone."""
    grown = len(after) - len(before)
    first = next((at for at, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), len(before))
    return [(start + grown, end + grown) if start >= first else (start, end) for start, end in spared]


def _place(chance: random.Random, raw: bytes, spared: list[Span]) -> int | None:
    for _ in range(_TRIES):
        at = chance.randrange(max(1, len(raw)))
        if not any(start <= at < end for start, end in spared):
            return at
    return None


def _flip(chance: random.Random, raw: bytes, spared: list[Span]) -> bytes:
    at = _place(chance, raw, spared)
    return raw if at is None else raw[:at] + bytes([chance.randrange(256)]) + raw[at + 1 :]


def _drop(chance: random.Random, raw: bytes, spared: list[Span]) -> bytes:
    at = _place(chance, raw, spared)
    return raw if at is None else raw[:at] + raw[at + 1 :]


def _insert(chance: random.Random, raw: bytes, spared: list[Span]) -> bytes:
    at = _place(chance, raw, spared)
    piece = chance.choice([b"\0", b"\n", b"\r", b"=", b">", b"<", b'"', b"--", b"&", b"\xff", b":", b" "])
    return raw if at is None else raw[:at] + piece + raw[at:]


def _line(chance: random.Random, raw: bytes, spared: list[Span]) -> Span | None:
    for _ in range(_TRIES):
        at = chance.randrange(max(1, len(raw)))
        start, end = raw.rfind(b"\n", 0, at) + 1, raw.find(b"\n", at) + 1 or len(raw)
        if not any(begin < end and start < stop for begin, stop in spared):
            return start, end
    return None


def _drop_line(chance: random.Random, raw: bytes, spared: list[Span]) -> bytes:
    line = _line(chance, raw, spared)
    return raw if line is None else raw[: line[0]] + raw[line[1] :]


def _double_line(chance: random.Random, raw: bytes, spared: list[Span]) -> bytes:
    line = _line(chance, raw, spared)
    return raw if line is None else raw[: line[1]] + raw[line[0] : line[1]] + raw[line[1] :]


def _unmark_line(chance: random.Random, raw: bytes, spared: list[Span]) -> bytes:
    line = _line(chance, raw, spared)
    return raw if line is None else raw[: line[0]] + raw[line[0] : line[1]].lstrip(b"> ") + raw[line[1] :]


def _cut(chance: random.Random, raw: bytes, spared: list[Span]) -> bytes:
    at = _place(chance, raw, spared)
    return raw if at is None or any(end > at for _, end in spared) else raw[:at]


_MUTATIONS: Final[tuple[Mutation, ...]] = (_flip, _drop, _insert, _drop_line, _double_line, _unmark_line, _cut)
