"""Statistics on how long games have waited for answers."""

from datetime import timedelta
from typing import ClassVar

from django.db import models

_NONE = timedelta()


class WaitingTime(models.Model):
    """The time that the games of a month have waited for one kind of question (``games.archive.waiting_times``)."""

    month = models.DateField()
    """The first day of the month in which the games were counted, soon after their end."""
    rules = models.CharField(max_length=40)
    people = models.PositiveSmallIntegerField()
    """The number of people at the table, bots not counted."""
    kind = models.CharField(max_length=20)
    games = models.PositiveIntegerField(default=0)
    """The number of games that have waited for such a question."""
    waits = models.PositiveIntegerField(default=0)
    timed_out = models.PositiveIntegerField(default=0)
    """The number of waits that ended with a timeout."""
    asleep = models.DurationField(default=_NONE)
    not_seen = models.DurationField(default=_NONE)
    seen = models.DurationField(default=_NONE)
    planned = models.DurationField(default=_NONE)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["month", "rules", "people", "kind"], name="one_row_a_kind_of_question")
        ]

    def __str__(self) -> str:
        return f"{self.month} {self.rules} {self.people} {self.kind}"
