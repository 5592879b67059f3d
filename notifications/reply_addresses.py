"""Addresses and links that act for an account. They are computed and not stored.

Each contains its kind and subject in clear and ends with a code of 26 base32 characters: 130 bits of an HMAC of both.
Where the subject ends with an account, the code is its number and 90 bits, because a local part is short. The key is
derived from the server's secret, so only this server can make such an address. All characters are in lower case, are
read in any case, and fit into the local part of an email address.
"""

import base64
import re
from email.utils import parseaddr
from typing import Final
from uuid import UUID

from django.conf import settings
from django.utils.crypto import constant_time_compare

from config.core.crypto import keyed_hashes
from config.core.email_spellings import canonical

QUESTION: Final = "question"
"""The kind of an address that answers a question for an account. It stops working when the question is closed."""
SEAT: Final = "seat"
"""An address that acts for an account on a seat: chat, ``resign``, ``?``."""
CHAT: Final = "chat"
"""An address that acts on a seat. Text that is no command becomes a chat message to the recipient in its subject."""
INVITATION: Final = "invitation"
"""An address that answers an invitation: join, no, never."""
DIGEST: Final = "digest"
"""An address that answers a digest, where each line names its game. Its subject is the notification."""
COMMAND: Final = "command"
"""An address to which an account replies with more commands. Its subject is the received email that was answered."""
BOUNCE: Final = "bounce"
"""An address for delivery reports about one notification, which is its subject."""
TRIP: Final = "trip"
"""An address for emails that the server sends to itself to check its mail (``games.operations.doctor``)."""
ANSWER: Final = "answer"
"""In links only: the page of a question for the account on one seat."""
INVITED: Final = "invited"
"""In links only: the page of an invitation."""
STOP: Final = "stop"
"""In links only: stops emails of the kind of one notification."""
CONFIRM: Final = "confirm"
"""In links only: confirms that emails reach the address of an account."""
SECOND: Final = "second"
"""In links only: lets a second address answer questions for an account."""
CALENDAR: Final = "calendar"
"""In links only: the calendar feed of an account."""
FEEDBACK: Final = "feedback"
"""The local part of the only address that is not secret. Mailbox providers may send complaints there (RFC 5965)."""

LONGEST: Final = 64
"""The most bytes of a local part. Longer ones are not delivered everywhere."""

_LETTERS: Final = {
    QUESTION: "q", SEAT: "s", INVITATION: "i", DIGEST: "d", BOUNCE: "b", ANSWER: "a", INVITED: "j", STOP: "u",
    CONFIRM: "c", CHAT: "t", COMMAND: "m", CALENDAR: "k", TRIP: "r", SECOND: "e",
}  # fmt: skip
_KINDS: Final = {letter: kind for kind, letter in _LETTERS.items()}
_FOR_ACCOUNT: Final = (QUESTION, SEAT, CHAT)
"""Email addresses whose subject ends with the number of the account to which they are sent."""
_CODE_LENGTH: Final = 26
_ACCOUNT_BYTES: Final = 5
_ACCOUNT_CHARACTERS: Final = 8
_SUBJECT: Final = r"[a-z0-9]+(?:[.-][a-z0-9]+)*"
_TOKEN: Final = re.compile(rf"(?P<letter>[a-z])-(?P<subject>{_SUBJECT})-(?P<code>[a-z2-7]{{{_CODE_LENGTH}}})", re.ASCII)


def token(kind: str, subject: str) -> str:
    """Return the token of a subject, for a link or for the local part of an address."""
    if not re.fullmatch(_SUBJECT, subject, re.ASCII):
        raise ValueError(f"{subject!r} cannot be the subject of an address")
    clear = subject.rpartition("-")[0] if kind in _FOR_ACCOUNT else subject
    return f"{_LETTERS[kind]}-{clear}-{_codes(kind, subject)[0]}"


def address(kind: str, subject: str) -> str:
    """Return the email address of a subject. Raises ValueError if it would be too long for some mail servers."""
    local = token(kind, subject)
    if len(local) > LONGEST:
        raise ValueError(f"{subject!r} is too long for the subject of an address")
    return f"{local}@{settings.MAIL_DOMAIN}"


def read(text: str) -> tuple[str, str] | None:
    """Return the kind and the subject of an address or a token of this server, or None for any other text."""
    local, at_sign, domain = canonical(text).partition("@")
    match = _TOKEN.fullmatch(local)
    if match is None or match["letter"] not in _KINDS or (at_sign and domain != settings.MAIL_DOMAIN):
        return None
    kind, subject = _KINDS[match["letter"]], match["subject"]
    if kind in _FOR_ACCOUNT:
        subject = f"{subject}-{_read_account(match['code'])}"
    is_ours = any(constant_time_compare(match["code"], code) for code in _codes(kind, subject))
    return (kind, subject) if is_ours else None


def mailbox() -> str:
    """Return the address that this server writes from. It accepts commands."""
    return parseaddr(settings.DEFAULT_FROM_EMAIL)[1].lower()


def is_ours(address: str) -> bool:
    """Return whether this server writes from an address or accepts replies to it."""
    fixed_addresses = (mailbox(), f"{FEEDBACK}@{settings.MAIL_DOMAIN}")
    return canonical(address) in fixed_addresses or ("@" in address and read(address) is not None)


def pattern() -> re.Pattern[str]:
    """Return the pattern of this server's addresses in lower case. Its group ``token`` is the argument of ``read``."""
    plain = re.sub(r"\?P<\w+>", "", _TOKEN.pattern)
    return re.compile(rf"(?P<token>{plain})@{re.escape(settings.MAIL_DOMAIN)}", re.ASCII)


def short(id: UUID) -> str:
    """Return an id in the form for subjects, with 26 characters."""
    return base64.b32encode(id.bytes).decode().rstrip("=").lower()


def long(text: str) -> UUID:
    """Return the id that ``short`` has encoded. Raises ValueError for other text."""
    if len(text) != 26:
        raise ValueError(f"{text!r} is no id")
    return UUID(bytes=base64.b32decode(f"{text.upper()}======"))


def _codes(kind: str, subject: str) -> list[str]:
    """Return the valid codes of a subject, with the present key and with earlier keys."""
    account = int(subject.rpartition("-")[2]).to_bytes(_ACCOUNT_BYTES) if kind in _FOR_ACCOUNT else b""
    hashes = keyed_hashes("notifications.reply_addresses", f"{kind}|{subject}")
    return [base64.b32encode(account + hash_).decode()[:_CODE_LENGTH].lower() for hash_ in hashes]


def _read_account(code: str) -> int:
    """Return the number of the account with which a code begins."""
    return int.from_bytes(base64.b32decode(code[:_ACCOUNT_CHARACTERS].upper()))
