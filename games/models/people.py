"""Rows about people at tables beside their moves: chat messages, results and player stats."""

import uuid
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models.deletion import Collector


def blank_messages_of_author(collector: Collector, field: Any, chat_messages: Any, using: str) -> None:
    """Blank the messages whose author's account is deleted: their places stay, the words go."""
    collector.add_field_update(field, None, chat_messages)
    # Django documents ``_meta.get_field``; its SET_NULL does the same, for one field.
    collector.add_field_update(field.model._meta.get_field("text"), "", chat_messages)


class ChatMessage(models.Model):
    """A message in the chat of a game: to all players, or private to one seat. Never in the log.

    Messages of a game are ordered by ``id``, which does not leave the server.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="chat_messages")
    seat = models.PositiveSmallIntegerField()
    """The author's seat."""
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=blank_messages_of_author, related_name="+"
    )
    """The account that said it; with the account the text goes too."""
    to = models.PositiveSmallIntegerField(null=True)
    """To which seat it was said; null is to all."""
    reader = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    """The player on the seat of the recipient. A private message belongs to these two accounts, even if others take
    over their seats later."""
    text = models.TextField(blank=True)
    """The cleaned text, or blank once it was removed. It must be escaped on output."""
    sent_at = models.DateTimeField()
    hidden = models.BooleanField(default=False)
    """True if a moderator has hidden it from all readers."""

    class Meta:
        indexes: ClassVar = [models.Index(fields=["author", "sent_at"], name="chat_messages_of_author")]

    def __str__(self) -> str:
        return str(self.public_id)


class Presence(models.Model):
    """A player who has agreed to show it has a game open (``games.visibility.table``)."""

    pk = models.CompositePrimaryKey("game_id", "account_id")
    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="+", db_index=False)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    until = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.account_id} at {self.game_id}"


class Result(models.Model):
    """The result of a seat in a game that is over. Player stats are made of these, in the order of their ids."""

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="results", db_index=False)
    seat = models.PositiveSmallIntegerField()
    account = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="results")
    """The player who sat there; null for a bot, and for one who deleted their account."""
    bot = models.BooleanField()
    won = models.BooleanField()
    place = models.PositiveSmallIntegerField()
    """From 1; equals share it. Who stayed away at the end is last."""
    team = models.PositiveSmallIntegerField()
    """Seats of one number played together; in a game without teams, and for who stayed away, it is theirs alone."""
    score = models.IntegerField(null=True)
    """The points; null in a game that counts none."""
    asked = models.PositiveIntegerField()
    """The number of questions put to this seat that were answered, by whomever."""
    in_time = models.PositiveIntegerField()
    """The number of them that the clock did not have to answer."""
    rating = models.IntegerField(null=True)
    """The player's rating after this game, over all numbers of players. Null for a bot, and for a game that is not
    rated."""
    bluffs = models.JSONField(default=list)
    """The claims of this seat, each ``[claim, made, lies, caught]``; claims not to have something are left out."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "seat"], name="one_result_a_seat")]

    def __str__(self) -> str:
        return f"{self.game_id}:{self.seat}"


class AnswerTimes(models.Model):
    """The usual times in which an account answers, rounded up (``games.archive.usual_times``)."""

    account = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, primary_key=True, related_name="answer_times"
    )
    half_within = models.DurationField()
    most_within = models.DurationField()

    def __str__(self) -> str:
        return f"answer times of {self.account_id}"


class Stats(models.Model):
    """Counts and a rating of games that are over."""

    account_id: int | None
    rules = models.CharField(max_length=40)
    games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    asked = models.PositiveIntegerField(default=0)
    in_time = models.PositiveIntegerField(default=0)
    mean = models.FloatField(default=25)
    """The skill as the rating believes it to be (openskill's mu)."""
    doubt = models.FloatField(default=25 / 3)
    """The uncertainty of the rating (openskill's sigma)."""

    class Meta:
        abstract = True


class PlayerStats(Stats):
    """A player's statistics for one game and one kind of table. ``manage.py rate --again`` computes them again."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="player_stats"
    )
    """The account, or null for the statistics of all Darbar bots together."""
    seat_count = models.PositiveSmallIntegerField()
    """The number of players at these tables; 0 for the stats over all of them."""
    with_bots = models.BooleanField()
    """True where bots sat at these tables: they are rated apart from tables of people alone."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["account", "rules", "seat_count", "with_bots"], name="one_row_a_player", nulls_distinct=False
            )
        ]
        indexes: ClassVar = [models.Index(fields=["rules", "seat_count", "with_bots"], name="stats_by_table")]

    def __str__(self) -> str:
        return f"{self.account_id} {self.rules} {self.seat_count}"


class ArenaStats(Stats):
    """A bot account's stats with one set of rules in the arena, whose games count nowhere else."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="arena_stats"
    )
    """The account; null for the stats of the Darbar bots that fill tables there."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "rules"], name="one_arena_row_a_player", nulls_distinct=False)
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.rules}"
