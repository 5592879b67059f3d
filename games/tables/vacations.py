"""Vacations: announced days on which a player need not answer.

Deadlines are computed as if those days did not exist. An announced vacation also moves open deadlines, only ever to a
later time. The other players see only the latest moment for which they wait.
"""

import uuid
from datetime import date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

import msgspec
from django.db import transaction
from persiantools.jdatetime import JalaliDate

from accounts.models import Account
from games.deadlines.calculation import days_between
from games.engine import Phrase, gettext_noop
from games.models import Game, OpenQuestion, Seat
from games.play.locked_game import lock_game
from games.refusals import Refusal, not_found
from games.terms import MOST_VACATION

NOTICE: Final = timedelta(days=1)
"""The minimum time between the announcement and the beginning of a vacation."""
LONGEST_AHEAD: Final = timedelta(days=366)
"""The maximum time from now to the end of a vacation."""


class Vacation(msgspec.Struct, frozen=True):
    """A vacation from its first to its last day, in the time zone of its owner."""

    id: uuid.UUID
    first: date
    last: date

    @property
    def days(self) -> int:
        """The number of days."""
        return (self.last - self.first).days + 1


def list_vacations(account: Account) -> list[Vacation]:
    """Return the vacations that an account has announced, the earliest first. Old ones are already deleted."""
    return sorted(msgspec.convert(account.vacations, list[Vacation]), key=lambda vacation: vacation.first)


def year_of(account: Account, day: date) -> int:
    """Return the year of a day in the calendar of an account's language, which is the Jalali calendar for Persian."""
    return int(JalaliDate(day).year) if account.language == "fa" else day.year


def days_left(account: Account, year: int) -> int:
    """Return the number of vacation days that an account may still announce in a year of its calendar."""
    announced_days = (
        day for vacation in list_vacations(account) for day in days_between(vacation.first, vacation.last)
    )
    return MOST_VACATION - sum(year_of(account, day) == year for day in announced_days)


def announce(account: Account, first: date, last: date, now: datetime) -> Vacation:
    """Announce a vacation, and move open deadlines accordingly.

    Raises Refusal: ``malformed`` for days that do not exist, ``conflict`` if the vacation begins too soon, overlaps
    another one or exceeds the days of this year.
    """
    with transaction.atomic():
        person = _lock_account(account)
        new = Vacation(uuid.uuid4(), first, last)
        today = now.astimezone(ZoneInfo(person.time_zone)).date()
        _check(person, new, today, now)
        current = [
            vacation for vacation in list_vacations(person) if year_of(person, vacation.last) >= year_of(person, today)
        ]
        _store(account, person, [*current, new])
        for game in _running_games(person):
            _recalculate_deadlines(game, person, now)
    return new


def withdraw(account: Account, vacation: uuid.UUID, now: datetime) -> None:
    """Cancel a vacation that has not begun.

    Raises Refusal: ``not-found``, or ``conflict`` if the vacation has begun or has extended an open deadline.
    """
    with transaction.atomic():
        person = _lock_account(account)
        row = next((row for row in list_vacations(person) if row.id == vacation), None)
        if row is None:
            raise not_found()
        if _starts_at(person, row) <= now:
            raise Refusal(
                "conflict",
                Phrase(
                    gettext_noop("This vacation has started, so it can’t be cancelled. You can still answer questions.")
                ),
            )
        # Deadlines never move back. A player who could cancel now and announce again could put off an answer for ever.
        if _extends_open_deadline(person, row):
            sentence = gettext_noop(
                "This vacation gives you more time for an open question. Answer it first, then cancel the vacation."
            )
            raise Refusal("conflict", Phrase(sentence))
        _store(account, person, [vacation for vacation in list_vacations(person) if vacation != row])


def _check(person: Account, new: Vacation, today: date, now: datetime) -> None:
    if new.last < new.first:
        raise Refusal(
            "malformed", Phrase(gettext_noop("A vacation must end on or after its first day. Check both days.")), "last"
        )
    if _starts_at(person, new) < now + NOTICE:
        sentence = gettext_noop("Announce a vacation at least a day before it starts.")
        raise Refusal("malformed", Phrase(sentence), "first")
    if new.last > today + LONGEST_AHEAD:
        raise Refusal("malformed", Phrase(gettext_noop("A vacation must end within a year from now.")), "last")
    if any(vacation.first <= new.last and new.first <= vacation.last for vacation in list_vacations(person)):
        raise Refusal(
            "malformed",
            Phrase(
                gettext_noop(
                    "You already have a vacation on some of these days. Choose other days, or cancel that one."
                )
            ),
            "first",
        )
    for year in (year_of(person, new.first), year_of(person, new.last)):
        new_days = sum(year_of(person, day) == year for day in days_between(new.first, new.last))
        if new_days > days_left(person, year):
            sentence = gettext_noop("You have %(left)s of your %(most)s vacation days left in %(year)s.")
            values: dict[str, str | int] = {"year": str(year), "left": days_left(person, year), "most": MOST_VACATION}
            raise Refusal("malformed", Phrase(sentence, {**values}), "last")


def _starts_at(person: Account, vacation: Vacation) -> datetime:
    return datetime.combine(vacation.first, time(), tzinfo=ZoneInfo(person.time_zone))


def _lock_account(account: Account) -> Account:
    return Account.objects.select_for_update(no_key=True, of=("self",)).get(pk=account.pk)


def _store(account: Account, person: Account, vacations: list[Vacation]) -> None:
    person.vacations = msgspec.to_builtins(vacations)
    person.save(update_fields=["vacations"])
    account.vacations = person.vacations


def _running_games(person: Account) -> list[uuid.UUID]:
    """Return the running games of an account, in a fixed order of locking that avoids deadlocks."""
    seats = Seat.objects.filter(account=person, game__state=Game.State.RUNNING)
    return list(seats.order_by("game").values_list("game", flat=True))


def _recalculate_deadlines(game: uuid.UUID, person: Account, now: datetime) -> None:
    with lock_game(game, now) as locked:
        if locked is not None:
            for seat, seat_row in locked.seats.items():
                if seat_row.account_id == person.pk:
                    locked.extend_deadline(seat)


def _extends_open_deadline(person: Account, vacation: Vacation) -> bool:
    """Return whether this vacation has extended an open deadline of the account."""
    for seat in Seat.objects.filter(account=person, game__state=Game.State.RUNNING):
        rows = OpenQuestion.objects.filter(game=seat.game_id, seat=seat.number, due_at__gt=_starts_at(person, vacation))
        if any(step["code"] == "vacation" for row in rows for step in row.why):
            return True
    return False
