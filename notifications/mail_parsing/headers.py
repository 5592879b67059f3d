"""The header block of a mail, read without believing it.

The standard library's parser is kind to broken mails in ways that differ between versions and grow
slow on hostile ones; a header block is simple enough to be read here, bounded in every direction.
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
_CALLED: Final = re.compile(r'\s*(?:"(?P<quoted>(?:[^"\\]|\\.)*+)"|(?P<plain>[^<>"]*?))\s*<')
_LONGEST_NAME: Final = 200
_ENCODED: Final = re.compile(r"=\?[^?\s]*\?[^?\s]*\?[^?]*\?=")


class Headers:
    """The fields of a header block, by lower-case name, in their order."""

    def __init__(self, fields: list[tuple[str, str]], *, broken: bool = False) -> None:
        self.fields = fields
        self.broken = broken
        """True where a line among them is no field: then it is unclear where the body begins."""

    def all(self, name: str) -> list[str]:
        """The values of every field of that name, topmost first."""
        return [value for each, value in self.fields if each == name]

    def one(self, name: str) -> str:
        """The value of the first field of that name; empty where there is none."""
        return next(iter(self.all(name)), "")

    def doubtful(self) -> bool:
        """Return whether the block is broken, or a field that may stand once stands there with different values."""
        once = ("from", "message-id", "content-type", "content-transfer-encoding", "content-disposition")
        return self.broken or any(len(set(self.all(name))) > 1 for name in once)

    def addresses(self, name: str) -> list[str]:
        """The addresses in every field of that name, in lower case; display names and comments never count."""
        return [address for value in self.all(name) for address in addresses(value)]

    def typed(self) -> Message:
        """The fields that describe the content, for the standard library's reading of their parameters."""
        message = Message()
        for name in ("content-type", "content-disposition"):
            if value := self.one(name):
                message[name] = value
        return message


def split(raw: bytes) -> tuple[Headers, bytes]:
    """A mail or a part of one as its headers and its body.

    The block ends at an empty line. What is no field in it is passed over; of an endless block what lies
    beyond the limit is neither headers nor body.
    """
    fields: list[tuple[bytes, list[bytes]]] = []
    broken = False
    at = 0
    while at < min(len(raw), LONGEST_BLOCK):
        end = raw.find(b"\n", at) + 1 or len(raw)
        bare = raw[at:end].rstrip(b"\r\n")
        name = _NAME.match(bare)
        if name:
            fields.append((name[1], [bare[name.end() :]]))
        elif fields and bare[:1] in (b" ", b"\t"):
            fields[-1][1].append(bare)
        elif bare and (at or not bare.startswith(b"From ")):
            broken = True
        at = end
        if not bare:
            break
    read = [(_clean(name).lower(), _clean(b" ".join(value))) for name, value in fields[:_MOST]]
    return Headers(read, broken=broken), raw[at:]


def _clean(value: bytes) -> str:
    text = value[:_LONGEST_VALUE].decode("utf-8", "replace")
    return printable(text)


def printable(text: str) -> str:
    """``text`` as one line: whatever controls, breaks or hides becomes a blank."""
    if text.isprintable():
        return " ".join(text.split())
    kept = (" " if unicodedata.category(character) in ("Cc", "Zl", "Zp", "Cs") else character for character in text)
    return " ".join("".join(kept).split())


def addresses(value: str) -> list[str]:
    """The addresses in one field's value."""
    value = _QUOTED.sub(" ", value)
    for _ in range(8):
        value = _COMMENT.sub(" ", value)
    found = (_address(piece) for piece in re.split("[,;]", value))
    return [address for address in found if address]


def _address(piece: str) -> str:
    bracketed = _BRACKETS.findall(piece)
    candidate = bracketed[-1] if bracketed else _ENCODED.sub(" ", piece).rpartition(":")[2]
    candidate = candidate.strip().strip("'")
    return unicodedata.normalize("NFC", candidate).lower() if _ADDRESS.fullmatch(candidate) else ""


def called(value: str) -> str:
    """Return what the sender of a From field calls themself there; empty where they do not."""
    shown = _CALLED.match(value)
    name = re.sub(r"\\(.)", r"\1", shown["quoted"] or shown["plain"] or "") if shown else ""
    return decoded(name).strip()[:_LONGEST_NAME]


def decoded(value: str) -> str:
    """A field's value as it is shown to people, on one line."""
    try:
        return printable(str(make_header(decode_header(value))))
    except (LookupError, ValueError, MessageError):
        return value
