"""The rows of the outbox: preferences, notifications and their states, and received emails."""

import logging
import uuid
from datetime import datetime, timedelta
from typing import ClassVar, Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from config.core import metrics
from config.core.crypto import UnreadableText, decrypt
from notifications import endpoints, kinds, set_aside  # noqa: F401  (Django finds the models of a module that is imported here)
from notifications.content import RenderedNotification, decode

logger = logging.getLogger(__name__)

TEST: Final = "test"
"""The reason of a test message. If it fails, it is not set aside: its sender sees the failure."""
PUSH: Final = "push"
"""The channel of pushes to devices."""
CLOSED: Final = "closed"
"""The reason of a push that removes the question of an earlier push from all devices, because it is closed."""
SECRETS: Final = "notifications.channels"
"""The purpose for which the secrets of channels are encrypted."""
TRIES: Final = 20
"""The number of attempts before a notification is given up, in about two days."""
BACK_OFF: Final = timedelta(seconds=30)
"""The pause after the first failure. It doubles with each further one, up to ``LONGEST_WAIT``."""
LONGEST_WAIT: Final = timedelta(hours=4)


WHILE_DOWN: Final = timedelta(minutes=1)
"""The pause of a notification while the mail server or its endpoint accepts none at all."""


class State(models.TextChoices):
    """The state of a notification."""

    SCHEDULED = "scheduled"
    """The notification is not composed yet."""
    READY = "ready"
    """The notification is composed and waits for its channel."""
    MERGED = "merged"
    """Another notification, its ``lead``, contains its content."""
    SENT = "sent"
    DROPPED = "dropped"
    """The notification was out of date, or had no reader."""
    FAILED = "failed"
    """The notification was given up."""


ALONE: Final = "alone"
"""The early reminder, if all players are waiting for its reader only."""


def _usual_reminders() -> list[str]:
    return [ALONE, "50%", "80%", "PT1H"]


class Preferences(models.Model):
    """The preferences of an account. Without a row, notifications are sent immediately, with the usual reminders."""

    class Digest(models.TextChoices):
        """The ways in which emails from games are combined."""

        AT_ONCE = kinds.AT_ONCE
        """Send every email immediately."""
        HOURS = kinds.HOURS
        """Send at most a single email in this number of hours."""
        DAILY = kinds.DAILY
        """Send a single email a day, at a fixed local hour."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="preferences"
    )
    mails = models.BooleanField(null=True)
    """True if emails about games are wanted. Null stands for yes, and for no in bot accounts."""
    digest = models.CharField(max_length=10, choices=Digest, default=Digest.AT_ONCE)
    digest_every = models.PositiveSmallIntegerField(default=6)
    """Hours."""
    digest_at = models.PositiveSmallIntegerField(default=8)
    """The local hour."""
    quiet_from = models.TimeField(null=True)
    quiet_to = models.TimeField(null=True)
    reminders = ArrayField(models.CharField(max_length=20), default=_usual_reminders)
    """Parts of the time to answer (``50%``), durations before its end (``PT1H``), or ``ALONE``."""
    learns_hours = models.BooleanField(default=True, db_default=True)
    """True if reminders may move to shortly before the hours at which the account usually answers."""
    usual_hours = ArrayField(models.PositiveSmallIntegerField(), default=list, db_default=[])
    """The hours at which the account usually answers, in its own time zone and for its own use only
    (``games.archive.usual_times``). Empty if unknown."""
    receipts = models.BooleanField(default=True)
    """True if a move by email is confirmed, unless another email mentions it within an hour."""
    only_aimed = models.BooleanField(default=False)
    """True if only questions that concern the player are asked, in games that start from now on."""
    news = models.BooleanField(default=False, db_default=False)
    """True if emails with news from the operator are wanted (``notifications.server_emails``)."""
    muted = ArrayField(models.CharField(max_length=100), default=list)
    """The topics without notifications."""
    channels = models.JSONField(default=dict)
    """The channels of each kind of notification. Missing kinds use the usual channels."""
    addresses = models.JSONField(default=dict)
    """The address for each channel that needs one."""
    secrets = models.JSONField(default=dict)
    """The encrypted secret for each channel that needs one."""
    last_at = models.DateTimeField(null=True)
    """The time when notifications that digests combine were last sent."""

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(quiet_from__isnull=True, quiet_to__isnull=True)
                | Q(quiet_from__isnull=False, quiet_to__isnull=False),
                name="quiet_hours_begin_and_end",
            )
        ]

    def __str__(self) -> str:
        return f"preferences of {self.account_id}"

    @property
    def wants_mails(self) -> bool:
        """True if emails about games are wanted. Without a choice, bot accounts get none."""
        return not self.account.is_bot if self.mails is None else self.mails

    def secret_of(self, channel: str) -> str | None:
        """Return the secret of a channel, or None if there is none or ``SECRET_KEY`` has changed."""
        try:
            return decrypt(self.secrets[channel], SECRETS) if channel in self.secrets else None
        except UnreadableText:
            return None

    def wishes(self) -> kinds.Wishes:
        """Return the times at which the account wants email, in its time zone."""
        return kinds.Wishes(
            zone=ZoneInfo(self.account.time_zone),
            digest=self.digest,
            hours_apart=self.digest_every,
            at=self.digest_at,
            quiet_from=self.quiet_from,
            quiet_to=self.quiet_to,
            last=self.last_at,
        )


class Notification(models.Model):
    """A message to one person on one channel, or to an endpoint: a webhook or a group chat.

    It is ordered in the transaction of the change it is about, composed later from the state at that time, and then
    delivered. The id becomes the Message-ID of the email, so that a repeated delivery can be recognised.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    key = models.CharField(max_length=200)
    """A unique key. A second order with the same key is ignored."""
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="notifications")
    """The reader. Null if only an address is known."""
    address = models.EmailField(max_length=320, blank=True)
    """The recipient's address. Before delivery, blank stands for the account's own address."""
    channel = models.CharField(max_length=20, default="mail")
    reason = models.CharField(max_length=40)
    """The reason it is sent: ``question``, ``reminder``, ``started``, ``ended``, ``code`` and so on."""
    topic = models.CharField(max_length=100, blank=True)
    """The object it belongs to, for example ``game:<uuid>``. Notifications of one topic form a thread."""
    question = models.CharField(max_length=40, blank=True)
    """The id of its question within the topic, or a blank text."""
    rendered = models.BinaryField(null=True)
    """The encoded content, from its composition until it is deleted (``KEEP_EMAILS``)."""
    state = models.CharField(max_length=10, choices=State, default=State.SCHEDULED)
    attempts = models.PositiveSmallIntegerField(default=0)
    """The number of failures in the present state. Of a notification that was posted, the number of all posts.

    It begins again with 0 if the notification is sent again.
    """
    next_attempt_at = models.DateTimeField()
    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)
    standing_by = models.BooleanField(default=False)
    """True if it is sent only if the channel that the reader chose does not work."""
    held = models.BooleanField(default=False)
    """True if it waits for the hours at which its reader wants notifications. All that wait are sent together."""
    latest_at = models.DateTimeField(null=True)
    """The last moment at which it may be sent. Null without a question."""
    lead = models.ForeignKey("self", models.SET_NULL, null=True, related_name="gathered", db_index=False)
    trace = models.CharField(max_length=60, blank=True, default="", db_default="")
    """The trace in which it was ordered, from ``config.core.traces.carrier``. Blank if there is none."""
    told = models.PositiveBigIntegerField(null=True)
    """The number of the last chat message in it. Null if it contains none."""
    endpoint = models.UUIDField(null=True)
    """The webhook or the connection to a group chat. Its messages of one topic are sent in the order of ``place``."""
    place = models.BigIntegerField(null=True)
    leased = models.BooleanField(default=False, db_default=False)
    """True while a worker posts it. Until ``next_attempt_at`` no other worker does."""
    data = models.JSONField(null=True)
    """The values from which a message to an endpoint is composed when it is sent."""
    tried_at = models.DateTimeField(null=True)
    """The time of the last post."""
    status = models.PositiveSmallIntegerField(null=True)
    """The HTTP status of the answer to the last post. Null without an answer."""
    failure = models.CharField(max_length=30, blank=True, default="", db_default="")
    """The reason why there was no answer."""

    class Meta:
        constraints: ClassVar = [
            # ``unique=True`` at the field would create a second index, for prefixes.
            models.UniqueConstraint(fields=["key"], name="notifications_notification_key_key"),
            models.CheckConstraint(
                condition=Q(account__isnull=False) | ~Q(address="") | Q(endpoint__isnull=False),
                name="notification_has_an_address",
            ),
            models.CheckConstraint(
                condition=~Q(state=State.READY) | Q(rendered__isnull=False) | Q(endpoint__isnull=False),
                name="notification_is_rendered_before_it_is_sent",
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["next_attempt_at"], condition=Q(state=State.SCHEDULED), name="notifications_to_write"),
            models.Index(
                fields=["topic", "question"],
                condition=Q(state__in=[State.READY, State.MERGED]),
                name="notifications_on_their_way",
            ),
            models.Index(fields=["next_attempt_at"], condition=Q(state=State.READY), name="notifications_to_deliver"),
            models.Index(fields=["-sent_at"], condition=Q(state=State.SENT), name="notifications_sent"),
            models.Index(
                fields=["topic", "question"],
                condition=Q(state=State.SENT, channel=PUSH),
                name="notifications_pushed",
            ),
            models.Index(fields=["created_at"], condition=Q(state=State.FAILED), name="notifications_given_up"),
            models.Index(fields=["created_at"], condition=Q(rendered__isnull=False), name="notifications_with_content"),
            models.Index(fields=["lead"], condition=Q(lead__isnull=False), name="notifications_gathered"),
            models.Index(
                fields=["endpoint", "topic", "place"],
                condition=Q(state=State.READY, endpoint__isnull=False),
                name="notifications_in_order",
            ),
            models.Index(
                fields=["endpoint", "created_at", "key"],
                condition=Q(endpoint__isnull=False),
                name="notifications_of_endpoint",
            ),
        ]

    def __str__(self) -> str:
        return self.key

    def topics(self) -> list[str]:
        """Return the topics of the notification, including those of notifications that it combines."""
        return sorted({self.topic, *self.gathered.values_list("topic", flat=True)} - {""})

    def content(self) -> RenderedNotification:
        """Return the content of a composed notification."""
        assert self.rendered is not None
        return decode(bytes(self.rendered))

    def destination(self) -> str:
        """Return the address of the recipient."""
        if self.address:
            return self.address
        assert self.account is not None
        return self.account.email

    def put_off(self, reason: str, now: datetime) -> None:
        """Delay the notification because the server cannot send. This does not count as a failure."""
        self.next_attempt_at = now + WHILE_DOWN
        self.save(update_fields=["next_attempt_at"])
        logger.warning("notification %s is put off: %s", self.id, reason)
        metrics.NOTIFICATIONS.labels(self.channel, "put off").inc()

    def set_back(self, reason: str, now: datetime, *, permanent: bool = False) -> None:
        """Record that the present stage failed, to be tried again later or given up.

        ``reason`` is logged, so it must not contain the text of the notification.
        """
        self.attempts += 1
        given_up = permanent or self.attempts >= TRIES
        is_set_aside = given_up and self.reason != TEST
        if given_up:
            self.state = State.FAILED
        self.next_attempt_at = now + min(BACK_OFF * 2 ** (self.attempts - 1), LONGEST_WAIT)
        self.save(update_fields=["attempts", "state", "next_attempt_at"])
        if is_set_aside:
            set_aside.note(set_aside.SetAside.Kind.NOTIFICATION, self.id, self.topic, reason, now)
        level = logging.ERROR if is_set_aside else logging.WARNING
        outcome = "given up" if given_up else "tried again later"
        logger.log(level, "notification %s, try %d, %s: %s", self.id, self.attempts, outcome, reason)
        metrics.NOTIFICATIONS.labels(self.channel, outcome).inc()


def skip_locked(rows: models.QuerySet[Notification]) -> models.QuerySet[Notification]:
    """Lock the notifications that no other transaction has locked, and return them.

    A worker that waits for others while it holds the lock of a notification could cause a deadlock.
    """
    keys = rows.order_by().select_for_update(skip_locked=True, of=("self",)).values_list("pk", flat=True)
    return Notification.objects.filter(pk__any=list(keys))


class RawMail(models.Model):
    """A received email, as raw bytes."""

    class State(models.TextChoices):
        RECEIVED = "received"
        READ = "read"
        FAILED = "failed"
        """The email could not be read and was set aside. It no longer delays anything."""

    raw = models.BinaryField()
    sender = models.CharField(max_length=320, null=True)
    """The envelope's sender. Blank for a machine, null if it is unknown."""
    recipients = ArrayField(models.CharField(max_length=320))
    """The envelope's recipients at this server, in lower case."""
    relayed = models.BooleanField(default=True)
    """True if it came from a mail server of the operator or from a provider, which may vouch for its sender."""
    about = ArrayField(models.CharField(max_length=64))
    """The ids in the recipients' addresses, such as that of a game: the first part of the subject of each address."""
    received_at = models.DateTimeField()
    """The time at which it was received completely."""
    identity = models.CharField(max_length=64, null=True, unique=True)
    """A digest that is equal for all copies of an email. It is set on the first copy only, when it is read."""
    state = models.CharField(max_length=8, choices=State, default=State.RECEIVED)
    attempts = models.PositiveSmallIntegerField(default=0)
    """The number of attempts to read it."""
    failures = models.PositiveSmallIntegerField(default=0)
    """The number of attempts that ended in an error which the email may have caused."""
    first_attempt_at = models.DateTimeField(null=True)
    next_attempt_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["received_at", "id"], condition=Q(state="received"), name="mail_unread"),
            models.Index(fields=["received_at"], condition=Q(state="failed"), name="mail_set_aside"),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class MailOutage(models.Model):
    """A time in which the mail server accepted nothing (``notifications.mail_outages``). Deleted after deadlines
    were moved.
    """

    since = models.DateTimeField()
    until = models.DateTimeField(null=True)
    lasts = models.BooleanField(null=True, default=True, unique=True)
    """True during the outage, then null, so that there is at most one present outage."""


class Suppression(models.Model):
    """The owner of an address wants no emails of any kind. Only a keyed hash of the address is stored."""

    digest = models.BinaryField(primary_key=True, max_length=32)
    """The result of ``notifications.deliverability.suppression_digest``."""
    since = models.DateTimeField()


class Deliverability(models.Model):
    """Failures of email to an address. Only a keyed hash of the address is stored."""

    class Why(models.TextChoices):
        """The reason why the address gets no emails until its owner confirms it again."""

        BOUNCED = "bounced"
        """The mailbox does not exist, or emails failed on several days."""
        COMPLAINED = "complained"
        """The owner marked an email of this server as spam."""

    id = models.UUIDField(primary_key=True, editable=False)
    """The result of ``notifications.deliverability.id_of`` for the address."""
    why = models.CharField(max_length=10, choices=Why, blank=True)
    """Blank while emails are sent to the address."""
    since = models.DateTimeField(null=True)
    """The time since which the address must be confirmed."""
    failed_at = ArrayField(models.DateTimeField(), null=True)
    """The times of the last failures that count, the oldest first. Of the failures of a day only the first counts."""
    asked_at = models.DateTimeField(null=True)
    """The time of the last email that asked the owner to confirm the address."""
    confirmed_at = models.DateTimeField(null=True)
    """The time when the address was confirmed again. Reports about earlier emails do not count."""

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(why="", since__isnull=True) | (~Q(why="") & Q(since__isnull=False)),
                name="reach_is_lost_since_some_time",
            )
        ]

    def __str__(self) -> str:
        return str(self.pk)


class News(models.Model):
    """A text of the operator in all languages of the server. It is stored once and never changed."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    words = models.JSONField()
    """``subject`` and ``text`` by language."""
    digest = models.BinaryField(max_length=32, unique=True)
    """SHA-256 of the words, so that the same text is sent only once."""
    written_at = models.DateTimeField()
    readers = models.PositiveIntegerField()
    """The number of accounts that it was ordered for."""

    class Meta:
        ordering: ClassVar = ["-written_at"]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def subject(self) -> str:
        """The subjects in all languages."""
        return " · ".join(words["subject"] for words in self.words.values())

    @property
    def text(self) -> str:
        """The texts in all languages, one after another."""
        return "\n\n".join(words["text"] for words in self.words.values())
