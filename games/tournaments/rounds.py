"""The steps of a tournament, the seasons of a league, and the periodic task that advances all tournaments.

The caller of a step has locked the tournament's row in a transaction.

A season is a tournament of the format ``league``. When it starts, its entries are put into divisions by the ladder of
the season before. When it is over, the next season opens. Players who were present in their last game are entered
automatically and can leave before it starts. Absent players keep their place until then, but have to enter themselves.
A league ends when a season is cancelled, or when no account is left that could run it.
"""

import logging
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from config.core.logs import describe_error
from games.announcements import tournament_emails
from games.clubs import add_to_club
from games.engine import chain
from games.models import (
    Game,
    Membership,
    Pairing,
    Result,
    Seat,
    Tournament,
    TournamentEntry,
    TournamentRound,
)
from games.play.locked_game import SERVER
from games.tables.new_game import chosen_options, rules_named, take_seat
from games.tables.starting import (
    ON_ITS_WAY,
    PATIENCE,
    RETRY,
    created,
    fetch_signature,
    new_row,
    published_at,
    start_if_full,
)
from games.terms import SPEEDS
from games.tournaments import core
from games.tournaments.core import Draw
from games.tournaments.entering import end_tournament, may_run
from games.tournaments.new_tournament import LEAST_ENTRIES, set_commitment
from games.tournaments.progress import (
    RankedEntry,
    by_division,
    ended_rounds,
    format_of,
    ladder,
    set_divisions,
    standings,
)

State, Kind = Tournament.State, Pairing.Kind
MOST_ABSENCES: Final = 2
"""A player is out of the tournament after this number of games in a row that a bot finished for them."""


def close_entries(tournament: Tournament, now: datetime) -> None:
    """Close a tournament to further entries and draw its first round, or wait for the beacon if there is one.

    Players who have left the server or the club are removed. A tournament with too few players is cancelled.
    """
    for entry in _former_participants(tournament, tournament.entries.select_related("account")):
        entry.delete()
    if tournament.entries.count() < LEAST_ENTRIES:
        cancel(tournament, now)
        return
    if tournament.format == Tournament.Format.LEAGUE:
        store_divisions(tournament)
    tournament.state, tournament.started_at, tournament.look_at = State.STARTING, now, now
    if settings.BEACON_URL:
        tournament.beacon_round = chain.round_after(now.timestamp())
        tournament.look_at = published_at(tournament.beacon_round) + ON_ITS_WAY
    tournament.save(update_fields=["state", "started_at", "look_at", "beacon_round"])


def begin(tournament: Tournament, signature: str | None, now: datetime) -> None:
    """Draw the first round. ``signature`` is the one of the beacon. Without it the draw waits, but only for a limited
    time.
    """
    if tournament.beacon_round is not None and signature is None:
        if now < published_at(tournament.beacon_round) + PATIENCE:
            tournament.look_at = now + RETRY
            tournament.save(update_fields=["look_at"])
            return
        tournament.beacon_round = None
    tournament.beacon_signature, tournament.state = signature or "", State.RUNNING
    tournament.save(update_fields=["beacon_round", "beacon_signature", "state"])
    _draw_next(tournament, now)


def advance(tournament: Tournament, now: datetime) -> None:
    """Settle the tables whose games are over. End the round if all are settled or its time is over, and draw the next
    one.
    """
    row = tournament.drawn_rounds.get(ended_at=None)
    _settle(row)
    if now >= row.ends_at or not _unsettled(row).exists():
        _end_round(row, now)
        _draw_next(tournament, now)


def cancel(tournament: Tournament, now: datetime) -> None:
    """Cancel a tournament with its running round. Its games continue as single games."""
    for row in tournament.drawn_rounds.filter(ended_at=None):
        _settle(row)
        _end_round(row, now)
    end_tournament(tournament, State.CANCELLED, now)


def _end_round(row: TournamentRound, now: datetime) -> None:
    """End a round. Games that are not over are draws."""
    _settle(row, ends=True)
    row.ended_at = now
    row.save(update_fields=["ended_at"])


def _unsettled(row: TournamentRound) -> QuerySet[Pairing]:
    return row.pairings.filter(kind=Kind.TABLE, place=None)


def _settle(row: TournamentRound, *, ends: bool = False) -> None:
    """Store the places of tables whose games are over, or of all tables if the round ends, and count absences."""
    pairings = _unsettled(row).select_related("entry", "game")
    settled = [pairing for pairing in pairings if ends or (pairing.game is not None and _is_settled(pairing.game))]
    games = [pairing.game for pairing in settled]
    results = {(str(result.game_id), result.seat): result for result in Result.objects.filter(game__in=games)}
    seats = {(str(seat.game_id), seat.number): seat for seat in Seat.objects.filter(game__in=games)}
    outcomes: dict[Any, dict[Pairing, tuple[bool, int]]] = {}
    for pairing in settled:
        key = (str(pairing.game_id), pairing.seat or 0)
        result, seat = results.get(key), seats.get(key)
        is_absent = seat is not None and _is_absent(pairing, seat, result)
        pairing.entry.absences = pairing.entry.absences + 1 if is_absent else 0
        outcomes.setdefault(pairing.game_id, {})[pairing] = (is_absent, 1 if result is None else result.place)
    for table in outcomes.values():
        for pairing, order in table.items():  # Absent players come after all present ones.
            pairing.place = 1 + sum(other < order for other in table.values())
    TournamentEntry.objects.bulk_update([pairing.entry for pairing in settled], ["absences"])
    Pairing.objects.bulk_update(settled, ["place"])


def _is_absent(pairing: Pairing, seat: Seat, result: Result | None) -> bool:
    """Return whether a bot or another player has taken over a player's seat.

    A running game with a delay for spectators does not reveal this yet.
    """
    game = pairing.game
    if game is None or game.state == Game.State.CANCELLED:
        return False
    if result is None:
        is_theirs = seat.account_id is not None and seat.account_id == pairing.entry.account_id
        return game.spectator_delay is None and (seat.away or not is_theirs)
    return seat.away or result.bot or result.account_id != pairing.entry.account_id


def _is_settled(game: Game) -> bool:
    """Return whether a game has its final results or was cancelled."""
    return game.state == Game.State.CANCELLED or game.counted


def _draw_next(tournament: Tournament, now: datetime) -> None:
    """Draw the next round and create its games, or end the tournament."""
    entries = list(tournament.entries.select_related("account"))
    going = _remaining_entries(tournament, entries, now)
    number = tournament.drawn_rounds.count() + 1
    resting = [entry for entry in going if number in entry.sits_out]
    present = {entry.number for entry in going} - {entry.number for entry in resting}
    draw = None
    if len(going) > 1:
        numbers = [entry.number for entry in entries]
        draw = format_of(tournament, entries).next_round(numbers, ended_rounds(tournament), present)
    if draw is None:
        _end(tournament, now)
    else:
        if tournament.format == Tournament.Format.LEAGUE:
            resting = resting_in(draw, entries, resting)
        _begin_round(tournament, number, draw, resting, now)


def _remaining_entries(
    tournament: Tournament, entries: Iterable[TournamentEntry], now: datetime
) -> list[TournamentEntry]:
    """Return the entries that still take part. Former participants, and players who were absent too often, are
    withdrawn.
    """
    former = _former_participants(tournament, entries)
    remaining = []
    for entry in entries:
        if entry.withdrawn_at is None and (entry in former or entry.absences >= MOST_ABSENCES):
            entry.withdrawn_at = now
            entry.save(update_fields=["withdrawn_at"])
        if entry.withdrawn_at is None:
            remaining.append(entry)
    return remaining


def _former_participants(tournament: Tournament, entries: Iterable[TournamentEntry]) -> set[TournamentEntry]:
    """Return the entries whose account has left the server or the club, or is suspended."""
    members: Collection[int] | None = None
    if tournament.club_id is not None:
        members = set(Membership.objects.filter(club=tournament.club_id).values_list("account", flat=True))
    accounts = ((entry, entry.account) for entry in entries)
    return {
        entry
        for entry, account in accounts
        if account is None or not account.is_active or (members is not None and account.pk not in members)
    }


def _begin_round(
    tournament: Tournament, number: int, draw: Draw, resting: Iterable[TournamentEntry], now: datetime
) -> None:
    ends_at = now + tournament.round_length if draw.tables else now
    row = TournamentRound.objects.create(tournament=tournament, number=number, begins_at=now, ends_at=ends_at)
    entries = {entry.number: entry for entry in tournament.entries.select_related("account")}
    pairings = [Pairing(round=row, entry=entries[bye], kind=Kind.BYE) for bye in draw.byes]
    pairings += [Pairing(round=row, entry=entry, kind=Kind.REST) for entry in resting]
    for table, numbers in enumerate(draw.tables, start=1):
        seated = [entries[number] for number in numbers]
        game = _create_game(tournament, seated, now)
        pairings += [
            Pairing(round=row, entry=entry, kind=Kind.TABLE, table=table, seat=seat, game=game)
            for seat, entry in enumerate(seated, start=1)
        ]
    Pairing.objects.bulk_create(pairings)
    tournament_emails.notify_round(row, now)
    if number > 1:
        tournament_emails.order_post(tournament, tournament_emails.Event.STANDINGS, now, number - 1)
    tournament_emails.order_post(tournament, tournament_emails.Event.ROUND, now, number)
    tournament.look_at = ends_at
    tournament.save(update_fields=["look_at"])


def _create_game(tournament: Tournament, seated: Collection[TournamentEntry], now: datetime) -> Game:
    """Create a game of a tournament, which starts immediately. It has no host."""
    rules = rules_named(tournament.rules)
    game = new_row(
        rules,
        None,
        options=msgspec.to_builtins(chosen_options(rules, tournament.options, len(seated))),
        seat_count=len(seated),
        terms=SPEEDS[tournament.speed].terms,
        private=tournament.club_id is not None,
        club=tournament.club,
        spectator_delay=tournament.spectator_delay,
        created_at=now,
    )
    with created(game, SERVER, now) as locked:
        for entry in seated:
            assert entry.account is not None
            take_seat(locked, entry.account, SERVER)
        start_if_full(locked)
        add_to_club(locked.game, now)
    return locked.game


def _end(tournament: Tournament, now: datetime) -> None:
    final = standings(tournament)
    for ranked in final:
        ranked.entry.place = ranked.standing.place
    if tournament.format == Tournament.Format.LEAGUE:
        set_movements(tournament, final)
    TournamentEntry.objects.bulk_update([ranked.entry for ranked in final], ["place", "movement"])
    end_tournament(tournament, State.OVER, now)
    if tournament.format == Tournament.Format.LEAGUE:
        open_next_season(tournament, now)


Movement = TournamentEntry.Movement

_TERMS = (
    *("name", "about", "club", "host", "format", "rules", "options", "speed", "spectator_delay", "table_size"),
    *("league", "division_size", "promoted", "season_break", "most", "round_length"),
)
"""The fields that the next season copies."""


def next_season(season: Tournament) -> Tournament | None:
    """Return the season after this one, or None."""
    if season.season is None:
        return None
    return Tournament.objects.filter(league=season.league, season=season.season + 1).first()


def store_divisions(season: Tournament) -> None:
    """Store the divisions of all entries for the whole season."""
    entries = list(season.entries.all())
    set_divisions(season, entries)
    TournamentEntry.objects.bulk_update(entries, ["division"])


def set_movements(season: Tournament, final: Sequence[RankedEntry]) -> None:
    """Set the promotions and relegations after these final standings. They are not stored yet."""
    entries = {ranked.entry.number: ranked.entry for ranked in final}
    for down, up in core.exchanges(by_division(final), season.promoted or 0):
        for numbers, movement in ((down, Movement.DOWN), (up, Movement.UP)):
            for number in numbers:
                if entries[number].withdrawn_at is None:
                    entries[number].movement = movement


def resting_in(draw: Draw, entries: Iterable[TournamentEntry], resting: Iterable[TournamentEntry]) -> list[Any]:
    """Return the resting players whose division has this round. Another division may have ended earlier."""
    drawn_numbers = {*draw.byes, *(number for table in draw.tables for number in table)}
    playing = {entry.division for entry in entries if entry.number in drawn_numbers}
    return [entry for entry in resting if entry.division in playing]


def open_next_season(season: Tournament, now: datetime) -> None:
    """Open the season after one that has ended, and enter the players who were present in their last game."""
    is_run = season.club_id is not None or (season.host is not None and season.host.is_active)
    if not is_run or season.season is None or season.season_break is None:
        return
    following = Tournament(**{name: getattr(season, name) for name in _TERMS}, season=season.season + 1, created_at=now)
    if season.club_id is not None and not may_run(season.host, season):
        following.host = None  # The former host may not cancel it, so it must not count as theirs.
    following.starts_at = following.look_at = now + season.season_break
    set_commitment(following)
    following.save(force_insert=True)
    tournament_emails.order_post(following, tournament_emails.Event.OPENED, now)
    staying = [entry for entry in ladder(season) if not entry.absences]
    TournamentEntry.objects.bulk_create(
        TournamentEntry(tournament=following, account=entry.account, number=number, hears=entry.hears, joined_at=now)
        for number, entry in enumerate(staying, start=1)
    )


logger = logging.getLogger(__name__)


def waiting(now: datetime) -> Iterable[QuerySet[Any]]:
    """Return the tournaments that are due, and the tables whose games are over."""
    return [_due(now), _to_settle()]


def sweep(now: datetime) -> None:
    """Advance every tournament that is due. An error in one tournament does not affect the others."""
    tournaments = set(_due(now).values_list("pk", flat=True))
    tournaments |= set(_to_settle().values_list("round__tournament", flat=True))
    for tournament in sorted(tournaments):
        try:
            _advance(tournament, now)
        except Exception as error:
            logger.error("tournament %s was passed by: %s", tournament, describe_error(error))


def _due(now: datetime) -> QuerySet[Tournament]:
    return Tournament.objects.filter(look_at__lte=now).order_by("look_at")


def _to_settle() -> QuerySet[Pairing]:
    """Return the pairings of running rounds that have no place yet, although their game is over."""
    over = Q(game__counted=True) | Q(game__state=Game.State.CANCELLED)
    rows = Pairing.objects.filter(
        over, kind=Pairing.Kind.TABLE, place=None, round__tournament__state=Tournament.State.RUNNING
    )
    return rows.order_by("game")


def _advance(tournament: UUID, now: datetime) -> None:
    """Take the next step of one tournament, unless another process is doing that."""
    starting = Tournament.objects.filter(state=Tournament.State.STARTING).values_list("beacon_round", flat=True)
    beacon_round = starting.filter(pk=tournament).first()
    signature = None if beacon_round is None else fetch_signature(beacon_round)
    with transaction.atomic():
        rows = Tournament.objects.select_for_update(no_key=True, skip_locked=True)
        row = rows.filter(pk=tournament).first()
        if row is None:
            return
        is_due = row.look_at is not None and row.look_at <= now
        if row.state == Tournament.State.OPEN and is_due:
            close_entries(row, now)
        elif row.state == Tournament.State.STARTING and row.beacon_round == beacon_round:
            begin(row, signature, now)
        elif row.state == Tournament.State.RUNNING:
            advance(row, now)
