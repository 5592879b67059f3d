"""Replies by email that were received and not read."""

from typing import ClassVar

from django.conf import settings
from django.db import models


class UnreadReply(models.Model):
    """A reply from an account's own address that did nothing and was not answered by email.

    Its account sees it on the game's page, and the operator sees how many there are. Its text is not kept.
    """

    class Why(models.TextChoices):
        """The reason why there was no answer by email."""

        AUTOMATIC = "automatic"
        """The header fields show that a program sent the reply, or its envelope had no sender."""
        LIMIT = "limit"
        """The account has already received the maximum number of answers for this day."""
        CLOSED = "closed"
        """The game, or the notification that was replied to, takes no replies."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    game = models.ForeignKey("games.Game", null=True, on_delete=models.CASCADE, related_name="+")
    """Null if the reply belongs to no game or to an unknown one."""
    why = models.CharField(max_length=9, choices=Why)
    received_at = models.DateTimeField(db_index=True)

    class Meta:
        verbose_name_plural = "unread replies"
        indexes: ClassVar = [models.Index(fields=["account", "game", "received_at"], name="unread_reply_of_account")]

    def __str__(self) -> str:
        return str(self.pk)
