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
            return Bounced(status[1])
    return None


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
    if event.event_type == EventType.COMPLAINED or event.reject_reason == RejectReason.SPAM:
        return Complained("")
    is_rejected = event.event_type == EventType.REJECTED and event.reject_reason in (
        RejectReason.INVALID,
        RejectReason.BOUNCED,
    )
    if event.event_type == EventType.BOUNCED or is_rejected:
        return Bounced("4.0.0" if _is_soft(event.esp_event) else _status(event.mta_response or event.description or ""))
    return None


def _is_soft(event: Any) -> bool:
    """Return whether a provider calls a bounce temporary."""
    if not isinstance(event, dict):
        return False
    kinds = (str(event.get(name, "")).lower() for name in ("event", "type", "Type"))
    return event.get("hard_bounce") is False or any("soft" in kind for kind in kinds)


def _status(response: str) -> str:
    """Return the status in a mail server's response, preferably the enhanced one: ``smtp; 550 5.1.1 unknown``."""
    enhanced, basic = _ENHANCED.search(response), _BASIC.search(response)
    return enhanced[0] if enhanced else f"{basic[1]}.0.0" if basic else "5.0.0"
