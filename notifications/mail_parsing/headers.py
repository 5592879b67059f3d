"""A tolerant parser of the header block of an email.

The parser of the standard library handles broken emails in ways that differ between versions, and is slow on hostile
ones. A header block is simple enough to be parsed here, with a limit on every size.
"""

import re
import unicodedata
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from typing import Final

LONGEST_BLOCK: Final = 256 * 1024
_LONGEST_VALUE: Final = 16 * 1024
_MOST: Final = 500
_NAME: Final = re.compile(rb"([!-9;-~]{1,100})[ \t]*:")
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*+"')
_COMMENT: Final = re.compile(r"\((?:[^()\\]|\\.)*+\)")
_BRACKETS: Final = re.compile(r"<([^<>]*)>")
_ADDRESS: Final = re.compile(r"[^\s<>()\[\]\",:;@\\]{1,64}@[^\s<>()\[\]\",:;@\\]{1,255}")
_DISPLAY_NAME: Final = re.compile(r'\s*(?:"(?P<quoted>(?:[^"\\]|\\.)*+)"|(?P<plain>[^<>"]*?))\s*<')
_LONGEST_NAME: Final = 200
_ENCODED: Final = re.compile(r"=\?[^?\s]*\?[^?\s]*\?[^?]*\?=")


class Headers:
    """The fields of a header block, by lower-case name, in their order."""

    def __init__(self, fields: list[tuple[str, str]], *, broken: bool = False) -> None:
        self.fields = fields
        self.broken = broken
        """True if a line of the block is not a field. Then it is unclear where the body begins."""

    def all(self, name: str) -> list[str]:
        """Return the values of all fields of this name, the topmost first."""
        return [value for field, value in self.fields if field == name]

    def one(self, name: str) -> str:
        """Return the value of the first field of this name, or a blank text."""
        return next(iter(self.all(name)), "")

    def doubtful(self) -> bool:
        """Return whether the block is broken, or a field that may occur only once has different values."""
        once = ("from", "message-id", "content-type", "content-transfer-encoding", "content-disposition")
        return self.broken or any(len(set(self.all(name))) > 1 for name in once)

    def addresses(self, name: str) -> list[str]:
        """Return the addresses in all fields of this name, in lower case. Display names and comments are ignored."""
        return [address for value in self.all(name) for address in addresses(value)]

    def typed(self) -> Message:
        """Return the fields that describe the content as a Message, whose class can parse their parameters."""
        message = Message()
        for name in ("content-type", "content-disposition"):
            if value := self.one(name):
                message[name] = value
        return message


def split(raw: bytes) -> tuple[Headers, bytes]:
    """Split an email, or a part of one, into headers and body.

    The block ends at an empty line. Lines that are not fields are skipped. If the block is longer than the limit, the
    remainder is the body.
    """
    fields: list[tuple[bytes, list[bytes]]] = []
    broken = False
    position = 0
    while position < min(len(raw), LONGEST_BLOCK):
        end = raw.find(b"\n", position) + 1 or len(raw)
        line = raw[position:end].rstrip(b"\r\n")
        name = _NAME.match(line)
        if name:
            fields.append((name[1], [line[name.end() :]]))
        elif fields and line[:1] in (b" ", b"\t"):
            fields[-1][1].append(line)
        elif line and (position or not line.startswith(b"From ")):
            broken = True
        position = end
        if not line:
            break
    decoded_fields = [(_clean(name).lower(), _clean(b" ".join(value))) for name, value in fields[:_MOST]]
    return Headers(decoded_fields, broken=broken), raw[position:]


def _clean(value: bytes) -> str:
    text = value[:_LONGEST_VALUE].decode("utf-8", "replace")
    return printable(text)


def printable(text: str) -> str:
    """Return a text as one line. Control characters, line breaks and hidden characters become blanks."""
    if text.isprintable():
        return " ".join(text.split())
    characters = (
        " " if unicodedata.category(character) in ("Cc", "Zl", "Zp", "Cs") else character for character in text
    )
    return " ".join("".join(characters).split())


def addresses(value: str) -> list[str]:
    """Return the addresses in the value of a field."""
    value = _QUOTED.sub(" ", value)
    for _ in range(8):
        value = _COMMENT.sub(" ", value)
    candidates = (_address(piece) for piece in re.split("[,;]", value))
    return [address for address in candidates if address]


def _address(piece: str) -> str:
    bracketed = _BRACKETS.findall(piece)
    candidate = bracketed[-1] if bracketed else _ENCODED.sub(" ", piece).rpartition(":")[2]
    candidate = candidate.strip().strip("'")
    return unicodedata.normalize("NFC", candidate).lower() if _ADDRESS.fullmatch(candidate) else ""


def display_name(value: str) -> str:
    """Return the display name of the sender in a From field, or a blank text."""
    match = _DISPLAY_NAME.match(value)
    name = re.sub(r"\\(.)", r"\1", match["quoted"] or match["plain"] or "") if match else ""
    return decoded(name).strip()[:_LONGEST_NAME]


def decoded(value: str) -> str:
    """Return a field's value in the form in which it is shown to people, in one line."""
    try:
        return printable(str(make_header(decode_header(value))))
    except (LookupError, ValueError, MessageError):
        return value
