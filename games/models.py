"""The tables of the games: rows that are small, and a log that only grows.

The log of a game is the truth; what stands beside it (the snapshot, the open questions, the counts on the
game's row) is written in the same transaction and can be made again from it (``manage.py verify``).
"""

import secrets
import uuid
from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar, Final

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.deletion import Collector

from games.engine import chain
from games.engine.types import Seat as SeatNumber

SEED_BYTES: Final = 32
_CODE_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_CODE_LENGTH: Final = 12


def new_seed() -> bytes:
    """The seed of a game's chance: made once, when its table opens."""
    return secrets.token_bytes(SEED_BYTES)


def new_code() -> str:
    """What is told to those who may join a private table; about 59 bits, no letters that look alike."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))


def commitment_of(game: uuid.UUID, seed: bytes) -> str:
    """What is published of a seed before the game, so that it can be checked after it."""
    return chain.commitment(str(game), seed)


class Game(models.Model):
    """A table and the game played at it."""

    class State(models.TextChoices):
        OPEN = "open"
        """Players are still coming."""
        RUNNING = "running"
        OVER = "over"
        """It was played to its end; everything is open to everyone who sat at it."""
        ABANDONED = "abandoned"
        """It never began; its commitment stays public."""

    class Talk(models.TextChoices):
        """What may be said at a table."""

        ALL = "all"
        """To everybody at it, and in private letters from seat to seat."""
        TABLE = "table"
        """To everybody at it only."""
        NONE = "none"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    code = models.CharField(max_length=_CODE_LENGTH, unique=True, default=new_code)
    rules = models.CharField(max_length=40)
    rules_version = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)
    """The options as chosen by the host, complete with defaults, as the game's own JSON."""
    seats = models.PositiveSmallIntegerField()
    """How many seats the table has."""
    house = models.PositiveSmallIntegerField(default=0)
    """How many of them are for house players."""
    turn_length = models.DurationField(default=timedelta(days=2))
    window_length = models.DurationField(default=timedelta(days=1))
    private = models.BooleanField(default=False)
    talk = models.CharField(max_length=5, choices=Talk, default=Talk.ALL)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="hosted_games"
    )
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    seed = models.BinaryField(max_length=SEED_BYTES, default=new_seed)
    """Never leaves the server before the game is over, in any form."""
    commitment = models.CharField(max_length=64)
    version = models.PositiveIntegerField(default=0)
    """How many events the log holds."""
    draws = models.PositiveIntegerField(default=0)
    """How many draws of chance the log holds."""
    head = models.BinaryField(max_length=32, default=bytes)
    """The head of the log's chain (``games.engine.chain``); it tells that something happened, so it is not shown."""
    public_head = models.BinaryField(max_length=32, default=bytes)
    """The head as of the last event that everybody knows to have happened: this one is published."""
    shown = models.JSONField(default=list)
    """``[version, lines shown to seat 1, to seat 2…]`` as of that version; counted anew where it is not the log's."""
    rematch = models.OneToOneField("self", null=True, on_delete=models.SET_NULL, related_name="first_match")
    """The game that the same people played after this one."""
    opened_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    counted = models.BooleanField(default=False)
    """Its results stand in the record of play."""

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(house__lte=models.F("seats")), name="house_within_seats")
        ]
        indexes: ClassVar = [
            models.Index(fields=["opened_at", "id"], condition=Q(private=False), name="game_public_by_age"),
            models.Index(fields=["ended_at", "id"], condition=Q(state="over", counted=False), name="game_to_count"),
        ]

    def __str__(self) -> str:
        return str(self.id)

    def names(self) -> Mapping[SeatNumber, str]:
        """What the players on the taken seats are called; one who deleted their account has no name any more."""
        return {SeatNumber(seat.number): seat.player for seat in self.places.all()}


class Seat(models.Model):
    """Who sits where. The log knows seats only; the person is here, and can be deleted."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="places", db_index=False)
    number = models.PositiveSmallIntegerField()
    account = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="seats")
    house = models.BooleanField(default=False)
    """A house player sits here."""
    name = models.CharField(max_length=40, blank=True)
    """The name of a house player; a person is called as their account says."""
    seed = models.CharField(max_length=2 * SEED_BYTES, blank=True)
    """What this player added to the game's chance, in hexadecimal; blank for a house player."""

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number"], name="one_player_a_seat"),
            models.UniqueConstraint(fields=["game", "account"], name="one_seat_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}:{self.number}"

    @property
    def player(self) -> str:
        """What the player on this seat is called."""
        return self.account.name if self.account is not None else self.name


class Event(models.Model):
    """One line of a game's log: what happened (``body``) and its envelope.

    The table belongs to migration 0002: it has no foreign key to check and no id of its own, and the database
    refuses UPDATE, DELETE and TRUNCATE on it. Only ``games.log_store`` reads and writes it.
    """

    pk = models.CompositePrimaryKey("game_id", "number")
    game_id = models.UUIDField()
    number = models.PositiveIntegerField()
    body = models.TextField()
    at = models.DateTimeField()
    via = models.CharField(max_length=10)
    """How the move came that led to it; ``server`` where the server did it by itself."""
    seat = models.PositiveSmallIntegerField(null=True)
    """Whose move led to it."""
    move_id = models.UUIDField(null=True)
    draws = models.TextField(null=True)
    """On the first event of a decision: its draws of chance, as JSON pairs (of how many, which)."""

    class Meta:
        managed = False
        db_table = "games_event"


class Snapshot(models.Model):
    """A game as it stands after ``version`` events. Disposable: the log makes it again."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, primary_key=True)
    version = models.PositiveIntegerField()
    table = models.BinaryField()
    state = models.BinaryField(null=True)
    """The game's own state; null until it is set up."""


class Move(models.Model):
    """What somebody wants to play: stored as it came, then resolved in the order of receipt."""

    class State(models.TextChoices):
        RECEIVED = "received"
        APPLIED = "applied"
        REJECTED = "rejected"
        """The rules refuse it; ``code`` and ``phrase`` say why."""
        FAILED = "failed"
        """The server could not resolve it, three times; it was set aside."""

    class Via(models.TextChoices):
        API = "api"
        MAIL = "mail"
        PAGE = "page"
        HOUSE = "house"
        CLOCK = "clock"
        ORDER = "order"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="moves")
    seat = models.PositiveSmallIntegerField()
    account = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    """Who sent it; null where no person did."""
    question = models.CharField(max_length=20, blank=True)
    text = models.TextField(null=True)
    """The move in notation, as it was written; null where it came as JSON."""
    body = models.TextField(null=True)
    """The move as JSON: as it came, and once it is applied as the game read it."""
    via = models.CharField(max_length=10, choices=Via)
    received_at = models.DateTimeField()
    """When the whole of it had come in: what *in time* means."""
    state = models.CharField(max_length=8, choices=State, default=State.RECEIVED)
    code = models.CharField(max_length=20, blank=True)
    phrase = models.TextField(null=True)
    """A refusal's sentence, as the JSON of a Phrase."""
    first_event = models.PositiveIntegerField(null=True)
    last_event = models.PositiveIntegerField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    """How often resolving it failed for a reason outside the rules."""

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["game", "received_at", "id"], condition=Q(state="received"), name="move_unresolved")
        ]

    def __str__(self) -> str:
        return str(self.id)


class OpenQuestion(models.Model):
    """A question that waits for its answer: the only source of the sweep and of what a player is asked."""

    pk = models.CompositePrimaryKey("game_id", "question")
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="open_questions", db_index=False)
    question = models.CharField(max_length=20)
    """Its id within the game: ``<seat>.<how many>``."""
    seat = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=20)
    reason = models.CharField(max_length=40)
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField()
    house = models.BooleanField(default=False)
    """It is put to a house player, who answers when it is due."""
    remind_at = models.DateTimeField(null=True)
    """When its player is reminded; null once that was done."""

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["due_at"], name="question_due"),
            models.Index(fields=["remind_at"], condition=Q(remind_at__isnull=False), name="question_to_remind"),
        ]


def take_back(collector: Collector, field: Any, remarks: Any, using: str) -> None:
    """What becomes of remarks whose author's account is deleted: their places stay, the words go."""
    collector.add_field_update(field, None, remarks)
    collector.add_field_update(field.model._meta.get_field("text"), "", remarks)


class Remark(models.Model):
    """Something said at a table: to everybody at it, or in a letter from one seat to another. Never in the log.

    Its place among the others of its game is that of its ``id``, which does not leave the server.
    """

    public_id = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="remarks")
    seat = models.PositiveSmallIntegerField()
    """From where it was said."""
    author = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=take_back, related_name="+")
    """Who said it; with their account the text goes too."""
    to = models.PositiveSmallIntegerField(null=True)
    """To which seat it was said; null is to all."""
    reader = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    """Who sat there. A letter belongs to these two, whoever sits on their seats later."""
    text = models.TextField(blank=True)
    """As it was written, cleaned; blank once it was taken away. To be escaped wherever it is shown."""
    said_at = models.DateTimeField()
    hidden = models.BooleanField(default=False)
    """A moderator hides it from everybody."""

    class Meta:
        indexes: ClassVar = [models.Index(fields=["author", "said_at"], name="remarks_of_somebody")]

    def __str__(self) -> str:
        return str(self.public_id)


class IdempotencyKey(models.Model):
    """A request that had its effect, so that its repetition has none. Written in the effect's own transaction."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    method = models.CharField(max_length=10)
    path = models.CharField(max_length=200)
    key = models.CharField(max_length=200)
    fingerprint = models.BinaryField(max_length=32)
    """SHA-256 of the body: another body under the same key is a mistake."""
    location = models.CharField(max_length=200)
    """What the effect made: where its present state is read."""
    game = models.ForeignKey(Game, null=True, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "method", "path", "key"], name="one_effect_a_key")
        ]


class Heartbeat(models.Model):
    """When the clock was last seen alive: one row, so that downtime can be given back."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    at = models.DateTimeField()


class Result(models.Model):
    """What a seat made of a game that is over: the record of play is made of these, in the order of their ids."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="results", db_index=False)
    seat = models.PositiveSmallIntegerField()
    account = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="results")
    """Who sat there; null for a house player, and for one who deleted their account."""
    house = models.BooleanField()
    won = models.BooleanField()
    asked = models.PositiveIntegerField()
    """How many questions put to this seat were answered, by whomever."""
    in_time = models.PositiveIntegerField()
    """How many of them the clock did not have to answer."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["game", "seat"], name="one_result_a_seat")]

    def __str__(self) -> str:
        return f"{self.game_id}:{self.seat}"


class Record(models.Model):
    """What somebody has played so far, in one game at tables of one kind; ``manage.py rate --again`` makes it anew."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="records")
    """Whose record it is; null for that of the house players, who all play alike."""
    rules = models.CharField(max_length=40)
    seats = models.PositiveSmallIntegerField()
    """The number of players at these tables; 0 for the record over all of them."""
    with_house = models.BooleanField()
    """Whether house players sat at these tables: they are rated apart from tables of people alone."""
    games = models.PositiveIntegerField(default=0)
    wins = models.PositiveIntegerField(default=0)
    asked = models.PositiveIntegerField(default=0)
    in_time = models.PositiveIntegerField(default=0)
    mean = models.FloatField(default=25)
    """The skill as the rating believes it to be (openskill's mu)."""
    doubt = models.FloatField(default=25 / 3)
    """How unsure the rating is of it (openskill's sigma)."""

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["account", "rules", "seats", "with_house"], name="one_record_a_player", nulls_distinct=False
            )
        ]
        indexes: ClassVar = [models.Index(fields=["rules", "seats", "with_house"], name="record_by_table")]

    def __str__(self) -> str:
        return f"{self.account_id} {self.rules} {self.seats}"


class Invitation(models.Model):
    """Somebody at an open table asks the owner of an address, perhaps a stranger's, to sit down there."""

    class State(models.TextChoices):
        OPEN = "open"
        JOINED = "joined"
        DECLINED = "declined"
        WITHDRAWN = "withdrawn"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="invitations")
    inviter = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    address = models.EmailField(max_length=254, blank=True)
    """In lower case; blank once it is needed no more. What is counted and compared are keyed hashes."""
    mailbox = models.BinaryField(max_length=32)
    """The keyed hash of the address (``notifications.silence.digest``)."""
    domain = models.BinaryField(max_length=32)
    """The keyed hash of the address' domain."""
    language = models.CharField(max_length=2)
    """In which the invitation is written, and which an account that follows from it has."""
    account = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    """Who joined by it."""
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    created_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["created_at"], name="invitation_by_age")]

    def __str__(self) -> str:
        return str(self.pk)
