"""Clubs and tournaments."""

import secrets
import uuid
from typing import ClassVar, Final

from django.conf import settings
from django.contrib.postgres.functions import RandomUUID
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now

from config.core.crypto import UnreadableText, decrypt
from games.models.game import CODE_LENGTH, SEED_BYTES, new_code

LONGEST_NAME: Final = 60
LONGEST_ABOUT: Final = 300


LONGEST_HANDLE: Final = 255
SECRETS: Final = "table-channels"
"""The purpose for which the secrets of these chats are encrypted."""


class Chat(models.Model):
    """A group chat, and the data needed to post there."""

    app = models.CharField(max_length=20)
    """The name of the notification channel for its app."""
    address = models.CharField(max_length=2000, blank=True)
    secret = models.TextField()
    """The encrypted secret for posting."""
    language = models.CharField(max_length=7, choices=settings.LANGUAGES)
    endpoint = models.UUIDField(default=uuid.uuid4, db_default=RandomUUID(), db_index=True)
    """The id of this connection in the outbox. Messages to a chat that was replaced are dropped."""

    class Meta:
        abstract = True

    def readable_secret(self) -> str | None:
        """Return the secret, or None if ``SECRET_KEY`` has changed."""
        try:
            return decrypt(self.secret, SECRETS)
        except UnreadableText:
            return None


class TableChannel(Chat):
    """The group chat of one game. The state of the game is one message there, which is edited in place."""

    game = models.OneToOneField("games.Game", models.CASCADE, primary_key=True, related_name="channel")
    message = models.CharField(max_length=255, blank=True)
    """The app's id of the message that is edited, or blank without one."""
    told = models.BinaryField(max_length=32, default=bytes)
    """The public head of the game for which a message was ordered last."""
    text = models.CharField(max_length=64, blank=True)
    """The hash of the message's text."""
    next_change_at = models.DateTimeField(db_default=Now(), db_index=True)
    """The earliest time of the next change of the message."""
    stopped_at = models.DateTimeField(null=True)
    """The time since which nothing is posted, because a message was given up."""
    remind_at = models.DateTimeField(null=True, db_index=True)
    """The time of the reminder about the present state of the game, or null without one."""

    def __str__(self) -> str:
        return f"{self.app} of {self.game_id}"


class Handle(models.Model):
    """The handle by which an account is mentioned in a chat."""

    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    handle = models.CharField(max_length=LONGEST_HANDLE)

    class Meta:
        abstract = True


class TableHandle(Handle):
    """The handle of a player in the chat of one game."""

    channel = models.ForeignKey(TableChannel, models.CASCADE, related_name="handles", db_index=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["channel", "account"], name="one_handle_a_player"),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} in {self.channel_id}"


class Club(models.Model):
    """A group of accounts. Only its members, and people with its link, can see that it exists."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=LONGEST_NAME)
    about = models.CharField(max_length=LONGEST_ABOUT, blank=True)
    code = models.CharField(max_length=CODE_LENGTH, unique=True, default=new_code)
    """The random part of its link. A new code makes the old link useless."""
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class Membership(models.Model):
    """The membership of an account in a club."""

    class Role(models.TextChoices):
        OWNER = "owner"
        """A club has exactly one owner."""
        ORGANIZER = "organizer"
        MEMBER = "member"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships", db_index=False)
    account = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=9, choices=Role, default=Role.MEMBER)
    hears = models.BooleanField(default=True)
    """True if the member is notified of each new game of the club."""
    joined_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["club", "account"], name="one_membership_a_person"),
            models.UniqueConstraint(fields=["club"], condition=Q(role="owner"), name="one_owner_a_club"),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} in {self.club_id}"


class ClubChannel(Chat):
    """The group chat of a club. Each game of the club gets a channel to it."""

    club = models.OneToOneField(Club, models.CASCADE, primary_key=True, related_name="channel")
    account = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    """The organizer who connected the chat and owns its secret."""

    def __str__(self) -> str:
        return f"{self.app} of {self.club_id}"


class ClubHandle(Handle):
    """The handle of a member in the chat of a club."""

    channel = models.ForeignKey(ClubChannel, models.CASCADE, related_name="handles", db_index=False)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["channel", "account"], name="one_handle_a_member"),
        ]

    def __str__(self) -> str:
        return f"{self.account_id} in {self.channel_id}"


def new_tournament_seed() -> bytes:
    """Return a new random seed for the draws of a tournament, made before any player enters."""
    return secrets.token_bytes(SEED_BYTES)


class Tournament(models.Model):
    """A tournament and its state. Its terms are fixed when it is created."""

    class Format(models.TextChoices):
        SWISS = "swiss"
        ROUND_ROBIN = "round-robin"
        KNOCK_OUT = "knock-out"
        LEAGUE = "league"
        """A season of a league. When it is over, the next one opens."""

    class State(models.TextChoices):
        OPEN = "open"
        """Players can enter."""
        STARTING = "starting"
        """Entries are closed. The first round waits for the beacon."""
        RUNNING = "running"
        OVER = "over"
        CANCELLED = "cancelled"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    name = models.CharField(max_length=LONGEST_NAME)
    about = models.CharField(max_length=LONGEST_ABOUT, blank=True)
    club = models.ForeignKey("games.Club", null=True, on_delete=models.CASCADE, related_name="tournaments")
    """The club whose members can see it and enter. Null for a public tournament."""
    host = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="tournaments")
    format = models.CharField(max_length=11, choices=Format)
    rules = models.CharField(max_length=40)
    options = models.JSONField(default=dict)
    """The chosen options of its games. All others have their defaults."""
    speed = models.CharField(max_length=10)
    """The name of a speed (``games.terms``)."""
    spectator_delay = models.DurationField(null=True)
    """The delay with which spectators see its games."""
    table_size = models.PositiveSmallIntegerField()
    """The maximum number of players at a table."""
    rounds = models.PositiveSmallIntegerField(null=True)
    """The number of rounds of a Swiss tournament. Null in other formats, which end by themselves."""
    advance = models.PositiveSmallIntegerField(null=True)
    """In a knock-out, the number of players at each table who reach the next round."""
    league = models.UUIDField(null=True)
    """The id of the first season of its league. Null in other formats, like all fields of leagues."""
    season = models.PositiveSmallIntegerField(null=True)
    """The number of the season, from 1."""
    division_size = models.PositiveSmallIntegerField(null=True)
    """The number of players in each division. The last one may have fewer."""
    promoted = models.PositiveSmallIntegerField(null=True)
    """The number of players who move up from each division, and of players who move down."""
    season_break = models.DurationField(null=True)
    """The time from the end of a season to the beginning of the next."""
    most = models.PositiveSmallIntegerField()
    """The maximum number of entries."""
    round_length = models.DurationField()
    """The maximum length of a round."""
    starts_at = models.DateTimeField()
    """The time at which it begins, unless its organizer starts it earlier."""
    state = models.CharField(max_length=9, choices=State, default=State.OPEN)
    seed = models.BinaryField(max_length=SEED_BYTES, default=new_tournament_seed)
    """The seed never leaves the server before the tournament is over."""
    commitment = models.CharField(max_length=64)
    beacon_round = models.PositiveBigIntegerField(null=True)
    """The round of the public beacon that is mixed into the draws, or null without a beacon."""
    beacon_signature = models.CharField(max_length=96, blank=True)
    look_at = models.DateTimeField(null=True)
    """The time of the next check. The end of a game leads to an earlier one. Null if nothing is left to do."""
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True)
    ended_at = models.DateTimeField(null=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["look_at"], condition=Q(look_at__isnull=False), name="tournament_to_look_at"),
            models.Index(fields=["created_at", "id"], name="tournament_by_age"),
            models.Index(fields=["league", "season"], condition=Q(league__isnull=False), name="season_of_league"),
        ]

    def __str__(self) -> str:
        return self.name


class TournamentEntry(models.Model):
    """A player of a tournament."""

    class Movement(models.TextChoices):
        UP = "up"
        DOWN = "down"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="entries", db_index=False)
    number = models.PositiveSmallIntegerField()
    """The number of the entry in order of arrival, from 1. The draws use only this number."""
    account = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="entries")
    division = models.PositiveSmallIntegerField(null=True)
    """The division in a league, from 1, the highest. Null until the season begins."""
    sits_out = models.JSONField(default=list)
    """The numbers of the rounds that the player will sit out."""
    hears = models.BooleanField(default=True)
    """True if the player is notified of each new round and of the end."""
    absences = models.PositiveSmallIntegerField(default=0)
    """The number of games in a row that ended while a bot replaced the absent player."""
    withdrawn_at = models.DateTimeField(null=True)
    place = models.PositiveSmallIntegerField(null=True)
    """The place in the final standings. In a league: in the standings of the division."""
    movement = models.CharField(max_length=4, choices=Movement, blank=True, db_default="")
    """The direction of the player's change of division after the season."""
    joined_at = models.DateTimeField()

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_entry_a_number"),
            models.UniqueConstraint(fields=["tournament", "account"], name="one_entry_a_person"),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}:{self.number}"


class TournamentRound(models.Model):
    """A round of a tournament. It exists from its draw on."""

    tournament = models.ForeignKey(Tournament, models.CASCADE, related_name="drawn_rounds", db_index=False)
    number = models.PositiveSmallIntegerField()
    begins_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    """The latest time at which the round ends."""
    ended_at = models.DateTimeField(null=True)

    class Meta:
        ordering: ClassVar = ["number"]
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["tournament", "number"], name="one_round_a_number"),
            models.UniqueConstraint(
                fields=["tournament"], condition=Q(ended_at__isnull=True), name="one_round_at_a_time"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament_id}:{self.number}"


class Pairing(models.Model):
    """An entry's part in a round: a seat at a table, a bye, or a round that the player sits out."""

    class Kind(models.TextChoices):
        TABLE = "table"
        BYE = "bye"
        REST = "rest"

    round = models.ForeignKey(TournamentRound, models.CASCADE, related_name="pairings", db_index=False)
    entry = models.ForeignKey(TournamentEntry, models.CASCADE, related_name="pairings")
    kind = models.CharField(max_length=5, choices=Kind)
    table = models.PositiveSmallIntegerField(null=True)
    """The number of the table in its round, from 1."""
    seat = models.PositiveSmallIntegerField(null=True)
    game = models.ForeignKey("games.Game", null=True, on_delete=models.SET_NULL, related_name="pairings")
    place = models.PositiveSmallIntegerField(null=True)
    """The place at the table, once the game or the round is over. Equal results share a place."""

    class Meta:
        ordering: ClassVar = ["table", "seat"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["round", "entry"], name="one_part_a_round")]
        indexes: ClassVar = [
            models.Index(fields=["game"], condition=Q(kind="table", place__isnull=True), name="pairing_to_settle")
        ]

    def __str__(self) -> str:
        return f"{self.entry_id} in {self.round_id}"
