"""The schedule of a game: its terms about time beside its three limits."""

from datetime import date, time, timedelta
from typing import Final, Literal

import msgspec

MOST_SLEEP: Final = 12
"""So many hours of sleep a day count at most."""
MOST_VACATION: Final = 30
"""So many days of vacation a year a person has at most."""
MOST_HOURS: Final = 24
"""So many fixed hours a day may have."""
MOST_DATES: Final = 60
"""So many single days may be days off."""
SHORTEST: Final = timedelta(minutes=1)
LONGEST: Final = timedelta(days=30)
WEEKDAYS: Final = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
Weekday = Literal["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"]


class TimeBank(msgspec.Struct, frozen=True):
    """A seat's time bank, from which turns and choices take what they need."""

    time: timedelta
    """What it holds at the beginning."""
    increment: timedelta
    """What it gets with every move, whoever makes it."""


class Schedule(msgspec.Struct, frozen=True):
    """Fixed hours, days off, time banks, and how much of players' sleep and vacations counts."""

    zone: str = "UTC"
    """The time zone of the hours and days below."""
    closes_at: tuple[time, ...] = ()
    """Where there are any, time is over at these hours only: at the first one that leaves the whole length."""
    days_off: tuple[Weekday, ...] = ()
    """On these days no time passes."""
    dates_off: tuple[date, ...] = ()
    time_bank: TimeBank | None = None
    """In place of the limits of turns and choices; reactions keep theirs, since what is left in a time bank would
    tell when an answer came that nobody is to know of."""
    sleep: int = MOST_SLEEP
    """So many hours of a player's sleep count, those before they wake."""
    vacation: int = MOST_VACATION
    """So many days of a player's vacation in a year count, the first ones of it."""
