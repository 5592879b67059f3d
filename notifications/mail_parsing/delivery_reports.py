"""Reports of machines about mail of ours: that it could not be delivered, or that its reader called it spam.

Pure, like all reading. A report says what happened; of which mail it speaks is for others to tell by the address
it came to, since what stands in a report may have been written by anybody.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from anymail.signals import AnymailTrackingEvent, EventType, RejectReason

from notifications.mail_parsing.headers import Headers, split
from notifications.mail_parsing.parts import MOST_PARTS, between

_STATUS: Final = re.compile(r"\s*([245]\.\d{1,3}\.\d{1,3})\b")
_ENHANCED: Final = re.compile(r"(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.])")
_BASIC: Final = re.compile(r"(?<![\d.])([45])\d\d(?![\d.])")
_LONGEST: Final = 64 * 1024
"""The number of bytes of a report that are looked at."""


@dataclass(frozen=True)
class Bounced:
    """A mail could not be delivered, for good: nobody tries any more."""

    status: str
    """The reason, as RFC 3463 writes it: 5.1.1, 4.4.7."""


@dataclass(frozen=True)
class Complained:
    """A reader called a mail of ours spam."""

    token: str
    """The address for reports that the mail bore, as far as the report shows it; else blank."""


Report = Bounced | Complained


def read(raw: bytes, own: re.Pattern[str]) -> Report | None:
    """Return what a mail reports (RFC 3464, RFC 5965); None where it is no report, or one of a delay.

    ``own`` matches our addresses. Never raises.
    """
    headers, body = split(raw)
    content = headers.typed()
    boundary = str(content.get_param("boundary", "")).encode("utf-8", "replace").strip()
    if content.get_content_type() != "multipart/report" or not 0 < len(boundary) <= 200:
        return None
    for part, (described, text) in enumerate(map(split, between(body, boundary))):
        kind = described.typed().get_content_type()
        if kind in ("message/delivery-status", "message/global-delivery-status"):
            return _delivery(text[:_LONGEST])
        if kind == "message/feedback-report":
            return _complaint(split(text[:_LONGEST])[0], body, own)
        if part >= MOST_PARTS:
            break
    return None


def _delivery(text: bytes) -> Bounced | None:
    """Return what the fields about the recipient say: each mail of ours has but one."""
    for fields in _groups(text):
        status = _STATUS.match(fields.one("status"))
        if fields.one("action").strip().lower() == "failed" and status:
            return Bounced(status[1])
    return None


def _groups(text: bytes) -> Iterator[Headers]:
    """Groups of fields with empty lines between them."""
    for _ in range(MOST_PARTS):
        if not text:
            return
        fields, text = split(text)
        yield fields


def _complaint(fields: Headers, body: bytes, own: re.Pattern[str]) -> Complained | None:
    """Abuse and fraud are complaints; that somebody took one back ("not-spam") is none."""
    if fields.one("feedback-type").strip().lower() not in ("abuse", "fraud", "other", "virus"):
        return None
    named = [*fields.addresses("original-mail-from"), *_return_paths(body)]
    return Complained(next((found["token"] for each in named if (found := own.fullmatch(each))), ""))


def _return_paths(body: bytes) -> list[str]:
    """To which addresses the mail complained of would have been returned, as the copy of it in the report says."""
    found = re.findall(rb"(?im)^return-path:[ \t]*<([^<>\s]{1,320})>", body[: 4 * _LONGEST])
    return [each.decode("ascii", "replace").lower() for each in found]


def of_event(event: AnymailTrackingEvent) -> Report | None:
    """Return what a provider reports; None where a mail arrived, is late, or was merely looked at."""
    if event.event_type == EventType.COMPLAINED or event.reject_reason == RejectReason.SPAM:
        return Complained("")
    refused = event.event_type == EventType.REJECTED and event.reject_reason in (
        RejectReason.INVALID,
        RejectReason.BOUNCED,
    )
    if event.event_type == EventType.BOUNCED or refused:
        return Bounced("4.0.0" if _is_soft(event.esp_event) else _status(event.mta_response or event.description or ""))
    return None


def _is_soft(said: Any) -> bool:
    """Return whether a provider calls a bounce one that may pass."""
    if not isinstance(said, dict):
        return False
    kinds = (str(said.get(name, "")).lower() for name in ("event", "type", "Type"))
    return said.get("hard_bounce") is False or any("soft" in kind for kind in kinds)


def _status(said: str) -> str:
    """The status in what a mail server said, the enhanced one if there is one: ``smtp; 550 5.1.1 unknown``."""
    enhanced, basic = _ENHANCED.search(said), _BASIC.search(said)
    return enhanced[0] if enhanced else f"{basic[1]}.0.0" if basic else "5.0.0"
