"""Reading the rounds of a tournament for ``core``, and its standings and rounds for readers.

Only games that are over, or whose round is over, are included. So the standings contain nothing about a running game,
and nothing that spectators do not see yet.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from games.engine import chain
from games.models import Pairing, Tournament, TournamentEntry, TournamentRound
from games.rules.registry import RULES
from games.tournaments.core import divisions
from games.tournaments.core.formats import Format, KnockOut, RoundRobin, Swiss
from games.tournaments.core.league import League
from games.tournaments.core.lots import Lots
from games.tournaments.core.rounds import Round
from games.tournaments.core.standings import Standing
from games.tournaments.core.tables import Sizes, least_at_table


@dataclass(frozen=True)
class Placed:
    """An entry in the standings."""

    entry: TournamentEntry
    standing: Standing


def format_of(tournament: Tournament, entries: Iterable[TournamentEntry]) -> Format:
    """The rules of a tournament of these entries."""
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
    """The rounds that have ended, the first first."""
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


def standings(tournament: Tournament, after: int | None = None) -> list[Placed]:
    """Return the standings after the rounds that have ended, or after a given one, best player first.

    Empty if the rules of the game are not installed.
    """
    if tournament.rules not in RULES:
        return []
    entries = {entry.number: entry for entry in tournament.entries.select_related("account")}
    if tournament.format == Tournament.Format.LEAGUE:
        set_divisions(tournament, entries.values())
    found = format_of(tournament, entries.values()).standings(entries, ended_rounds(tournament)[:after])
    return [Placed(entries[each.entry], each) for each in found]


def set_divisions(season: Tournament, entries: Collection[TournamentEntry]) -> None:
    """Put entries into the divisions that they have if the season begins now, unless it has. Nothing is stored."""
    if all(entry.division is None for entry in entries):
        found = draw_divisions(season, entries)
        for entry in entries:
            entry.division = found[entry.number]


def draw_divisions(season: Tournament, entries: Collection[TournamentEntry]) -> dict[int, int]:
    """The division of each entry. The ladder of the season before decides.

    Who is not on it comes last, in the order in which people entered.
    """
    before = Tournament.objects.filter(league=season.league, season=(season.season or 1) - 1).first()
    ranked = [] if before is None else [each.account_id for each in ladder(before)]
    places = {account: place for place, account in enumerate(ranked)}
    order = sorted(entries, key=lambda each: (places.get(each.account_id, len(places)), each.number))
    numbers, least = [each.number for each in order], least_at_table(RULES[season.rules])
    cut = divisions.cut(numbers, season.division_size or 1, least)
    return {member: division for division, members in enumerate(cut, start=1) for member in members}


def ladder(season: Tournament) -> list[TournamentEntry]:
    """Return the players who finished a season, in the order in which they start the next one."""
    placed = standings(season)
    entries = {each.entry.number: each.entry for each in placed}
    order = divisions.ladder(by_division(placed), season.promoted or 0)
    return [entries[each] for each in order if entries[each].account and entries[each].withdrawn_at is None]


def by_division(placed: Iterable[Placed]) -> list[list[int]]:
    """The numbers in the divisions of a season, each in the order of its standings. Who has left is last."""
    found: defaultdict[int, list[TournamentEntry]] = defaultdict(list)
    for each in placed:
        found[each.entry.division or 1].append(each.entry)
    ordered = [sorted(found[each], key=lambda entry: entry.withdrawn_at is not None) for each in sorted(found)]
    return [[each.number for each in division] for division in ordered]


@dataclass(frozen=True)
class ShownTable:
    """A table of a round, for its readers."""

    number: int
    pairings: Sequence[Pairing]

    @property
    def is_over(self) -> bool:
        """True once it has given its points."""
        return all(pairing.place is not None for pairing in self.pairings)


@dataclass(frozen=True)
class ShownRound:
    """A round, for its readers."""

    row: TournamentRound
    tables: Sequence[ShownTable]
    byes: Sequence[TournamentEntry]
    rests: Sequence[TournamentEntry]


def shown_rounds(tournament: Tournament) -> list[ShownRound]:
    """The rounds that were drawn, the newest first."""
    rows = tournament.drawn_rounds.order_by("-number").prefetch_related("pairings__entry__account")
    return [_shown(row) for row in rows]


def _shown(row: TournamentRound) -> ShownRound:
    tables: defaultdict[int, list[Pairing]] = defaultdict(list)
    for pairing in row.pairings.all():
        if pairing.kind == Pairing.Kind.TABLE:
            tables[pairing.table or 0].append(pairing)
    return ShownRound(
        row,
        [ShownTable(number, tables[number]) for number in sorted(tables)],
        _entries(row.pairings.all(), Pairing.Kind.BYE),
        _entries(row.pairings.all(), Pairing.Kind.REST),
    )


def _entries(pairings: Iterable[Pairing], kind: str) -> list[TournamentEntry]:
    return sorted((pairing.entry for pairing in pairings if pairing.kind == kind), key=lambda entry: entry.number)
