"""A table's terms about time, and why an answer is due when it is, as sentences in the active language."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time
from typing import Final
from zoneinfo import ZoneInfo

from django.utils.formats import date_format
from django.utils.translation import get_language, gettext_lazy, ngettext, pgettext, pgettext_lazy
from django.utils.translation import gettext as _
from persiantools.jdatetime import JalaliDate

from accounts import local_times
from accounts.local_times import format_moment, in_digits
from accounts.models import Account
from games.deadlines import calculation
from games.deadlines.calculation import Why
from games.engine import AnyRules
from games.models import Game, OpenQuestion
from games.phrases import isolated, number, period
from games.terms import LIMITS, MOST_SLEEP, MOST_VACATION, Schedule

WEEKDAYS: Final[Mapping[str, object]] = {
    "saturday": pgettext_lazy("day of the week", "Saturday"),
    "sunday": pgettext_lazy("day of the week", "Sunday"),
    "monday": pgettext_lazy("day of the week", "Monday"),
    "tuesday": pgettext_lazy("day of the week", "Tuesday"),
    "wednesday": pgettext_lazy("day of the week", "Wednesday"),
    "thursday": pgettext_lazy("day of the week", "Thursday"),
    "friday": pgettext_lazy("day of the week", "Friday"),
}
"""The days of the week, as a week begins in Persian calendars."""
_WHY: Final[Mapping[Why, object]] = {
    "turn": gettext_lazy("You have %(length)s for this turn."),
    "reaction": gettext_lazy("You have %(length)s for this reaction."),
    "choice": gettext_lazy("You have %(length)s for this choice."),
    "time-bank": gettext_lazy("Your time bank has %(length)s left."),
    "days-off": gettext_lazy("No time passes on the game’s days off, which makes it %(until)s."),
    "vacation": gettext_lazy("No time passes while you’re on vacation, which makes it %(until)s."),
    "fixed-hour": gettext_lazy("In this game, deadlines are only at fixed hours: at %(until)s."),
    "sleep": gettext_lazy("The deadline is %(until)s, because you sleep until then."),
    "moved": gettext_lazy("It has since moved to %(until)s, because of a pause or because the server was down."),
}


@dataclass(frozen=True)
class DeadlineReason:
    """A reason of a deadline, as a sentence."""

    code: Why
    text: str
    until: datetime


def why(row: OpenQuestion, game: Game, rules: AnyRules, zone: str) -> Iterator[DeadlineReason]:
    """Yield the reasons of a deadline, for its player. Times are in ``zone``."""
    for reason in calculation.why(row, game, calculation.pace_of(rules, row.kind)):
        values = {
            "until": format_moment(reason.until, ZoneInfo(zone)),
            "length": period(reason.length) if reason.length else "",
        }
        yield DeadlineReason(reason.code, str(_WHY[reason.code]) % values, reason.until)


def why_not_simply(row: OpenQuestion, game: Game, rules: AnyRules, reader: Account) -> tuple[str, ...]:
    """Return the reasons as sentences, if there are more than the length of the time limit.

    They are for the player only, because they reveal their sleep and travels.
    """
    seat = next(seat_row for seat_row in game.seats.all() if seat_row.number == row.seat)
    if seat.account_id != reader.pk:
        return ()
    sentences = tuple(reason.text for reason in why(row, game, rules, reader.time_zone))
    return sentences if len(sentences) > 1 or row.why else ()


def terms(game: Game) -> tuple[str, ...]:
    """Return the terms of a game about time, as sentences."""
    schedule = game.terms.schedule
    return (_lengths(game, schedule), *_open_reactions(game), *_days(schedule), *_of_people(schedule))


def delay_of_spectators(game: Game) -> tuple[str, ...]:
    """Return the sentence about the delay for spectators, or an empty one without a delay."""
    if game.spectator_delay is None:
        return ()
    return (_("Spectators see the game with a delay of %(time)s.") % {"time": period(game.spectator_delay)},)


def _lengths(game: Game, schedule: Schedule) -> str:
    limits = {name.removesuffix("_limit"): period(getattr(game.terms, name)) for name in LIMITS}
    if schedule.time_bank is not None:
        time_bank = {
            "time_bank": period(schedule.time_bank.time),
            "increment": period(schedule.time_bank.increment),
            **limits,
        }
        return (
            _(
                "Each player has a time bank of %(time_bank)s for turns and choices, with "
                "%(increment)s more for each move. A reaction has %(reaction)s."
            )
            % time_bank
        )
    if game.terms.choice_limit == game.terms.reaction_limit:
        return _("You have %(turn)s for a turn, and %(reaction)s for a reaction or a choice.") % limits
    return _("You have %(turn)s for a turn, %(reaction)s for a reaction, and %(choice)s for a choice.") % limits


def _open_reactions(game: Game) -> Iterator[str]:
    if game.terms.open_limit != game.terms.reaction_limit:
        sentence = _("You have %(open)s for a reaction that doesn’t concern you. No answer means you allow it.")
        yield sentence % {"open": period(game.terms.open_limit)}


def _days(schedule: Schedule) -> Iterator[str]:
    zone = {"zone": isolated(local_times.zone_label(schedule.zone))}
    between = pgettext("between the items of a list", ", ")
    if schedule.closes_at:
        hours = between.join(hour(time_of_day) for time_of_day in sorted(schedule.closes_at))
        yield _("Deadlines are only at %(hours)s (%(zone)s): the first of these after the whole limit has passed.") % {
            "hours": hours, **zone,
        }  # fmt: skip
    if days := [
        *(str(label) for code, label in WEEKDAYS.items() if code in schedule.days_off),
        *map(day, schedule.dates_off),
    ]:
        yield _("No time passes on days off: %(days)s (%(zone)s).") % {"days": between.join(days), **zone}


def _of_people(schedule: Schedule) -> Iterator[str]:
    if not schedule.sleep:
        yield _("Sleep hours don’t move deadlines here.")
    elif schedule.sleep < MOST_SLEEP:
        sentence = ngettext(
            "Deadlines respect %(count)s hour of sleep a night.",
            "Deadlines respect %(count)s hours of sleep a night.",
            schedule.sleep,
        )
        yield sentence % {"count": number(schedule.sleep)}
    if not schedule.vacation:
        yield _("Vacations don’t move deadlines here.")
    elif schedule.vacation < MOST_VACATION:
        sentence = ngettext(
            "Deadlines respect %(count)s day of vacation a year.",
            "Deadlines respect %(count)s days of vacation a year.",
            schedule.vacation,
        )
        yield sentence % {"count": number(schedule.vacation)}


def hour(at: time) -> str:
    """A time of day in the active language's digits."""
    return in_digits(f"{at:%H:%M}")


def day(on: date) -> str:
    """A day by the reader's calendar."""
    if get_language() == "fa":
        jalali = JalaliDate(on)
        return f"{number(jalali.day)} {jalali.strftime('%B', locale='fa')} {number(jalali.year)}"
    return date_format(on, "j F Y")
