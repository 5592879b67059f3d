"""The audit of a tournament: drawing its rounds again from the seed, and comparing them with the stored ones."""

from collections.abc import Iterator

from games.models import Pairing, Tournament, TournamentRound
from games.rules.registry import RULES
from games.tournaments import progress
from games.tournaments.core.lots import commitment
from games.tournaments.core.rounds import Draw

Kind = Pairing.Kind


def find_faults(tournament: Tournament) -> list[str]:
    """Return the faults of a stored tournament as sentences. Empty if everything follows from its seed."""
    if tournament.rules not in RULES:
        return [f"this server does not know the rules {tournament.rules}"]
    checks = (_check_seed, _check_divisions, _check_draws, _check_places)
    return [fault for check in checks for fault in check(tournament)]


def _check_seed(tournament: Tournament) -> Iterator[str]:
    if commitment(str(tournament.pk), bytes(tournament.seed)) != tournament.commitment:
        yield "the seed does not fit the commitment"


def _check_divisions(season: Tournament) -> Iterator[str]:
    """Check that the divisions follow from the season before. This is impossible once a player has deleted their
    account.
    """
    entries = list(season.entries.all())
    if any(entry.division is None or entry.account_id is None for entry in entries):
        return
    for number, division in progress.draw_divisions(season, entries).items():
        stored = next(entry.division for entry in entries if entry.number == number)
        if stored != division:
            yield f"entry {number} belongs into division {division}, its row says {stored}"


def _check_draws(tournament: Tournament) -> Iterator[str]:
    """Check that each round follows from the seed, the earlier rounds and the players who were present."""
    entries, played = list(tournament.entries.all()), progress.ended_rounds(tournament)
    format, numbers = progress.format_of(tournament, entries), [entry.number for entry in entries]
    for row in tournament.drawn_rounds.prefetch_related("pairings__entry"):
        stored = _stored(row)
        present = {entry for table in stored.tables for entry in table} | {*stored.byes}
        if stored != format.next_round(numbers, played[: row.number - 1], present):
            yield f"round {row.number} is not as it was drawn"


def _stored(row: TournamentRound) -> Draw:
    """Return a round as its pairings are stored, each table in the order of its seats."""
    tables: dict[int, list[int]] = {}
    byes = []
    for pairing in row.pairings.all():
        if pairing.kind == Kind.TABLE:
            tables.setdefault(pairing.table or 0, []).append(pairing.entry.number)
        elif pairing.kind == Kind.BYE:
            byes.append(pairing.entry.number)
    return Draw(tuple(tuple(tables[table]) for table in sorted(tables)), tuple(sorted(byes)))


def _check_places(tournament: Tournament) -> Iterator[str]:
    if tournament.state != Tournament.State.OVER:
        return
    for placed in progress.standings(tournament):
        entry, place = placed.entry, placed.standing.place
        if entry.place != place:
            yield f"entry {entry.number} finished in place {place}, its row says {entry.place}"
