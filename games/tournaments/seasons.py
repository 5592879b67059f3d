"""The seasons of a league: the divisions of a new season, and opening the next one.

A season is a tournament of the format ``league``. When it starts, its entries are put into divisions by the ladder of
the season before. When it is over, the next season opens. Players who were present in their last game are entered
automatically and can leave before it starts. Absent players keep their place until then, but have to enter themselves.
A league ends when a season is cancelled, or when no account is left that could run it.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from games.announcements.tournaments import tournament_posts
from games.models import Tournament, TournamentEntry, TournamentPost
from games.tournaments.core import divisions
from games.tournaments.core.rounds import Draw
from games.tournaments.new_tournament import bind_seed
from games.tournaments.progress import Placed, by_division, ladder, set_divisions
from games.tournaments.rights import may_run

Movement = TournamentEntry.Movement

_TERMS = (
    *("name", "about", "club", "host", "format", "rules", "options", "speed", "spectator_delay", "table_size"),
    *("league", "division_size", "promoted", "season_break", "most", "round_length"),
)
"""The fields of a season that the next one has too."""


def next_season(season: Tournament) -> Tournament | None:
    """The season after another one."""
    if season.season is None:
        return None
    return Tournament.objects.filter(league=season.league, season=season.season + 1).first()


def store_divisions(season: Tournament) -> None:
    """Put those who have entered into divisions, for the whole season."""
    entries = list(season.entries.all())
    set_divisions(season, entries)
    TournamentEntry.objects.bulk_update(entries, ["division"])


def set_movements(season: Tournament, final: Sequence[Placed]) -> None:
    """Note who goes up and who goes down after these final standings. It is not stored yet."""
    entries = {each.entry.number: each.entry for each in final}
    for down, up in divisions.exchanges(by_division(final), season.promoted or 0):
        for numbers, movement in ((down, Movement.DOWN), (up, Movement.UP)):
            for number in numbers:
                if entries[number].withdrawn_at is None:
                    entries[number].movement = movement


def resting_in(draw: Draw, entries: Iterable[TournamentEntry], resting: Iterable[TournamentEntry]) -> list[Any]:
    """Return the resting players whose division has this round. Another division may have ended earlier."""
    drawn = {*draw.byes, *(each for table in draw.tables for each in table)}
    playing = {entry.division for entry in entries if entry.number in drawn}
    return [each for each in resting if each.division in playing]


def open_next_season(season: Tournament, now: datetime) -> None:
    """Open the season after one that has ended, and enter the players who were present in their last game."""
    is_run = season.club_id is not None or (season.host is not None and season.host.is_active)
    if not is_run or season.season is None or season.season_break is None:
        return
    following = Tournament(**{name: getattr(season, name) for name in _TERMS}, season=season.season + 1, created_at=now)
    if season.club_id is not None and not may_run(season.host, season):
        following.host = None  # who has left the club cannot end it, so it must not count as theirs
    following.starts_at = following.look_at = now + season.season_break
    bind_seed(following)
    following.save(force_insert=True)
    tournament_posts.order(following, TournamentPost.Event.OPENED, now)
    staying = [each for each in ladder(season) if not each.absences]
    TournamentEntry.objects.bulk_create(
        TournamentEntry(tournament=following, account=each.account, number=number, hears=each.hears, joined_at=now)
        for number, each in enumerate(staying, start=1)
    )
