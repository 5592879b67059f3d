"""Analyses of finished games (``games.archive.analyses``)."""

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
