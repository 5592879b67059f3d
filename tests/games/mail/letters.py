"""The building blocks of the corpus: sent emails, answers, and MIME in the form of mail programs."""

import base64
import binascii
import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, Literal

from notifications.content import MARKER_BEGINS, MARKER_ENDS

DOMAIN: Final = "play.darbar.example"
TOKEN: Final = "q-abcdefghijklmnopqrstuvwxyz-1.1-zyxwvutsrqponmlkjihgfedcba"
ADDRESS: Final = f"{TOKEN}@{DOMAIN}"
"""The address for replies, which is the Reply-To of our emails."""
US: Final = f"darbar@{DOMAIN}"
"""Our mails' From."""
PLAYER: Final = "maryam@example.org"
SERVER: Final = "mx.darbar.example"

_SENT: Final = Path(__file__).parent / "sent"
_PROGRAMS: Final = tomllib.loads(Path(__file__).with_name("programs.toml").read_text(encoding="utf-8"))
INTRODUCTIONS: Final = _PROGRAMS["introductions"]
HEADERS: Final = _PROGRAMS["headers"]
PHONES: Final = _PROGRAMS["phones"]
OUTLOOK_PHONES: Final = _PROGRAMS["outlook_phones"]
ENVELOPES: Final = _PROGRAMS["envelopes"]
_TO_1256: Final = str.maketrans("یک۰۱۲۳۴۵۶۷۸۹هٔ", "يك0123456789ه ")

Position = Literal["top", "bottom", "inline"]


@cache
def _stored_text(name: str) -> str:
    return (_SENT / name).read_text(encoding="utf-8")


@dataclass(frozen=True)
class Sent:
    """An email of this server from the folder ``sent``."""

    name: str
    """``<question>-<language>``."""
    marked: bool = True
    """True if the marker line is still there."""

    @property
    def text(self) -> str:
        return self._as_marked(_stored_text(f"{self.name}.txt").rstrip())

    @property
    def html(self) -> str:
        """Return the content of the body element, which programs quote."""
        page = self._as_marked(_stored_text(f"{self.name}.html"))
        return page.partition("<body")[2].partition(">")[2].partition("</body>")[0].strip()

    def _as_marked(self, text: str) -> str:
        return text if self.marked else re.sub(f"{MARKER_BEGINS}.*?{MARKER_ENDS}", "", text)

    @property
    def subject(self) -> str:
        title = {"graveyard": ("Skulls of Sedlec", "جمجمه‌های سدلتس")}.get(self.question, ("Coup", "کودتا"))
        return f"{title[self.name.endswith('fa')]} XK42"

    @property
    def question(self) -> str:
        return self.name.partition("-")[0]


@dataclass(frozen=True)
class Answer:
    """A person's answer to an email of this server."""

    sent: Sent
    text: str
    language: str = "en"
    """The language of the program, not of the writer."""
    position: Position = "top"
    signature: str = ""
    charset: str = "utf-8"
    number: int = 1


def quoted(text: str, mark: str = "> ") -> str:
    """``text`` with a mark before each line."""
    return "\n".join(f"{mark}{line}" if line else mark.rstrip() for line in text.split("\n"))


def placed(answer: Answer, above: str, quotation: str) -> str:
    """The writer's text and signature round a quotation with the line above it."""
    signature = f"\n\n-- \n{answer.signature}" if answer.signature else ""
    text = answer.text
    match answer.position:
        case "top":
            return f"{text}{signature}\n\n{above}\n{quotation}\n"
        case "bottom":
            return f"{above}\n{quotation}\n\n{text}{signature}\n"
        case "inline":
            lines = quotation.split("\n")
            at = next((at for at, line in enumerate(lines) if "--------" in line), len(lines))
            return "\n".join([above, *lines[:at], "", text, "", *lines[at:]]) + f"{signature}\n"


def html_lines(text: str, tag: str = "div") -> str:
    """Lines as elements, an empty one as a break."""
    return "".join(f"<{tag}>{_escaped(line) or '<br>'}</{tag}>" for line in text.split("\n"))


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def breaks(text: str) -> str:
    """Lines divided by ``<br>``."""
    return "<br>".join(_escaped(line) for line in text.split("\n"))


Encoding = Literal["7bit", "8bit", "quoted-printable", "base64"]


def part(text: str, kind: str, charset: str, encoding: Encoding, more: str = "", quotes: str = '"') -> bytes:
    """A text part with its headers."""
    content_type = f"Content-Type: {kind}; charset={quotes}{charset}{quotes}{more}\n"
    coded = f"{content_type}Content-Transfer-Encoding: {encoding}\n\n".encode()
    return coded + _transferred(in_charset(text, charset).encode(charset, "replace"), encoding)


def in_charset(text: str, charset: str) -> str:
    """Return a text in the letters of a charset. windows-1256 has Arabic letters only."""
    return text.translate(_TO_1256) if charset == "windows-1256" else text


def _transferred(raw: bytes, encoding: Encoding) -> bytes:
    match encoding:
        case "base64":
            return base64.encodebytes(raw.replace(b"\n", b"\r\n")).rstrip() + b"\n"
        case "quoted-printable":
            return binascii.b2a_qp(raw, istext=True)
        case _:
            return raw


def several(kind: str, boundary: str, parts: Iterable[bytes], more: str = "") -> bytes:
    """A multipart with its header."""
    inside = b"".join(b"--%s\n%s\n" % (boundary.encode(), part.rstrip(b"\n") + b"\n") for part in parts)
    head = f'Content-Type: multipart/{kind}; boundary="{boundary}"{more}\n\n'
    return head.encode() + inside + f"--{boundary}--\n".encode()


def mail(answer: Answer, body: bytes, program: str, *, without: str = "") -> bytes:
    """A whole mail: what our server put on top, the program's own headers, and the body with its headers."""
    title = f"Re: {answer.sent.subject}"
    if not title.isascii():
        title = f"=?UTF-8?B?{base64.b64encode(title.encode()).decode()}?="
    domain = PLAYER.rpartition("@")[2]
    top = (
        f"Return-Path: <{PLAYER}>\n"
        f"Delivered-To: {ADDRESS}\n"
        f"Authentication-Results: {SERVER}; dkim=pass (2048-bit key) header.d={domain} header.i=@{domain};\n"
        f"\tspf=pass smtp.mailfrom={PLAYER}; dmarc=pass (p=quarantine) header.from={domain}\n"
        f"Received: from out.{domain} (out.{domain} [192.0.2.{answer.number % 250}])\n"
        f"\tby {SERVER} (Postfix) with ESMTPS id 4Fz{answer.number:05d}\n"
        f"\tfor <{ADDRESS}>; Mon, 23 Mar 2026 12:05:{answer.number % 60:02d} +0000 (UTC)\n"
        f"DKIM-Signature: v=1; a=rsa-sha256; c=relaxed/relaxed; d={domain}; s=20230601;\n"
        f"\th=from:to:subject:date:message-id; bh=47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=;\n"
        f"\tb=Zm9vYmFyYmF6Zm9vYmFyYmF6\n"
    )
    headers = ENVELOPES[program].replace(without, "").replace("TO", ADDRESS)
    message = headers.replace("{n}", f"{answer.number:06d}").replace("{subject}", title).replace("{sender}", PLAYER)
    message = message.replace("{thread}", "<0f0e0d0c-0b0a-4009-8807-060504030201@play.darbar.example>")
    return (top + message.lstrip("\n")).encode() + body


def simple(
    answer_text: str = "1",
    *,
    sender: str = f"Maryam <{PLAYER}>",
    to: str = f"Darbar <{ADDRESS}>",
    subject: str = "Re: Coup XK42",
    more: str = "",
    results: str = f"{SERVER}; dmarc=pass header.from=example.org",
) -> bytes:
    """Return a plain email as a person would send it, with the given changes."""
    head = (
        f"Authentication-Results: {results}\n"
        f"Received: from out.example.org by {SERVER}; Mon, 23 Mar 2026 12:05:00 +0000\n"
        f"From: {sender}\nTo: {to}\nSubject: {subject}\nMessage-ID: <hostile@example.org>\n"
        f"Date: Mon, 23 Mar 2026 12:05:00 +0000\n{more}"
    )
    return f"{head}\n{answer_text}\n".encode()
