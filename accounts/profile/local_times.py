"""Digits and times in the reader's language and time zone."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language
from persiantools import digits
from persiantools.jdatetime import JalaliDateTime

# The time zone of readers who have not chosen one. It is written behind each time.
_UNCHOSEN = "UTC"


def in_digits(text: str) -> str:
    """Return a text with its digits as the active language writes them."""
    return digits.en_to_fa(text) if get_language() == "fa" else text


def format_moment(at: datetime, zone: ZoneInfo) -> str:
    """Return a time in the reader's language and time zone. The present year is left out.

    Persian readers get the Jalali calendar and Persian digits.
    """
    local, now = at.astimezone(zone), timezone.now().astimezone(zone)
    zone_name = f" {zone.key}" if zone.key == _UNCHOSEN else ""
    if get_language() == "fa":
        jalali = JalaliDateTime(local)
        day = in_digits(str(jalali.day))
        year = "" if jalali.year == JalaliDateTime(now).year else " %Y"
        date = f"{jalali.strftime('%A', locale='fa')} {day} {jalali.strftime(f'%B{year}', locale='fa')}"
        zoned = f" \u2066{zone_name.strip()}\u2069" if zone_name else ""
        return f"{date}، ساعت {jalali.strftime('%H:%M', locale='fa')}{zoned}"
    return date_format(local, "l j F, H:i" if local.year == now.year else "l j F Y, H:i") + zone_name
