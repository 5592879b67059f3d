"""People around games, and their searches for players."""

import uuid
from typing import Any, ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.deletion import Collector


def blank_messages_of_author(collector: Collector, field: Any, chat_messages: Any, using: str) -> None:
    """Blank the messages of a deleted account. Their rows stay."""
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
    """The account of the author. Null after it is deleted; the text is blank then."""
    to = models.PositiveSmallIntegerField(null=True)
    """The seat of the recipient. Null for a message to all players."""
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
    """A player who has the game open and has agreed to show it (``games.visibility.table``)."""

    pk = models.CompositePrimaryKey("game_id", "account_id")
    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="+", db_index=False)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    until = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.account_id} at {self.game_id}"


class Result(models.Model):
    """The result of a seat in a finished game. Player stats are computed from these rows, in the order of their ids."""

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="results", db_index=False)
    seat = models.PositiveSmallIntegerField()
    account = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="results")
    """The player at the end. Null for a bot, and after the account is deleted."""
    bot = models.BooleanField()
    won = models.BooleanField()
    place = models.PositiveSmallIntegerField()
    """The place, from 1. Equal results share a place. A player who was absent at the end has the last one."""
    team = models.PositiveSmallIntegerField()
    """Seats with the same number played together. Without teams, and for absent players, each seat has its own number.
    """
    score = models.IntegerField(null=True)
    """The points. Null in a game without points."""
    asked = models.PositiveIntegerField()
    """The number of questions of this seat that were answered, also by a bot, a stand-in or a timeout."""
    in_time = models.PositiveIntegerField()
    """The number of these questions that did not time out."""
    rating = models.IntegerField(null=True)
    """The player's rating after this game, over all numbers of players. Null for a bot and for an unrated game."""
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
    """The estimated skill (openskill's mu)."""
    doubt = models.FloatField(default=25 / 3)
    """The uncertainty of the rating (openskill's sigma)."""

    class Meta:
        abstract = True


class PlayerStats(Stats):
    """A player's statistics for one game and one kind of table. ``manage.py rate --again`` computes them again."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="player_stats"
    )
    """The account. Null for the statistics of all Darbar bots together."""
    seat_count = models.PositiveSmallIntegerField()
    """The number of players at these tables; 0 for the stats over all of them."""
    with_bots = models.BooleanField()
    """True for games with bots. They are rated apart from games of people only."""

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
    """The stats of a bot account in the arena, for one game. Arena games do not count in other statistics."""

    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="arena_stats"
    )
    """The account. Null for the stats of the Darbar bots that fill tables there."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "rules"], name="one_arena_row_a_player", nulls_distinct=False)
        ]

    def __str__(self) -> str:
        return f"{self.account_id} {self.rules}"


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
