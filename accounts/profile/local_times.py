"""Times as their reader writes them."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import get_language
from persiantools import digits
from persiantools.jdatetime import JalaliDateTime


def format_moment(at: datetime, zone: ZoneInfo) -> str:
    """A time as people of that zone read it: Persian readers by their own calendar and digits."""
    local = at.astimezone(zone)
    if get_language() == "fa":
        jalali = JalaliDateTime(local)
        day = digits.en_to_fa(str(jalali.day))
        written = f"{jalali.strftime('%A', locale='fa')} {day} {jalali.strftime('%B %Y', locale='fa')}"
        return f"{written}، ساعت {jalali.strftime('%H:%M', locale='fa')} (\u2066{zone.key}\u2069)"
    return f"{date_format(local, 'l j F Y, H:i')} ({zone.key})"
