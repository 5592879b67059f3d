"""The schedule of a game: its terms about time beside its three limits."""

from datetime import date, time, timedelta
from typing import Final, Literal

import msgspec

MOST_SLEEP: Final = 12
"""The most hours of sleep a day that count."""
MOST_VACATION: Final = 30
"""The most days of vacation a year that a person has."""
MOST_HOURS: Final = 24
"""The most fixed hours in a day."""
MOST_DATES: Final = 60
"""The most single days that may be days off."""
SHORTEST: Final = timedelta(minutes=1)
LONGEST: Final = timedelta(days=30)
WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


class TimeBank(msgspec.Struct, frozen=True):
    """A seat's time bank, from which turns and choices take what they need."""

    time: timedelta
    """The time in it at the beginning."""
    increment: timedelta
    """The time that every move adds, also one by timeout or by a stand-in."""


class Schedule(msgspec.Struct, frozen=True):
    """Fixed hours, days off, time banks, and how much sleep and vacation move deadlines."""

    zone: str = "UTC"
    """The time zone of the hours and days below."""
    closes_at: tuple[time, ...] = ()
    """The hours at which time is over, if there are any: at the first one that leaves the whole length."""
    days_off: tuple[Weekday, ...] = ()
    """On these days no time passes."""
    dates_off: tuple[date, ...] = ()
    time_bank: TimeBank | None = None
    """In place of the limits of turns and choices; reactions keep theirs, since what is left in a time bank would
    tell when a secret answer came."""
    sleep: int = MOST_SLEEP
    """The hours of a player's sleep that count, those before they wake."""
    vacation: int = MOST_VACATION
    """The days of a player's vacation in a year that count, the first ones of it."""
