"""Games, their seats, invitations to them, and offers of a rematch."""

import secrets
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Final

import msgspec
from django.conf import settings
from django.db import models
from django.db.models import Q

from config.core.crypto import keyed_hashes
from games.engine import chain
from games.engine.chain import deal_head
from games.engine.types import BALANCED, NORMAL, SeatNumber
from games.terms import GameTerms

SEED_BYTES: Final = 32
_CODE_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
CODE_LENGTH: Final = 12


def new_seed() -> bytes:
    """Return a new random seed. A game gets one when it is created."""
    return secrets.token_bytes(SEED_BYTES)


def new_code() -> str:
    """Return a new code for joining a private game: about 59 bits, without letters that look alike.

    It begins with a letter, because a digit beside a Persian word would change its place in the subject of an email.
    """
    first = secrets.choice(_CODE_LETTERS.rstrip("23456789"))
    return first + "".join(secrets.choice(_CODE_LETTERS) for _ in range(CODE_LENGTH - 1))


def commitment_of(game: uuid.UUID, seed: bytes) -> str:
    """Return the commitment to a seed, which is published before the game, so that the seed can be checked
    afterwards.
    """
    return chain.commitment(str(game), seed)


def player_id(game: uuid.UUID, account: int) -> str:
    """Return the id by which the log of one game knows an account."""
    return player_ids(game, account)[0]


def player_ids(game: uuid.UUID, account: int) -> list[str]:
    """Return the id of an account in a game, and those under former values of ``SECRET_KEY``."""
    return [digest.hex() for digest in keyed_hashes("games.models.player_id", f"{game}|{account}")]


@dataclass(frozen=True)
class Bot:
    """A Darbar bot with the level and style that the host has chosen (``games.engine.search``)."""

    level: str = NORMAL
    style: str = BALANCED


class StructField(models.JSONField):
    """Stores a struct as JSON. Durations are in ISO 8601 format, which PostgreSQL reads as intervals."""

    def __init__(self, struct: type[msgspec.Struct], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.struct = struct

    def deconstruct(self) -> Any:
        name, path, args, kwargs = super().deconstruct()
        return name, path, args, {**kwargs, "struct": self.struct}

    def decode(self, text: str) -> msgspec.Struct:
        return msgspec.json.decode(text, type=self.struct)

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        return self.decode(value) if isinstance(value, str) else value

    def get_prep_value(self, value: Any) -> Any:
        return msgspec.to_builtins(value) if isinstance(value, msgspec.Struct) else value


class Game(models.Model):
    """A game and its table."""

    class State(models.TextChoices):
        OPEN = "open"
        """Players can still join."""
        STARTING = "starting"
        """All seats are taken. The deal waits for revealed seeds or for the beacon."""
        RUNNING = "running"
        OVER = "over"
        """The game was played to its end. Everything is open to its players."""
        CANCELLED = "cancelled"
        """The game never started. Its commitment stays public."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code)
    guest_token = models.CharField(max_length=22, default="", db_default="", blank=True)
    """The secret of the link by which guests join, until the game starts. Blank if the host has made no link."""
    has_guests = models.BooleanField(default=False, db_default=False)
    """True if the game started with a guest beside other people. Such a game is not rated."""
    rules = models.CharField(max_length=40)
    rules_version = models.PositiveSmallIntegerField()
    options = models.JSONField(default=dict)
    """The options as chosen by the host, complete with defaults, as the game's own JSON."""
    seat_count = models.PositiveSmallIntegerField()
    """The number of seats at the table."""
    bot_count = models.PositiveSmallIntegerField(default=0)
    """The number of seats that are reserved for bots."""
    chosen_bots = models.JSONField(default=list)
    """The level and style of each bot in the order of their seats. Missing ones have the default."""
    terms = StructField(GameTerms, default=GameTerms)
    private = models.BooleanField(default=False)
    club = models.ForeignKey("games.Club", null=True, on_delete=models.SET_NULL, related_name="games")
    """The club whose members can see the game and join. The game is private then."""
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="hosted_games"
    )
    spectator_delay = models.DurationField(null=True)
    """The delay with which spectators see the game, or null for no delay."""
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    seed = models.BinaryField(max_length=SEED_BYTES, default=new_seed)
    """The seed never leaves the server before the game is over, in any form."""
    commitment = models.CharField(max_length=64)
    due_at = models.DateTimeField(null=True)
    """The latest moment until which players of the open questions may answer. Other players see only this."""
    version = models.PositiveIntegerField(default=0)
    """The number of events in the log."""
    draws = models.PositiveIntegerField(default=0)
    """The number of draws of chance in the log."""
    head = models.BinaryField(max_length=32, default=bytes)
    """The head of the log's chain (``games.engine.chain``). It reveals that hidden events happened, so it is not shown.
    """
    public_head = models.BinaryField(max_length=32, default=bytes)
    """The head after the last event that is public. This is the head that is published."""
    shown = models.JSONField(default=list)
    """For a spectator and each seat, the number of log lines that they are shown. Empty if nothing is hidden."""
    rematch = models.OneToOneField("self", null=True, on_delete=models.SET_NULL, related_name="first_match")
    """The game of the players who accepted a rematch of this one."""
    beacon_round = models.PositiveBigIntegerField(null=True)
    """The round of the public beacon that is mixed into the draws, or null without a beacon."""
    deal_list = models.TextField(blank=True, default="", db_default="")
    """The list that a protected deal follows from (``games.engine.chain``); blank if there is none."""
    start_check_at = models.DateTimeField(null=True)
    """The time of the next check whether a starting game can be dealt. Null in other states."""
    paused_until = models.DateTimeField(null=True)
    """The end of the present pause."""
    outages_until = models.DateTimeField(null=True)
    """The end of the last outage of email for which deadlines were moved."""
    stalled_since = models.DateTimeField(null=True)
    """The time since which moves cannot be resolved (``games.play.outages``). No deadline passes from then on."""
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)
    counted = models.BooleanField(default=False)
    """True if the results are included in the statistics."""
    arena = models.BooleanField(default=False, db_default=False)
    """True for a game of the arena, which only bots play (``games.tables.arena``)."""

    is_held_back = False
    """True for an object in memory that shows an earlier time of the game (``games.visibility.access``). Never stored.
    """
    own_seat: SeatNumber | None = None
    """The seat of the viewer of this object (``games.visibility.access``). Never stored."""

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=Q(bot_count__lte=models.F("seat_count")), name="bots_within_seats")
        ]
        indexes: ClassVar = [
            models.Index(fields=["created_at", "id"], name="game_by_age"),
            models.Index(fields=["state", "created_at", "id"], name="game_of_state_by_age"),
            models.Index(fields=["ended_at", "id"], condition=Q(state="over", counted=False), name="game_to_count"),
            models.Index(fields=["rules", "-ended_at"], condition=Q(state="over"), name="game_over_of_title"),
            models.Index(fields=["state", "created_at"], condition=Q(arena=True), name="game_of_arena"),
            models.Index(fields=["ended_at"], condition=Q(arena=True), name="game_of_arena_by_end"),
            models.Index(fields=["start_check_at"], condition=Q(state="starting"), name="game_starting"),
            models.Index(fields=["paused_until"], condition=Q(paused_until__isnull=False), name="game_paused"),
        ]

    def __str__(self) -> str:
        return str(self.id)

    @property
    def deal_head(self) -> str:
        """The published digest of the list of the deal; blank if there is no list."""
        return deal_head(self.deal_list)

    @property
    def bots(self) -> tuple[Bot, ...]:
        """The Darbar bots that play from the beginning, or that will."""
        bots = tuple(Bot(**bot) for bot in self.chosen_bots)
        return bots + (Bot(),) * (self.bot_count - len(bots))

    def names(self) -> Mapping[SeatNumber, str]:
        """The names of the players by seat. A player whose account was deleted has none."""
        models.prefetch_related_objects([self], "seats__account")
        return {SeatNumber(seat.number): seat.player for seat in self.seats.all()}


GOING: Final = (Game.State.OPEN, Game.State.STARTING, Game.State.RUNNING)
"""The states of a game that has not ended."""


class Seat(models.Model):
    """A seat and its player. The log has seats only; the player's account is here, and can be deleted."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats", db_index=False)
    number = models.PositiveSmallIntegerField()
    account = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="seats")
    bot = models.BooleanField(default=False)
    """True if a Darbar bot is the player of this seat."""
    name = models.CharField(max_length=40, blank=True)
    """The name of a bot. The name of a person is in their account."""
    level = models.CharField(max_length=10, default=NORMAL)
    """The level of the bot that plays this seat, or replaces its player for now."""
    style = models.CharField(max_length=10, default=BALANCED)
    """The bot's style."""
    seed = models.CharField(max_length=2 * SEED_BYTES, blank=True)
    """The player's part of the seed, in hexadecimal. Blank for a bot, and before it is revealed."""
    seed_commitment = models.CharField(max_length=64, blank=True)
    """The digest of a seed that the player reveals once all seats are taken. Blank without a commitment."""
    missed = models.PositiveSmallIntegerField(default=0)
    """The number of questions in a row that timed out for this player and count as missed."""
    spared = models.BooleanField(default=False)
    """True if the player's first timeout in this game was already forgiven."""
    away = models.BooleanField(default=False)
    """True if a bot replaces the absent player for now."""
    returning = models.BooleanField(default=False)
    """True if the player has come back during a window. The other players see it when the window closes."""
    stand_in = models.ForeignKey(
        "games.StandIn", null=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )
    """The stand-in who answers for this player at the moment."""
    plan_count = models.PositiveIntegerField(default=0)
    """The number of plans of this seat. If it is 0, no plans need to be read."""
    time_bank = models.DurationField(null=True)
    """The rest of the seat's time bank. Null if nothing was taken from it, and in games without time banks."""

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["game", "number"], name="one_player_a_seat"),
            models.UniqueConstraint(fields=["game", "account"], name="one_seat_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}:{self.number}"

    @property
    def by_bot(self) -> bool:
        """True if a bot answers for this seat, as its player or for an absent player."""
        return self.bot or (self.away and not self.returning)

    @property
    def offered(self) -> bool:
        """True if another player can take this seat by invitation."""
        offering = self.game.state == Game.State.RUNNING and self.game.terms.absence == "invite"
        return self.away and offering

    @property
    def player(self) -> str:
        """The name of the player on this seat."""
        return self.account.name if self.account is not None else self.name


class Invitation(models.Model):
    """An invitation of the owner of an email address to a game. The owner may have no account."""

    class State(models.TextChoices):
        OPEN = "open"
        JOINED = "joined"
        DECLINED = "declined"
        WITHDRAWN = "withdrawn"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="invitations")
    inviter = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    seat = models.PositiveSmallIntegerField(null=True)
    """The offered seat of a running game. Null for an open game, where the next free seat is taken."""
    address = models.EmailField(max_length=254, blank=True)
    """In lower case. Blank once it is no longer needed: limits and comparisons use keyed hashes."""
    mailbox = models.BinaryField(max_length=32)
    """The keyed hash of the address (``notifications.deliverability.suppression_digest``)."""
    domain = models.BinaryField(max_length=32)
    """The keyed hash of the address' domain."""
    language = models.CharField(max_length=2)
    """The language of the invitation, and of an account that is created by it."""
    note = models.CharField(max_length=200, blank=True)
    """The inviter's message to the owner of the address. Blank once it is no longer needed."""
    account = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    """The account that joined with this invitation."""
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    created_at = models.DateTimeField()
    answered_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [models.Index(fields=["created_at"], name="invitation_by_age")]

    def __str__(self) -> str:
        return str(self.pk)


class RematchOffer(models.Model):
    """The offer of a rematch to the players of a finished game. A game has at most one."""

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="rematch_offer")
    """The finished game. ``Game.rematch`` is the game that follows from the offer."""
    seat = models.PositiveSmallIntegerField()
    """The seat of the player who offered it."""
    options = models.JSONField(default=dict)
    """The options that differ from the finished game."""
    created_at = models.DateTimeField()
    until = models.DateTimeField()
    """The time at which the game starts without the players who have not answered."""
    open = models.BooleanField(default=True)
    """False once the game has started, or too few players have accepted."""

    class Meta:
        indexes: ClassVar = [models.Index(fields=["until"], condition=Q(open=True), name="rematch_offer_open")]

    def __str__(self) -> str:
        return str(self.game_id)


class RematchAnswer(models.Model):
    """The answer of a player of the finished game to the offer of a rematch."""

    offer = models.ForeignKey(RematchOffer, on_delete=models.CASCADE, related_name="answers", db_index=False)
    seat = models.PositiveSmallIntegerField()
    """The player's seat in the finished game."""
    accepted = models.BooleanField()
    seed = models.CharField(max_length=2 * SEED_BYTES, blank=True)
    """The player's part of the seed of the rematch. If it is blank, the server creates one."""
    seed_commitment = models.CharField(max_length=64, blank=True)
    """The digest of a seed that the player reveals before the deal. Blank without a commitment."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["offer", "seat"], name="one_rematch_answer_a_seat")]

    def __str__(self) -> str:
        return f"{self.offer_id}:{self.seat}"
