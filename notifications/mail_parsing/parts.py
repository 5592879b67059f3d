"""The parts of a mail: which of them are its text, and what they say.

Boundaries are looked for here and not by the standard library, whose time grows with depth times
lines. Depth, number of parts and size of a text are bounded; attachments are passed over unread.
"""

import binascii
import codecs
import re
from collections.abc import Iterator
from email.message import Message
from typing import Final, Literal

from notifications.mail_parsing.headers import Headers, split
from notifications.mail_parsing.html import TooDeep, marked_up
from notifications.mail_parsing.lines import Line, plain, seen
from notifications.mail_parsing.parsed_mail import Doubt

MOST_PARTS: Final = 60
DEEPEST: Final = 8
LONGEST_TEXT: Final = 256 * 1024
"""The number of bytes of one text that are decoded; what lies beyond is not the beginning of an answer."""

Form = Literal["text", "html"]
Forms = dict[Form, list[Line]]
"""The lines of a mail in each form in which it says them."""

_NAMED: Final = (
    "ascii utf-8 utf-16 utf-16-le utf-16-be koi8-r koi8-u gb2312 gbk gb18030 big5 shift_jis euc-jp euc-kr cp949 "
    "iso-2022-jp iso-2022-kr tis-620 mac-roman cp437 cp850 cp852 cp866 cp932 cp1250 cp1251 cp1252 cp1253 cp1254 "
    "cp1255 cp1256 cp1257 cp1258 cp874 iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 "
    "iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16"
)
_CHARSETS: Final = frozenset(codecs.lookup(name).name for name in _NAMED.split())
"""Charsets of mails. Python knows others that turn harmless bytes into something else (UTF-7, rot13, escapes)."""
_WIDER: Final = {"iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030"}
_ALIASES: Final = {"iso-8859-8-i": "iso-8859-8", "iso-8859-6-i": "iso-8859-6", "x-mac-roman": "mac-roman"}


class Unclear(Exception):
    """The parts of a mail cannot be told for certain."""

    def __init__(self, reason: Doubt) -> None:
        super().__init__(reason)
        self.reason: Doubt = reason


def forms(headers: Headers, body: bytes) -> Forms:
    """Return what a mail says, in each form that is not blank. Unclear where that cannot be told."""
    read = _Walk().forms(headers, body, 0)
    return {form: lines for form, lines in read.items() if any(line.ends or seen(line.text) for line in lines)}


class _Walk:
    def __init__(self) -> None:
        self.parts = 0

    def forms(self, headers: Headers, body: bytes, depth: int) -> Forms:
        self.parts += 1
        if self.parts > MOST_PARTS:
            raise Unclear("parts")
        if depth > DEEPEST:
            raise Unclear("depth")
        if headers.doubtful():
            raise Unclear("headers")
        content = headers.typed()
        kind = content.get_content_type()
        if kind.startswith("multipart/"):
            return self.several(content, kind.partition("/")[2], body, depth)
        if kind in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
            raise Unclear("encrypted")
        if content.get_content_disposition() == "attachment" or content.get_filename():
            return {}
        return _text(headers, content, kind, body)

    def several(self, content: Message, kind: str, body: bytes, depth: int) -> Forms:
        if kind == "encrypted":
            raise Unclear("encrypted")
        boundary = str(content.get_param("boundary", "")).encode("utf-8", "replace").rstrip()
        if not 0 < len(boundary) <= 200:
            raise Unclear("boundary")
        children = [self.forms(*split(part), depth + 1) for part in between(body, boundary)]
        if not children:
            raise Unclear("boundary")
        if kind == "alternative":
            return _either(children)
        return children[0] if kind in ("related", "signed") else _in_turn(children)


def between(body: bytes, boundary: bytes) -> Iterator[bytes]:
    """The parts of a body between the boundary's lines; the last one may lack its end."""
    begin = -1
    for found in re.finditer(rb"(?m)^--" + re.escape(boundary) + rb"(--)?[ \t]*\r?$", body):
        if begin >= 0:
            yield body[begin : found.start()].removesuffix(b"\n").removesuffix(b"\r")
        if found[1]:
            return
        begin = found.end() + 1
    if begin >= 0:
        yield body[begin:]


def _either(children: list[Forms]) -> Forms:
    """Parts that say the same, each in its own form."""
    merged: Forms = {}
    for child in children:
        if merged.keys() & child.keys():
            raise Unclear("alternatives")
        merged |= child
    return merged


def _in_turn(children: list[Forms]) -> Forms:
    """Parts to be read one after the other: each form goes on in the other where a part has but one."""
    spoken = [child for child in children if child]
    kinds = {kind for child in spoken for kind in child}
    return {
        kind: [line for child in spoken for line in child.get(kind) or next(iter(child.values()))] for kind in kinds
    }


def _text(headers: Headers, content: Message, kind: str, body: bytes) -> Forms:
    if kind not in ("text/plain", "text/html"):
        return {}
    decoded = _decoded(headers.one("content-transfer-encoding"), body)
    if decoded is None:
        return {}
    text = _characters(decoded, str(content.get_param("charset", "")))
    if kind == "text/html":
        try:
            return {"html": marked_up(text)}
        except TooDeep as error:
            raise Unclear("nesting") from error
    flowed = str(content.get_param("format", "")).lower() == "flowed"
    return {"text": plain(text, flowed=flowed, delete_space=str(content.get_param("delsp", "")).lower() == "yes")}


def _decoded(encoding: str, body: bytes) -> bytes | None:
    """The bytes of a text, as many as are looked at; None for an encoding that mails do not have."""
    match encoding.strip().lower():
        case "" | "7bit" | "8bit" | "binary":
            return body[:LONGEST_TEXT]
        case "quoted-printable":
            return binascii.a2b_qp(body[: 3 * LONGEST_TEXT])[:LONGEST_TEXT]
        case "base64":
            return _from_base64(body[: 2 * LONGEST_TEXT])[:LONGEST_TEXT]
    return None


def _from_base64(body: bytes) -> bytes:
    """Return what letters of base64 stand for, as many as are whole. Unclear where more follow their end."""
    head, _, rest = body.partition(b"=")
    if re.search(rb"[A-Za-z0-9+/]", rest):
        raise Unclear("unreadable")
    letters = re.sub(rb"[^A-Za-z0-9+/]", b"", head)
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]
    return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))


def _characters(raw: bytes, charset: str) -> str:
    """The characters of a text. A charset that is unknown, or was never a mail's, counts as not named."""
    name = charset.strip(" '\"").lower()[:40]
    try:
        codec = codecs.lookup(_ALIASES.get(name, name)).name
    except (LookupError, ValueError):
        codec = ""
    if codec not in _CHARSETS or codec == "ascii":
        try:
            return raw.decode("utf-8-sig")
        except UnicodeDecodeError:
            codec = "cp1252"
    return raw.decode(_WIDER.get(codec, codec), "replace").removeprefix("\ufeff")
