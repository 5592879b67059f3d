"""Table events: the events of a game that are not events of its rules. ``table`` folds them.

Table events are in the same log and have the same numbering as the events of the rules. They contain seats, but never
names, addresses or reasons, and everyone who may see the game may see them. Pure: no database, no clock.
"""

from datetime import datetime

from games.engine.types import Event, SeatNumber
from games.terms import GameTerms


class TableEvent(Event, frozen=True):
    """Something that the table folds and the game does not know of."""


class GameCreated(TableEvent, frozen=True, tag="table.created"):
    """A game was created; its host sits on seat 1. The commitment binds the server to the game's seed."""

    rules: str
    version: int
    seat_count: int
    bot_count: int
    commitment: str
    terms: GameTerms
    private: bool = False
    spectator_delay: int | None = None
    """In seconds; null if people who look on see the game without a delay."""
    arena: bool = False


class Joined(TableEvent, frozen=True, tag="table.joined"):
    """A player took the next seat, and added a seed of their own to the game's chance."""

    seat: SeatNumber
    bot: bool = False
    level: str = ""
    """The level of a bot; blank for a person."""
    style: str = ""
    """The style of a bot; blank for a person."""
    seed: str = ""
    """In hexadecimal; blank for a bot, and for a player who committed to one."""
    seed_commitment: str = ""
    """The digest of a seed that the player reveals once all seats are taken (``chain.seed_commitment``)."""
    player: str = ""
    """The id of the account in this game alone: a keyed hash, which tells nothing once the account is deleted. Blank
    for a bot."""


class Left(TableEvent, frozen=True, tag="table.left"):
    """A player left before the game started; those after them moved up one seat."""

    seat: SeatNumber


class DealListed(TableEvent, frozen=True, tag="table.deal-listed"):
    """The table is full, and the list that the deal follows from is fixed. Players no longer join or leave."""

    key: str
    """The public key of the beacon that is awaited, in hexadecimal; blank if there is none."""
    head: str
    """The digest of the list (``games.engine.chain``), without the round of the beacon."""


class SeedsAwaited(TableEvent, frozen=True, tag="table.seeds-awaited"):
    """Players who committed to seeds reveal them until then."""

    until: datetime


class SeedRevealed(TableEvent, frozen=True, tag="table.seed-revealed"):
    """A player revealed the seed that they had committed to."""

    seat: SeatNumber
    seed: str


class SeedMissing(TableEvent, frozen=True, tag="table.seed-missing"):
    """The seed that the player on this seat had promised was not revealed in time."""

    seat: SeatNumber


class BeaconAwaited(TableEvent, frozen=True, tag="table.beacon-awaited"):
    """The deal waits for this round of the public beacon: the first that is published half a minute after this event,
    so that the list of the deal can be kept before."""

    round: int
    key: str
    """The public key of the beacon, in hexadecimal."""
    head: str
    """The digest of the list of the deal, with the round in it."""


class BeaconPublished(TableEvent, frozen=True, tag="table.beacon-published"):
    """The signature of the round, in hexadecimal. Its SHA-256 is mixed into every draw of the game."""

    round: int
    signature: str


class Started(TableEvent, frozen=True, tag="table.started"):
    """The game started with this many seats; the events of its set-up follow."""

    seat_count: int


class PositionCopied(TableEvent, frozen=True, tag="table.position-copied"):
    """A practice game goes on from a finished game, whose events up to a line follow."""

    game: str
    """The id of the finished game."""
    line: int
    """The number of the line in its log."""


class GameCancelled(TableEvent, frozen=True, tag="table.cancelled"):
    """The game was cancelled before it started: all players had left, or its deal could not be protected."""


class DeadlinesMoved(TableEvent, frozen=True, tag="table.deadlines-moved"):
    """Every open deadline was moved back by this many seconds: the server was down, or its clock was set forward."""

    seconds: int


class EmailOutage(TableEvent, frozen=True, tag="table.email-outage"):
    """Emails could not be sent for a time: every open deadline was moved back by this many seconds."""

    seconds: int


class DueLater(TableEvent, frozen=True, tag="table.due-later"):
    """The players have this number of seconds more for the open questions. It is not shown whose deadline it is, nor
    why.
    """

    seconds: int


class TimeBankChanged(TableEvent, frozen=True, tag="table.time-bank-changed"):
    """The time bank of a player after a move, in seconds: the used time is subtracted and the increment added."""

    seat: SeatNumber
    seconds: int


class PauseProposed(TableEvent, frozen=True, tag="table.pause-proposed"):
    """A player proposes a pause of this many seconds. The proposal expires unless all players agree in time."""

    seat: SeatNumber
    seconds: int
    lapses_at: datetime


class PauseAgreed(TableEvent, frozen=True, tag="table.pause-agreed"):
    """A player agrees to the pause that was proposed."""

    seat: SeatNumber


class PauseDeclined(TableEvent, frozen=True, tag="table.pause-declined"):
    """A player declined, and the proposal is dropped. The event does not say who declined."""


class Paused(TableEvent, frozen=True, tag="table.paused"):
    """The game is paused until then: every open deadline was moved back by this many seconds."""

    seconds: int
    until: datetime


class ResumeAgreed(TableEvent, frozen=True, tag="table.resume-agreed"):
    """A player wants the game to go on before the pause is over."""

    seat: SeatNumber


class Resumed(TableEvent, frozen=True, tag="table.resumed"):
    """The game goes on after this number of seconds. Deadlines moved forward by the unused part of the pause."""

    seconds: int


class Resigned(TableEvent, frozen=True, tag="table.resigned"):
    """A player resigned; the events of the rules follow."""

    seat: SeatNumber


class BotTakeover(TableEvent, frozen=True, tag="table.bot-takeover"):
    """A bot has taken the seat of a player who left the server."""

    seat: SeatNumber


class TemporaryTakeover(TableEvent, frozen=True, tag="table.temporary-takeover"):
    """A player has missed too many questions; a bot plays for them until they come back."""

    seat: SeatNumber


class SeatOffered(TableEvent, frozen=True, tag="table.seat-offered"):
    """A player has missed too many questions. A bot plays until they return or another player takes the seat."""

    seat: SeatNumber


class Returned(TableEvent, frozen=True, tag="table.returned"):
    """A player is back, and answers for themselves again."""

    seat: SeatNumber


class PlayerTakeover(TableEvent, frozen=True, tag="table.player-takeover"):
    """A new player has taken a seat that was offered; the player before is out of the game for good."""

    seat: SeatNumber
    player: str = ""
    """The id of their account in this game alone."""


class Forfeited(TableEvent, frozen=True, tag="table.forfeited"):
    """A player has missed too many questions, and is out of the game; the events of the rules follow."""

    seat: SeatNumber


class StandInNamed(TableEvent, frozen=True, tag="table.stand-in-named"):
    """A player has named a stand-in, who may answer for them for some time."""

    seat: SeatNumber


class StandInLeft(TableEvent, frozen=True, tag="table.stand-in-left"):
    """The player no longer has a stand-in."""

    seat: SeatNumber


class Ended(TableEvent, frozen=True, tag="table.ended"):
    """The game is over, and open to everyone who may see the table."""

    winners: tuple[SeatNumber, ...]


AnyStartingEvent = DealListed | SeedsAwaited | SeedRevealed | SeedMissing | BeaconAwaited | BeaconPublished
AnyPauseEvent = PauseProposed | PauseAgreed | PauseDeclined | Paused | ResumeAgreed | Resumed
AnySeatEvent = TemporaryTakeover | SeatOffered | Returned | PlayerTakeover | Forfeited | StandInNamed | StandInLeft
AnyTableEvent = (
    GameCreated
    | Joined
    | Left
    | Started
    | PositionCopied
    | GameCancelled
    | DeadlinesMoved
    | EmailOutage
    | DueLater
    | TimeBankChanged
    | Resigned
    | BotTakeover
    | Ended
    | AnyStartingEvent
    | AnyPauseEvent
    | AnySeatEvent
)
