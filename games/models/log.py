"""The log of games, and the rows beside it: moves, open questions, plans, stalls, analyses and time stamps."""

import uuid
from datetime import timedelta
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
    """The entry point of the move that led to it, or ``server`` if no player moved."""
    seat = models.PositiveSmallIntegerField(null=True)
    """The seat whose move led to the event."""
    move_id = models.UUIDField(null=True)
    draws = models.TextField(null=True)
    """The draws of a decision, on its first event: JSON pairs of the number of options and the chosen index."""
    shown = ArrayField(models.IntegerField(), null=True)
    """For a spectator and each seat, the number of lines up to this one that they are shown. Null if nothing is hidden.
    """

    class Meta:
        managed = False
        db_table = "games_event"


class ArchivedLog(models.Model):
    """The whole log of a game that ended long ago, compressed (``games.event_log.archived_logs``).

    The database refuses to change or delete it.
    """

    game = models.OneToOneField("games.Game", on_delete=models.PROTECT, primary_key=True)
    lines = models.BinaryField()

    def __str__(self) -> str:
        return str(self.game_id)


class Snapshot(models.Model):
    """A game's position after ``version`` events. It can be made from the log again."""

    game = models.OneToOneField("games.Game", on_delete=models.CASCADE, primary_key=True)
    law = models.BinaryField(max_length=32)
    """The digest of rules, version and options (``games.event_log.log_store.law_of``) by which the events were
    folded."""
    table = models.BinaryField()
    state = models.BinaryField(null=True)
    """The state of the rules. Null before the set-up."""
    version = models.PositiveIntegerField()
    head = models.BinaryField(max_length=32)
    """The head of the log's chain after ``version`` events. It shows whether the snapshot follows from the log."""


class Move(models.Model):
    """A move of a player. It is stored when it is received, and resolved in the order of receipt."""

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
    """The sender. Null for moves of bots, plans and timeouts."""
    question = models.CharField(max_length=20, blank=True)
    text = models.TextField(null=True)
    """The move in notation, exactly as sent. Null if it was sent as JSON."""
    body = models.TextField(null=True)
    """The move as JSON: as sent, and after it was applied in the game's own form."""
    via = models.CharField(max_length=10, choices=Via)
    """The entry point through which it was sent. The answer of a plan has that of the plan."""
    bot_version = models.PositiveSmallIntegerField(null=True)
    """The version of the bot that chose the move. Null for a move of a person."""
    plan = models.TextField(null=True)
    """The plan that made the move, as JSON. Only its owner may see it."""
    received_at = models.DateTimeField()
    """The time at which the whole request or email had been received. It decides whether the move was in time."""
    asked_at = models.DateTimeField(null=True)
    """The time at which the answered question was asked, for answers by hand and for plans that waited so that they
    look the same. Null for all other moves."""
    seen_at = models.DateTimeField(null=True)
    """The time at which a page first showed the question to its sender. Deleted once the game is counted."""
    state = models.CharField(max_length=8, choices=State, default=State.RECEIVED)
    code = models.CharField(max_length=20, blank=True)
    phrase = models.TextField(null=True)
    """The sentence of a refusal, as JSON of a Phrase."""
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
    """A game whose moves cannot be resolved for a reason outside the rules, and the time of the next attempt."""

    game = models.OneToOneField("games.Game", on_delete=models.CASCADE, primary_key=True)
    since = models.DateTimeField()
    """The time at which the first move failed for the first time. The time of the stall is in the game's row."""
    tries = models.PositiveIntegerField()
    try_at = models.DateTimeField(db_index=True)
    error = models.CharField(max_length=300)
    """The kind and place of the last error, never its message."""

    def __str__(self) -> str:
        return str(self.game_id)


class OpenQuestion(models.Model):
    """A question that waits for an answer. Deadlines, reminders and lists of open questions come from these rows."""

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
    """The time of the next reminder. Null if no reminder is left."""
    reminders = models.JSONField(default=list, db_default=[])
    """The steps of the reminder schedule that were taken, in order. The last one belongs to ``remind_at``, if that is
    set.
    """
    planned_at = models.DateTimeField(null=True)
    """The time at which a plan answers, if it must look like an answer by hand. Only the player may see it."""
    seen_at = models.DateTimeField(null=True)
    """The time at which a page first showed the question to its player. Only for ``games.archive.waiting_times``."""
    why = models.JSONField(default=list)
    """The reasons for its deadline, JSON of ``games.deadlines.calculation.Reason``; empty if only its length counts."""
    own: bool
    """True if the question is for the reader's own seat and not for one they stand in for. Set by
    ``games.play.questions``.
    """

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["due_at"], name="question_due"),
            models.Index(fields=["remind_at"], condition=Q(remind_at__isnull=False), name="question_to_remind"),
            models.Index(fields=["planned_at"], condition=Q(planned_at__isnull=False), name="question_planned"),
        ]


class Plan(models.Model):
    """A planned answer. Other players see neither the plan nor that it was used."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="plans")
    seat = models.PositiveSmallIntegerField()
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    """The owner. A later player of the seat has plans of their own."""
    number = models.PositiveIntegerField()
    """The number of the plan in the lists of its owner. Numbers are counted from 1 for each seat and never reused."""
    body = models.TextField()
    """The game's plan as JSON."""
    via = models.CharField(max_length=10, choices=Move.Via)
    """The entry point through which the plan was made. Its answers have the same."""
    created_at = models.DateTimeField()
    after = models.CharField(max_length=20, default="")
    """The question that was open when the plan was made, if it would cancel the plan. The plan becomes active with
    its answer."""
    done_at = models.DateTimeField(null=True)
    """The time at which the plan was used up or dropped."""
    times = models.PositiveIntegerField(default=0)
    """The number of times the plan has answered."""
    last_at = models.DateTimeField(null=True)
    last_answer = models.TextField(null=True)
    """The plan's last answer as JSON. ``last_at`` is its time."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "seat", "number"], name="one_plan_a_number"),
        ]

    def __str__(self) -> str:
        return str(self.id)


class Heartbeat(models.Model):
    """The last time at which the clock was known to run. After downtime, deadlines are moved by the missing time."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    at = models.DateTimeField()


class Analysis(models.Model):
    """The analysis of one seat's decisions in a finished game. It is made once, on the first request."""

    game = models.ForeignKey("games.Game", on_delete=models.CASCADE, related_name="analyses", db_index=False)
    seat = models.PositiveSmallIntegerField()
    asked_at = models.DateTimeField()
    decisions = models.PositiveIntegerField()
    """The number of decisions of the seat."""
    findings = models.JSONField(default=list)
    """The findings so far, one for each decision, as JSON of ``games.archive.analyses.AnalysedDecision``."""
    done_at = models.DateTimeField(null=True)
    """The time at which the last decision was analysed."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "seat"], name="one_analysis_a_seat")]
        indexes: ClassVar = [
            models.Index(fields=["asked_at"], condition=Q(done_at__isnull=True), name="analysis_to_make"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}:{self.seat}"


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


_NONE = timedelta()


class WaitingTime(models.Model):
    """The time that the games of a month have waited for one kind of question (``games.archive.waiting_times``)."""

    month = models.DateField()
    """The first day of the month in which the games were counted, soon after their end."""
    rules = models.CharField(max_length=40)
    people = models.PositiveSmallIntegerField()
    """The number of people at the table, bots not counted."""
    kind = models.CharField(max_length=20)
    games = models.PositiveIntegerField(default=0)
    """The number of games that have waited for such a question."""
    waits = models.PositiveIntegerField(default=0)
    timed_out = models.PositiveIntegerField(default=0)
    """The number of waits that ended with a timeout."""
    asleep = models.DurationField(default=_NONE)
    not_seen = models.DurationField(default=_NONE)
    seen = models.DurationField(default=_NONE)
    planned = models.DurationField(default=_NONE)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["month", "rules", "people", "kind"], name="one_row_a_kind_of_question")
        ]

    def __str__(self) -> str:
        return f"{self.month} {self.rules} {self.people} {self.kind}"
