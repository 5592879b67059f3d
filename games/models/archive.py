"""Rows of ``games.archive``: analyses and waiting times of finished games, and time stamps of all games."""

from datetime import timedelta
from typing import ClassVar

from django.db import models
from django.db.models import Q


class Analysis(models.Model):
    """The analysis of one seat's decisions in a finished game. It is made once, on the first request."""

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="analyses", db_index=False)
    seat = models.PositiveSmallIntegerField()
    asked_at = models.DateTimeField()
    decisions = models.PositiveIntegerField()
    """The number of decisions of the seat."""
    findings = models.JSONField(default=list)
    """The findings so far, one for each decision, as JSON of ``games.archive.analyses.AnalysedDecision``."""
    done_at = models.DateTimeField(null=True)
    """The time at which the last decision was analysed."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "seat"], name="one_analysis_a_seat")]
        indexes: ClassVar = [
            models.Index(fields=["asked_at"], condition=Q(done_at__isnull=True), name="analysis_to_make"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}:{self.seat}"


class TimeStamp(models.Model):
    """The response of an authority (RFC 3161) that has stamped the root of a tree over the heads of many games."""

    root = models.CharField(max_length=64, unique=True)
    """In hexadecimal (``games.archive.time_stamps``)."""
    response = models.BinaryField()
    """The response of the authority, in DER."""
    at = models.DateTimeField(db_index=True)
    """The time in the response."""

    def __str__(self) -> str:
        return self.root


class StampedHead(models.Model):
    """The head of a game in a stamped tree, and its path to the root."""

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="stamped_heads", db_index=False)
    stamp = models.ForeignKey(TimeStamp, on_delete=models.CASCADE, related_name="heads")
    head = models.BinaryField(max_length=32)
    """A published head of the game's chain."""
    path = models.JSONField(default=list)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "head"], name="one_stamp_a_head")]

    def __str__(self) -> str:
        return f"{self.game_id}:{self.stamp_id}"


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
