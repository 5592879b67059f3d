"""Webhooks, devices and stream events: where people's programs are told of what concerns them."""

import uuid
from datetime import timedelta
from enum import StrEnum
from typing import ClassVar, Final

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

LONGEST_URL: Final = 2000
LONGEST_SECRET: Final = 500


class Kind(StrEnum):
    """The kind of a stream event."""

    QUESTION = "question"
    """You are asked something."""
    CLOSED = "closed"
    """A question to me is open no more."""
    EVENT = "event"
    """Something happened in a game that I am shown: one of mine, or a public one that an open page of mine shows."""
    GAME = "game"
    """Such a game has begun, ended, or been cancelled."""
    CHAT = "chat"
    """Somebody said something that I may read."""
    PRESENCE = "presence"
    """All who play in a game of mine are here now, and agreed to show it."""
    TEST = "test"
    """Its owner tries a webhook out."""


class StreamEvent(models.Model):
    """Something that concerns an account that hears of it has happened: ids and kinds, never what nobody may know.

    Numbers and order of the rows would tell of what others do, so they stay here; outside, a signal has a random id.
    """

    xid = models.BigIntegerField()
    """The transaction that wrote it. What is below the oldest one that still runs is complete."""
    public_id = models.UUIDField(unique=True)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    kind = models.CharField(max_length=20)
    data = models.JSONField()
    at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["xid", "id"], name="signals_in_order"),
            models.Index(fields=["account", "xid", "id"], name="signals_of_account"),
        ]

    def __str__(self) -> str:
        return str(self.public_id)


class Epoch(models.Model):
    """The one row that says to which history of which cluster the signals belong (``notifications.stream.epoch``)."""

    mark = models.CharField(primary_key=True, max_length=16)
    """Random; part of every id that the event stream sends."""
    cluster = models.CharField(max_length=100)
    """The identity of the cluster, its timeline and the database, as they were when the epoch began."""

    def __str__(self) -> str:
        return self.mark


class StreamListener(models.Model):
    """An account whose programs have opened the event stream: for others no signals are kept."""

    account = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+")
    hears_all = models.BooleanField(default=False)
    """True once everything that was under way when it came is over: from then on no signal is missing."""

    def __str__(self) -> str:
        return str(self.account_id)


class StreamFollower(models.Model):
    """An account that hears of something that is not its own, such as a public game, while a page of it is open."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    topic = models.UUIDField()
    until = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["topic", "account"], name="followers_of_topic")]

    def __str__(self) -> str:
        return f"{self.account_id} follows {self.topic}"


class Webhook(models.Model):
    """An address of somebody's own program, to which signals are posted."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=LONGEST_URL)
    kinds = ArrayField(models.CharField(max_length=20))
    secret_number = models.PositiveIntegerField(default=1)
    """The secret is not stored: it follows from the server's key, the id and this number."""
    rotated_at = models.DateTimeField(null=True)
    """The time at which the secret was last changed: the one before signs too for a while."""
    created_at = models.DateTimeField()
    disabled_at = models.DateTimeField(null=True)
    """Since when nothing is posted to it, because it did not answer for too long, or said that it is gone."""
    failing_since = models.DateTimeField(null=True)
    """The time of the first failure since it last accepted something."""
    failures = models.PositiveIntegerField(default=0)
    """The number of them since then."""
    next_attempt_at = models.DateTimeField()
    """Before then nothing is posted; while somebody posts, a time at which they have given up."""

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["next_attempt_at"], condition=Q(disabled_at=None), name="webhooks_to_serve")
        ]

    def __str__(self) -> str:
        return str(self.id)


class Delivery(models.Model):
    """One message to one webhook, and what came of it."""

    class State(models.TextChoices):
        WAITING = "waiting"
        DELIVERED = "delivered"
        FAILED = "failed"
        """Given up."""

    public_id = models.UUIDField()
    """The signal's. The same for every try, so that the receiver can tell a repetition."""
    webhook = models.ForeignKey(Webhook, models.CASCADE, related_name="deliveries", db_index=False)
    kind = models.CharField(max_length=20)
    data = models.JSONField()
    at = models.DateTimeField()
    """The time at which it happened."""
    state = models.CharField(max_length=10, choices=State, default=State.WAITING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_attempt_at = models.DateTimeField()
    tried_at = models.DateTimeField(null=True)
    status = models.PositiveSmallIntegerField(null=True)
    """The status of the last answer; null where there was none."""
    failure = models.CharField(max_length=30, blank=True)
    """The reason that there was none."""

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["webhook", "id"], name="deliveries_of_webhook"),
            models.Index(
                fields=["webhook", "next_attempt_at"], condition=Q(state="waiting"), name="deliveries_to_make"
            ),
        ]

    def __str__(self) -> str:
        return str(self.public_id)


class Device(models.Model):
    """A browser that shows pushes (RFC 8030), with the keys that they are encrypted for (RFC 8291)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="devices")
    name = models.CharField(max_length=100, blank=True)
    """The name that its owner gave it."""
    endpoint = models.CharField(max_length=LONGEST_URL, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name or str(self.id)


OVERLAP: Final = timedelta(days=1)
"""For how long after a change a webhook's former secret signs too."""
