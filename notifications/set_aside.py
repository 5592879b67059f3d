"""Work that was given up after all its tries: one row each, until it is tried again or the operator acknowledges it.

A row says which thing it is, where the error was and when: never what an error, a mail or a notification says.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import ClassVar, Final

from django.db import models
from django.db.models import Q, QuerySet

KEPT: Final = timedelta(days=30)
"""The time for which a row is kept that needs nobody's attention any more."""


class SetAside(models.Model):
    """One move, mail or notification that was given up."""

    class Kind(models.TextChoices):
        """The kind of work."""

        MOVE = "move"
        MAIL = "mail"
        NOTIFICATION = "notification"

    class Outcome(models.TextChoices):
        """The way in which the operator settled it."""

        RETRIED = "retried"
        ACKNOWLEDGED = "acknowledged"
        GONE = "gone"
        """It was deleted before it could be tried again."""

    kind = models.CharField(max_length=12, choices=Kind)
    subject = models.CharField(max_length=40)
    """The id of the move, mail or notification."""
    about = models.CharField(max_length=100, blank=True)
    """The thing it belongs to, for example ``game:<uuid>``."""
    error = models.CharField(max_length=300)
    """The kind and place of the error, never its message."""
    at = models.DateTimeField()
    settled_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=12, choices=Outcome, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["kind", "subject"], condition=Q(settled_at__isnull=True), name="set_aside_once"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["kind", "at"], condition=Q(settled_at__isnull=True), name="set_aside_unsettled"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"


def note(kind: SetAside.Kind, subject: object, about: str, error: str, now: datetime) -> None:
    """Store that something was given up; once, until it is settled."""
    row = SetAside(kind=kind, subject=str(subject), about=about, error=error[:300], at=now)
    SetAside.objects.bulk_create([row], ignore_conflicts=True)


def unsettled(kind: SetAside.Kind | None = None) -> QuerySet[SetAside]:
    """The rows that nobody has settled, of one kind or all, oldest first."""
    rows = SetAside.objects.filter(settled_at=None).order_by("at", "id")
    return rows if kind is None else rows.filter(kind=kind)


def settle(rows: Iterable[SetAside], outcome: SetAside.Outcome, now: datetime) -> int:
    """Note how these rows were settled; gives how many were not settled before."""
    chosen = SetAside.objects.filter(pk__in=[row.pk for row in rows], settled_at=None)
    return chosen.update(settled_at=now, outcome=outcome)


def forget(now: datetime) -> None:
    """Delete rows that were settled long ago, and those of notifications, which are given up for bad addresses every
    day.
    """
    old = SetAside.objects.filter(at__lt=now - KEPT)
    old.filter(Q(settled_at__lt=now - KEPT) | Q(kind=SetAside.Kind.NOTIFICATION)).delete()
