"""Time stamps: proofs of when the heads of games were there, by an authority outside of this server."""

from typing import ClassVar

from django.db import models


class TimeStamp(models.Model):
    """The answer of an authority (RFC 3161) that has stamped the root over the heads of many games."""

    root = models.CharField(max_length=64, unique=True)
    """In hexadecimal (``games.archive.time_stamps``)."""
    response = models.BinaryField()
    """The response of the authority, in DER."""
    at = models.DateTimeField(db_index=True)
    """The time that it names."""

    def __str__(self) -> str:
        return self.root


class StampedHead(models.Model):
    """The head of a game that was stamped with others, and its path to their root."""

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="stamped_heads", db_index=False)
    stamp = models.ForeignKey(TimeStamp, on_delete=models.CASCADE, related_name="heads")
    head = models.BinaryField(max_length=32)
    """A published head."""
    path = models.JSONField(default=list)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "head"], name="one_stamp_a_head")]

    def __str__(self) -> str:
        return f"{self.game_id}:{self.stamp_id}"
