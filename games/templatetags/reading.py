"""Filters for times, numbers and names in the language, calendar and time zone of the reader."""

from collections.abc import Iterable
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django import template
from django.utils import timezone
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import pgettext

from accounts.local_times import format_moment as moment_of
from games import phrases
from games.deadlines import deadline_words

register = template.Library()


@register.filter
def moment(at: datetime) -> SafeString:
    """Return a time in the reader's time zone and calendar."""
    zone = timezone.get_current_timezone()
    text = moment_of(at, zone if isinstance(zone, ZoneInfo) else ZoneInfo("UTC"))
    return format_html('<time datetime="{}">{}</time>', at.isoformat(timespec="seconds"), text)


@register.filter
def short(at: datetime) -> SafeString:
    """Return a recent time in its shortest form."""
    text = phrases.short_moment(timezone.localtime(at))
    return format_html('<time datetime="{}">{}</time>', at.isoformat(timespec="seconds"), text)


@register.filter
def left(at: datetime, now: datetime) -> str:
    """Return the duration until a time, or an empty string if it has passed."""
    return phrases.period(at - now) if at > now else ""


@register.filter
def period(length: timedelta) -> str:
    """Return a duration in its two largest units."""
    return phrases.period(length)


@register.filter
def day(on: date) -> str:
    """Return a day in the reader's calendar."""
    return deadline_words.day(on)


@register.filter
def number(value: int) -> str:
    """Return a number in the reader's digits."""
    return phrases.number(value)


@register.filter
def face(name: str) -> SafeString:
    """Return a disc with the initial of a name, in one of six colours. Programs that read pages aloud leave it out."""
    letters = [letter for letter in name if letter.isalnum()] or ["?"]
    colour = sum(map(ord, letters)) % 6
    return format_html(
        '<span class="face face-{}" data-initial="{}" aria-hidden="true"></span>', colour, letters[0].upper()
    )


@register.filter
def change(value: int) -> str:
    """Return a difference with its sign in the reader's digits."""
    return f"{'−' if value < 0 else '+'}{phrases.number(abs(value))}"


@register.filter
def isolated(text: str) -> str:
    """Return a name with marks that isolate its direction from the surrounding text."""
    return phrases.isolated(text)


@register.filter
def listed(items: Iterable[str]) -> str:
    """Return texts as a list in the active language."""
    return pgettext("between the items of a list", ", ").join(items)


@register.filter
def percent(part: float) -> str:
    """Return a share as a percentage."""
    return phrases.percent(part)
