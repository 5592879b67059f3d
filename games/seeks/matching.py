"""Matching of seeks, as pure functions. The same seeks give the same games, in any order.

The oldest seek comes first, with as many players as possible. The oldest of the others are preferred, but also those
with fewer recent games together.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

_MOST_TRIES: Final = 2000
"""The number of players that are tried for one seek. If none of their combinations fits, the seek waits."""

Playable = Callable[[Mapping[str, Any], int], bool]
"""Returns whether a game with these options can be played by a number of players."""


@dataclass(frozen=True)
class Wish:
    """The part of a seek that decides about its opponents. All wishes in one call have the same rules and speed."""

    seek: UUID
    account: int
    least: int
    most: int
    options: Mapping[str, Any]
    """The required options."""
    created_at: datetime
    fills_at: datetime | None = None
    """The time from which bots may take free seats; None: people only."""

    def takes_bots(self, now: datetime) -> bool:
        return self.fills_at is not None and self.fills_at <= now


@dataclass(frozen=True)
class Match:
    """A game to create for some wishes, oldest first."""

    wishes: tuple[Wish, ...]
    seat_count: int
    options: Mapping[str, Any]

    @property
    def bot_count(self) -> int:
        return self.seat_count - len(self.wishes)


@dataclass(frozen=True)
class Matcher:
    """The circumstances under which wishes are matched."""

    now: datetime
    gathering: timedelta
    """The time after the newest wish for which a possible game waits for more players."""
    kept_apart: Collection[frozenset[int]]
    """The pairs of accounts that share no game."""
    playable: Playable
    met: Mapping[frozenset[int], int] = field(default_factory=dict)
    """The number of recent games of two accounts with each other. Accounts with fewer are preferred."""

    def find_matches(self, wishes: Iterable[Wish]) -> list[Match]:
        """Return the games that start now: first games without bots, then games with bots on the free seats."""
        waiting = sorted(wishes, key=lambda wish: (wish.created_at, wish.seek))
        games: list[Match] = []
        for search in (self._with_people, self._with_bots):
            matches, waiting = _taken_out(waiting, search)
            games += matches
        return [match for match in games if not self._gathers(match)]

    def _gathers(self, match: Match) -> bool:
        """Return whether the players of a match wait for more players."""
        full = match.bot_count > 0 or match.seat_count == min(wish.most for wish in match.wishes)
        return not full and self.now < max(wish.created_at for wish in match.wishes) + self.gathering

    def _with_people(self, first: Wish, others: Sequence[Wish]) -> Match | None:
        """Return the largest game of people alone that the first wish can have."""
        sizes = range(min(first.most, len(others) + 1), first.least - 1, -1)
        return self._first_match(first, others, ((size, size) for size in sizes))

    def _with_bots(self, first: Wish, others: Sequence[Wish]) -> Match | None:
        """Return the game with the most people, and then the fewest bots, that the first wish can have by now."""
        if not first.takes_bots(self.now):
            return None
        others = [other for other in others if other.takes_bots(self.now)]
        tables = (
            (people, size)
            for people in range(min(first.most - 1, len(others) + 1), 0, -1)
            for size in range(max(first.least, people + 1), first.most + 1)
        )
        return self._first_match(first, others, tables)

    def _first_match(self, first: Wish, others: Sequence[Wish], tables: Iterable[tuple[int, int]]) -> Match | None:
        """Return the first of these tables, each a number of players and of seats, at which a group fits."""
        tries = iter(range(_MOST_TRIES))
        for people, size in tables:
            ready = [other for other in others if other.least <= size <= other.most]
            ready.sort(key=lambda wish: self.met.get(frozenset((first.account, wish.account)), 0))
            if group := self._complete((first,), ready, people, size, tries):
                return Match(group, size, _together(group) or {})
        return None

    def _complete(
        self, group: tuple[Wish, ...], rest: Sequence[Wish], people: int, size: int, tries: Iterator[int]
    ) -> tuple[Wish, ...] | None:
        """Return this group, completed from the rest to this number of players, or None if it is impossible."""
        if len(group) == people:
            return group if self.playable(_together(group) or {}, size) else None
        for number, wish in enumerate(rest):
            if len(rest) - number < people - len(group) or next(tries, None) is None:
                return None
            if self._fits(group, wish) and (
                complete := self._complete((*group, wish), rest[number + 1 :], people, size, tries)
            ):
                return complete
        return None

    def _fits(self, group: tuple[Wish, ...], other: Wish) -> bool:
        """Return whether a wish is compatible with a group: with its members and with their options."""
        apart = any(
            wish.account == other.account or frozenset((wish.account, other.account)) in self.kept_apart
            for wish in group
        )
        return not apart and _together((*group, other)) is not None


def _taken_out(
    waiting: Sequence[Wish], search: Callable[[Wish, Sequence[Wish]], Match | None]
) -> tuple[list[Match], list[Wish]]:
    """Return the matches that a search finds, for the oldest wish first, and the wishes that are in none of them."""
    matches: list[Match] = []
    left: list[Wish] = []
    rest = list(waiting)
    while rest:
        first, *others = rest
        match = search(first, others)
        if match is None:
            left.append(first)
            rest = others
        else:
            matches.append(match)
            rest = [other for other in others if other not in match.wishes]
    return matches, left


def _together(group: Iterable[Wish]) -> dict[str, Any] | None:
    """Return the combined options of wishes, or None if two of them contradict each other."""
    options: dict[str, Any] = {}
    for wish in group:
        for name, value in wish.options.items():
            if options.setdefault(name, value) != value:
                return None
    return options
