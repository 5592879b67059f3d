"""Clubs: groups of accounts that often play with each other. Only members can see them."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q

from games.models.game import CODE_LENGTH, new_code
from games.models.own_words import LONGEST_ABOUT, LONGEST_NAME
from games.models.table_channels import Chat, Handle


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
