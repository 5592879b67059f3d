"""Tournaments of many people, and games of theirs that end in a known order."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from accounts.models import Account
from games.archive import ratings
from games.models import Game, Pairing, Tournament, TournamentRound
from games.tournaments import entering, organizing, rounds
from games.tournaments.new_tournament import NewTournament, create_tournament
from tests.third_game.table import NOON, fresh, play

DAY: Final = timedelta(days=1)
SWISS: Final = {"format": "swiss", "rounds": 2, "table_size": 4}
LEAGUE: Final[dict[str, Any]] = {
    **{"format": "league", "rounds": None, "division_size": 4, "promoted": 1},
    "season_break": 7 * DAY,
}


def people(count: int) -> list[Account]:
    """Create accounts that are named by their numbers."""
    numbers = range(1, count + 1)
    return [Account.objects.create_user(f"player{number}@example.org", name=f"Player {number}") for number in numbers]


def create_cup(host: Account, entrants: Iterable[Account] = (), **fields: Any) -> Tournament:
    """A tournament of Coup that begins in a week, with these people in it."""
    usual: dict[str, Any] = {"name": "Spring cup", "rules": "coup", "starts_at": NOON + 7 * DAY, **SWISS}
    tournament = create_tournament(host, NewTournament(**{**usual, "round_length": 14 * DAY, **fields}), NOON)
    for account in entrants:
        entering.enter(account, tournament.pk, NOON)
    return tournament


def begun(host: Account, entrants: Iterable[Account], **fields: Any) -> Tournament:
    """A tournament whose first round is being played."""
    cup = create_cup(host, entrants, **fields)
    organizing.begin(host, cup.pk, NOON)
    rounds.sweep(NOON)
    return again(cup)


def again(tournament: Tournament) -> Tournament:
    """The tournament as its row is now."""
    return Tournament.objects.get(pk=tournament.pk)


def games_of(tournament: Tournament) -> list[Game]:
    """The games of its current round."""
    pairings = Pairing.objects.filter(round__tournament=tournament, round__ended_at=None, kind="table")
    return list(Game.objects.filter(pk__in=pairings.values("game")).order_by("pairings__table").distinct())


def finish(game: Game, at: datetime, rank: Callable[[Account], Any] = lambda account: account.pk) -> None:
    """Let players resign in the reverse order of their ranks, until the first one has won."""
    seats = sorted(game.seats.all(), key=lambda seat: rank(seat.account), reverse=True)
    for seat in seats[:-1]:
        play(fresh(game), seat.number, "resign yes", at, question="")


def finish_round(tournament: Tournament, at: datetime) -> Tournament:
    """Finish every game of the current round with a win of the oldest account. Then sweep."""
    for game in games_of(tournament):
        finish(game, at)
    ratings.count_all(at)
    rounds.sweep(at)
    return again(tournament)


def set_in(tournament: Tournament, game: Game) -> None:
    """Make a game the table of the running first round of a tournament."""
    Tournament.objects.filter(pk=tournament.pk).update(state="running", look_at=None)
    row = TournamentRound.objects.create(
        tournament=tournament, number=1, begins_at=NOON, ends_at=NOON + 14 * DAY, pk=900_000_019
    )
    for seat in game.seats.all():
        assert seat.account is not None
        entry = entering.find_entry(seat.account, tournament)
        Pairing.objects.create(round=row, entry=entry, kind="table", table=1, seat=seat.number, game=game)
