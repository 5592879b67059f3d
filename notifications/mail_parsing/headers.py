"""The header block of an email: a tolerant parser, the mail server's findings about the sender, and signs of machines.

The parser of the standard library handles broken emails in ways that differ between versions, and is slow on hostile
ones. A header block is simple enough to be parsed here, with a limit on every size.

Automatic emails have header fields of their own (RFC 3834, RFC 3464, RFC 2369 and older habits). Some fields also occur
in emails that people write: a forwarder is a list, and each email of Exchange asks others not to answer automatically.
These fields count only if the email is not from an account's own address.
"""

import re
import unicodedata
from email.errors import MessageError
from email.header import decode_header, make_header
from email.message import Message
from typing import Final, Literal

from config.core.email_spellings import ascii_domain, canonical

Authentication = Literal["pass", "fail", "none"]
"""The findings of the operator's mail server about the sender. ``none`` if there are none or no server is named."""

LONGEST_BLOCK: Final = 256 * 1024
_LONGEST_VALUE: Final = 16 * 1024
_MOST: Final = 500
_NAME: Final = re.compile(rb"([!-9;-~]{1,100})[ \t]*:")
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*+"')
_COMMENT: Final = re.compile(r"\((?:[^()\\]|\\.)*+\)")
_PARAMETER_COMMENT: Final = re.compile(r"(?:^|(?<=[\s;])|(?<=text/plain)|(?<=text/html))\((?:[^()\\]|\\.)*+\)", re.I)
"""A comment in a field with parameters. A boundary may contain brackets."""
_DESCRIBED: Final = re.compile(
    r"[\s\"']*([\w.+*-]+ ?/ ?[\w.+*-]+|inline|attachment)(?![\w=*])[\s\"',;]*(.*)", re.I | re.S
)
"""A type or a disposition, and its parameters."""
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
        """Return the canonical addresses in all fields of this name. Display names and comments are ignored."""
        return [address for value in self.all(name) for address in addresses(value)]

    def typed(self) -> Message:
        """Return the fields that describe the content as a Message, whose class can parse their parameters.

        Comments, quotation marks around the type and missing semicolons behind it are mended.
        """
        message = Message()
        for name in ("content-type", "content-disposition"):
            if value := _mended(self.one(name)):
                message[name] = value
        return message


def _mended(value: str) -> str:
    """Return the value of a field with parameters without its comments: ``text/plain (comment) charset=x``."""
    for _ in range(4):
        value = _PARAMETER_COMMENT.sub(" ", value)
    described = _DESCRIBED.fullmatch(value)
    return f"{described[1].replace(' ', '')}; {described[2]}" if described else value


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
    """Return the canonical addresses in the value of a field."""
    value = _QUOTED.sub(" ", value)
    for _ in range(8):
        value = _COMMENT.sub(" ", value)
    candidates = (_address(piece) for piece in re.split("[,;]", value))
    return [address for address in candidates if address]


def _address(piece: str) -> str:
    bracketed = _BRACKETS.findall(piece)
    candidate = bracketed[-1] if bracketed else _ENCODED.sub(" ", piece).rpartition(":")[2]
    candidate = candidate.strip().strip("'")
    return canonical(candidate) if _ADDRESS.fullmatch(candidate) else ""


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


_MACHINE_FIELDS: Final = (
    "x-autoreply",
    "x-autorespond",
    "x-autoresponder",
    "x-auto-reply",
    "x-auto-reply-from",
    "x-autoreply-from",
    "x-mail-autoreply",
    "x-vacation",
    "x-failed-recipients",
    "x-cron-env",
    "feedback-type",
)
"""Fields that only machines set."""

_AMBIGUOUS_FIELDS: Final = (
    "x-auto-response-suppress",
    "precedence",
    "x-precedence",
    "x-loop",
    "list-id",
    "list-post",
    "list-unsubscribe",
    "mailing-list",
    "x-mailing-list",
)
"""Fields of machines, lists and forwarders, and of some mail programs."""

_MACHINE_VALUES: Final = {
    "auto-submitted": re.compile(r"^(?!\s*no\s*(?:[;(]|$)).", re.I),
    "x-auto-submitted": re.compile(r"^(?!\s*no\s*(?:[;(]|$)).", re.I),
    "precedence": re.compile(r"\bauto[_-]?reply\b", re.I),
    "x-precedence": re.compile(r"\bauto[_-]?reply\b", re.I),
    "preference": re.compile(r"auto[_-]?reply", re.I),
    "x-fc-machinegenerated": re.compile(r"true", re.I),
    "x-post-messageclass": re.compile(r"autoresponder", re.I),
    "delivered-to": re.compile(r"^autoresponder$", re.I),
    "x-mailer": re.compile(r"vacation|autorespon|auto-?reply", re.I),
    "content-type": re.compile(
        r"^\s*(?:multipart/report|message/(?:delivery-status|disposition-notification|feedback-report)|text/calendar)\b",
        re.I,
    ),
    "return-path": re.compile(r"^\s*<\s*>"),
}
"""Fields that emails of people may have too, with the values that only machines set."""

_MACHINE_SENDER: Final = re.compile(
    r"(?:mailer-?daemon|postmaster|no-?_?reply|do-?not-?reply|auto-?(?:reply|respon(?:d|se|der))|bounces?|daemon|root)"
    r"(?:\+.*)?@.*"
)

_SUBJECT: Final = re.compile(
    r"\s*(?:(?:re|aw|sv|پاسخ)\s*:\s*)?[\[(]?(?:"
    r"auto(?:matic|mated)?[ -]?(?:reply|response|antwort)|auto\s?:|autoreply|out[ -]of[ -](?:the[ -])?office|vacation\b"
    r"|undeliver(?:able|ed)|delivery (?:status notification|failure|has failed)|returned mail|mail delivery"
    r"|failure notice"
    r"|automatische (?:antwort|antwoord)|automatisch antwoord|abwesenheit|unzustellbar|nicht zugestellt"
    r"|réponse automatique|absence du bureau|non remis|respuesta automática|fuera de (?:la )?oficina"
    r"|risposta automatica|resposta automática|autosvar|automatiskt svar|automaattinen vastaus"
    r"|automatická odpověď|odpowiedź automatyczna|autoodpowiedź|автоответ|автоматический ответ|otomatik yanıt"
    r"|پاسخ خودکار|پاسخ اتوماتیک|رد تلقائي|الرد التلقائي|תשובה אוטומטית|מענה אוטומטי|自动回复|自動返信|자동 ?회신)",
    re.I,
)


def machine_sign(headers: Headers, own_addresses: re.Pattern[str], return_path: str | None, *, has_token: bool) -> str:
    """Return the sign that a machine sent an email, or a blank text.

    ``own_addresses`` matches this server's reply addresses: email from such an address is the server's own email in a
    loop. ``return_path`` is the envelope's sender, if it is known. A blank sender is a machine. Without ``has_token``
    the email was sent to the server's own address, where a subject is a command: “vacation 3 days”.
    """
    if return_path is not None and return_path.strip().strip("<>").strip() == "":
        return "null-sender"
    for name, value in headers.fields:
        if name in _MACHINE_FIELDS:
            return name
        if name in _MACHINE_VALUES and _MACHINE_VALUES[name].search(value):
            return "null-sender" if name == "return-path" else name
    if any(own_addresses.fullmatch(sender) for sender in headers.addresses("from")):
        return "loop"
    return "subject" if has_token and _SUBJECT.match(decoded(headers.one("subject"))) else ""


def possible_machine_sign(headers: Headers) -> str:
    """Return a sign of a machine that emails of people may have too, or a blank text."""
    if any(_MACHINE_SENDER.fullmatch(sender) for sender in headers.addresses("from")):
        return "from"
    names = (name for name, _ in headers.fields if name in _AMBIGUOUS_FIELDS)
    return next(names, "subject" if _SUBJECT.match(decoded(headers.one("subject"))) else "")


_RESULT_COMMENT: Final = re.compile(r"\([^()]*+\)")
_RESULT_METHOD: Final = re.compile(r"\s*(dmarc|dkim|spf)\s*(?:/\s*\d+\s*)?=\s*([a-z]+)\b(.*)", re.I | re.S)
_RESULT_PROPERTY: Final = re.compile(r"\b(header\.from|header\.d|header\.i|smtp\.mailfrom)\s*=\s*\"?([^\s;\"]+)", re.I)


def authentication_result(headers: Headers, sender: str, server: str) -> Authentication:
    """Return whether the mail server named ``server`` has confirmed that ``sender`` sent the email.

    Only fields with its name that stand together at the top, above the next ``Received``, are used. The mail server
    must remove foreign fields with its name (RFC 8601, section 5). ``fail`` stands for a failed DMARC check or
    contradicting fields, ``pass`` for a passed check of the From address's domain.
    """
    domain = sender.rpartition("@")[2]
    findings = [_finding(piece, domain) for value in _trusted_fields(headers, server) for piece in _pieces(value)]
    verdicts = {(method, verdict) for method, verdict, aligned in findings if aligned}
    if ("dmarc", "fail") in verdicts or {("dmarc", "pass"), ("dmarc", "none")} <= verdicts:
        return "fail"
    return "pass" if domain and any(verdict == "pass" for _, verdict in verdicts) else "none"


def _trusted_fields(headers: Headers, server: str) -> list[str]:
    trusted: list[str] = []
    for name, value in headers.fields if server else ():
        if name == "received" and trusted:
            break
        if name == "authentication-results" and _server_name(value) == server.lower():
            trusted.append(value)
    return trusted


def _server_name(value: str) -> str:
    return " ".join(_RESULT_COMMENT.sub(" ", value).partition(";")[0].split()[:1]).lower()


def _pieces(value: str) -> list[str]:
    for _ in range(4):
        value = _RESULT_COMMENT.sub(" ", value)
    return value.split(";")[1:]


def _finding(piece: str, domain: str) -> tuple[str, str, bool]:
    """Return the method and the verdict of one check, and whether it is about this domain."""
    match = _RESULT_METHOD.match(piece)
    if match is None:
        return "", "", False
    domains = [ascii_domain(value.rpartition("@")[2].rstrip(".")) for _, value in _RESULT_PROPERTY.findall(match[3])]
    is_aligned = any(
        "." in own_domain and (domain == own_domain or domain.endswith(f".{own_domain}")) for own_domain in domains
    )
    method, verdict = match[1].lower(), match[2].lower()
    return method, verdict, is_aligned or (method, verdict) == ("dmarc", "fail")
