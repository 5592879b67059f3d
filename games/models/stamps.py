"""Time stamps of an external authority. They prove that the heads of games existed at a time."""

from typing import ClassVar

from django.db import models


class TimeStamp(models.Model):
    """The response of an authority (RFC 3161) that has stamped the root of a tree over the heads of many games."""

    root = models.CharField(max_length=64, unique=True)
    """In hexadecimal (``games.archive.time_stamps``)."""
    response = models.BinaryField()
    """The response of the authority, in DER."""
    at = models.DateTimeField(db_index=True)
    """The time in the response."""

    def __str__(self) -> str:
        return self.root


class StampedHead(models.Model):
    """The head of a game in a stamped tree, and its path to the root."""

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="stamped_heads", db_index=False)
    stamp = models.ForeignKey(TimeStamp, on_delete=models.CASCADE, related_name="heads")
    head = models.BinaryField(max_length=32)
    """A published head of the game's chain."""
    path = models.JSONField(default=list)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "head"], name="one_stamp_a_head")]

    def __str__(self) -> str:
        return f"{self.game_id}:{self.stamp_id}"
