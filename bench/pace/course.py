"""The recorded course of a game."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from bench.pace.people import Person
from games.models import OpenQuestion

DAY: Final = timedelta(days=1)


@dataclass
class Course:
    """The course of a finished game. Lists have an entry for each seat."""

    protocol: str
    seats: int
    days: float = 0.0
    turns: int = 0
    questions: list[int] = field(default_factory=list)
    """The number of questions. A question that a plan answers immediately is not counted."""
    reports: list[int] = field(default_factory=list)
    """The number of notifications that only report moves by plan."""
    mails: list[int] = field(default_factory=list)
    """The number of all emails."""
    playing: list[float] = field(default_factory=list)
    """The number of days in the game."""
    waits: defaultdict[str, float] = field(default_factory=partial(defaultdict, float))
    """Days of waiting, by the kind of the open question."""
    causes: defaultdict[str, float] = field(default_factory=partial(defaultdict, float))
    """Days of waiting, by the reason why the last player had not answered."""
    answers: Counter[str] = field(default_factory=Counter)
    """The number of answers, by channel."""

    def note_waiting(self, person: Person, row: OpenQuestion, now: datetime) -> None:
        """Add the time for which a question was open. ``person`` was the last to answer it."""
        begin = row.asked_at
        off = min(person.put_off.get(row.question, now), now)
        asleep, late = person.asleep(begin, now), (now - off) - person.asleep(off, now)
        self.waits[row.kind] += (now - begin) / DAY
        self.causes["asleep"] += asleep / DAY
        self.causes["had put it off or forgotten it"] += late / DAY
        self.causes["had not looked at their mail"] += (now - begin - asleep - late) / DAY
