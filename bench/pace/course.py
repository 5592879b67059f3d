"""The course of one game."""

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
    """A game that is over. Lists have an entry for each seat."""

    protocol: str
    seats: int
    days: float = 0.0
    turns: int = 0
    asked: list[int] = field(default_factory=list)
    """The number of questions put to each; what was answered ahead was not put to anybody."""
    told: list[int] = field(default_factory=list)
    """The number of notifications that told each what had been played for them, and asked for nothing."""
    mails: list[int] = field(default_factory=list)
    """The number of emails each got in all."""
    playing: list[float] = field(default_factory=list)
    """For how many days each was in the game."""
    waited: defaultdict[str, float] = field(default_factory=partial(defaultdict, float))
    """Days, by the kind of question that was open."""
    because: defaultdict[str, float] = field(default_factory=partial(defaultdict, float))
    """Days, by what kept whoever answered last."""
    answers: Counter[str] = field(default_factory=Counter)
    """The number of answers, by the way they came."""

    def note_waiting(self, person: Person, row: OpenQuestion, now: datetime) -> None:
        """Of which parts the time was made for which a question was open; ``person`` was the last to answer it."""
        begin = row.asked_at
        off = min(person.put_off.get(row.question, now), now)
        asleep, late = person.asleep(begin, now), (now - off) - person.asleep(off, now)
        self.waited[row.kind] += (now - begin) / DAY
        self.because["asleep"] += asleep / DAY
        self.because["had put it off or forgotten it"] += late / DAY
        self.because["had not looked at their mail"] += (now - begin - asleep - late) / DAY
