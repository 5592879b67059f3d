"""The rounds of a tournament as the rules of tournaments read them, and its standings and rounds for its readers.

Only what has ended goes in here: a table whose game is over, or whose round is. So nothing of a game that is being
played, and nothing that its spectators do not see yet, can show in the standings.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.engine import beacon
from games.models import Pairing, Tournament, TournamentEntry, TournamentRound
from games.rules.registry import RULES
from games.tournaments.core.formats import Format, KnockOut, RoundRobin, Swiss
from games.tournaments.core.lots import Lots
from games.tournaments.core.rounds import Round
from games.tournaments.core.standings import Standing
from games.tournaments.core.tables import Sizes
from games.tournaments.new_tournament import least_at_table


@dataclass(frozen=True)
class Placed:
    """An entry in the standings."""

    entry: TournamentEntry
    standing: Standing


def format_of(tournament: Tournament) -> Format:
    """The rules of a tournament."""
    signature = tournament.beacon_signature
    randomness = beacon.randomness(signature) if signature else b""
    lots = Lots(bytes(tournament.seed), str(tournament.pk), randomness)
    sizes = Sizes(least_at_table(RULES[tournament.rules]), tournament.table_size)
    match tournament.format:
        case Tournament.Format.SWISS:
            return Swiss(lots, sizes, tournament.rounds or 1)
        case Tournament.Format.KNOCK_OUT:
            return KnockOut(lots, sizes, tournament.advance or 1)
        case _:
            return RoundRobin(lots, sizes)


def ended_rounds(tournament: Tournament) -> list[Round]:
    """The rounds that have ended, the first first."""
    rows = tournament.drawn_rounds.exclude(ended_at=None).prefetch_related("pairings__entry")
    return [_round(each) for each in rows]


def _round(row: TournamentRound) -> Round:
    tables: defaultdict[int, dict[int, int]] = defaultdict(dict)
    for each in row.pairings.all():
        if each.kind == Pairing.Kind.TABLE:
            tables[each.table or 0][each.entry.number] = each.place or 1
    numbers = {kind: _numbers(row, kind) for kind in (Pairing.Kind.BYE, Pairing.Kind.REST)}
    return Round(tuple(tables[each] for each in sorted(tables)), numbers[Pairing.Kind.BYE], numbers[Pairing.Kind.REST])


def _numbers(row: TournamentRound, kind: str) -> tuple[int, ...]:
    return tuple(sorted(each.entry.number for each in row.pairings.all() if each.kind == kind))


def standings(tournament: Tournament, after: int | None = None) -> list[Placed]:
    """Everybody who takes part, the first first, after the rounds that have ended, or after one of them.

    Nobody without the game's rules.
    """
    if tournament.rules not in RULES:
        return []
    entries = {each.number: each for each in tournament.entries.select_related("account")}
    found = format_of(tournament).standings(entries, ended_rounds(tournament)[:after])
    return [Placed(entries[each.entry], each) for each in found]


@dataclass(frozen=True)
class ShownTable:
    """A table of a round, for its readers."""

    number: int
    pairings: Sequence[Pairing]

    @property
    def is_over(self) -> bool:
        """True once it has given its points."""
        return all(each.place is not None for each in self.pairings)


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
    return [_shown(each) for each in rows]


def _shown(row: TournamentRound) -> ShownRound:
    tables: defaultdict[int, list[Pairing]] = defaultdict(list)
    for each in row.pairings.all():
        if each.kind == Pairing.Kind.TABLE:
            tables[each.table or 0].append(each)
    return ShownRound(
        row,
        [ShownTable(number, tables[number]) for number in sorted(tables)],
        _entries(row.pairings.all(), Pairing.Kind.BYE),
        _entries(row.pairings.all(), Pairing.Kind.REST),
    )


def _entries(pairings: Iterable[Pairing], kind: str) -> list[TournamentEntry]:
    return sorted((each.entry for each in pairings if each.kind == kind), key=lambda entry: entry.number)
