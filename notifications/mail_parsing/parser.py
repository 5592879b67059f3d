"""The parser of received email, from bytes to a ``Reply``.

Boundaries of parts are searched here, because the standard library's time grows with depth times lines. The depth, the
number of parts and the size of a text are limited. Attachments are skipped.
"""

import binascii
import codecs
import hashlib
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from email.message import Message
from email.utils import collapse_rfc2231_value
from typing import Final, Literal

from config.core.email_spellings import canonical
from notifications.mail_parsing import quoting
from notifications.mail_parsing.headers import (
    Authentication,
    Headers,
    authentication_result,
    decoded,
    display_name,
    machine_sign,
    possible_machine_sign,
    split,
)
from notifications.mail_parsing.lines import Line, TooDeep, html_lines, plain, visible_text

Doubt = Literal[
    "addresses",
    "alternatives",
    "boundary",
    "depth",
    "encrypted",
    "headers",
    "nesting",
    "parts",
    "torn-quotation",
    "unreadable",
    "winmail",
]
"""The reasons not to rely on an email: it names several reply addresses, or has two parts in one form; its parts cannot
be separated or are nested too deep; it is encrypted; its headers contradict each other; its HTML is nested too deep;
it has too many parts, or a text of an unusual kind beside a usual one; its quotation was wrapped so that pieces of it
look like the sender's text; another error; or its text is only in a winmail.dat, which only Outlook reads.
"""


@dataclass(frozen=True, slots=True)
class SenderText:
    """The email has text of its sender."""

    versions: tuple[tuple[str, ...], ...]
    """The sender's own lines, without quotations and signatures, for each form (text, HTML) of the email.

    An empty line stands for any gap. A form without text of the sender is an empty tuple.
    """


@dataclass(frozen=True, slots=True)
class Empty:
    """The email has no text of its sender, only quotations, signatures or attachments."""


@dataclass(frozen=True, slots=True)
class Doubtful:
    """The sender's own text cannot be found with certainty. The sender must be asked again."""

    reason: Doubt


@dataclass(frozen=True, slots=True)
class TooBig:
    """The email is larger than the limit. Its body was not read."""


@dataclass(frozen=True, slots=True)
class Automatic:
    """A machine wrote the email. It changes nothing and is never answered."""

    reason: str
    """The sign of the machine, for the operator: a header's name, ``null-sender``, ``report``, ``subject``, …."""


Content = SenderText | Empty | Doubtful | TooBig | Automatic


@dataclass(frozen=True, slots=True)
class Reply:
    """A received email. Its texts contain no line breaks and no control characters."""

    sender: str
    """The canonical From address. Blank if there is not exactly one."""
    display_name: str
    """The sender's display name in the From field, or a blank text."""
    subject: str
    """The decoded subject. Blank if there is not exactly one, or if the email answers another one."""
    tokens: tuple[str, ...]
    """The distinct tokens of this server's reply addresses among the recipients, in lower case."""
    message_id: str
    """The Message-ID with angle brackets. Blank if there is no usable one."""
    answers: str
    """The Message-ID of the email that this one answers. Blank if it names none or several."""
    references: str
    """The Message-IDs to which this email refers, separated by blanks, the oldest first."""
    identity: str
    """64 hexadecimal digits that all copies of an email share. Another text with the same Message-ID is another
    email.
    """
    authentication: Authentication
    content: Content
    perhaps_automatic: str = ""
    """A sign of a machine that an email of a person may have too, or a blank text.

    It does not count if the email is from an account's own address.
    """

    def agrees_with(self, addresses: Collection[str]) -> bool:
        """Return whether the email comes from one of these confirmed addresses, as far as can be known."""
        known_addresses = set(map(canonical, addresses))
        return self.sender != "" and self.sender in known_addresses and self.authentication != "fail"


LARGEST: Final = 10 * 1024 * 1024
"""The most bytes of an email whose body is read."""

_MESSAGE_ID: Final = re.compile(r"<[!-;=?-~]{1,240}>")
_MOST_REFERENCES: Final = 4
_RECIPIENT_FIELDS: Final = (
    "delivered-to",
    "x-original-to",
    "x-delivered-to",
    "envelope-to",
    "x-envelope-to",
    "to",
    "cc",
)


def read(
    raw: bytes,
    addresses: re.Pattern[str],
    *,
    server: str = "",
    recipients: Iterable[str] = (),
    return_path: str | None = None,
) -> Reply:
    """Return the parsed email. Never raises, and takes time in proportion to the email's size.

    ``addresses`` matches this server's reply addresses in lower case, with their token in the group ``token``.
    ``recipients`` and ``return_path`` are from the envelope, if it is known. Then the headers are not searched for
    tokens. ``server`` is the name of the operator's mail server in Authentication-Results. If it is blank, these
    headers are ignored.
    """
    headers, body = split(raw)
    senders = headers.addresses("from")
    sender = senders[0] if len(senders) == 1 and len(headers.all("from")) == 1 else ""
    message_id = _message_id(headers)
    tokens = _tokens(headers, addresses, tuple(recipients))
    machine = machine_sign(headers, addresses, return_path, has_token=bool(tokens))
    content = _content(raw, headers, body, tokens, machine)
    return Reply(
        sender=sender,
        display_name=display_name(headers.one("from")) if sender else "",
        subject=_subject(headers),
        tokens=tokens,
        message_id=message_id,
        answers=_message_id(headers, "in-reply-to"),
        references=_references(headers),
        identity=_identity(sender, message_id, headers, body, content),
        authentication=authentication_result(headers, sender, server),
        content=content,
        perhaps_automatic=possible_machine_sign(headers),
    )


def _subject(headers: Headers) -> str:
    """Return the subject if the sender wrote it. In a reply it comes from the answered email."""
    subjects = headers.all("subject")
    if len(subjects) != 1 or headers.all("in-reply-to") or headers.all("references"):
        return ""
    return decoded(subjects[0]).strip()


def _message_id(headers: Headers, name: str = "message-id") -> str:
    ids = {value for value in headers.all(name) if _MESSAGE_ID.fullmatch(value)}
    return ids.pop() if len(ids) == 1 else ""


def _references(headers: Headers) -> str:
    """Return the Message-IDs to which an email refers. Of many, the oldest and the latest ones are kept."""
    ids = _MESSAGE_ID.findall(headers.one("references")) or _MESSAGE_ID.findall(headers.one("in-reply-to"))
    ids = [*dict.fromkeys(ids)]
    return " ".join([*ids[:1], *ids[1:][-_MOST_REFERENCES:]])


def _tokens(headers: Headers, addresses: re.Pattern[str], recipients: tuple[str, ...]) -> tuple[str, ...]:
    candidates = [canonical(recipient.strip().strip("<>")) for recipient in recipients]
    if not any(addresses.fullmatch(candidate) for candidate in candidates):
        candidates = [address for name in _RECIPIENT_FIELDS for address in headers.addresses(name)]
    tokens = [match["token"] for candidate in candidates if (match := addresses.fullmatch(candidate))]
    return tuple(dict.fromkeys(tokens))


def _identity(sender: str, message_id: str, headers: Headers, body: bytes, content: Content) -> str:
    digest = hashlib.sha256(f"{sender}\n{message_id}\n".encode("utf-8", "replace"))
    if message_id and isinstance(content, SenderText):
        # Some programs use a Message-ID twice. A copy may have another encoding, but it has the same text.
        texts = {" ".join(" ".join(version).split()) for version in content.versions}
        digest.update("\n".join(sorted(texts - {""})).encode("utf-8", "replace"))
    else:
        digest.update(f"{headers.one('date')}\n{decoded(headers.one('subject'))}\n".encode("utf-8", "replace"))
    if not message_id:
        digest.update(body.replace(b"\r\n", b"\n").strip())
    return digest.hexdigest()


def _content(raw: bytes, headers: Headers, body: bytes, tokens: tuple[str, ...], machine: str) -> Content:
    if machine:
        return Automatic(machine)
    if len(raw) > LARGEST:
        return TooBig()
    if len(tokens) > 1:
        return Doubtful("addresses")
    try:
        return _own_text(headers, body)
    except Reaction:
        return Automatic("reaction")
    except Unclear as error:
        return Doubtful(error.reason)
    except quoting.Torn:
        return Doubtful("torn-quotation")
    except Exception:
        # No email may stop the reading of others. An unexpected error counts as a doubtful email.
        return Doubtful("unreadable")


def _own_text(headers: Headers, body: bytes) -> Content:
    versions = tuple(quoting.own_lines(lines) for _, lines in sorted(forms(headers, body).items(), reverse=True))
    if any(map(_is_reaction, versions)):
        raise Reaction
    if any(versions):
        return SenderText(versions)
    names = f"{headers.one('content-type')}\n{headers.one('content-disposition')}\n".encode()
    return Doubtful("winmail") if _WINMAIL.search(names + body) else Empty()


_REACTED: Final = re.compile(
    r".{0,80}\breacted (?:via gmail|to your (?:message|e-?mail))\W*(?:https?://\S+)?\W*"
    r"|.{0,80}(?:واکنش.{1,60}gmail|gmail.{1,60}واکنش).{0,80}",
    re.I,
)
"""The line of Gmail or Outlook in a reaction."""


def _is_reaction(lines: Sequence[str]) -> bool:
    """Return whether a text consists of emoji and the line of a reaction."""
    with_words = [line for line in lines if any(map(str.isalnum, line))]
    has_emoji = any(unicodedata.category(character) == "So" for line in lines for character in line)
    return has_emoji and len(with_words) == 1 and _REACTED.fullmatch(with_words[0]) is not None


MOST_PARTS: Final = 60
DEEPEST: Final = 8
LONGEST_TEXT: Final = 256 * 1024
"""The number of bytes of a text that are decoded. Text beyond it cannot be the beginning of an answer."""

Form = Literal["text", "html"]
Forms = dict[Form, list[Line]]
"""The lines of an email in each of its forms."""

_CHARSET_NAMES: Final = (
    "ascii utf-8 utf-16 utf-16-le utf-16-be koi8-r koi8-u gb2312 gbk gb18030 big5 shift_jis euc-jp euc-kr cp949 "
    "iso-2022-jp iso-2022-kr tis-620 mac-roman cp437 cp850 cp852 cp866 cp932 cp1250 cp1251 cp1252 cp1253 cp1254 "
    "cp1255 cp1256 cp1257 cp1258 cp874 iso-8859-1 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-6 "
    "iso-8859-7 iso-8859-8 iso-8859-9 iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-15 iso-8859-16"
)
_CHARSETS: Final = frozenset(codecs.lookup(name).name for name in _CHARSET_NAMES.split())
"""Charsets of emails. Python has others that turn harmless bytes into other text (UTF-7, rot13, escapes)."""
_WIDER: Final = {"iso8859-1": "cp1252", "ascii": "cp1252", "gb2312": "gb18030", "gbk": "gb18030"}
_ALIASES: Final = {"iso-8859-8-i": "iso-8859-8", "iso-8859-6-i": "iso-8859-6", "x-mac-roman": "mac-roman"}


class Unclear(Exception):
    """The parts of an email cannot be separated with certainty."""

    def __init__(self, reason: Doubt) -> None:
        super().__init__(reason)
        self.reason: Doubt = reason


class Reaction(Exception):
    """The email is a reaction to an email, such as an emoji (RFC 9078). Mail programs send it for a click."""


def forms(headers: Headers, body: bytes) -> Forms:
    """Return the lines of an email in each form that is not blank. Raises Unclear and Reaction.

    Only an email without any usual text is read from unusual texts, and from an attached text only if it has no other
    part. An unusual text beside a usual one may change its meaning.
    """
    if usual := _Walk(_USUAL).forms(headers, body, 0):
        if any(map(_is_visible, _Walk(_OTHER_TEXT, alternatives=False).forms(headers, body, 0).values())):
            raise Unclear("parts")
        return _visible(usual)
    return _visible(_Walk(_OTHER_TEXT).forms(headers, body, 0) or _sole_attachment(headers, body))


def _visible(all_forms: Forms) -> Forms:
    return {form: lines for form, lines in all_forms.items() if _is_visible(lines)}


def _is_visible(lines: list[Line]) -> bool:
    return any(line.ends or visible_text(line.text) for line in lines)


def _sole_attachment(headers: Headers, body: bytes) -> Forms:
    """Return the attached text that is all of an email."""
    walk = _Walk(_ANY_TEXT, attachments=True)
    all_forms = walk.forms(headers, body, 0)
    return all_forms if walk.leaves == 1 else {}


_USUAL: Final = re.compile(r"text/(?:plain|html)")
_ANY_TEXT: Final = re.compile(
    r"text/(?!(?:calendar|css|csv|directory|javascript|rtf|vcard|x-amp-html|x-vcard|xml)$).*|application/xhtml\+xml"
)
"""Texts that mail programs show. They show an unknown kind of text as plain text (RFC 2046)."""
_OTHER_TEXT: Final = re.compile(rf"(?!{_USUAL.pattern}$)(?:{_ANY_TEXT.pattern})")
_WINMAIL: Final = re.compile(
    rb"\bapplication/(?:vnd\.)?ms-tnef\b|\b(?:file)?name\*?=[^\r\n]{0,20}\bwinmail\d*\.dat\b", re.I
)
"""The format of Outlook that only Outlook reads."""
_MARKUP: Final = re.compile(r"<param>.*?</param>|</?[A-Za-z-]{1,40}>", re.I | re.S)
"""Markup of enriched text (RFC 1896)."""


class _Walk:
    def __init__(self, kinds: re.Pattern[str], *, attachments: bool = False, alternatives: bool = True) -> None:
        self.kinds = kinds
        self.attachments = attachments
        self.alternatives = alternatives
        """True to read multipart/alternative, whose parts are forms of one text."""
        self.parts = 0
        self.leaves = 0
        """The number of parts. A multipart/alternative counts as one."""

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
        if content.get_content_disposition() == "reaction" or kind == "text/vnd.google.email-reaction+json":
            raise Reaction
        if kind.startswith("multipart/"):
            return self.several(headers, content, body, depth)
        self.leaves += 1
        if kind in ("application/pkcs7-mime", "application/x-pkcs7-mime"):
            raise Unclear("encrypted")
        if not self.kinds.fullmatch(kind):
            return {}
        is_attached = content.get_content_disposition() == "attachment"
        return {} if is_attached and not self.attachments else _text(headers, content, kind, body)

    def several(self, headers: Headers, content: Message, body: bytes, depth: int) -> Forms:
        kind = content.get_content_subtype()
        if kind == "encrypted":
            raise Unclear("encrypted")
        boundary = _parameter(content, "boundary").encode("utf-8", "replace").rstrip()
        if not 0 < len(boundary) <= 200:
            raise Unclear("boundary")
        # Some servers encode the parts together, which no standard allows.
        parts = [*between(body, boundary)] or [*between(_decoded(headers, body), boundary)]
        leaves = self.leaves
        children = [self.forms(*split(part), depth + 1) for part in parts]
        if not children:
            raise Unclear("boundary")
        if kind == "alternative":
            self.leaves = leaves + 1
            return _either(children) if self.alternatives else {}
        # The text may stand behind its pictures.
        return next(filter(None, children), {}) if kind in ("related", "signed") else _in_turn(children)


def between(body: bytes, boundary: bytes) -> Iterator[bytes]:
    """Yield the parts of a body between the boundary lines. The end of the last one may be missing."""
    start = -1
    for match in re.finditer(rb"(?m)^--" + re.escape(boundary) + rb"(--)?[ \t]*\r*$", body):
        if start >= 0:
            yield body[start : match.start()].removesuffix(b"\n").removesuffix(b"\r")
        if match[1]:
            return
        start = match.end() + 1
    if start >= 0:
        yield body[start:]


def _either(children: list[Forms]) -> Forms:
    """Merge parts with the same content in different forms."""
    merged: Forms = {}
    for child in children:
        if merged.keys() & child.keys():
            raise Unclear("alternatives")
        merged |= child
    return merged


def _in_turn(children: list[Forms]) -> Forms:
    """Join parts that follow one another. If a part has only one form, it continues each form."""
    non_empty = [child for child in children if child]
    kinds = {kind for child in non_empty for kind in child}
    return {
        kind: [line for child in non_empty for line in child.get(kind) or next(iter(child.values()))] for kind in kinds
    }


def _text(headers: Headers, content: Message, kind: str, body: bytes) -> Forms:
    text = _characters(_decoded(headers, body), _parameter(content, "charset"))
    if kind in ("text/html", "application/xhtml+xml"):
        try:
            return {"html": html_lines(text)}
        except TooDeep as error:
            raise Unclear("nesting") from error
    if kind in ("text/enriched", "text/richtext"):
        text = _MARKUP.sub("", text).replace("<<", "<")
    flowed = _parameter(content, "format").lower() == "flowed"
    return {"text": plain(text, flowed=flowed, delete_space=_parameter(content, "delsp").lower() == "yes")}


def _parameter(content: Message, name: str) -> str:
    """Return a parameter of the Content-Type, which may be encoded (RFC 2231), or a blank text."""
    value = content.get_param(name, "")
    return collapse_rfc2231_value(value) if isinstance(value, tuple) else str(value)


def _decoded(headers: Headers, body: bytes) -> bytes:
    """Return the decoded bytes of a text up to the limit. A text in an unknown encoding is not encoded."""
    value = re.sub(r"\([^()]*\)", "", headers.one("content-transfer-encoding"))
    name = re.sub("[^a-z0-9]", "", value.lower())
    if name.startswith("quoted"):
        return binascii.a2b_qp(body[: 3 * LONGEST_TEXT])[:LONGEST_TEXT]
    if name.startswith("base64"):
        return _from_base64(body[: 2 * LONGEST_TEXT])[:LONGEST_TEXT]
    if name.removeprefix("x").startswith("uu"):
        return _from_uuencode(body[: 2 * LONGEST_TEXT])[:LONGEST_TEXT]
    return body[:LONGEST_TEXT]


def _from_uuencode(body: bytes) -> bytes:
    """Return the bytes between the lines ``begin 644 name`` and ``end``, or the body if it has no such lines."""
    match = re.search(rb"(?ms)^begin [0-7]{3,4} [^\r\n]*\r?\n(.*?)^end\b", body)
    if match is None:
        return body
    decoded = bytearray()
    for line in match[1].splitlines():
        size = ((line[0] - 32) & 63) if line else 0
        try:
            # Some programs add a checksum behind the letters.
            decoded += binascii.a2b_uu(line[: 1 + (size * 4 + 2) // 3])
        except binascii.Error as error:
            raise Unclear("unreadable") from error
    return bytes(decoded)


def _from_base64(body: bytes) -> bytes:
    """Return the decoded bytes of base64 letters, without an incomplete end. Raises Unclear if letters follow
    the end.
    """
    head, _, rest = body.partition(b"=")
    if re.search(rb"[A-Za-z0-9+/]", rest):
        raise Unclear("unreadable")
    letters = re.sub(rb"[^A-Za-z0-9+/]", b"", head)
    letters = letters[: len(letters) - (len(letters) % 4 == 1)]
    return binascii.a2b_base64(letters + b"=" * (-len(letters) % 4))


def _characters(raw: bytes, charset: str) -> str:
    """Return the characters of a text. An unknown or unusual charset counts as missing."""
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
