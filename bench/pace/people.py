"""The people whom games are played with: when they look at their mail, when they sleep, and what they forget.

All the numbers of the model are here, and docs/pace.md repeats them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

ZONES: Final = ("Asia/Tehran", "Europe/Berlin", "Europe/London", "America/New_York", "Asia/Tokyo")
"""The time zones in which people live, all equally likely."""
LOOKS: Final = (1, 2)
"""The number of times somebody looks at email about games in a day, by person; the hours differ from day to day."""
AWAKE: Final = timedelta(hours=16)
"""The length of a day."""
MORNINGS: Final = (6, 7, 8, 9)
"""At which hour of their own somebody's day begins, by person."""
AWAY: Final = 0.03
"""On so many days somebody does not look at all."""
BUSY: Final = 0.15
"""The share of looks after which somebody leaves everything for the next time."""
FORGETS: Final = 0.05
"""The share of notifications that are overlooked, until the next one about the same thing."""


@dataclass(frozen=True)
class Habits:
    """The habits of people with what the server offers them beside a question."""

    taps: float = 0.0
    """The share of people who take "Only ask me when it concerns me", with the first answer they send."""
    plans: float = 0.0
    """The share of people who plan ahead: the game with their first answer, their next turns with every answer."""
    second: float = 0.0
    """The share of those who are asked something, and are next, who also say what they will do then."""
    ahead: float = 0.0
    """The share of those who are asked something, and are not next, who also say their next turn."""
    turns: int = 3
    """For how many turns those who plan ahead do so."""


@dataclass
class Person:
    """Somebody who plays by post."""

    zone: ZoneInfo
    looks: int
    morning: int
    seed: int
    habits: Habits
    eagerness: float
    """Their rank among people of whom some take up more than others: 0 takes up everything."""
    luck: Random
    has_answered: bool = False
    unread: set[str] = field(default_factory=set)
    """Questions, and other things, about which they have got a notification."""
    overlooked: set[str] = field(default_factory=set)
    put_off: dict[str, datetime] = field(default_factory=dict)
    """Questions that they have seen, or should have, and not answered, and since when."""
    _days: dict[date, list[datetime]] = field(default_factory=dict)

    @property
    def taps(self) -> bool:
        """True where they take "Only ask me when it concerns me"; whoever plans ahead does."""
        return self.eagerness < max(self.habits.taps, self.habits.plans)

    @property
    def plans(self) -> bool:
        """True where they plan ahead."""
        return self.eagerness < self.habits.plans

    def next_look(self, after: datetime) -> datetime:
        """The first moment later than this at which they look at their mail."""
        day = after.astimezone(self.zone).date() - timedelta(days=1)
        while True:
            for look in self._looks_of(day):
                if look > after:
                    return look
            day += timedelta(days=1)

    def _looks_of(self, day: date) -> list[datetime]:
        if day not in self._days:
            luck, begin = Random(f"{self.seed}/{day}"), self._waking(day)
            looks = 0 if luck.random() < AWAY else self.looks
            moments = (begin + AWAKE * luck.random() for _ in range(looks))
            self._days[day] = sorted(at.astimezone(UTC).replace(microsecond=0) for at in moments)
        return self._days[day]

    def _waking(self, day: date) -> datetime:
        return datetime.combine(day, time(self.morning), tzinfo=self.zone)

    def gets_notification(self, about: str) -> None:
        """A notification comes, about a question or something else."""
        self.unread.add(about)

    def comes_to(self, about: str, now: datetime) -> bool:
        """Return whether somebody who looks at their mail now sees what a notification is about, and does
        something about it.
        """
        if about in self.unread:
            self.unread.remove(about)
            self.overlooked.discard(about)
            if self.luck.random() < FORGETS:
                self.overlooked.add(about)
        if about in self.overlooked or self.luck.random() < BUSY:
            self.put_off.setdefault(about, now)
            return False
        return True

    def asleep(self, begin: datetime, end: datetime) -> timedelta:
        """Return how much of a span of time they sleep through."""
        slept, day = timedelta(), begin.astimezone(self.zone).date() - timedelta(days=2)
        while (night := self._waking(day) + AWAKE) < end:
            day += timedelta(days=1)
            slept += max(timedelta(), min(end, self._waking(day)) - max(begin, night))
        return slept


def company(count: int, habits: Habits, luck: Random, often: Sequence[int] = LOOKS) -> Iterator[Person]:
    """Return so many people as they come, who look at their mail as ``often`` as this."""
    for _ in range(count):
        yield Person(
            zone=ZoneInfo(luck.choice(ZONES)),
            looks=luck.choice(often),
            morning=luck.choice(MORNINGS),
            seed=luck.getrandbits(64),
            eagerness=luck.random(),
            habits=habits,
            luck=Random(luck.getrandbits(64)),
        )
