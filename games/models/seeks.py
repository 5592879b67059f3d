"""Seeks: searches for players who want the same game."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q


class Seek(models.Model):
    """A search for players, which everyone sees in the open lobby (``games.tables.seeks``). The sweep creates games of
    seeks that fit together.
    """

    class State(models.TextChoices):
        OPEN = "open"
        MATCHED = "matched"
        """A game was created from this seek and others."""
        WITHDRAWN = "withdrawn"
        LAPSED = "lapsed"
        """The seek expired before enough players were found."""
        REMOVED = "removed"
        """Too many questions of its bot account timed out in the arena."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="seeks", db_index=False
    )
    rules = models.CharField(max_length=40)
    least = models.PositiveSmallIntegerField()
    """The minimum number of players, including bots."""
    most = models.PositiveSmallIntegerField()
    """The maximum number of players."""
    speed = models.CharField(max_length=10)
    """The name of a speed (``games.terms``)."""
    options = models.JSONField(default=dict)
    """The required options. All others may have any value."""
    fill_after = models.DurationField(null=True)
    """The time after which bots may take the free seats. Null for a game without bots."""
    games_at_once = models.PositiveSmallIntegerField(null=True)
    """For a bot account in the arena (``games.tables.arena``): the number of games it plays at the same time. Null
    for other seeks, which end with their game."""
    shows_name = models.BooleanField(default=False, db_default=False)
    """True if the open lobby names the owner to the accounts that the owner follows."""
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    game = models.ForeignKey("games.Game", null=True, on_delete=models.SET_NULL, related_name="+")
    """The game that was created. Null for a standing seek of the arena."""
    created_at = models.DateTimeField()
    until = models.DateTimeField()
    """The time at which the seek expires."""
    look_at = models.DateTimeField()
    """The time of the next attempt to match it."""
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["account", "created_at", "id"], name="seek_of_account"),
            models.Index(fields=["look_at"], condition=Q(state="open"), name="seek_to_look_at"),
            models.Index(fields=["rules", "speed", "created_at"], condition=Q(state="open"), name="seek_open"),
            models.Index(fields=["ended_at"], condition=Q(ended_at__isnull=False), name="seek_ended"),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def is_standing(self) -> bool:
        """True for a seek in the arena, which stays open after a game."""
        return self.games_at_once is not None
