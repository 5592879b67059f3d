"""Addresses and links that act for somebody: derived from what they are about, not stored.

Each holds its kind and subject in clear and 26 base32 characters (130 bits) of an HMAC over both, under
a key that follows from the server's secret. Whoever was not given one cannot make one. All is lower-case
and read in any case, and fits into the local part of an address.
"""

import base64
import re
from email.utils import parseaddr
from typing import Final
from uuid import UUID

from django.conf import settings
from django.utils.crypto import constant_time_compare

from config.keyed_hashes import keyed_hashes

QUESTION: Final = "question"
"""Answers one question; it is dead once that is closed."""
SEAT: Final = "seat"
"""Acts for a seat: chat, ``resign``, ``?``."""
CHAT: Final = "chat"
"""Acts for a seat like its own address, and takes what is no command for chat. Its subject says with whom."""
INVITATION: Final = "invitation"
"""Answers an invitation: join, no, never."""
DIGEST: Final = "digest"
"""The address to which a digest is answered: each line names its game. Its subject is the notification."""
COMMAND: Final = "command"
"""Gives commands for an account. Its subject is the mail to the server's own address that was answered."""
BOUNCE: Final = "bounce"
"""The address for reports of one notification's delivery. Its subject is the notification."""
TRIP: Final = "trip"
"""The address at which the server writes to itself, to see whether emails come back (``games.operations.doctor``)."""
ANSWER: Final = "answer"
"""In a link only: the page of one question for the person on one seat."""
INVITED: Final = "invited"
"""In a link only: the page of one invitation."""
STOP: Final = "stop"
"""In a link only: no more mails of the kind that one notification was."""
CONFIRM: Final = "confirm"
"""In a link only: mail reaches the address of one account again."""
CALENDAR: Final = "calendar"
"""In a link only: the calendar feed of one account."""
FEEDBACK: Final = "feedback"
"""The local part of the one address that is no secret: where mailbox providers may send complaints (RFC 5965)."""

LONGEST: Final = 64
"""A local part of more bytes is not delivered everywhere."""

_LETTERS: Final = {
    QUESTION: "q", SEAT: "s", INVITATION: "i", DIGEST: "d", BOUNCE: "b", ANSWER: "a", INVITED: "j", STOP: "u",
    CONFIRM: "c", CHAT: "t", COMMAND: "m", CALENDAR: "k", TRIP: "r",
}  # fmt: skip
_KINDS: Final = {letter: kind for kind, letter in _LETTERS.items()}
_MAC_LENGTH: Final = 26
_SUBJECT: Final = r"[a-z0-9]+(?:[.-][a-z0-9]+)*"
_TOKEN: Final = re.compile(rf"(?P<letter>[a-z])-(?P<subject>{_SUBJECT})-(?P<mac>[a-z2-7]{{{_MAC_LENGTH}}})", re.ASCII)


def token(kind: str, subject: str) -> str:
    """Return what stands for a subject in a link, and before the @ of an address."""
    if not re.fullmatch(_SUBJECT, subject, re.ASCII):
        raise ValueError(f"{subject!r} cannot be the subject of an address")
    return f"{_LETTERS[kind]}-{subject}-{_macs(kind, subject)[0]}"


def address(kind: str, subject: str) -> str:
    """The mail address of a subject. ValueError where it would be too long for some mail server."""
    local = token(kind, subject)
    if len(local) > LONGEST:
        raise ValueError(f"{subject!r} is too long for the subject of an address")
    return f"{local}@{settings.MAIL_DOMAIN}"


def read(written: str) -> tuple[str, str] | None:
    """The kind and the subject of an address or a token of ours, in any case; None for anything else."""
    local, at, domain = written.strip().lower().partition("@")
    found = _TOKEN.fullmatch(local)
    if found is None or found["letter"] not in _KINDS or (at and domain != settings.MAIL_DOMAIN):
        return None
    kind, subject = _KINDS[found["letter"]], found["subject"]
    is_ours = any(constant_time_compare(found["mac"], mac) for mac in _macs(kind, subject))
    return (kind, subject) if is_ours else None


def mailbox() -> str:
    """The address that this server writes from, at which it takes commands too."""
    return parseaddr(settings.DEFAULT_FROM_EMAIL)[1].lower()


def is_ours(written: str) -> bool:
    """Return whether an address is one that this server writes from or is answered at."""
    ours = (mailbox(), f"{FEEDBACK}@{settings.MAIL_DOMAIN}")
    return written.strip().lower() in ours or ("@" in written and read(written) is not None)


def pattern() -> re.Pattern[str]:
    """Return what our addresses look like, in lower case; its group ``token`` is what ``read`` takes."""
    plain = re.sub(r"\?P<\w+>", "", _TOKEN.pattern)
    return re.compile(rf"(?P<token>{plain})@{re.escape(settings.MAIL_DOMAIN)}", re.ASCII)


def short(id: UUID) -> str:
    """An id as subjects hold it: 26 characters."""
    return base64.b32encode(id.bytes).decode().rstrip("=").lower()


def long(written: str) -> UUID:
    """The id that ``short`` wrote. ValueError for anything else."""
    if len(written) != 26:
        raise ValueError(f"{written!r} is no id")
    return UUID(bytes=base64.b32decode(f"{written.upper()}======"))


def _macs(kind: str, subject: str) -> list[str]:
    """The signatures that may stand behind a subject: under the present key, and under former ones."""
    hashes = keyed_hashes("notifications.content.addresses", f"{kind}|{subject}")
    return [base64.b32encode(hash_).decode()[:_MAC_LENGTH].lower() for hash_ in hashes]
