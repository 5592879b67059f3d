"""What a table may agree on about its deadlines, and what is said of terms that cannot be."""

from datetime import timedelta
from typing import Final

from django.core.exceptions import ValidationError

from accounts.profile.time_zones import validate_time_zone
from games.deadlines.calculation import LONGEST, MOST_SLEEP, MOST_VACATION, WEEKDAYS, Clock
from games.engine import Notation, Phrase, gettext_noop
from games.refusals import Refusal

SHORTEST: Final = timedelta(minutes=1)
MOST_HOURS: Final = 24
"""So many fixed hours a day may have."""
MOST_DATES: Final = 60
"""So many single days may be days off."""


def check(clock: Clock) -> None:
    """Refusal ``malformed`` names what of these terms cannot be, and says what could."""
    _check_zone(clock)
    _check_days(clock)
    _check_bank(clock)
    if not 0 <= clock.sleep <= MOST_SLEEP:
        sentence = gettext_noop("From 0 to %(most)s hours of sleep may count at a table.")
        raise _wrong("sleep", sentence, most=MOST_SLEEP)
    if not 0 <= clock.vacation <= MOST_VACATION:
        sentence = gettext_noop("From 0 to %(most)s days of vacation in a year may count at a table.")
        raise _wrong("vacation", sentence, most=MOST_VACATION)


def _check_zone(clock: Clock) -> None:
    try:
        validate_time_zone(clock.zone)
    except ValidationError as error:
        sentence = gettext_noop(
            "“%(name)s” is not a time zone of the IANA list. A right one is for example %(nearest)s."
        )
        params = error.params or {}
        values = {name: Notation(str(params[name])) for name in ("name", "nearest")}
        raise Refusal("malformed", Phrase(sentence, {**values}), "clock.zone") from error


def _check_days(clock: Clock) -> None:
    if len(clock.closes_at) > MOST_HOURS:
        raise _wrong("closes_at", gettext_noop("A day has at most %(most)s fixed hours."), most=MOST_HOURS)
    if any(each.second or each.microsecond or each.tzinfo for each in clock.closes_at):
        raise _wrong("closes_at", gettext_noop("Write an hour of the day as hours and minutes, for example 20:00."))
    if len(set(clock.days_off)) == len(WEEKDAYS):
        raise _wrong("days_off", gettext_noop("One day of the week at least has to be no day off."))
    if len(clock.dates_off) > MOST_DATES:
        raise _wrong("dates_off", gettext_noop("At most %(most)s single days may be days off."), most=MOST_DATES)


def _check_bank(clock: Clock) -> None:
    if clock.bank is None:
        return
    if not SHORTEST <= clock.bank.time <= LONGEST:
        raise _wrong("bank.time", gettext_noop("A bank holds from one minute to 30 days."))
    if not SHORTEST <= clock.bank.increment <= LONGEST:
        raise _wrong("bank.increment", gettext_noop("With every answer a bank gets from one minute to 30 days more."))
    if clock.closes_at:
        sentence = gettext_noop("A table has fixed hours or banks of time, not both: a bank ends when it is empty.")
        raise _wrong("bank", sentence)


def _wrong(field: str, sentence: str, **values: int) -> Refusal:
    return Refusal("malformed", Phrase(sentence, {**values}), f"clock.{field}")
