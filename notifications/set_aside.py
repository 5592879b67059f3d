"""Work that was given up after all its attempts: one row each, until it is tried again or acknowledged.

A row names the object, and the place and time of the error. It contains no message of an error and no text of an email
or a notification.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import ClassVar, Final

from django.db import models
from django.db.models import Q, QuerySet

KEPT: Final = timedelta(days=30)
"""The time for which a row is kept that needs no attention."""


class SetAside(models.Model):
    """A move, email or notification that was given up."""

    class Kind(models.TextChoices):
        """The kind of work."""

        MOVE = "move"
        MAIL = "mail"
        NOTIFICATION = "notification"

    class Outcome(models.TextChoices):
        """The decision of the operator."""

        RETRIED = "retried"
        ACKNOWLEDGED = "acknowledged"
        GONE = "gone"
        """The object was deleted before it could be tried again."""

    kind = models.CharField(max_length=12, choices=Kind)
    subject = models.CharField(max_length=40)
    """The id of the move, mail or notification."""
    about = models.CharField(max_length=100, blank=True)
    """The object that it belongs to, for example ``game:<uuid>``."""
    error = models.CharField(max_length=300)
    """The type and place of the error, never its message."""
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
    """Record that work was given up, once until it is settled."""
    row = SetAside(kind=kind, subject=str(subject), about=about, error=error[:300], at=now)
    SetAside.objects.bulk_create([row], ignore_conflicts=True)


def unsettled(kind: SetAside.Kind | None = None) -> QuerySet[SetAside]:
    """Return the unsettled rows of one kind or of all, the oldest first."""
    rows = SetAside.objects.filter(settled_at=None).order_by("at", "id")
    return rows if kind is None else rows.filter(kind=kind)


def settle(rows: Iterable[SetAside], outcome: SetAside.Outcome, now: datetime) -> int:
    """Record how these rows were settled. Return how many were not settled before."""
    unsettled_rows = SetAside.objects.filter(pk__in=[row.pk for row in rows], settled_at=None)
    return unsettled_rows.update(settled_at=now, outcome=outcome)


def forget(now: datetime) -> None:
    """Delete rows that were settled long ago, and old rows of notifications, which fail every day because of bad
    addresses.
    """
    old = SetAside.objects.filter(at__lt=now - KEPT)
    old.filter(Q(settled_at__lt=now - KEPT) | Q(kind=SetAside.Kind.NOTIFICATION)).delete()
