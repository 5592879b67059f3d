"""Times as the API writes them (RFC 3339 in UTC, as REST framework does) and as games store them."""

from datetime import UTC, datetime


def write_moment(moment: datetime) -> str:
    """Return a time in UTC as text, such as ``2026-11-22T08:30:00Z``."""
    return moment.astimezone(UTC).isoformat().removesuffix("+00:00") + "Z"


def whole_second(moment: datetime) -> datetime:
    """Return a time without its fraction of a second."""
    return moment.replace(microsecond=0)
