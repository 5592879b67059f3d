"""Table events: what happens in a game besides its own rules, and the fold of it.

Table events stand in the same log and the same numbering as the game's own. They hold seats, never names,
addresses or reasons, and everybody who may see the table may see them. Pure: no database, no clock.
"""

from datetime import datetime, timedelta
from typing import Final, Literal

import msgspec

from games.engine import beacon
from games.engine.types import Event, SeatNumber
from games.terms.game_terms import GameTerms


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


class Joined(TableEvent, frozen=True, tag="table.joined"):
    """A player took the next seat, and added a seed of their own to the game's chance."""

    seat: SeatNumber
    bot: bool = False
    level: str = ""
    """The level of a bot; blank for a person. So of its style."""
    style: str = ""
    seed: str = ""
    """In hexadecimal; blank for a bot, and for a player who committed to one."""
    seed_commitment: str = ""
    """The digest of a seed that the player reveals once all seats are taken (``chain.seed_commitment``)."""


class Left(TableEvent, frozen=True, tag="table.left"):
    """A player left before the game began; those after them moved up one seat."""

    seat: SeatNumber


class SeedsAwaited(TableEvent, frozen=True, tag="table.seeds-awaited"):
    """The table is full; players who committed to seeds reveal them until then."""

    until: datetime


class SeedRevealed(TableEvent, frozen=True, tag="table.seed-revealed"):
    """A player revealed the seed that they had committed to."""

    seat: SeatNumber
    seed: str


class BeaconAwaited(TableEvent, frozen=True, tag="table.beacon-awaited"):
    """The deal waits for this round of the public beacon, the first that is published after this event."""

    round: int
    key: str
    """The public key of the beacon, in hexadecimal."""


class BeaconPublished(TableEvent, frozen=True, tag="table.beacon-published"):
    """The signature of the round, in hexadecimal. Its SHA-256 is mixed into every draw of the game."""

    round: int
    signature: str


class Started(TableEvent, frozen=True, tag="table.started"):
    """The game began with this many seats; the events of its set-up follow."""

    seat_count: int


class GameCancelled(TableEvent, frozen=True, tag="table.cancelled"):
    """The game was cancelled before it began: all players had left, or its deal could not be protected."""


class DeadlinesMoved(TableEvent, frozen=True, tag="table.deadlines-moved"):
    """Every open deadline was moved back by this many seconds: the server was down, or its clock was set forward."""

    seconds: int


class EmailOutage(TableEvent, frozen=True, tag="table.email-outage"):
    """Emails could not be sent for a time: every open deadline was moved back by this many seconds."""

    seconds: int


class DueLater(TableEvent, frozen=True, tag="table.due-later"):
    """The players have this many seconds more for what is asked now. It is not told whose deadline it is, and why."""

    seconds: int


class TimeBankChanged(TableEvent, frozen=True, tag="table.time-bank-changed"):
    """A player's time bank after a move: what it took is taken off and the increment added. In seconds."""

    seat: SeatNumber
    seconds: int


class PauseProposed(TableEvent, frozen=True, tag="table.pause-proposed"):
    """A player proposes a pause of this many seconds; it lapses unless everybody agrees by then."""

    seat: SeatNumber
    seconds: int
    lapses_at: datetime


class PauseAgreed(TableEvent, frozen=True, tag="table.pause-agreed"):
    """A player agrees to the pause that was proposed."""

    seat: SeatNumber


class PauseDeclined(TableEvent, frozen=True, tag="table.pause-declined"):
    """Somebody declined, and the proposal is dropped. Nobody is told who declined."""


class Paused(TableEvent, frozen=True, tag="table.paused"):
    """The game is paused until then: every open deadline was moved back by this many seconds."""

    seconds: int
    until: datetime


class ResumeAgreed(TableEvent, frozen=True, tag="table.resume-agreed"):
    """A player wants the game to go on before the pause is over."""

    seat: SeatNumber


class Resumed(TableEvent, frozen=True, tag="table.resumed"):
    """The game goes on after this many seconds; deadlines were brought forward by what was left of the pause."""

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
    """A player has missed too many questions; a bot plays until they come back or somebody takes the seat."""

    seat: SeatNumber


class Returned(TableEvent, frozen=True, tag="table.returned"):
    """A player is back, and answers for themselves again."""

    seat: SeatNumber


class PlayerTakeover(TableEvent, frozen=True, tag="table.player-takeover"):
    """A new player has taken a seat that was offered; the player before is out of the game for good."""

    seat: SeatNumber


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


AnyStartingEvent = SeedsAwaited | SeedRevealed | BeaconAwaited | BeaconPublished
AnyPauseEvent = PauseProposed | PauseAgreed | PauseDeclined | Paused | ResumeAgreed | Resumed
AnySeatEvent = TemporaryTakeover | SeatOffered | Returned | PlayerTakeover | Forfeited | StandInNamed | StandInLeft
AnyTableEvent = (
    GameCreated
    | Joined
    | Left
    | Started
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

Phase = Literal["open", "starting", "running", "over", "cancelled"]


class Pause(msgspec.Struct, frozen=True):
    """A pause that was proposed, or that is on."""

    seconds: int
    ends_at: datetime
    """The time at which a proposal lapses, or at which a pause that is on is over."""
    agreed: tuple[SeatNumber, ...] = ()
    """The seats that agree, in that order, the proposer first; once it is on, those that agree to end it early."""
    on: bool = False

    @property
    def length(self) -> timedelta:
        """The length of the pause."""
        return timedelta(seconds=self.seconds)


class Table(msgspec.Struct, frozen=True):
    """A table as its events leave it."""

    seat_count: int
    """The number of seats; from the start on, the number of players."""
    bot_count: int
    terms: GameTerms = GameTerms()
    taken: int = 0
    """Seats 1 to this number are taken."""
    bots: tuple[tuple[SeatNumber, str, str], ...] = ()
    """The seat, level and style of each bot who sat down before the game began."""
    bot_seats: tuple[SeatNumber, ...] = ()
    seeds: tuple[str, ...] = ()
    """The players' own seeds in seat order, blank for bots, and for those who have not revealed theirs."""
    seed_commitments: tuple[str, ...] = ()
    """In seat order; blank for those who committed to none."""
    beacon_round: int | None = None
    beacon_signature: str = ""
    phase: Phase = "open"
    resigned: tuple[SeatNumber, ...] = ()
    """The seats that are out of the game, by their own wish or because they left too many questions unanswered."""
    away: tuple[SeatNumber, ...] = ()
    """For whom bots sit in."""
    stand_in_seats: tuple[SeatNumber, ...] = ()
    """The seats that have named a stand-in."""
    given_back: int = 0
    """The number of seconds by which deadlines were moved in all."""
    winners: tuple[SeatNumber, ...] = ()
    pause: Pause | None = None
    """The last one that was proposed, unless it has come to nothing; or the one that is on."""
    paused: int = 0
    """The number of seconds that the pauses that are over have taken in all."""
    time_banks: tuple[int | None, ...] = ()
    """In seat order, as far as it is known: how many seconds a time bank holds; None where nothing was taken yet."""

    @property
    def round(self) -> int | None:
        """The round of the beacon that the deal waits for, or that is mixed into it."""
        return self.beacon_round if self.phase == "starting" or self.beacon_signature else None

    @property
    def mixed_in(self) -> tuple[bytes, ...]:
        """The bytes that are mixed into each draw beside the server's seed: the players' seeds, then the beacon."""
        drawn = [beacon.randomness(self.beacon_signature)] if self.beacon_signature else []
        return (*(bytes.fromhex(seed) for seed in self.seeds if seed), *drawn)


_BLANK: Final = Table(seat_count=0, bot_count=0)


def fold(table: Table | None, event: Event) -> Table:
    """The table after ``event``. Total: what it does not know leaves the table as it was."""
    table = table or _BLANK
    change = msgspec.structs.replace
    match event:
        case GameCreated() | Joined() | Left() | Started() | GameCancelled():
            return _fold_opening(table, event)
        case SeedsAwaited() | SeedRevealed() | BeaconAwaited() | BeaconPublished():
            return _fold_starting(table, event)
        case DeadlinesMoved(seconds=seconds) | EmailOutage(seconds=seconds):
            return change(table, given_back=table.given_back + seconds)
        case TimeBankChanged(seat=seat, seconds=seconds):
            time_banks = (*table.time_banks, *(None for _ in range(len(table.time_banks), seat)))
            return change(table, time_banks=(*time_banks[: seat - 1], seconds, *time_banks[seat:]))
        case PauseProposed() | PauseAgreed() | PauseDeclined() | Paused() | ResumeAgreed() | Resumed():
            return _fold_pause(table, event)
        case Resigned(seat=seat):
            return change(table, resigned=(*table.resigned, seat))
        case BotTakeover(seat=seat):
            away, stand_in_seats = _without(table.away, seat), _without(table.stand_in_seats, seat)
            return change(table, bot_seats=_with(table.bot_seats, seat), away=away, stand_in_seats=stand_in_seats)
        case _ if isinstance(event, AnySeatEvent):
            return _fold_seat(table, event)
        case Ended(winners=winners):
            return change(table, phase="over", winners=winners, pause=None)
    return table


def _fold_opening(table: Table, event: GameCreated | Joined | Left | Started | GameCancelled) -> Table:
    change = msgspec.structs.replace
    match event:
        case GameCreated(seat_count=seat_count, bot_count=bot_count, terms=terms):
            return Table(seat_count=seat_count, bot_count=bot_count, terms=terms)
        case Joined(seat=seat, bot=bot):
            bot_seats = (*table.bot_seats, seat) if bot else table.bot_seats
            seeds, commitments = (*table.seeds, event.seed), (*table.seed_commitments, event.seed_commitment)
            bots = (*table.bots, (seat, event.level, event.style)) if bot else table.bots
            return change(table, taken=seat, bot_seats=bot_seats, bots=bots, seeds=seeds, seed_commitments=commitments)
        case Left(seat=seat):
            seeds, commitments = (each[: seat - 1] + each[seat:] for each in (table.seeds, table.seed_commitments))
            return change(table, taken=table.taken - 1, seeds=seeds, seed_commitments=commitments)
        case Started(seat_count=seat_count):
            return change(table, seat_count=seat_count, phase="running")
        case GameCancelled():
            return change(table, phase="cancelled")


def _fold_starting(table: Table, event: AnyStartingEvent) -> Table:
    change = msgspec.structs.replace
    match event:
        case SeedRevealed(seat=seat, seed=seed):
            return change(table, seeds=(*table.seeds[: seat - 1], seed, *table.seeds[seat:]))
        case BeaconAwaited(round=round):
            return change(table, phase="starting", beacon_round=round)
        case BeaconPublished(signature=signature):
            return change(table, beacon_signature=signature)
        case SeedsAwaited():
            return change(table, phase="starting")


def _fold_seat(table: Table, event: AnySeatEvent) -> Table:
    change, seat = msgspec.structs.replace, event.seat
    match event:
        case TemporaryTakeover() | SeatOffered():
            return change(table, away=_with(table.away, seat))
        case Returned() | PlayerTakeover():
            return change(table, away=_without(table.away, seat))
        case Forfeited():
            return change(table, resigned=(*table.resigned, seat))
        case StandInNamed():
            return change(table, stand_in_seats=_with(table.stand_in_seats, seat))
        case StandInLeft():
            return change(table, stand_in_seats=_without(table.stand_in_seats, seat))


def _with(seats: tuple[SeatNumber, ...], seat: SeatNumber) -> tuple[SeatNumber, ...]:
    return tuple(sorted({*seats, seat}))


def _without(seats: tuple[SeatNumber, ...], seat: SeatNumber) -> tuple[SeatNumber, ...]:
    return tuple(each for each in seats if each != seat)


def _fold_pause(table: Table, event: AnyPauseEvent) -> Table:
    change = msgspec.structs.replace
    match event, table.pause:
        case PauseProposed(seat=seat, seconds=seconds, lapses_at=lapses_at), _:
            return change(table, pause=Pause(seconds, lapses_at, (seat,)))
        case ((PauseAgreed(seat=seat) | ResumeAgreed(seat=seat)), Pause(agreed=agreed) as pause):
            return change(table, pause=change(pause, agreed=(*agreed, seat)))
        case PauseDeclined(), _:
            return change(table, pause=None)
        case Paused(seconds=seconds, until=until), _:
            return change(table, pause=Pause(seconds, until, on=True))
        case Resumed(seconds=seconds), _:
            return change(table, pause=None, paused=table.paused + seconds)
    return table
