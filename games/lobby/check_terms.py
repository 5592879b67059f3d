"""Checks the terms that a host chooses, and says of one that cannot be what could."""

from datetime import timedelta

from django.core.exceptions import ValidationError

from accounts.profile.time_zones import validate_time_zone
from games.engine import Notation, Phrase, gettext_noop
from games.refusals import Refusal
from games.terms.game_terms import TERMS, Described, GameTerms
from games.terms.schedule import (
    LONGEST,
    MOST_DATES,
    MOST_HOURS,
    MOST_SLEEP,
    MOST_VACATION,
    SHORTEST,
    WEEKDAYS,
    Schedule,
)


def check_terms(terms: GameTerms) -> None:
    """Raise Refusal ``malformed`` for the first of these terms that cannot be; its sentence says what could."""
    for each in TERMS.values():
        value, term = getattr(terms, each.name), each.term
        if (each.values and value not in each.values) or (
            term.least is not None and not term.least <= value <= term.most
        ):
            raise Refusal("malformed", Phrase(term.refusal, {**_bounds(each)}), each.name)
    check_schedule(terms.schedule)


def _bounds(described: Described) -> dict[str, int]:
    bounds = {"least": described.term.least, "most": described.term.most}
    return {
        name: value.days if isinstance(value, timedelta) else value
        for name, value in bounds.items()
        if value is not None
    }


def check_schedule(schedule: Schedule) -> None:
    """Raise Refusal ``malformed`` for the first part of a schedule that cannot be."""
    _check_zone(schedule)
    _check_days(schedule)
    _check_time_bank(schedule)
    if not 0 <= schedule.sleep <= MOST_SLEEP:
        sentence = gettext_noop("A game can respect from 0 to %(most)s hours of sleep a night.")
        raise _malformed("sleep", sentence, most=MOST_SLEEP)
    if not 0 <= schedule.vacation <= MOST_VACATION:
        sentence = gettext_noop("A game can respect from 0 to %(most)s days of vacation a year.")
        raise _malformed("vacation", sentence, most=MOST_VACATION)


def _check_zone(schedule: Schedule) -> None:
    try:
        validate_time_zone(schedule.zone)
    except ValidationError as error:
        sentence = gettext_noop(
            "“%(name)s” is not a time zone of the IANA list. A right one is for example %(nearest)s."
        )
        params = error.params or {}
        values = {name: Notation(str(params[name])) for name in ("name", "nearest")}
        raise Refusal("malformed", Phrase(sentence, {**values}), "schedule.zone") from error


def _check_days(schedule: Schedule) -> None:
    if len(schedule.closes_at) > MOST_HOURS:
        raise _malformed("closes_at", gettext_noop("A day has at most %(most)s fixed hours."), most=MOST_HOURS)
    if any(each.second or each.microsecond or each.tzinfo for each in schedule.closes_at):
        raise _malformed("closes_at", gettext_noop("Write an hour of the day as hours and minutes, for example 20:00."))
    if len(set(schedule.days_off)) == len(WEEKDAYS):
        raise _malformed("days_off", gettext_noop("At least one day of the week must not be a day off."))
    if len(schedule.dates_off) > MOST_DATES:
        raise _malformed("dates_off", gettext_noop("At most %(most)s single days may be days off."), most=MOST_DATES)


def _check_time_bank(schedule: Schedule) -> None:
    if schedule.time_bank is None:
        return
    if not SHORTEST <= schedule.time_bank.time <= LONGEST:
        raise _malformed("time_bank.time", gettext_noop("A time bank has from one minute to 30 days."))
    if not SHORTEST <= schedule.time_bank.increment <= LONGEST:
        raise _malformed(
            "time_bank.increment", gettext_noop("With every move a time bank gets from one minute to 30 days more.")
        )
    if schedule.closes_at:
        sentence = gettext_noop("A game has fixed hours or time banks, not both: a time bank ends when it is empty.")
        raise _malformed("time_bank", sentence)


def _malformed(field: str, sentence: str, **values: int) -> Refusal:
    return Refusal("malformed", Phrase(sentence, {**values}), f"schedule.{field}")
