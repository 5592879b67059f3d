"""Accounts and the tokens that act for them."""

import uuid
from typing import Any, ClassVar

from django.contrib.auth.base_user import AbstractBaseUser, BaseUserManager
from django.contrib.auth.models import PermissionsMixin
from django.contrib.postgres.fields import ArrayField
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy
from knox.models import AbstractAuthToken

from accounts import local_times, names
from accounts.credentials import validate_address
from config.core.email_spellings import canonical, readable


class Language(models.TextChoices):
    """The languages of the pages and emails."""

    ENGLISH = "en", "English"
    PERSIAN = "fa", "فارسی"


class AccountManager(BaseUserManager["Account"]):
    """Creates accounts, and finds them by email address in any spelling."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> "Account":
        """Create an account. Without a password it cannot log in."""
        account = self.model(email=email, **fields)
        account.set_password(password)
        account.save(using=self._db)
        return account

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> "Account":
        """Create an account with all rights, for the operator."""
        return self.create_user(email, password, **{"is_staff": True, "is_superuser": True, **fields})

    def get_by_natural_key(self, email: str | None) -> "Account":
        return self.get(email=canonical(email or ""))

    def is_free(self, name: str, email: str) -> bool:
        """Return True if the owner of ``email`` may have this name: no other account has it or one that looks alike."""
        return self._why_not(name, email) is None

    def check_free(self, name: str, email: str) -> None:
        """Raise ValidationError unless the owner of ``email`` may have this name."""
        why = self._why_not(name, email)
        if why is not None:
            raise why

    def _why_not(self, name: str, email: str) -> ValidationError | None:
        others, tidy = self.exclude(email=email), names.tidy(name)
        if others.filter(folded_name=names.fold(name)).exists():
            return names.taken_message()
        is_alike = others.filter(skeleton=names.skeleton(tidy)).exists()
        return names.lookalike_message() if is_alike else None


class Account(AbstractBaseUser, PermissionsMixin):  # type: ignore[django-manager-missing]  # of knox, which has no types
    """A person, or a bot that is marked as one, who may play.

    The address is for log-in. The name is what other players read, and write in moves.
    """

    email = models.EmailField(
        pgettext_lazy("field of a record", "address"),
        unique=True,
        validators=[validate_address],
        error_messages={"unique": _("This email is taken.")},
    )
    name = models.CharField(
        pgettext_lazy("field of a record", "name"), max_length=names.LONGEST, validators=[names.validate_name]
    )
    # The name in the form in which names are compared. ``save`` sets it, and the skeleton.
    folded_name = models.CharField(max_length=3 * names.LONGEST, unique=True, editable=False)
    # The form that all names that look alike share (``accounts.names``). Older names that share a skeleton
    # have a blank and the id of the account behind it.
    skeleton = models.TextField(unique=True, editable=False)
    language = models.CharField(
        pgettext_lazy("field of a record", "language"), max_length=2, choices=Language, default=Language.ENGLISH
    )
    time_zone = models.CharField(
        _("time zone"), max_length=local_times.LONGEST_ZONE, default="UTC", validators=[local_times.validate_time_zone]
    )
    is_bot = models.BooleanField(_("bot account"), default=False)
    # True until a person signs up with it. Guests can try the games (``accounts.guests``).
    is_guest = models.BooleanField(default=False)
    # True if people without an account may read the player's page too.
    public_profile = models.BooleanField(default=False)
    # True if other players may see how quickly it usually answers.
    shows_answer_times = models.BooleanField(default=True, db_default=True)
    # True if players of the same game may see when all of them have the game open.
    shows_presence = models.BooleanField(default=False, db_default=False)
    is_staff = models.BooleanField(default=False)
    # True if it may log in, use tokens and play. Moderators can deactivate it for a time or for good.
    is_active = models.BooleanField(default=True)
    # The time at which an inactive account becomes active again; null: never.
    suspended_until = models.DateTimeField(null=True, blank=True)
    # The time until which it may write nothing in chats.
    silent_until = models.DateTimeField(null=True, blank=True)
    # No deadline falls between this time and ``sleep_to``, in the account's time zone.
    sleep_from = models.TimeField(null=True, blank=True)
    sleep_to = models.TimeField(null=True, blank=True)
    # The vacations of its owner, each ``{"id", "first", "last"}`` with both days included.
    vacations = models.JSONField(default=list, blank=True)
    # A random part of the address of the calendar feed. A new one ends the old address. Blank without a feed.
    calendar_key = models.CharField(max_length=16, blank=True)
    created_at = models.DateTimeField(auto_now_add=True)

    objects: ClassVar[AccountManager] = AccountManager()

    EMAIL_FIELD = "email"
    USERNAME_FIELD = "email"
    REQUIRED_FIELDS: ClassVar[list[str]] = ["name"]

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(email=Lower("email")), name="address_in_lower_case"),
            models.CheckConstraint(
                condition=Q(sleep_from__isnull=True, sleep_to__isnull=True)
                | Q(sleep_from__isnull=False, sleep_to__isnull=False),
                name="sleep_begins_and_ends",
            ),
        ]
        permissions: ClassVar = [("moderate", "Can act on reports")]

    def __str__(self) -> str:
        return self.name

    @property
    def readable_email(self) -> str:
        """The address as people write it, with its ``xn--`` form behind it if it has one."""
        return readable(self.email)

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Store the account, its address in canonical form and its name tidied."""
        self.email = canonical(self.email)
        self.name = names.tidy(self.name)
        self.folded_name = names.fold(self.name)
        skeleton = names.skeleton(self.name)
        if self.skeleton.partition(" ")[0] != skeleton:
            self.skeleton = skeleton
        fields = kwargs.get("update_fields")
        if fields is not None and "name" in fields:
            kwargs["update_fields"] = {*fields, "folded_name", "skeleton"}
        super().save(*args, **kwargs)


class CodeRequest(models.Model):
    """A request that takes effect with the code that was sent by email (``accounts.authentication.emails``)."""

    class Purpose(models.TextChoices):
        SIGN_UP = "sign-up"
        # Confirms the address of an account that the operator created.
        CONFIRM = "confirm"
        PASSWORD = "password"
        # The following begin with a code to the present address of an account.
        DATA = "data"
        DELETION = "deletion"
        ADDRESS = "address"
        # Confirms the new address of an account.
        NEW_ADDRESS = "new"
        # Lets another address answer questions for an account.
        SECOND_ADDRESS = "second"
        # A link in an email to the data of an account. It has no code.
        DOWNLOAD = "download"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    purpose = models.CharField(max_length=10, choices=Purpose)
    email = models.EmailField()
    # Null for a sign-up, which has no account yet.
    account = models.ForeignKey(Account, null=True, on_delete=models.CASCADE, related_name="+")
    # A keyed hash of the code; null if no code can confirm the request.
    digest = models.BinaryField(max_length=32, null=True)
    # For a sign-up: the hash of the chosen password.
    password = models.CharField(max_length=128, blank=True)
    # For a sign-up: the other fields of the account.
    details = models.JSONField(default=dict)
    asked_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["email", "asked_at"], name="codes_of_address"),
            models.Index(fields=["asked_at"], name="codes_in_order"),
        ]

    def __str__(self) -> str:
        return str(self.id)


class SecondAddress(models.Model):
    """An address from which an account may answer questions by email, or about which it was asked
    (``accounts.email_addresses``).
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+", db_index=False)
    address = models.EmailField()
    asked_at = models.DateTimeField()
    # Null if the address may not answer.
    confirmed_at = models.DateTimeField(null=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "address"], name="one_second_address_an_account")
        ]

    def __str__(self) -> str:
        return str(self.id)


class _PeopleListEntry(models.Model):
    """A relation to another account, such as a block. The other account is not notified of it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    owner = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+", db_index=False)
    other = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    since = models.DateTimeField()

    class Meta:
        abstract = True
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["owner", "other"], name="%(class)s_once"),
            models.CheckConstraint(condition=~Q(owner=models.F("other")), name="%(class)s_of_another"),
        ]
        indexes: ClassVar = [models.Index(fields=["owner", "since", "id"], name="%(class)s_in_order")]

    def __str__(self) -> str:
        return str(self.id)


class Block(_PeopleListEntry):
    """``owner`` gets no invitations and notifications from ``other``, and shares no public table with them."""


class Mute(_PeopleListEntry):
    """``owner`` does not see the messages of ``other``."""


class Follow(_PeopleListEntry):
    """``owner`` can list the games of ``other``."""


class Sighting(models.Model):
    """A browser or a network in which an account was recently used, as a keyed hash
    (``accounts.security_log``).
    """

    class Kind(models.TextChoices):
        BROWSER = "browser"
        NETWORK = "network"

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind)
    digest = models.BinaryField(max_length=32)
    first_at = models.DateTimeField()
    last_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "kind", "digest"], name="one_sighting_a_place")
        ]
        indexes: ClassVar = [
            models.Index(fields=["kind", "digest"], name="sightings_of_a_place"),
            models.Index(fields=["last_at"], name="sightings_by_age"),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.kind}"


class Report(models.Model):
    """A report to the moderators, with a copy of the reported text."""

    class Kind(models.TextChoices):
        MESSAGE = "message", _("a chat message")
        NAME = "name", _("a name")
        CONDUCT = "conduct", _("how someone behaves")

    class State(models.TextChoices):
        OPEN = "open", pgettext_lazy("state of a report", "open")
        DISMISSED = "dismissed", pgettext_lazy("state of a report", "dismissed")
        ACTED = "acted", _("acted upon")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    reporter = models.ForeignKey(Account, null=True, on_delete=models.SET_NULL, related_name="+", db_index=False)
    accused = models.ForeignKey(Account, null=True, on_delete=models.SET_NULL, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind)
    # The reporter's own words.
    reason = models.TextField()
    # The reported object, as ``message:<uuid>``. It may have been deleted.
    subject = models.CharField(max_length=100, blank=True)
    # The game, as ``game:<uuid>``.
    place = models.CharField(max_length=100, blank=True)
    # A copy of the text that the reporter saw. It outlives the original.
    evidence = models.JSONField(default=dict)
    made_at = models.DateTimeField()
    state = models.CharField(max_length=10, choices=State, default=State.OPEN)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["reporter", "accused", "kind", "subject"],
                condition=Q(state="open"),
                name="report_open_once",
            )
        ]
        indexes: ClassVar = [
            models.Index(fields=["state", "made_at"], name="reports_in_order"),
            models.Index(fields=["reporter", "made_at", "id"], name="reports_of_account"),
        ]

    def __str__(self) -> str:
        return str(self.id)


class ModerationAction(models.Model):
    """An action of a moderator, and the reason. The database refuses to change or delete it (migration 0001)."""

    class Kind(models.TextChoices):
        DISMISS = "dismiss", _("dismiss the report")
        WARN = "warn", _("warn by email")
        HIDE = "hide", _("hide the message")
        SHOW = "show", _("show the message again")
        SILENCE = "silence", _("stop them from chatting for some days")
        UNSILENCE = "unsilence", _("let them chat again")
        SUSPEND = "suspend", _("suspend the account for some days")
        CLOSE = "close", _("close the account")
        REOPEN = "reopen", _("open the account again")
        PASS_CLUBS = "pass-clubs", _("pass on the clubs of an account that is suspended or closed")

    moderator = models.ForeignKey(Account, null=True, on_delete=models.SET_NULL, related_name="+")
    report = models.ForeignKey(Report, null=True, on_delete=models.SET_NULL, related_name="actions")
    account = models.ForeignKey(Account, null=True, on_delete=models.SET_NULL, related_name="+")
    kind = models.CharField(max_length=10, choices=Kind)
    subject = models.CharField(max_length=100, blank=True)
    why = models.TextField()
    until = models.DateTimeField(null=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.kind} {self.at:%Y-%m-%d %H:%M}"


class Token(AbstractAuthToken):  # type: ignore[misc]  # knox has no types
    """A secret with which a program authenticates. Only its hash is stored, and its scopes limit the requests it
    permits."""

    # The id by which the owner lists and deletes it.
    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    # The name that the owner gave it, such as "the phone".
    name = models.CharField(pgettext_lazy("field of a record", "name"), max_length=100)
    scopes = ArrayField(models.CharField(max_length=30), default=list)
    # Written at most once an hour.
    last_used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return self.name


class SpentCode(models.Model):
    """An authorization code or refresh token that was used. Using it again ends its grant (RFC 9700)."""

    # SHA-256, in hexadecimal digits.
    digest = models.CharField(max_length=64, primary_key=True)
    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    # The id of the app that used it.
    client = models.CharField(max_length=100)
    spent_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.digest


class IdempotencyKey(models.Model):
    """A request with an idempotency key, stored in the transaction of its effect. So the effect happens only once."""

    account = models.ForeignKey(Account, on_delete=models.CASCADE, related_name="+")
    method = models.CharField(max_length=10)
    path = models.CharField(max_length=200)
    key = models.CharField(max_length=200)
    # A keyed hash of the body. A different body with the same key is refused.
    fingerprint = models.BinaryField(max_length=32)
    # The address of the new object; blank if the request created none.
    location = models.CharField(max_length=200)
    # The game to which the request belongs. It determines how long the key is kept.
    game = models.UUIDField(null=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "method", "path", "key"], name="one_effect_an_idempotency_key")
        ]
        indexes: ClassVar = [models.Index(fields=["account", "key"], name="idempotency_key_of_account")]
