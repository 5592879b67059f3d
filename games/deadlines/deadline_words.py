"""A table's terms about time, and why an answer is due when it is, as sentences in the active language."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Final
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import get_language, gettext_lazy, ngettext, pgettext
from django.utils.translation import gettext as _
from persiantools.jdatetime import JalaliDate

from accounts.models import Account
from accounts.profile.moments import moment
from games.deadlines import timing
from games.deadlines.calculation import MOST_SLEEP, MOST_VACATION, Clock, Why
from games.engine import AnyRules
from games.models import Game, OpenQuestion
from games.text.phrases import isolated, number, period

WEEKDAYS: Final[Mapping[str, object]] = {
    "saturday": gettext_lazy("Saturday"),
    "sunday": gettext_lazy("Sunday"),
    "monday": gettext_lazy("Monday"),
    "tuesday": gettext_lazy("Tuesday"),
    "wednesday": gettext_lazy("Wednesday"),
    "thursday": gettext_lazy("Thursday"),
    "friday": gettext_lazy("Friday"),
}
"""The days of the week, as a week begins in Persian calendars."""
_WHY: Final[Mapping[Why, object]] = {
    "turn": gettext_lazy("You have %(length)s for this turn."),
    "window": gettext_lazy("You have %(length)s for this answer."),
    "choice": gettext_lazy("You have %(length)s for this choice."),
    "bank": gettext_lazy("Your bank of time holds %(length)s."),
    "days-off": gettext_lazy("No time passes on the days off of the table, which makes it %(until)s."),
    "vacation": gettext_lazy("No time passes for you on your vacation, which makes it %(until)s."),
    "fixed-hour": gettext_lazy("At this table time is over at fixed hours only: at %(until)s."),
    "sleep": gettext_lazy("It ends at %(until)s, as you sleep until then."),
    "moved": gettext_lazy("Since then it was moved to %(until)s, by a pause or because the server was down."),
}


@dataclass(frozen=True)
class Told:
    """One of the steps that led to a deadline."""

    code: Why
    text: str
    until: datetime


def why(row: OpenQuestion, game: Game, rules: AnyRules, zone: str) -> Iterator[Told]:
    """Why a question is due when it is, for whoever is asked it; times are those of ``zone``."""
    for reason in timing.why(row, game, timing.pace_of(rules, row.kind)):
        values = {
            "until": moment(reason.until, ZoneInfo(zone)),
            "length": period(reason.length) if reason.length else "",
        }
        yield Told(reason.code, str(_WHY[reason.code]) % values, reason.until)


def why_not_simply(row: OpenQuestion, game: Game, rules: AnyRules, reader: Account) -> tuple[str, ...]:
    """The same as sentences, where there is more to it than how long a question lets one think.

    Nothing to anybody but the player who is asked: it tells when they sleep and travel.
    """
    seat = next(place for place in game.places.all() if place.number == row.seat)
    if seat.account_id != reader.pk:
        return ()
    told = tuple(each.text for each in why(row, game, rules, reader.time_zone))
    return told if len(told) > 1 or row.why else ()


def terms(game: Game) -> tuple[str, ...]:
    """What a table has agreed on about time, a sentence each."""
    clock = timing.clock_of(game)
    return (_lengths(game, clock), *_days(clock), *_of_people(clock))


def _lengths(game: Game, clock: Clock) -> str:
    lengths = {"turn": game.turn_length, "window": game.window_length, "choice": game.choice_length}
    said = {name: period(length) for name, length in lengths.items()}
    if clock.bank is not None:
        bank = {"bank": period(clock.bank.time), "increment": period(clock.bank.increment), **said}
        return (
            _(
                "Each player has a bank of %(bank)s for turns and choices, with %(increment)s more for each answer; "
                "where several are asked there are %(window)s."
            )
            % bank
        )
    if game.choice_length == game.window_length:
        return _("There are %(turn)s for a turn, and %(window)s for any other answer.") % said
    return (
        _("There are %(turn)s for a turn, %(window)s where several are asked, and %(choice)s for a small choice.")
        % said
    )


def _days(clock: Clock) -> Iterator[str]:
    place = {"zone": isolated(clock.zone)}
    between = pgettext("between the items of a list", ", ")
    if clock.closes_at:
        hours = between.join(hour(each) for each in sorted(clock.closes_at))
        yield _("Time is over only at %(hours)s (%(zone)s), as soon as the whole of it has passed.") % {
            "hours": hours, **place,
        }  # fmt: skip
    if days := [*(str(WEEKDAYS[each]) for each in WEEKDAYS if each in clock.days_off), *map(day, clock.dates_off)]:
        yield _("No time passes on days off: %(days)s (%(zone)s).") % {"days": between.join(days), **place}


def _of_people(clock: Clock) -> Iterator[str]:
    if not clock.sleep:
        yield _("Sleeping hours do not count here.")
    elif clock.sleep < MOST_SLEEP:
        sentence = ngettext(
            "Of a player's sleep %(count)s hour counts.", "Of a player's sleep %(count)s hours count.", clock.sleep
        )
        yield sentence % {"count": number(clock.sleep)}
    if not clock.vacation:
        yield _("Vacations stop no clocks here.")
    elif clock.vacation < MOST_VACATION:
        sentence = ngettext(
            "A player's vacation stops their clock on %(count)s day of a year.",
            "A player's vacation stops their clock on %(count)s days of a year.",
            clock.vacation,
        )
        yield sentence % {"count": number(clock.vacation)}


def hour(at: time) -> str:
    """A time of day in the active language's digits."""
    return ":".join(number(part).rjust(2, number(0)) for part in (at.hour, at.minute))


def day(on: date) -> str:
    """A day by the reader's calendar."""
    if get_language() == "fa":
        jalali = JalaliDate(on)
        return f"{number(jalali.day)} {jalali.strftime('%B', locale='fa')} {number(jalali.year)}"
    return date_format(on, "j F Y")
