"""The seasons of a league: the divisions of a new season, and opening the next one.

A season is a tournament of the format ``league``. When it starts, its entries are put into divisions by the ladder of
the season before. When it is over, the next season opens. Players who were present in their last game are entered
automatically and can leave before it starts. Absent players keep their place until then, but have to enter themselves.
A league ends when a season is cancelled, or when no account is left that could run it.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from games.announcements import tournament_emails
from games.models import Tournament, TournamentEntry, TournamentPost
from games.tournaments.core import divisions
from games.tournaments.core.rounds import Draw
from games.tournaments.new_tournament import set_commitment
from games.tournaments.progress import RankedEntry, by_division, ladder, set_divisions
from games.tournaments.rights import may_run

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
    for down, up in divisions.exchanges(by_division(final), season.promoted or 0):
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
    tournament_emails.order_post(following, TournamentPost.Event.OPENED, now)
    staying = [entry for entry in ladder(season) if not entry.absences]
    TournamentEntry.objects.bulk_create(
        TournamentEntry(tournament=following, account=entry.account, number=number, hears=entry.hears, joined_at=now)
        for number, entry in enumerate(staying, start=1)
    )
