"""Automatic reports about emails of this server: an email could not be delivered, or its reader called it spam.

All functions are pure. The caller must decide which email a report is about, by the address that received it, because
anyone can write the text of a report.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from anymail.signals import AnymailTrackingEvent, EventType, RejectReason

from notifications.mail_parsing.headers import Headers, split
from notifications.mail_parsing.parser import MOST_PARTS, between

_STATUS: Final = re.compile(r"\s*([245]\.\d{1,3}\.\d{1,3})\b")
_ENHANCED: Final = re.compile(r"(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.])")
_BASIC: Final = re.compile(r"(?<![\d.])([45])\d\d(?![\d.])")
_VAGUE: Final = re.compile(r"5\.[01]\.0|5\.4\.4")
"""Statuses whose reason only the text tells."""
_NO_MAILBOX: Final = re.compile(
    r"\b(?:(?:unknown|invalid|bad|no such|non-?existent|not a valid) (?:local |destination )?(?:e-?mail )?"
    r"(?:user|mailbox|recipient|address|account|person|local part)"
    r"|(?:user|mailbox|recipient|address|account|addressee)(?: address| name)?(?: <?\S+@\S+>?)?(?: here| is| was|:)?"
    r" (?:unknown|invalid|not found|not known|non-?existent|(?:does not|doesn['’]t) exist|not exist)"
    r"|no (?:user|mailbox|account) (?:here )?(?:by|with|of) (?:that|this) name|no mailbox here)\b",
    re.I,
)
_NO_DOMAIN: Final = re.compile(
    r"\b(?:(?:host|domain|host or domain)(?: name)? not found|(?:no such|unknown|invalid|non-?existent) (?:host|domain)"
    r"|nxdomain|null ?mx|domain (?:name )?(?:does not|doesn['’]t) (?:exist|accept (?:e-?)?mail))\b",
    re.I,
)
_NOT_THE_MAILBOX: Final = re.compile(
    r"\b(?:senders?|sender['’]s|mail from|from address|envelope|helo|ehlo|client (?:host|address|ip)|reverse|ptr"
    r"|your (?:access|ip|host|server|domain|client|network|reputation)"
    r"|relay\w*|authenticat\w*|credentials?|headers?|contains|links?|urls?|temporar\w*|try (?:it )?(?:again|later)"
    r"|retry|later|grey-?list\w*|gray-?list\w*|servfail|time-?out|timed out)\b",
    re.I,
)
"""Words of responses about this server, about the content of an email, or about an error that may pass."""
_LONGEST: Final = 64 * 1024
"""The number of bytes of a report that are read."""


@dataclass(frozen=True)
class Bounced:
    """An email could not be delivered, and the mail server has given up."""

    status: str
    """The reason in the form of RFC 3463: 5.1.1, 4.4.7."""


@dataclass(frozen=True)
class Complained:
    """A reader called an email of this server spam."""

    token: str
    """The report address of that email, as far as the report contains it, or a blank text."""


Report = Bounced | Complained


def read(raw: bytes, own_addresses: re.Pattern[str]) -> Report | None:
    """Return the report in an email (RFC 3464, RFC 5965), or None for other emails and for reports of a delay.

    ``own_addresses`` matches this server's addresses. Never raises.
    """
    headers, body = split(raw)
    content = headers.typed()
    boundary = str(content.get_param("boundary", "")).encode("utf-8", "replace").strip()
    if content.get_content_type() != "multipart/report" or not 0 < len(boundary) <= 200:
        return None
    for index, (part_headers, text) in enumerate(map(split, between(body, boundary))):
        kind = part_headers.typed().get_content_type()
        if kind in ("message/delivery-status", "message/global-delivery-status"):
            return _delivery(text[:_LONGEST])
        if kind == "message/feedback-report":
            return _complaint(split(text[:_LONGEST])[0], body, own_addresses)
        if index >= MOST_PARTS:
            break
    return None


def _delivery(text: bytes) -> Bounced | None:
    """Return the report about the recipient. Each email of this server has only one."""
    for fields in _groups(text):
        status = _STATUS.match(fields.one("status"))
        if fields.one("action").strip().lower() == "failed" and status:
            return Bounced(precise_status(status[1], fields.one("diagnostic-code")))
    return None


def precise_status(status: str, response: str) -> str:
    """Return the status that a mail server's response states more precisely than a vague status, or that status."""
    basic = _BASIC.search(response)
    if not _VAGUE.fullmatch(status) or (basic and basic[1] == "4"):
        return status
    enhanced = _ENHANCED.search(response)
    if enhanced and not _VAGUE.fullmatch(enhanced[0]):
        return enhanced[0]
    if _NOT_THE_MAILBOX.search(response):
        return status
    if _NO_MAILBOX.search(response):
        return "5.1.1"
    return "5.1.2" if _NO_DOMAIN.search(response) else status


def _groups(text: bytes) -> Iterator[Headers]:
    """Yield groups of fields, which are separated by empty lines."""
    for _ in range(MOST_PARTS):
        if not text:
            return
        fields, text = split(text)
        yield fields


def _complaint(fields: Headers, body: bytes, own_addresses: re.Pattern[str]) -> Complained | None:
    """Return the complaint of a report. Abuse and fraud are complaints, “not-spam” is not."""
    if fields.one("feedback-type").strip().lower() not in ("abuse", "fraud", "other", "virus"):
        return None
    return_paths = [*fields.addresses("original-mail-from"), *_return_paths(body)]
    return Complained(next((match["token"] for path in return_paths if (match := own_addresses.fullmatch(path))), ""))


def _return_paths(body: bytes) -> list[str]:
    """Return the return paths in the report's copy of the email."""
    matches = re.findall(rb"(?im)^return-path:[ \t]*<([^<>\s]{1,320})>", body[: 4 * _LONGEST])
    return [path.decode("ascii", "replace").lower() for path in matches]


def of_event(event: AnymailTrackingEvent) -> Report | None:
    """Return a provider's report, or None if an email arrived, is delayed or was opened."""
    response = event.mta_response or event.description or ""
    if event.event_type == EventType.BOUNCED:
        return Bounced(_status_of_bounce(_texts_of(event.esp_event), response))
    if event.event_type == EventType.FAILED:  # Postal reports the refusals of mail servers in this way.
        return Bounced(_status(event.mta_response)) if _BASIC.search(event.mta_response or "") else None
    if event.event_type == EventType.COMPLAINED:
        return Complained("")
    if event.event_type != EventType.REJECTED:
        return None
    match event.reject_reason:
        case RejectReason.SPAM:
            return Complained("")
        case RejectReason.INVALID:
            return Bounced("5.1.1")
        case RejectReason.BOUNCED:
            return Bounced(_status_of_bounce(_texts_of(event.esp_event), response))
    return None


def _texts_of(event: Any) -> dict[str, str]:
    """Return the fields of a provider's event that name the kind of a bounce, in lower case."""
    fields: dict[str, str] = {}
    pending = [event]
    while pending and len(fields) < MOST_PARTS:
        fields_of_level = pending.pop()
        if isinstance(fields_of_level, dict):
            values = {str(name).lower(): value for name, value in fields_of_level.items()}
            fields |= {name: str(values[name]).lower() for name in _KINDS if name in values}
            pending += [value for name, value in values.items() if name in _LEVELS]
    return fields


_KINDS: Final = ("event", "type", "hard_bounce", "bounce_class", "error", "bounce_description")
_LEVELS: Final = ("msys", "message_event", "msg")
"""The fields in which SparkPost and Mandrill nest their kinds."""
_HARD_CLASSES: Final = ("10", "30")
"""SparkPost's classes of recipients that do not exist. All other classes may pass."""
_SOFT_ERRORS: Final = (
    "quota", "inactive", "full", "denied", "block", "policy", "greylist", "general", "relay", "spam", "black",
    "connection", "protocol", "system", "duplicate", "header", "content", "sender", "reputation", "unsolicited", "time",
)  # fmt: skip
"""Words of errors that are not about the mailbox, or that may pass."""


def _status_of_bounce(kinds: dict[str, str], response: str) -> str:
    """Return the status of a bounce. A soft bounce is temporary, and a hard one without a reason is permanent."""
    bounce_class = kinds.get("bounce_class")
    if bounce_class is not None:
        return "5.1.1" if bounce_class in _HARD_CLASSES else "4.0.0"
    names = [kinds.get(name, "") for name in ("event", "type")]
    reason = f"{kinds.get('error', '')} {kinds.get('bounce_description', '')}".replace("_", " ")
    has_code = _ENHANCED.search(response) or _BASIC.search(response)
    error = reason if has_code else f"{reason} {response.lower()}"  # A code is more precise than the words beside it.
    is_soft = kinds.get("hard_bounce") == "false" or any("soft" in name for name in names)
    if is_soft or any(word in error for word in _SOFT_ERRORS):
        return "4.0.0"
    is_hard = kinds.get("hard_bounce") == "true" or any("hard" in name for name in names)
    return "5.1.1" if is_hard and not has_code else _status(f"{response} {reason}")


def _status(response: str) -> str:
    """Return the status in a mail server's response, preferably the enhanced one: ``smtp; 550 5.1.1 unknown``."""
    enhanced, basic = _ENHANCED.search(response), _BASIC.search(response)
    if enhanced:
        return precise_status(enhanced[0], response)
    return precise_status(f"{basic[1] if basic else 5}.0.0", response)
