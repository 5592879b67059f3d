"""Rows for programs of accounts: stream events and their listeners, webhooks, devices."""

import uuid
from datetime import timedelta
from enum import StrEnum
from typing import ClassVar, Final

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models

CHANNEL_NAME: Final = "webhooks"
"""The name of the channel of messages to webhooks."""
LONGEST_URL: Final = 2000
LONGEST_SECRET: Final = 500


class Kind(StrEnum):
    """The kind of a stream event."""

    QUESTION = "question"
    """A new question to the account."""
    CLOSED = "closed"
    """A question to the account was closed."""
    EVENT = "event"
    """A visible event in a game of the account, or in a public game that it follows."""
    GAME = "game"
    """A game of the account, or one that it follows, has begun, ended or been cancelled. Or a rematch of an ended game
    of the account was offered, or someone has answered."""
    CHAT = "chat"
    """A new chat message that the account may read."""
    PRESENCE = "presence"
    """All players of a game of the account are here now, and have agreed to show it."""
    TEST = "test"
    """A test of a webhook by its owner."""


class StreamEvent(models.Model):
    """An event for an account that listens: ids and kinds, never a hidden fact.

    The numbers and the order of rows would reveal how much other players do, so they stay on the server. Clients see a
    random id.
    """

    xid = models.BigIntegerField()
    """The transaction that wrote the row. Below the oldest running transaction the rows are complete."""
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
    """The only row of this table: the history of the database to which the stream events belong
    (``notifications.stream_events``).
    """

    mark = models.CharField(primary_key=True, max_length=16)
    """A random mark, which is part of every id that the event stream sends."""
    cluster = models.CharField(max_length=100)
    """The identity of the cluster, its timeline and the database when the epoch began."""

    def __str__(self) -> str:
        return self.mark


class StreamListener(models.Model):
    """An account whose programs have opened the event stream. No events are stored for other accounts."""

    account = models.OneToOneField(settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="+")
    hears_all = models.BooleanField(default=False)
    """True once all transactions have ended that were running when the row was stored. From then on no event is
    missing.
    """

    def __str__(self) -> str:
        return str(self.account_id)


class StreamFollower(models.Model):
    """An account that gets events of an object of others, such as a public game, while its page is open."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    topic = models.UUIDField()
    until = models.DateTimeField(db_index=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["topic", "account"], name="followers_of_topic")]

    def __str__(self) -> str:
        return f"{self.account_id} follows {self.topic}"


class Webhook(models.Model):
    """An address of a program of the account, to which stream events are posted."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="webhooks")
    url = models.CharField(max_length=LONGEST_URL)
    kinds = ArrayField(models.CharField(max_length=20))
    secret_number = models.PositiveIntegerField(default=1)
    """The secret is not stored. It is derived from the server's key, the id and this number."""
    rotated_at = models.DateTimeField(null=True)
    """The time of the last change of the secret. The secret before it also signs for a while."""
    created_at = models.DateTimeField()
    disabled_at = models.DateTimeField(null=True)
    """The time since which nothing is posted, because the webhook failed for too long or returned 410."""
    failing_since = models.DateTimeField(null=True)
    """The time of the first failure since the webhook last accepted a message."""

    def __str__(self) -> str:
        return str(self.id)


class Device(models.Model):
    """A browser that shows pushes (RFC 8030), with the keys for their encryption (RFC 8291)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="devices")
    name = models.CharField(max_length=100, blank=True)
    """The name for the owner."""
    endpoint = models.CharField(max_length=LONGEST_URL, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name or str(self.id)


OVERLAP: Final = timedelta(days=1)
"""The time for which the former secret of a webhook also signs after a change."""
