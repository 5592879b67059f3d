"""The calendar feed of an account: its deadlines and vacations, for a calendar program.

The address is a secret, because the feed needs no log-in. It is derived like the links in emails, so it is not stored,
and the account can change its key. Calendars are copied to other servers, so a deadline names the game but not the
question.
"""

import secrets
from datetime import datetime, timedelta

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override
from icalendar import Calendar, Event

from accounts.models import Account
from games import links
from games.models import OpenQuestion
from games.play.questions import question_queryset
from games.tables.vacations import Vacation, list_vacations
from games.visibility.words import short_code, title_of
from notifications import reply_addresses

_REFRESH = timedelta(hours=1)


def renew(account: Account) -> None:
    """Give the feed a new address. A former address stops working."""
    account.calendar_key = secrets.token_hex(8)
    account.save(update_fields=["calendar_key"])


def turn_off(account: Account) -> None:
    """Remove the feed's address."""
    account.calendar_key = ""
    account.save(update_fields=["calendar_key"])


def address(account: Account) -> str:
    """The address of the feed, or blank if there is none."""
    if not account.calendar_key:
        return ""
    token = reply_addresses.token(reply_addresses.CALENDAR, f"{account.pk}-{account.calendar_key}")
    return f"{settings.PUBLIC_URL}{reverse('pages:calendar-feed', args=[token])}"


def account_of_token(token: str) -> Account | None:
    """Return the account of a feed's address, or None if the address is invalid or has been changed."""
    kind, subject = reply_addresses.read(token) or ("", "")
    number, _dash, key = subject.partition("-")
    if kind != reply_addresses.CALENDAR or not key:
        return None
    return Account.objects.filter(pk=int(number), calendar_key=key, is_active=True).first()


def document(account: Account) -> bytes:
    """Return the feed in the account's language, in the format of RFC 5545."""
    with override(account.language):
        calendar = Calendar()
        calendar.add("prodid", "-//Darbar//calendar feed//EN")
        calendar.add("version", "2.0")
        calendar.add("method", "PUBLISH")
        calendar.add("x-wr-calname", _("Darbar"))
        calendar.add("refresh-interval", _REFRESH, parameters={"VALUE": "DURATION"})
        for row in question_queryset(account).select_related("game"):
            calendar.add_component(_deadline(row, account.language))
        for vacation in list_vacations(account):
            calendar.add_component(_vacation(vacation, account))
        return bytes(calendar.to_ical())


def _deadline(row: OpenQuestion, language: str) -> Event:
    names = {"game": title_of(row.game), "code": short_code(row.game)}
    summary = _("Your answer in %(game)s %(code)s is due") % names
    # A deadline never moves back. So its distance from the question is a number that grows when it moves.
    sequence = int((row.due_at - row.asked_at).total_seconds()) // 60
    event = _event(f"{row.game_id}-{row.question}", summary, language, row.asked_at, sequence)
    event.add("dtstart", row.due_at)
    event.add("url", links.game_page(row.game_id))
    return event


def _vacation(vacation: Vacation, account: Account) -> Event:
    event = _event(f"vacation-{vacation.id}", _("Away from Darbar"), account.language, account.created_at)
    event.add("dtstart", vacation.first)
    event.add("dtend", vacation.last + timedelta(days=1))
    event.add("transp", "TRANSPARENT")
    return event


def _event(name: str, summary: str, language: str, created_at: datetime, sequence: int = 0) -> Event:
    """Return an event of the calendar. It has the same bytes until its content changes, so that programs can skip
    it. Programs that compare revisions find a higher ``sequence`` and a later time in a changed event.
    """
    modified_at = created_at + timedelta(seconds=sequence)
    event = Event()
    event.add("uid", f"{name}@{settings.MAIL_DOMAIN}")
    event.add("summary", summary, parameters={"LANGUAGE": language})
    event.add("dtstamp", modified_at)
    event.add("last-modified", modified_at)
    event.add("sequence", sequence)
    return event
