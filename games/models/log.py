"""The log, and what stands beside it: moves on their way, the questions that are open, and the clock's pulse."""

import uuid
from typing import ClassVar

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q


class Event(models.Model):
    """A line of a game's log: an event (``body``) and its envelope.

    The table is created by migration 0001 alone: it has no foreign key to check and no id of its own. The database
    refuses UPDATE and TRUNCATE on it, and DELETE of lines that are not in an ``ArchivedLog``. Only
    ``games.event_log.log_store`` and ``games.event_log.archived_logs`` read and write it.
    """

    pk = models.CompositePrimaryKey("game_id", "number")
    game_id = models.UUIDField()
    number = models.PositiveIntegerField()
    body = models.TextField()
    at = models.DateTimeField()
    via = models.CharField(max_length=10)
    """The way the move came that led to it; ``server`` where the server did it by itself."""
    seat = models.PositiveSmallIntegerField(null=True)
    """The seat whose move led to it."""
    move_id = models.UUIDField(null=True)
    draws = models.TextField(null=True)
    """On the first event of a decision: its draws of chance, as JSON pairs (of how many, which)."""
    shown = ArrayField(models.IntegerField(), null=True)
    """The number of lines up to this one that a spectator and each seat are shown; null while nothing is hidden."""

    class Meta:
        managed = False
        db_table = "games_event"


class ArchivedLog(models.Model):
    """The whole log of a game that was over long ago, compressed (``games.event_log.archived_logs``).

    The database refuses to change it or to delete it.
    """

    game = models.OneToOneField("games.Game", on_delete=models.PROTECT, primary_key=True)
    lines = models.BinaryField()

    def __str__(self) -> str:
        return str(self.game_id)


class Snapshot(models.Model):
    """A game as it stands after ``version`` events. Disposable: the log makes it again."""

    game = models.OneToOneField("games.Game", on_delete=models.CASCADE, primary_key=True)
    law = models.BinaryField(max_length=32)
    """The digest of rules, version and options (``games.event_log.log_store.law_of``) by which the events were
    folded."""
    table = models.BinaryField()
    state = models.BinaryField(null=True)
    """The game's own state; null until it is set up."""
    version = models.PositiveIntegerField()
    head = models.BinaryField(max_length=32)
    """The head of the log's chain after as many events: by it a snapshot is known to follow from the log."""


class Move(models.Model):
    """A move of a player. It is stored as it was received, then resolved in the order of receipt."""

    class State(models.TextChoices):
        RECEIVED = "received"
        APPLIED = "applied"
        REJECTED = "rejected"
        """The rules refuse it; ``code`` and ``phrase`` say why."""
        FAILED = "failed"
        """The server could not resolve it for six hours; it was set aside."""

    class Via(models.TextChoices):
        API = "api"
        MAIL = "mail"
        PAGE = "page"
        BOT = "bot"
        TIMEOUT = "timeout"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="moves")
    seat = models.PositiveSmallIntegerField()
    account = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )
    """The sender; null where no person sent it."""
    question = models.CharField(max_length=20, blank=True)
    text = models.TextField(null=True)
    """The move in notation, as it was written. Null if it was sent as JSON."""
    body = models.TextField(null=True)
    """The move as JSON: first as it was sent, and once it is applied, as the game read it."""
    via = models.CharField(max_length=10, choices=Via)
    """The way it came; an answer given ahead came as its plan did."""
    bot_version = models.PositiveSmallIntegerField(null=True)
    """The version of the bot that decided it; null for a move of a person."""
    plan = models.TextField(null=True)
    """The plan that gave it, as the game's JSON; for its owner alone."""
    received_at = models.DateTimeField()
    """The time at which the whole of it had come in: what *in time* means."""
    asked_at = models.DateTimeField(null=True)
    """The time at which the answered question was asked, for answers by hand and for plans that waited so that they
    look the same. Null for all other moves."""
    seen_at = models.DateTimeField(null=True)
    """The time at which a page first showed its sender the question; forgotten once the game is counted."""
    state = models.CharField(max_length=8, choices=State, default=State.RECEIVED)
    code = models.CharField(max_length=20, blank=True)
    phrase = models.TextField(null=True)
    """A refusal's sentence, as the JSON of a Phrase."""
    first_event = models.PositiveIntegerField(null=True)
    last_event = models.PositiveIntegerField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    """The number of times that resolving it failed for a reason outside the rules."""

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["game", "received_at", "id"], condition=Q(state="received"), name="move_unresolved"),
            models.Index(fields=["received_at"], condition=Q(state="received"), name="move_waiting"),
            models.Index(fields=["received_at"], condition=Q(state="failed"), name="move_set_aside"),
            models.Index(fields=["game", "seat", "-received_at"], condition=Q(state="rejected"), name="move_rejected"),
            models.Index(fields=["game", "seat"], condition=Q(plan__isnull=False), name="move_by_plan"),
            models.Index(fields=["account", "-received_at"], name="move_of_account"),
        ]

    def __str__(self) -> str:
        return str(self.id)


class Stall(models.Model):
    """A game whose moves cannot be resolved for a reason outside the rules, and when they are tried again."""

    game = models.OneToOneField("games.Game", on_delete=models.CASCADE, primary_key=True)
    since = models.DateTimeField()
    """The time at which the present first move failed first; the time of the stall itself stands in the game's row."""
    tries = models.PositiveIntegerField()
    try_at = models.DateTimeField(db_index=True)
    error = models.CharField(max_length=300)
    """The kind and place of the last error, never its message."""

    def __str__(self) -> str:
        return str(self.game_id)


class OpenQuestion(models.Model):
    """A question that waits for its answer: the only source of the sweep and of what a player is asked."""

    pk = models.CompositePrimaryKey("game_id", "question")
    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="open_questions", db_index=False)
    question = models.CharField(max_length=20)
    """The id of the question within the game: ``<seat>.<number>``."""
    seat = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=20)
    reason = models.CharField(max_length=40)
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField()
    aimed = models.BooleanField(default=True)
    """True if the question concerns its player, and not only other players. A public fact."""
    alone = models.BooleanField(default=False, db_default=False)
    """True if it was the only question when it was asked, so that all players wait for this seat. A public fact."""
    bot = models.BooleanField(default=False)
    """True if a bot will answer the question at its due time."""
    remind_at = models.DateTimeField(null=True)
    """The time at which its player is reminded; null once that was done."""
    reminders = models.JSONField(default=list, db_default=[])
    """The steps of the reminder schedule taken so far, in order; the last is that of ``remind_at``, if that is set."""
    planned_at = models.DateTimeField(null=True)
    """The time at which a plan answers it, where that must not be told from an answer by hand; for its player alone."""
    seen_at = models.DateTimeField(null=True)
    """The time at which a page first showed it to its player; for ``games.archive.waiting_times`` alone."""
    why = models.JSONField(default=list)
    """The reasons for its deadline, JSON of ``games.deadlines.calculation.Reason``; empty if only its length counts."""
    own: bool
    """Asked of the reader's own seat, not of one for which they stand in; set by ``games.play.questions`` alone."""

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["due_at"], name="question_due"),
            models.Index(fields=["remind_at"], condition=Q(remind_at__isnull=False), name="question_to_remind"),
            models.Index(fields=["planned_at"], condition=Q(planned_at__isnull=False), name="question_planned"),
        ]


class Plan(models.Model):
    """A planned answer. Other players can see neither the plan nor that it was used."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="plans")
    seat = models.PositiveSmallIntegerField()
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    """The owner. A later player of the seat has plans of their own."""
    number = models.PositiveIntegerField()
    """The number that its owner knows it by: counted from 1 at each seat, and given once."""
    body = models.TextField()
    """The game's plan as JSON."""
    via = models.CharField(max_length=10, choices=Move.Via)
    """The way it came: its answers count as sent the same way."""
    created_at = models.DateTimeField()
    after = models.CharField(max_length=20, default="")
    """The question that was open when the plan was made, if it would cancel the plan. The plan becomes active with
    its answer."""
    done_at = models.DateTimeField(null=True)
    """The time at which a plan that is for once was carried out, or lapsed."""
    times = models.PositiveIntegerField(default=0)
    """The number of times it has answered."""
    last_at = models.DateTimeField(null=True)
    last_answer = models.TextField(null=True)
    """The last answer, the move's JSON; ``last_at`` is its time."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "seat", "number"], name="one_plan_a_number"),
        ]

    def __str__(self) -> str:
        return str(self.id)


class Heartbeat(models.Model):
    """The moment at which the clock was last seen alive: one row, so that downtime can be given back."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    at = models.DateTimeField()
