"""Moments as programs read them (RFC 3339 in UTC, as REST framework writes them), and as games store them."""

from datetime import UTC, datetime


def write_moment(moment: datetime) -> str:
    """Write an aware moment in UTC, such as ``2026-11-22T08:30:00Z``."""
    return moment.astimezone(UTC).isoformat().removesuffix("+00:00") + "Z"


def whole_second(moment: datetime) -> datetime:
    """Return the beginning of the second of a moment."""
    return moment.replace(microsecond=0)
