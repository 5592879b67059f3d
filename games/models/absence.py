"""Stand-ins, and former players of a seat."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q


class StandIn(models.Model):
    """A player's stand-in, who may answer for their seat until a given time. The rows are kept as long as the game."""

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="stand_ins", db_index=False)
    seat = models.PositiveSmallIntegerField()
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    """The account whose seat it is."""
    account = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    """The account of the stand-in."""
    began_at = models.DateTimeField()
    until = models.DateTimeField()
    ended_at = models.DateTimeField(null=True)
    """The end: the agreed time, or earlier if the owner or the stand-in ended it. Null while it lasts."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "seat"], condition=Q(ended_at=None), name="one_stand_in_a_seat"),
            models.UniqueConstraint(fields=["game", "account"], condition=Q(ended_at=None), name="one_seat_a_stand_in"),
        ]
        indexes: ClassVar = [models.Index(fields=["until"], condition=Q(ended_at=None), name="stand_in_due")]

    def __str__(self) -> str:
        return f"{self.game_id}:{self.seat}"


class FormerPlayer(models.Model):
    """A player whose seat in a running game was taken over by another account. They have seen its hand."""

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="former_players")
    seat = models.PositiveSmallIntegerField()
    account = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    left_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.game_id}:{self.seat}"
