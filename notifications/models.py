"""The outbox: what is to be told to whom, and how far it has come."""

import logging
import uuid
from datetime import datetime, timedelta
from typing import ClassVar, Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from config import metrics
from config.database.encrypted_text import UnreadableText, decrypt
from notifications import endpoints, news, set_aside  # noqa: F401  (Django finds the models of a module that is imported here)
from notifications.content import quiet_hours
from notifications.content.rendered_notification import RenderedNotification, decode

logger = logging.getLogger(__name__)

SECRETS: Final = "notifications.channels"
"""The purpose for which secrets of channels are encrypted."""
TRIES: Final = 20
"""The number of times a notification is tried before it is given up: about two days."""
BACK_OFF: Final = timedelta(seconds=30)
"""The pause after the first failure; it doubles with each further one, up to ``LONGEST_WAIT``."""
LONGEST_WAIT: Final = timedelta(hours=4)


WHILE_DOWN: Final = timedelta(minutes=1)
"""The pause of a notification while our own mail server takes none at all."""


class State(models.TextChoices):
    """The state of a notification on its way."""

    SCHEDULED = "scheduled"
    """It is to be written."""
    READY = "ready"
    """It is written and waits for its channel."""
    MERGED = "merged"
    """Another notification says what it would have said: its ``lead``."""
    SENT = "sent"
    DROPPED = "dropped"
    """By the time it was written there was nothing to say any more, or nobody to say it to."""
    FAILED = "failed"
    """Given up."""


ALONE: Final = "alone"
"""The reminder that comes early, where everybody waits for its reader alone."""


def _usual_reminders() -> list[str]:
    return [ALONE, "50%", "80%", "PT1H"]


class Preferences(models.Model):
    """The preferences of an account. Without a row: everything at once, and the usual reminders."""

    class Digest(models.TextChoices):
        """The ways in which emails from games are gathered."""

        AT_ONCE = quiet_hours.AT_ONCE
        """Each as it happens."""
        HOURS = quiet_hours.HOURS
        """At most one in so many hours."""
        DAILY = quiet_hours.DAILY
        """Once a day, at a fixed local hour."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, models.CASCADE, primary_key=True, related_name="preferences"
    )
    mails = models.BooleanField(null=True)
    """True where emails about tables are wanted; null: by people yes, by accounts that play by program no."""
    digest = models.CharField(max_length=10, choices=Digest, default=Digest.AT_ONCE)
    digest_every = models.PositiveSmallIntegerField(default=6)
    """Hours."""
    digest_at = models.PositiveSmallIntegerField(default=8)
    """The local hour."""
    quiet_from = models.TimeField(null=True)
    quiet_to = models.TimeField(null=True)
    reminders = ArrayField(models.CharField(max_length=20), default=_usual_reminders)
    """Each a part of the time to answer (``50%``), a duration before its end (``PT1H``), or ``ALONE``."""
    learns_hours = models.BooleanField(default=True, db_default=True)
    """True where reminders may move to shortly before the hours at which they usually answer."""
    usual_hours = ArrayField(models.PositiveSmallIntegerField(), default=list, db_default=[])
    """These hours, by their own clocks and for them alone (``games.archive.usual_hours``); none where not known."""
    receipts = models.BooleanField(default=True)
    """True where a move by email is confirmed, if no other email tells of it within an hour."""
    only_aimed = models.BooleanField(default=False)
    """True where they want to be asked only what concerns them, in games that start from now on."""
    news = models.BooleanField(default=False, db_default=False)
    """True where emails with news from the operator are wanted (``notifications.delivery.news_emails``)."""
    muted = ArrayField(models.CharField(max_length=100), default=list)
    """The topics of which no notifications are wanted."""
    channels = models.JSONField(default=dict)
    """The channels of each kind of notification; kinds that are not named take the usual ones."""
    addresses = models.JSONField(default=dict)
    """The address that was given for each channel that needs one."""
    secrets = models.JSONField(default=dict)
    """The secret that was given for each channel that needs one beside the address, encrypted."""
    last_at = models.DateTimeField(null=True)
    """The time at which notifications last went out that digests gather."""

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
        """True where emails about games are to come: as was said, else to people only."""
        return not self.account.is_bot if self.mails is None else self.mails

    def secret_of(self, channel: str) -> str | None:
        """Return the secret for a channel; None where there is none, or ``SECRET_KEY`` is not what it was."""
        try:
            return decrypt(self.secrets[channel], SECRETS) if channel in self.secrets else None
        except UnreadableText:
            return None

    def wishes(self) -> quiet_hours.Wishes:
        """Return when its owner wants mail, by the clocks where they live."""
        return quiet_hours.Wishes(
            zone=ZoneInfo(self.account.time_zone),
            digest=self.digest,
            every=self.digest_every,
            at=self.digest_at,
            quiet_from=self.quiet_from,
            quiet_to=self.quiet_to,
            last=self.last_at,
        )


class Notification(models.Model):
    """One message to one person over one channel.

    It is ordered in the transaction of what it tells about, written later as things stand then, and
    delivered after that. The id gives the mail its Message-ID, so that a repeated delivery can be seen
    to be one.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    key = models.CharField(max_length=200)
    """The key that makes a second order for the same thing no order at all."""
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, null=True, related_name="notifications")
    """The reader; None where only an address is known."""
    address = models.EmailField(max_length=320, blank=True)
    """The address it goes or went to; blank before delivery means the account's own address."""
    channel = models.CharField(max_length=20, default="mail")
    reason = models.CharField(max_length=40)
    """The reason it is sent: ``question``, ``reminder``, ``started``, ``ended``, ``code`` and so on."""
    topic = models.CharField(max_length=100, blank=True)
    """The thing it belongs to, for example ``game:<uuid>``: notifications of one topic make one thread."""
    question = models.CharField(max_length=40, blank=True)
    """The id of the question it puts, within the topic."""
    rendered = models.BinaryField(null=True)
    """The encoded content, from when it is written until it is dropped (``KEEP_EMAILS``)."""
    state = models.CharField(max_length=10, choices=State, default=State.SCHEDULED)
    attempts = models.PositiveSmallIntegerField(default=0)
    """The number of times the present stage has gone wrong."""
    next_attempt_at = models.DateTimeField()
    created_at = models.DateTimeField()
    sent_at = models.DateTimeField(null=True)
    standing_by = models.BooleanField(default=False)
    """It goes out only if the way that its reader chose has not worked by then."""
    held = models.BooleanField(default=False)
    """It waits for its reader's hours, and is then written together with whatever else waits."""
    latest_at = models.DateTimeField(null=True)
    """The last moment at which it may go out; none where it asks nothing."""
    lead = models.ForeignKey("self", models.SET_NULL, null=True, related_name="gathered", db_index=False)
    trace = models.CharField(max_length=60, blank=True, default="", db_default="")
    """The trace in which it was ordered, as ``config.traces.carrier`` gave it; blank where there is none."""
    told = models.PositiveBigIntegerField(null=True)
    """The number of the last chat message it tells of, as its writer counts them; null where it tells of none."""

    class Meta:
        constraints: ClassVar = [
            # Not ``unique`` at the field: that makes a second index, for prefixes, which each change of a row writes.
            models.UniqueConstraint(fields=["key"], name="notifications_notification_key_key"),
            models.CheckConstraint(
                condition=Q(account__isnull=False) | ~Q(address=""), name="notification_has_an_address"
            ),
            models.CheckConstraint(
                condition=~Q(state=State.READY) | Q(rendered__isnull=False),
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
            models.Index(fields=["created_at"], condition=Q(state=State.FAILED), name="notifications_given_up"),
            models.Index(fields=["created_at"], condition=Q(rendered__isnull=False), name="notifications_with_content"),
            models.Index(fields=["lead"], condition=Q(lead__isnull=False), name="notifications_gathered"),
        ]

    def __str__(self) -> str:
        return self.key

    def topics(self) -> list[str]:
        """Return what it belongs to; where it gathers several notifications, what all of them do."""
        return sorted({self.topic, *self.gathered.values_list("topic", flat=True)} - {""})

    def written(self) -> RenderedNotification:
        """The content of a notification that is ready, or was sent and still has it."""
        assert self.rendered is not None
        return decode(bytes(self.rendered))

    def destination(self) -> str:
        """The address it goes to."""
        if self.address:
            return self.address
        assert self.account is not None
        return self.account.email

    def put_off(self, reason: str, now: datetime) -> None:
        """Note that it could not go out for no fault of its own: it is tried again soon, however often that happens."""
        self.next_attempt_at = now + WHILE_DOWN
        self.save(update_fields=["next_attempt_at"])
        logger.warning("notification %s is put off: %s", self.id, reason)
        metrics.NOTIFICATIONS.labels(self.channel, "put off").inc()

    def set_back(self, reason: str, now: datetime, *, permanent: bool = False) -> None:
        """Note that the present stage went wrong: it is tried again later, or given up.

        ``reason`` is logged, so it holds nothing of what the notification says.
        """
        self.attempts += 1
        given_up = permanent or self.attempts >= TRIES
        if given_up:
            self.state = State.FAILED
        self.next_attempt_at = now + min(BACK_OFF * 2 ** (self.attempts - 1), LONGEST_WAIT)
        self.save(update_fields=["attempts", "state", "next_attempt_at"])
        if given_up:
            set_aside.note(set_aside.SetAside.Kind.NOTIFICATION, self.id, self.topic, reason, now)
        level, outcome = (logging.ERROR, "given up") if given_up else (logging.WARNING, "tried again later")
        logger.log(level, "notification %s, try %d, %s: %s", self.id, self.attempts, outcome, reason)
        metrics.NOTIFICATIONS.labels(self.channel, outcome).inc()


class RawMail(models.Model):
    """A mail that came in, as it came, before anybody has looked into it."""

    class State(models.TextChoices):
        RECEIVED = "received"
        READ = "read"
        FAILED = "failed"
        """It could not be read and was set aside: it holds nothing up any more."""

    raw = models.BinaryField()
    sender = models.CharField(max_length=320, null=True)
    """The envelope's sender: blank is a machine's, null where the way in does not know it."""
    recipients = ArrayField(models.CharField(max_length=320))
    """The envelope's recipients at this server, in lower case."""
    relayed = models.BooleanField(default=True)
    """True where it came by a mail server of the operator's or a provider, which may vouch for its sender."""
    about = ArrayField(models.CharField(max_length=64))
    """The purposes and subjects of the recipients' addresses: the first word of each one's subject, an id."""
    received_at = models.DateTimeField()
    """The time at which the whole of it had come in."""
    identity = models.CharField(max_length=64, null=True, unique=True)
    """The same for every copy of one mail, known once it is read; only the first copy bears it."""
    state = models.CharField(max_length=8, choices=State, default=State.RECEIVED)
    attempts = models.PositiveSmallIntegerField(default=0)
    """The number of times somebody began to read it."""
    failures = models.PositiveSmallIntegerField(default=0)
    """The number of these attempts that ended in an error that the email may have caused."""
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
    """A time in which our mail server took nothing (``notifications.delivery.outages``), until deadlines were moved for
    it."""

    since = models.DateTimeField()
    until = models.DateTimeField(null=True)
    lasts = models.BooleanField(null=True, default=True, unique=True)
    """True while it lasts, and then null: so there is one that lasts at most."""


class Suppression(models.Model):
    """Somebody said that nothing is to come to their address ever again: all that is kept of it is a keyed hash."""

    digest = models.BinaryField(primary_key=True, max_length=32)
    """As ``notifications.recipients.suppression_list.digest`` makes it."""
    since = models.DateTimeField()


class Deliverability(models.Model):
    """The faults of mail to one address; of the address itself only a keyed hash is kept."""

    class Why(models.TextChoices):
        """The reason why no mail goes there until its owner confirms the address anew."""

        BOUNCED = "bounced"
        """Mail was refused for good, or failed several times."""
        COMPLAINED = "complained"
        """Its owner called a mail of ours spam."""

    id = models.UUIDField(primary_key=True, editable=False)
    """As ``notifications.recipients.deliverability`` makes it of the address."""
    why = models.CharField(max_length=10, choices=Why, blank=True)
    """Blank while mail goes there."""
    since = models.DateTimeField(null=True)
    """Since when it needs to be confirmed."""
    failures = models.PositiveSmallIntegerField(default=0)
    """Failures that may have passed by now, since ``counted_since``."""
    counted_since = models.DateTimeField(null=True)
    asked_at = models.DateTimeField(null=True)
    """The time at which an email was last sent there all the same, for its owner to confirm it."""
    confirmed_at = models.DateTimeField(null=True)
    """The time at which it was confirmed anew; reports on older emails no longer count."""

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(why="", since__isnull=True) | (~Q(why="") & Q(since__isnull=False)),
                name="reach_is_lost_since_some_time",
            )
        ]

    def __str__(self) -> str:
        return str(self.pk)
