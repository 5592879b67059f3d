"""The state of a table, and the function that folds table events into it. Pure: no database, no clock."""

from datetime import datetime, timedelta
from typing import Final, Literal

import msgspec

from games.engine import (
    chain,
)
from games.engine.types import Event, SeatNumber
from games.event_log.table_events import (
    AnyPauseEvent,
    AnySeatEvent,
    AnyStartingEvent,
    BeaconAwaited,
    BeaconPublished,
    BotTakeover,
    DeadlinesMoved,
    DealListed,
    EmailOutage,
    Ended,
    Forfeited,
    GameCancelled,
    GameCreated,
    Joined,
    Left,
    PauseAgreed,
    Paused,
    PauseDeclined,
    PauseProposed,
    PlayerTakeover,
    PositionCopied,
    Resigned,
    ResumeAgreed,
    Resumed,
    Returned,
    SeatOffered,
    SeedMissing,
    SeedRevealed,
    SeedsAwaited,
    StandInLeft,
    StandInNamed,
    Started,
    TemporaryTakeover,
    TimeBankChanged,
)
from games.terms import GameTerms

Phase = Literal["open", "starting", "running", "over", "cancelled"]


class Pause(msgspec.Struct, frozen=True):
    """A proposed pause, or the present pause."""

    seconds: int
    ends_at: datetime
    """The time at which a proposal expires, or at which the present pause ends."""
    agreed: tuple[SeatNumber, ...] = ()
    """The seats that agree, in the order of their votes. During a pause: those that vote for ending it early."""
    on: bool = False

    @property
    def length(self) -> timedelta:
        """The length of the pause."""
        return timedelta(seconds=self.seconds)


class Table(msgspec.Struct, frozen=True):
    """The state of a table after its events."""

    seat_count: int
    """The number of seats; from the start on, the number of players."""
    bot_count: int
    terms: GameTerms = GameTerms()
    private: bool = False
    spectator_delay: int | None = None
    arena: bool = False
    taken: int = 0
    """Seats 1 to this number are taken."""
    bots: tuple[tuple[SeatNumber, str, str], ...] = ()
    """The seat, level and style of each bot who sat down before the game began."""
    bot_seats: tuple[SeatNumber, ...] = ()
    seeds: tuple[str, ...] = ()
    """The players' own seeds in seat order. Blank for bots and for seeds that are not revealed yet."""
    seed_commitments: tuple[str, ...] = ()
    """The commitments to seeds in seat order. Blank for players without one."""
    players: tuple[str, ...] = ()
    """The id of each player in this game, in seat order (``games.models.player_id``). Blank for bots."""
    listed_players: tuple[str, ...] = ()
    """The players in the list of the deal, in seat order; empty if there is no list."""
    missing_seeds: tuple[SeatNumber, ...] = ()
    """The seats whose promised seeds were not revealed in time."""
    beacon_key: str = ""
    """The key of the beacon in the list of the deal; blank if there is none."""
    beacon_round: int | None = None
    beacon_signature: str = ""
    phase: Phase = "open"
    resigned: tuple[SeatNumber, ...] = ()
    """The seats that are out of the game: they resigned, or missed too many questions."""
    away: tuple[SeatNumber, ...] = ()
    """The seats whose absent players are replaced by a bot for now."""
    stand_in_seats: tuple[SeatNumber, ...] = ()
    """The seats that have named a stand-in."""
    given_back: int = 0
    """The total number of seconds by which deadlines were moved."""
    winners: tuple[SeatNumber, ...] = ()
    practice_of: str = ""
    """The id of the finished game that a practice game goes on from. Blank for all other games."""
    practice_line: int = 0
    """The number of the last line of that game that was copied."""
    pause: Pause | None = None
    """The open proposal or the present pause."""
    paused: int = 0
    """The total length of past pauses in seconds."""
    time_banks: tuple[int | None, ...] = ()
    """The remaining seconds of each time bank in seat order. None if nothing has been taken from it; the tuple may be
    shorter than the number of seats.
    """

    @property
    def round(self) -> int | None:
        """The round of the beacon that the deal waits for, or that is part of it."""
        return self.beacon_round if self.phase == "starting" or self.beacon_signature else None

    def deal_list(self, game: str, commitment: str) -> str:
        """Return the list that the deal follows from. It is blank before it is fixed, or if nothing
        protects the deal.
        """
        if not self.listed_players:
            return ""
        seats = len(self.listed_players)
        promises = self.seed_commitments[:seats]
        return chain.deal_list(
            game, commitment, self.beacon_key, self.beacon_round, self.listed_players, self.seeds[:seats], promises
        )

    @property
    def mixed_in(self) -> tuple[bytes, ...]:
        """The bytes that are part of each draw beside the server's seed: the players' seeds, then the beacon."""
        beacon = [chain.randomness(self.beacon_signature)] if self.beacon_signature else []
        return (*(bytes.fromhex(seed) for seed in self.seeds if seed), *beacon)


def seconds_of(delay: timedelta | None) -> int | None:
    """Return the delay of spectators in seconds, as events have it."""
    return None if delay is None else int(delay.total_seconds())


_BLANK: Final = Table(seat_count=0, bot_count=0)


def fold(table: Table | None, event: Event) -> Table:
    """Return the table after an event. Events of the rules do not change it."""
    table = table or _BLANK
    change = msgspec.structs.replace
    match event:
        case GameCreated() | Joined() | Left() | Started() | PositionCopied() | GameCancelled():
            return _fold_opening(table, event)
        case DealListed() | SeedsAwaited() | SeedRevealed() | SeedMissing() | BeaconAwaited() | BeaconPublished():
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
            bot_seats, players = _with(table.bot_seats, seat), _with_player(table.players, seat, "")
            return change(table, bot_seats=bot_seats, players=players, away=away, stand_in_seats=stand_in_seats)
        case _ if isinstance(event, AnySeatEvent):
            return _fold_seat(table, event)
        case Ended(winners=winners):
            return change(table, phase="over", winners=winners, pause=None)
    return table


def _fold_opening(table: Table, event: GameCreated | Joined | Left | Started | PositionCopied | GameCancelled) -> Table:
    change = msgspec.structs.replace
    match event:
        case GameCreated():
            return Table(
                seat_count=event.seat_count,
                bot_count=event.bot_count,
                terms=event.terms,
                private=event.private,
                spectator_delay=event.spectator_delay,
                arena=event.arena,
            )
        case Joined(seat=seat, bot=bot):
            bot_seats = (*table.bot_seats, seat) if bot else table.bot_seats
            seeds, commitments = (*table.seeds, event.seed), (*table.seed_commitments, event.seed_commitment)
            bots = (*table.bots, (seat, event.level, event.style)) if bot else table.bots
            table = change(table, taken=seat, bot_seats=bot_seats, bots=bots, players=(*table.players, event.player))
            return change(table, seeds=seeds, seed_commitments=commitments)
        case Left(seat=seat):
            seat_values = (table.seeds, table.seed_commitments, table.players)
            seeds, commitments, players = (values[: seat - 1] + values[seat:] for values in seat_values)
            return change(table, taken=table.taken - 1, seeds=seeds, seed_commitments=commitments, players=players)
        case Started(seat_count=seat_count):
            return change(table, seat_count=seat_count, phase="running")
        case PositionCopied(game=game, line=line):
            return change(table, practice_of=game, practice_line=line)
        case GameCancelled():
            return change(table, phase="cancelled")


def _fold_starting(table: Table, event: AnyStartingEvent) -> Table:
    change = msgspec.structs.replace
    match event:
        case SeedRevealed(seat=seat, seed=seed):
            return change(table, seeds=(*table.seeds[: seat - 1], seed, *table.seeds[seat:]))
        case DealListed(key=key):
            return change(table, phase="starting", listed_players=table.players, beacon_key=key)
        case SeedMissing(seat=seat):
            return change(table, missing_seeds=_with(table.missing_seeds, seat))
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
        case Returned():
            return change(table, away=_without(table.away, seat))
        case PlayerTakeover(player=player):
            players = _with_player(table.players, seat, player)
            return change(table, away=_without(table.away, seat), players=players)
        case Forfeited():
            return change(table, resigned=(*table.resigned, seat))
        case StandInNamed():
            return change(table, stand_in_seats=_with(table.stand_in_seats, seat))
        case StandInLeft():
            return change(table, stand_in_seats=_without(table.stand_in_seats, seat))


def _with(seats: tuple[SeatNumber, ...], seat: SeatNumber) -> tuple[SeatNumber, ...]:
    return tuple(sorted({*seats, seat}))


def _with_player(players: tuple[str, ...], seat: SeatNumber, player: str) -> tuple[str, ...]:
    return (*players[: seat - 1], player, *players[seat:])


def _without(seats: tuple[SeatNumber, ...], seat: SeatNumber) -> tuple[SeatNumber, ...]:
    return tuple(other for other in seats if other != seat)


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
