"""The sweep of searches: matching them, creating their games, and ending them.

Seeks are matched by pure functions. The same seeks give the same games, in any order. The oldest seek gets a game
first, with as many players as possible. The other players are those who have waited longest, and those with fewer
recent games together.

Seeks end when they expire, and in the arena when the bot account misses too many deadlines.
"""

import logging
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID
from zoneinfo import ZoneInfo

import msgspec
from django.db import transaction
from django.db.models import Q, QuerySet

from accounts import blocks
from accounts.models import Account
from config.core.logs import describe_error
from games.announcements import seek_emails
from games.engine import AnyRules
from games.models import Bot, Game, Seat, Seek
from games.play import game_caps
from games.play.locked_game import SERVER
from games.refusals import Refusal
from games.rules.registry import RULES
from games.tables import arena
from games.tables.new_game import chosen_options, rules_named, take_seat
from games.tables.starting import created, new_row, start_if_full
from games.tables.vacations import list_vacations
from games.terms import SPEEDS

_MOST_TRIES: Final = 2000
"""The number of players that are tried for one seek. If none of their combinations fits, the seek waits."""

Playable = Callable[[Mapping[str, Any], int], bool]
"""``(options, number of players)`` returns True if such a game can be played."""


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
    """Search a match for each wish, the oldest first. Return the matches, and the wishes that are in none of them."""
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


logger = logging.getLogger(__name__)

GATHERING: Final = timedelta(seconds=30)
"""The time for which a possible game waits for more players. Players in the open lobby wait for the game to open."""
EVERY: Final = timedelta(minutes=5)
"""The longest time between two checks of an open seek. Meanwhile owners may have returned, left a game, or been
unblocked."""


def waiting(now: datetime) -> Iterable[QuerySet[Seek]]:
    """Return the seeks that have to be checked."""
    return [_due(now)]


def sweep(now: datetime) -> None:
    """Match seeks that are due with all open seeks for the same rules and speed. The arena is matched separately."""
    _end(Seek.State.LAPSED, Q(until__lte=now), now)
    due = _due(now)
    for rules, speed in sorted(set(due.filter(games_at_once=None).values_list("rules", "speed"))):
        _start(_find_matches(rules, speed, now), now)
    if standing := sorted(set(due.exclude(games_at_once=None).values_list("rules", flat=True))):
        _sweep_arena(standing, now)


def _sweep_arena(titles: Iterable[str], now: datetime) -> None:
    """Remove the bot accounts that time out too often, and match the others."""
    timed_out = arena.recent_activity(now).timed_out
    late = [account for account, times in timed_out.items() if len(times) >= arena.MOST_TIMED_OUT]
    _end(Seek.State.REMOVED, Q(account__in=late, games_at_once__isnull=False), now)
    for rules in titles:
        _start(_find_arena_matches(rules, now), now)


def _start(matches: Iterable[Match], now: datetime) -> None:
    for match in matches:
        try:
            start_match(match, now)
        except Exception as error:
            logger.error("a match of seeks was passed by: %s", describe_error(error))


@transaction.atomic
def _end(state: Seek.State, which: Q, now: datetime) -> None:
    """End open seeks, and notify their owners."""
    rows = Seek.objects.select_for_update(of=("self",), skip_locked=True).select_related("account")
    over = list(rows.filter(which, state=Seek.State.OPEN))
    Seek.objects.filter(pk__in=[seek.pk for seek in over]).update(state=state, ended_at=now)
    for seek in over:
        seek.state = state
        seek_emails.notify_ended(seek, now)


def _due(now: datetime) -> QuerySet[Seek]:
    return Seek.objects.filter(state=Seek.State.OPEN, look_at__lte=now).order_by("look_at")


def _find_matches(name: str, speed: str, now: datetime) -> list[Match]:
    """Match the open seeks of people for a game at a speed."""
    rows = Seek.objects.filter(state=Seek.State.OPEN, games_at_once=None, rules=name, speed=speed)
    seeks = present(_looked_at(rows, lambda seek: _next_look(seek, now)), now)
    apart = blocks.pairs_among(seek.account_id for seek in seeks)
    if name not in RULES:
        return []
    return Matcher(now, GATHERING, apart, _playable(RULES[name])).find_matches(_wish(seek) for seek in seeks)


def _find_arena_matches(name: str, now: datetime) -> list[Match]:
    """Match the bot accounts in the arena that have room for one more game.

    There can be more matches than ``arena.may_begin`` allows, so that a match that fails does not block another.
    """
    rows = arena.open_seeks().filter(rules=name)
    seeks = present(_looked_at(rows, lambda seek: min(seek.until, now + arena.LOOK_EVERY)), now)
    apart = blocks.pairs_among(seek.account_id for seek in seeks)
    apart |= arena.of_one_owner(seek.account_id for seek in seeks)
    if name not in RULES:
        return []
    activity = arena.recent_activity(now)
    if not activity.remaining:
        return []
    matcher = Matcher(now, GATHERING, apart, _playable(RULES[name]), activity.met)
    wishes = (_wish(seek, activity.waits_since(seek)) for seek in seeks if activity.has_room(seek))
    return matcher.find_matches(wishes)


def _looked_at(rows: QuerySet[Seek], next_look: Callable[[Seek], datetime]) -> list[Seek]:
    """Return open seeks, and set the time of their next check.

    They are locked in the same order as in ``start_match``, to avoid deadlocks.
    """
    with transaction.atomic():
        seeks = list(rows.select_for_update(of=("self",)).select_related("account").order_by("pk"))
        for seek in seeks:
            seek.look_at = next_look(seek)
        Seek.objects.bulk_update(seeks, ["look_at"])
    return seeks


def _next_look(seek: Seek, now: datetime) -> datetime:
    """Return the time of the next check of an open seek. A new seek causes an earlier check."""
    fills_at = _wish(seek).fills_at
    moments = [seek.created_at + GATHERING, seek.until, *([fills_at] if fills_at else ())]
    earliest: datetime = min([now + EVERY, *(moment for moment in moments if moment > now)])
    return earliest


def _wish(seek: Seek, since: datetime | None = None) -> Wish:
    """Return the wish of a seek. It has waited since it was created, or since its last game."""
    waits_since = since or seek.created_at
    fills_at = None if seek.fill_after is None else waits_since + seek.fill_after
    return Wish(seek.pk, seek.account_id, seek.least, seek.most, seek.options, waits_since, fills_at)


def _playable(rules: AnyRules) -> Callable[[Mapping[str, Any], int], bool]:
    """Return a function that checks whether a game can be played. It caches results, since a check sets up the game."""
    results: dict[tuple[bytes, int], bool] = {}

    def is_playable(options: Mapping[str, Any], seat_count: int) -> bool:
        key = (msgspec.json.encode(options, order="sorted"), seat_count)
        if key not in results:
            results[key] = _can_be_chosen(rules, options, seat_count)
        return results[key]

    return is_playable


def _can_be_chosen(rules: AnyRules, options: Mapping[str, Any], seat_count: int) -> bool:
    try:
        chosen_options(rules, options, seat_count)
    except Refusal:
        return False
    return True


def present(seeks: Iterable[Seek], now: datetime) -> list[Seek]:
    """Return the seeks whose owners may be put into a game.

    Owners are left out whose account is closed, who are on vacation, who play too many games, or who are absent from
    one of their games.
    """
    candidates = [seek for seek in seeks if seek.account.is_bot == seek.is_standing and _is_here(seek.account, now)]
    accounts = [seek.account_id for seek in candidates]
    running = Seat.objects.filter(account__in=accounts, game__state=Game.State.RUNNING)
    absent = {*running.filter(away=True).values_list("account", flat=True)} | game_caps.accounts_at_limit(accounts)
    return [seek for seek in candidates if seek.account_id not in absent]


def _is_here(account: Account, now: datetime) -> bool:
    return account.is_active and not _is_on_vacation(account, now)


def _is_on_vacation(account: Account, now: datetime) -> bool:
    today = now.astimezone(ZoneInfo(account.time_zone)).date()
    return any(vacation.first <= today <= vacation.last for vacation in list_vacations(account))


def start_match(match: Match, now: datetime) -> bool:
    """Seat the owners of matched seeks, oldest first, and start the game. Return False if one of the seeks is gone.

    Seeks in the arena stay open.
    """
    with transaction.atomic():
        ids = [wish.seek for wish in match.wishes]
        rows = Seek.objects.select_for_update(of=("self",)).select_related("account").filter(pk__in=ids)
        seeks = {seek.pk: seek for seek in rows.filter(state=Seek.State.OPEN).order_by("pk")}
        if len(seeks) < len(ids):
            return False
        like = seeks[ids[0]]
        accounts = [seeks[id_].account for id_ in ids]
        game_caps.lock_accounts(accounts)
        if len(present(seeks.values(), now)) < len(ids):
            return False
        if like.is_standing and not arena.may_begin(seeks.values(), now):
            return False
        game = _create(like, match, accounts, now)
        if not like.is_standing:
            Seek.objects.filter(pk__in=ids).update(state=Seek.State.MATCHED, game=game, ended_at=now)
    return True


def _create(like: Seek, match: Match, accounts: list[Account], now: datetime) -> Game:
    """Create a public game with these players. The first one is the host."""
    rules = rules_named(like.rules)
    game = new_row(
        rules,
        accounts[0],
        options=msgspec.to_builtins(chosen_options(rules, match.options, match.seat_count)),
        seat_count=match.seat_count,
        bot_count=match.bot_count,
        chosen_bots=[asdict(Bot())] * match.bot_count,
        terms=arena.TERMS if like.is_standing else SPEEDS[like.speed].terms,
        arena=like.is_standing,
        created_at=now,
    )
    with created(game, SERVER, now) as locked:
        for account in accounts:
            take_seat(locked, account, SERVER)
        start_if_full(locked)
    return locked.game
