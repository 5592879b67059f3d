"""Digits and times as their reader writes them."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language
from persiantools import digits
from persiantools.jdatetime import JalaliDateTime

_UNCHOSEN = "UTC"
"""The zone of people who have chosen none, for whom it has to be said."""


def in_digits(text: str) -> str:
    """Text with its digits as the active language writes them."""
    return digits.en_to_fa(text) if get_language() == "fa" else text


def format_moment(at: datetime, zone: ZoneInfo) -> str:
    """A time as its reader writes it, whose zone this is: without the year where it is this one.

    Persian readers have their own calendar and digits.
    """
    local, now = at.astimezone(zone), timezone.now().astimezone(zone)
    named = f" {zone.key}" if zone.key == _UNCHOSEN else ""
    if get_language() == "fa":
        jalali = JalaliDateTime(local)
        day = in_digits(str(jalali.day))
        year = "" if jalali.year == JalaliDateTime(now).year else " %Y"
        written = f"{jalali.strftime('%A', locale='fa')} {day} {jalali.strftime(f'%B{year}', locale='fa')}"
        zoned = f" \u2066{named.strip()}\u2069" if named else ""
        return f"{written}، ساعت {jalali.strftime('%H:%M', locale='fa')}{zoned}"
    return date_format(local, "l j F, H:i" if local.year == now.year else "l j F Y, H:i") + named
