"""Clubs, and the group chats outside of this server in which the state of a game or a club is posted."""

import uuid
from typing import ClassVar, Final

from django.conf import settings
from django.contrib.postgres.functions import RandomUUID
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from config.core.crypto import UnreadableText, decrypt
from games.models.game import CODE_LENGTH, new_code

LONGEST_NAME: Final = 60
LONGEST_ABOUT: Final = 300


LONGEST_HANDLE: Final = 255
SECRETS: Final = "table-channels"
"""The purpose for which the secrets of these chats are encrypted."""


class Chat(models.Model):
    """A group chat, and the data needed to post there."""

    app = models.CharField(max_length=20)
    """The name of the notification channel for its app."""
    address = models.CharField(max_length=2000, blank=True)
    secret = models.TextField()
    """The encrypted secret for posting."""
    language = models.CharField(max_length=7, choices=settings.LANGUAGES)
    endpoint = models.UUIDField(default=uuid.uuid4, db_default=RandomUUID(), db_index=True)
    """The id of this connection in the outbox. Messages to a chat that was replaced are dropped."""

    class Meta:
        abstract = True

    def readable_secret(self) -> str | None:
        """Return the secret, or None if ``SECRET_KEY`` has changed."""
        try:
            return decrypt(self.secret, SECRETS)
        except UnreadableText:
            return None


class TableChannel(Chat):
    """The group chat of one game. The state of the game is one message there, which is edited in place."""

    game = models.OneToOneField("games.Game", models.CASCADE, primary_key=True, related_name="channel")
    message = models.CharField(max_length=255, blank=True)
    """The app's id of the message that is edited, or blank without one."""
    told = models.BinaryField(max_length=32, default=bytes)
    """The public head of the game for which a message was ordered last."""
    text = models.CharField(max_length=64, blank=True)
    """The hash of the message's text."""
    next_change_at = models.DateTimeField(db_default=Now(), db_index=True)
    """The earliest time of the next change of the message."""
    stopped_at = models.DateTimeField(null=True)
    """The time since which nothing is posted, because a message was given up."""
    remind_at = models.DateTimeField(null=True, db_index=True)
    """The time of the reminder about the present state of the game, or null without one."""

    def __str__(self) -> str:
        return f"{self.app} of {self.game_id}"


class Handle(models.Model):
    """The handle by which an account is mentioned in a chat."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    handle = models.CharField(max_length=LONGEST_HANDLE)

    class Meta:
        abstract = True


class TableHandle(Handle):
    """The handle of a player in the chat of one game."""

    channel = models.ForeignKey(TableChannel, models.CASCADE, related_name="handles", db_index=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["channel", "account"], name="one_handle_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} in {self.channel_id}"


class Club(models.Model):
    """A group of accounts. Only its members, and people with its link, can see that it exists."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=LONGEST_NAME)
    about = models.CharField(max_length=LONGEST_ABOUT, blank=True)
    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code)
    """The random part of its link. A new code makes the old link useless."""
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """The membership of an account in a club."""

    class Role(models.TextChoices):
        OWNER = "owner"
        """A club has exactly one owner."""
        ORGANIZER = "organizer"
        MEMBER = "member"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships", db_index=False)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=9, choices=Role, default=Role.MEMBER)
    hears = models.BooleanField(default=True)
    """True if the member is notified of each new game of the club."""
    joined_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "account"], name="one_membership_a_person"),
            models.UniqueConstraint(fields=["club"], condition=Q(role="owner"), name="one_owner_a_club"),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} in {self.club_id}"


class ClubChannel(Chat):
    """The group chat of a club. Each game of the club gets a channel to it."""

    club = models.OneToOneField(Club, models.CASCADE, primary_key=True, related_name="channel")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    """The organizer who connected the chat and owns its secret."""

    def __str__(self) -> str:
        return f"{self.app} of {self.club_id}"


class ClubHandle(Handle):
    """The handle of a member in the chat of a club."""

    channel = models.ForeignKey(ClubChannel, models.CASCADE, related_name="handles", db_index=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["channel", "account"], name="one_handle_a_member"),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} in {self.channel_id}"
