"""A model of players: the times at which they look at their mail, their sleep, and their forgetting.

All numbers of the model are in this module. docs/pace.md repeats them.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from random import Random
from typing import Final
from zoneinfo import ZoneInfo

ZONES: Final = ("Asia/Tehran", "Europe/Berlin", "Europe/London", "America/New_York", "Asia/Tokyo")
"""The time zones of players, which are equally likely."""
LOOKS: Final = (1, 2)
"""The possible numbers of looks at the mail on a day. A player always has the same one, at changing hours."""
AWAKE: Final = timedelta(hours=16)
"""The time between waking up and falling asleep."""
MORNINGS: Final = (6, 7, 8, 9)
"""The possible hours of waking up, in the player's time zone."""
AWAY: Final = 0.03
"""The share of days without a look."""
BUSY: Final = 0.15
"""The share of questions that a player postpones to the next look."""
FORGETS: Final = 0.05
"""The share of notifications that are overlooked until the next one with the same topic."""


@dataclass(frozen=True)
class Habits:
    """The shares of players who use the features for planning ahead."""

    taps: float = 0.0
    """The share of players who choose "Only ask me when it concerns me" with their first answer."""
    plans: float = 0.0
    """The share of players who plan the game with their first answer, and their next turns with every answer."""
    second: float = 0.0
    """The share of answers with a plan for the next turn, if the player's turn is next."""
    ahead: float = 0.0
    """The share of answers with a plan for the next turn, if another player's turn is next."""
    turns: int = 3
    """The number of turns that players plan."""


@dataclass
class Person:
    """A player by mail."""

    zone: ZoneInfo
    looks: int
    morning: int
    seed: int
    habits: Habits
    eagerness: float
    """The rank among all players from 0 to 1. A player with rank 0 uses all features."""
    luck: Random
    has_answered: bool = False
    unread: set[str] = field(default_factory=set)
    """The topics of new notifications: questions, and others."""
    overlooked: set[str] = field(default_factory=set)
    put_off: dict[str, datetime] = field(default_factory=dict)
    """Questions that were overlooked or postponed, and the times of the first look."""
    _days: dict[date, list[datetime]] = field(default_factory=dict)

    @property
    def taps(self) -> bool:
        """Return whether the player chooses "Only ask me when it concerns me". All players who plan ahead do."""
        return self.eagerness < max(self.habits.taps, self.habits.plans)

    @property
    def plans(self) -> bool:
        """Return whether the player plans ahead."""
        return self.eagerness < self.habits.plans

    def next_look(self, after: datetime) -> datetime:
        """Return the first look at the mail after a moment."""
        day = after.astimezone(self.zone).date() - timedelta(days=1)
        while True:
            for look in self._looks(day):
                if look > after:
                    return look
            day += timedelta(days=1)

    def _looks(self, day: date) -> list[datetime]:
        if day not in self._days:
            luck, begin = Random(f"{self.seed}/{day}"), self._wake_up_time(day)
            looks = 0 if luck.random() < AWAY else self.looks
            moments = (begin + AWAKE * luck.random() for _ in range(looks))
            self._days[day] = sorted(moment.astimezone(UTC).replace(microsecond=0) for moment in moments)
        return self._days[day]

    def _wake_up_time(self, day: date) -> datetime:
        return datetime.combine(day, time(self.morning), tzinfo=self.zone)

    def receive_notification(self, topic: str) -> None:
        """Receive a notification about a question or another topic."""
        self.unread.add(topic)

    def attends_to(self, topic: str, now: datetime) -> bool:
        """Return whether a player who looks at their mail now notices a topic and acts on it."""
        if topic in self.unread:
            self.unread.remove(topic)
            self.overlooked.discard(topic)
            if self.luck.random() < FORGETS:
                self.overlooked.add(topic)
        if topic in self.overlooked or self.luck.random() < BUSY:
            self.put_off.setdefault(topic, now)
            return False
        return True

    def asleep(self, begin: datetime, end: datetime) -> timedelta:
        """Return the time asleep between two moments."""
        slept, day = timedelta(), begin.astimezone(self.zone).date() - timedelta(days=2)
        while (night := self._wake_up_time(day) + AWAKE) < end:
            day += timedelta(days=1)
            slept += max(timedelta(), min(end, self._wake_up_time(day)) - max(begin, night))
        return slept


def company(count: int, habits: Habits, luck: Random, looks: Sequence[int] = LOOKS) -> Iterator[Person]:
    """Yield random players. ``looks``: the possible numbers of their looks at the mail on a day."""
    for _ in range(count):
        yield Person(
            zone=ZoneInfo(luck.choice(ZONES)),
            looks=luck.choice(looks),
            morning=luck.choice(MORNINGS),
            seed=luck.getrandbits(64),
            eagerness=luck.random(),
            habits=habits,
            luck=Random(luck.getrandbits(64)),
        )
