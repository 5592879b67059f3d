"""The state of a tournament: rounds for ``core``, standings and rounds for readers, and the audit.

Only games that are over, or whose round is over, are included. So the standings contain nothing about a running game,
and nothing that spectators do not see yet. The audit draws the rounds again from the seed, and compares them with the
stored ones.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from games.engine import chain
from games.models import Pairing, Tournament, TournamentEntry, TournamentRound
from games.rules.registry import RULES
from games.tournaments.core import (
    Draw,
    Format,
    KnockOut,
    League,
    Lots,
    Round,
    RoundRobin,
    Sizes,
    Standing,
    Swiss,
    commitment,
    cut_ladder,
    least_at_table,
    next_ladder,
)


@dataclass(frozen=True)
class RankedEntry:
    """An entry in the standings."""

    entry: TournamentEntry
    standing: Standing


def format_of(tournament: Tournament, entries: Iterable[TournamentEntry]) -> Format:
    """Return the format of a tournament with these entries."""
    signature = tournament.beacon_signature
    randomness = chain.randomness(signature) if signature else b""
    lots = Lots(bytes(tournament.seed), str(tournament.pk), randomness)
    sizes = Sizes(least_at_table(RULES[tournament.rules]), tournament.table_size)
    match tournament.format:
        case Tournament.Format.SWISS:
            return Swiss(lots, sizes, tournament.rounds or 1)
        case Tournament.Format.KNOCK_OUT:
            return KnockOut(lots, sizes, tournament.advance or 1)
        case Tournament.Format.LEAGUE:
            return League(lots, sizes, {entry.number: entry.division or 1 for entry in entries})
        case _:
            return RoundRobin(lots, sizes)


def ended_rounds(tournament: Tournament) -> list[Round]:
    """Return the rounds that have ended, in order."""
    rows = tournament.drawn_rounds.exclude(ended_at=None).prefetch_related("pairings__entry")
    return [_round(row) for row in rows]


def _round(row: TournamentRound) -> Round:
    tables: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for pairing in row.pairings.all():
        if pairing.kind == Pairing.Kind.TABLE:
            tables[pairing.table or 0][pairing.entry.number] = pairing.place or 1
    numbers = {kind: _numbers(row, kind) for kind in (Pairing.Kind.BYE, Pairing.Kind.REST)}
    return Round(
        tuple(tables[table] for table in sorted(tables)), numbers[Pairing.Kind.BYE], numbers[Pairing.Kind.REST]
    )


def _numbers(row: TournamentRound, kind: str) -> tuple[int, ...]:
    return tuple(sorted(pairing.entry.number for pairing in row.pairings.all() if pairing.kind == kind))


def standings(tournament: Tournament, after: int | None = None) -> list[RankedEntry]:
    """Return the standings after all rounds that have ended, or after the first ``after`` ones, best player first.

    Empty if the rules of the game are not installed.
    """
    if tournament.rules not in RULES:
        return []
    entries = {entry.number: entry for entry in tournament.entries.select_related("account")}
    if tournament.format == Tournament.Format.LEAGUE:
        set_divisions(tournament, entries.values())
    rows = format_of(tournament, entries.values()).standings(entries, ended_rounds(tournament)[:after])
    return [RankedEntry(entries[row.entry], row) for row in rows]


def set_divisions(season: Tournament, entries: Collection[TournamentEntry]) -> None:
    """Set the divisions of entries as if the season started now, unless they have divisions. Nothing is stored."""
    if all(entry.division is None for entry in entries):
        numbers = draw_divisions(season, entries)
        for entry in entries:
            entry.division = numbers[entry.number]


def draw_divisions(season: Tournament, entries: Collection[TournamentEntry]) -> dict[int, int]:
    """Return the division of each entry. It depends on the ladder of the previous season.

    Entries that are not on the ladder come last, in the order in which they entered.
    """
    previous = Tournament.objects.filter(league=season.league, season=(season.season or 1) - 1).first()
    ranked = [] if previous is None else [entry.account_id for entry in ladder(previous)]
    places = {account: place for place, account in enumerate(ranked)}
    order = sorted(entries, key=lambda entry: (places.get(entry.account_id, len(places)), entry.number))
    numbers, least = [entry.number for entry in order], least_at_table(RULES[season.rules])
    cut = cut_ladder(numbers, season.division_size or 1, least)
    return {member: division for division, members in enumerate(cut, start=1) for member in members}


def ladder(season: Tournament) -> list[TournamentEntry]:
    """Return the players who finished a season, in the order in which they start the next one."""
    final = standings(season)
    entries = {row.entry.number: row.entry for row in final}
    order = next_ladder(by_division(final), season.promoted or 0)
    return [entries[key] for key in order if entries[key].account and entries[key].withdrawn_at is None]


def by_division(final: Iterable[RankedEntry]) -> list[list[int]]:
    """Return the entries of each division in the order of the standings. Withdrawn ones come last."""
    entries: defaultdict[int, list[TournamentEntry]] = defaultdict(list)
    for ranked in final:
        entries[ranked.entry.division or 1].append(ranked.entry)
    ordered = [sorted(entries[key], key=lambda entry: entry.withdrawn_at is not None) for key in sorted(entries)]
    return [[entry.number for entry in division] for division in ordered]


@dataclass(frozen=True)
class TableView:
    """A table of a round."""

    number: int
    pairings: Sequence[Pairing]

    @property
    def is_over(self) -> bool:
        """Return whether the table has its final places."""
        return all(pairing.place is not None for pairing in self.pairings)


@dataclass(frozen=True)
class RoundView:
    """A round with its tables and the entries without a seat."""

    row: TournamentRound
    tables: Sequence[TableView]
    byes: Sequence[TournamentEntry]
    rests: Sequence[TournamentEntry]


def round_views(tournament: Tournament) -> list[RoundView]:
    """Return the rounds that were drawn, newest first."""
    rows = tournament.drawn_rounds.order_by("-number").prefetch_related("pairings__entry__account")
    return [_round_view(row) for row in rows]


def _round_view(row: TournamentRound) -> RoundView:
    tables: defaultdict[int, list[Pairing]] = defaultdict(list)
    for pairing in row.pairings.all():
        if pairing.kind == Pairing.Kind.TABLE:
            tables[pairing.table or 0].append(pairing)
    return RoundView(
        row,
        [TableView(number, tables[number]) for number in sorted(tables)],
        _entries(row.pairings.all(), Pairing.Kind.BYE),
        _entries(row.pairings.all(), Pairing.Kind.REST),
    )


def _entries(pairings: Iterable[Pairing], kind: str) -> list[TournamentEntry]:
    return sorted((pairing.entry for pairing in pairings if pairing.kind == kind), key=lambda entry: entry.number)


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
    for number, division in draw_divisions(season, entries).items():
        stored = next(entry.division for entry in entries if entry.number == number)
        if stored != division:
            yield f"entry {number} belongs into division {division}, its row says {stored}"


def _check_draws(tournament: Tournament) -> Iterator[str]:
    """Check that each round follows from the seed, the earlier rounds and the players who were present."""
    entries, played = list(tournament.entries.all()), ended_rounds(tournament)
    format, numbers = format_of(tournament, entries), [entry.number for entry in entries]
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
    for placed in standings(tournament):
        entry, place = placed.entry, placed.standing.place
        if entry.place != place:
            yield f"entry {entry.number} finished in place {place}, its row says {entry.place}"
