"""Searches for players: new ones, the list that everyone sees, and those of one account.

The open lobby has all searches for players. Every account can join one with one tap. Every reader sees the same list,
except for the names and their own searches. Searches for the same game are one entry with the number of players found,
and without names, ages or online states. The number stays below the number that the game needs, as if the players who
came last had not come. If a search goes on although enough players have come, a block, a vacation, an absence or a
limit keeps them apart. Nothing tells which. The order depends only on the games.

An owner may be named to the accounts that they follow, but never to an account that they have blocked.
"""

import hashlib
import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from django.conf import settings
from django.contrib.postgres.aggregates import ArrayAgg
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from accounts.models import Account, Block, Follow
from accounts.rate_limits import HOUR, Policy
from config.core.tasks import enqueue
from games.engine import AnyRules, Notation, Phrase, gettext_noop
from games.models import Seek
from games.phrases import number, period, render_phrase
from games.play import game_caps
from games.refusals import Refusal, not_found
from games.rules.registry import RULES
from games.tables import arena
from games.tables.new_game import check_address, chosen_options, rules_named
from games.terms import SPEEDS, USUAL
from games.visibility.words import option_lines

MOST_OPEN: Final = 3
"""The number of open seeks that an account may have."""
LIFETIMES: Final[Mapping[str, timedelta]] = {
    "live": timedelta(hours=1),
    "evening": timedelta(hours=6),
    "daily": timedelta(days=7),
    "slow": timedelta(days=14),
}
"""The time after which a seek expires. Later its owner would no longer expect a game, and would miss it."""
SEARCHED_GAME: Final = ("rules", "least", "most", "speed", "options", "fill_after")
"""The fields of a search that say which game it is for."""
_USUAL_LEAST: Final = 3
_USUAL_MOST: Final = 6
SOONEST_FILL: Final = timedelta(minutes=1)


@dataclass(frozen=True)
class NewSeek:
    """The game that you want to play."""

    rules: str
    least: int
    most: int
    speed: str = USUAL
    options: Mapping[str, Any] = field(default_factory=dict)
    """The required options."""
    fill_after: timedelta | None = None
    games_at_once: int | None = None
    """For bot accounts: the number of games in the arena that the account plays at the same time."""
    shows_name: bool = False
    """The open lobby names the account to the accounts that it follows."""


def usual_numbers(rules: AnyRules) -> tuple[int, int]:
    """Return the least and the greatest number of players of a search that names none."""
    most = max(rules.players)
    return min(max(_USUAL_LEAST, min(rules.players)), most), min(_USUAL_MOST, most)


def pace() -> Policy:
    """Return how often an account may look for players."""
    return Policy("seeks", settings.GAMES_PER_HOUR, HOUR)


def create_seek(account: Account, new_seek: NewSeek, now: datetime) -> Seek:
    """Look for players, or enter the arena. A game starts as soon as enough players have matching seeks.

    Refusal ``malformed`` names the invalid field; ``forbidden``: a person in the arena, a bot account elsewhere, or
    no confirmed address; ``conflict``: the account looks for this game already; ``limit-reached`` and
    ``rate-limited``: too many seeks, or too many questions that timed out.
    """
    _check_kind(account, new_seek)
    _check(new_seek)
    check_address(account)
    with game_caps.lock_account(account):
        if new_seek.games_at_once is None:
            _check_is_new(account, new_seek)
        else:
            _check_arena(account, new_seek, now)
        if Seek.objects.filter(account=account, state=Seek.State.OPEN).count() >= MOST_OPEN:
            sentence = gettext_noop(
                "You already have %(most)s searches for players, which is the limit. Stop one first."
            )
            raise Refusal("limit-reached", Phrase(sentence, {"most": MOST_OPEN}))
        sentence = gettext_noop("You can look for players at most %(most)s times an hour. Wait a little.")
        game_caps.enforce_rate(account, pace(), sentence, now)
        seek = Seek.objects.create(
            account=account,
            rules=new_seek.rules,
            least=new_seek.least,
            most=new_seek.most,
            speed=new_seek.speed,
            options=dict(new_seek.options),
            fill_after=new_seek.fill_after,
            games_at_once=new_seek.games_at_once,
            shows_name=new_seek.shows_name,
            created_at=now,
            until=now + (LIFETIMES[new_seek.speed] if new_seek.games_at_once is None else arena.LIFETIME),
            look_at=now,
        )
        enqueue("games.tasks.match_seeks")
    return seek


def _check_kind(account: Account, new_seek: NewSeek) -> None:
    """Refuse bot accounts outside the arena, and people in it."""
    if new_seek.games_at_once is None:
        if account.is_bot:
            sentence = gettext_noop(
                "A bot account looks for games in the arena: say with “games_at_once” how many it plays in parallel. "
                "It can also join open games."
            )
            raise Refusal("forbidden", Phrase(sentence))
        return
    if not arena.is_open():
        raise Refusal("forbidden", Phrase(gettext_noop("This server has no arena.")))
    if not account.is_bot:
        sentence = gettext_noop("The arena is for bot accounts. Leave out “games_at_once” to look for players.")
        raise Refusal("forbidden", Phrase(sentence))
    if not 1 <= new_seek.games_at_once <= arena.MOST_AT_ONCE:
        sentence = gettext_noop("Choose from %(least)s to %(most)s games in parallel.")
        raise Refusal("malformed", Phrase(sentence, {"least": 1, "most": arena.MOST_AT_ONCE}), "games_at_once")
    if new_seek.speed != arena.SPEED:
        sentence = gettext_noop("All games of the arena have the speed “%(speed)s”.")
        raise Refusal("malformed", Phrase(sentence, {"speed": Notation(arena.SPEED)}), "speed")


def _check_is_new(account: Account, new_seek: NewSeek) -> None:
    """Refuse a search for a game that the account looks for already."""
    game = {name: getattr(new_seek, name) for name in SEARCHED_GAME}
    if Seek.objects.filter(account=account, state=Seek.State.OPEN, games_at_once=None, **game).exists():
        raise Refusal("conflict", Phrase(gettext_noop("You’re already looking for this game.")))


def _check_arena(account: Account, new_seek: NewSeek, now: datetime) -> None:
    """Refuse a bot account that is in the arena for these rules already, or that was late too often."""
    if arena.open_seeks().filter(account=account, rules=new_seek.rules).exists():
        sentence = gettext_noop("This bot account is already in the arena for this game. Withdraw that seek first.")
        raise Refusal("conflict", Phrase(sentence))
    timed_out = arena.recent_activity(now).timed_out.get(account.pk, ())
    if len(timed_out) >= arena.MOST_TIMED_OUT:
        sentence = gettext_noop("Too many questions of this bot account timed out within an hour. Wait a little.")
        free_at = timed_out[-arena.MOST_TIMED_OUT] + arena.LATELY
        raise Refusal("rate-limited", Phrase(sentence), wait=math.ceil((free_at - now).total_seconds()))


def _check(new_seek: NewSeek) -> None:
    rules = rules_named(new_seek.rules)
    _check_speed(new_seek.speed)
    _check_numbers(rules, new_seek)
    for seat_count in range(new_seek.least, new_seek.most + 1):
        chosen_options(rules, new_seek.options, seat_count)
    if new_seek.fill_after is not None and not SOONEST_FILL <= new_seek.fill_after < LIFETIMES[new_seek.speed]:
        sentence = gettext_noop("Bots can fill the free seats after a minute or later, but before the search ends.")
        raise Refusal("malformed", Phrase(sentence), "fill_after")


def _check_speed(name: str) -> None:
    if name not in SPEEDS:
        sentence = gettext_noop("“%(speed)s” isn’t a speed. Choose from: %(known)s.")
        speeds = tuple(Phrase("%(name)s", {"name": Notation(speed)}) for speed in SPEEDS)
        raise Refusal("malformed", Phrase(sentence, {"speed": Notation(name[:40]), "known": speeds}), "speed")


def _check_numbers(rules: AnyRules, new_seek: NewSeek) -> None:
    players = {"least": min(rules.players), "most": max(rules.players)}
    for name in ("least", "most"):
        if getattr(new_seek, name) not in rules.players:
            raise Refusal(
                "malformed", Phrase(gettext_noop("This game is played by %(least)s to %(most)s."), {**players}), name
            )
    if new_seek.most < new_seek.least:
        sentence = gettext_noop("“Most players” can’t be less than “fewest players”.")
        raise Refusal("malformed", Phrase(sentence), "most")


class SearchedGame(NamedTuple):
    """The game that a search is for."""

    rules: str
    least: int
    most: int
    speed: str
    options: dict[str, Any]
    fill_after: timedelta | None

    @property
    def id(self) -> str:
        """Return a digest of the game. It does not depend on the accounts that search."""
        return hashlib.sha256(msgspec.json.encode(tuple(self), order="deterministic")).hexdigest()[:16]


@dataclass(frozen=True)
class LobbyEntry:
    """The searches for one game."""

    game: SearchedGame
    player_count: int
    """The number of players found. It stays below ``game.least``."""
    names: tuple[str, ...]
    """The names of searching players who follow the reader and have agreed to be named to such readers."""
    is_own: bool
    """True if the reader takes part in the search."""


def searched_game(seek: Seek) -> SearchedGame:
    return SearchedGame(*(getattr(seek, field) for field in SEARCHED_GAME))


def list_entries(reader: Account | None) -> list[LobbyEntry]:
    """Return the open searches of people, those for the same game together."""
    rows = Seek.objects.filter(state=Seek.State.OPEN, games_at_once=None, account__is_active=True, rules__in=RULES)
    names = {} if reader is None else _names(rows, reader)
    groups = rows.values_list(*SEARCHED_GAME).annotate(accounts=ArrayAgg("account", order_by=("created_at", "pk")))
    entries = [_entry(SearchedGame(*fields), accounts, reader, names) for *fields, accounts in groups]
    return sorted(entries, key=lambda entry: (entry.game.rules, entry.game.least - entry.player_count, entry.game.id))


_Names = Mapping[str, Mapping[int, str]]
"""The names of accounts that may be shown, by the id of the game that they search for."""


def _names(rows: QuerySet[Seek], reader: Account) -> _Names:
    followers = Follow.objects.filter(other=reader).values("owner")
    searches = rows.filter(shows_name=True, account__in=followers)
    searches = searches.exclude(account__in=Block.objects.filter(other=reader).values("owner"))
    names: dict[str, dict[int, str]] = defaultdict(dict)
    for seek in searches.select_related("account"):
        names[searched_game(seek).id][seek.account_id] = seek.account.name
    return names


def _entry(game: SearchedGame, accounts: list[int], reader: Account | None, owner_names: _Names) -> LobbyEntry:
    """Return the entry of a game. ``accounts`` begins with the player who came first."""
    is_own = reader is not None and reader.pk in accounts
    player_count = min(len(accounts), max(game.least - 1, 1))
    others = [account for account in accounts if reader is None or account != reader.pk]
    names = owner_names.get(game.id, {})
    listed_names = sorted(names[account] for account in others[: player_count - is_own] if account in names)
    return LobbyEntry(game, player_count, tuple(listed_names), is_own)


def join_search(account: Account, entry: str, now: datetime) -> Seek:
    """Search for the same game as others. Raises Refusal(not-found) if the search is over."""
    game = next((row.game for row in list_entries(account) if row.game.id == entry), None)
    if game is None:
        raise not_found()
    return create_seek(account, NewSeek(**game._asdict()), now)


RETENTION: Final = timedelta(days=30)
"""The time for which a seek is kept once it is over."""
JUST_STARTED: Final = timedelta(minutes=1)
"""The time after its start for which open pages go to a game by themselves."""


def list_seeks(account: Account) -> QuerySet[Seek]:
    """Return the seeks of an account, newest first."""
    return Seek.objects.filter(account=account).order_by("-created_at", "-id")


def just_started(account: Account, now: datetime) -> Seek | None:
    """Return the latest seek of an account whose game has just been created. Open pages go to that game."""
    rows = Seek.objects.filter(account=account, state=Seek.State.MATCHED, game__isnull=False)
    return rows.filter(ended_at__gt=now - JUST_STARTED).order_by("-ended_at").first()


def get_seek(account: Account, seek: UUID) -> Seek:
    """Return a seek of an account. Raises Refusal(not-found)."""
    row = Seek.objects.filter(account=account, pk=seek).first()
    if row is None:
        raise not_found()
    return row


def withdraw(account: Account, seek: UUID, now: datetime) -> None:
    """Withdraw a seek. Has no effect if it is withdrawn already. Raises Refusal(not-found), or Refusal(conflict) if
    it has led to a game.
    """
    with transaction.atomic():
        row = Seek.objects.select_for_update().filter(account=account, pk=seek).first()
        if row is None:
            raise not_found()
        if row.state == Seek.State.MATCHED:
            raise Refusal("conflict", Phrase(gettext_noop("Players were found, and the game has been created.")))
        if row.state == Seek.State.OPEN:
            row.state, row.ended_at = Seek.State.WITHDRAWN, now
            row.save(update_fields=["state", "ended_at"])


def withdraw_all(account: Account, now: datetime) -> None:
    """Withdraw all seeks, when an account leaves the server."""
    Seek.objects.filter(account=account, state=Seek.State.OPEN).update(state=Seek.State.WITHDRAWN, ended_at=now)


def forget_old(now: datetime) -> None:
    """Delete the seeks that have been over for long."""
    Seek.objects.filter(ended_at__lt=now - RETENTION).delete()


@dataclass(frozen=True)
class ListedSeek:
    """A search in the active language."""

    seek: Seek | SearchedGame

    @property
    def title(self) -> str:
        """The title of the game, or its short name if it is not installed here."""
        rules = RULES.get(self.seek.rules)
        return render_phrase(rules.words.title, {}) if rules else self.seek.rules

    @property
    def players(self) -> str:
        """The possible numbers of players."""
        least, most = number(self.seek.least), number(self.seek.most)
        if least == most:
            return ngettext("%(number)s player", "%(number)s players", self.seek.least) % {"number": least}
        return _("%(least)s to %(most)s players") % {"least": least, "most": most}

    @property
    def speed(self) -> str:
        """The name of the speed."""
        return _(SPEEDS[self.seek.speed].label) if self.seek.speed in SPEEDS else ""

    @property
    def expansions(self) -> list[str]:
        """The required expansions."""
        return self._options(required=True)

    @property
    def unwanted(self) -> list[str]:
        """The excluded expansions."""
        return self._options(required=False)

    def _options(self, *, required: bool) -> list[str]:
        rules = RULES.get(self.seek.rules)
        words = rules.words.options if rules else {}
        return [
            render_phrase(words[name], {})
            for name, value in self.seek.options.items()
            if value is required and name in words
        ]

    @property
    def conditions(self) -> list[str]:
        """The required options."""
        rules = RULES.get(self.seek.rules)
        return option_lines(rules, self.seek.options) if rules else []

    @property
    def bots(self) -> str:
        """The sentence about bots on free seats. It is blank if bots take none."""
        if self.seek.fill_after is None:
            return ""
        return _("Bots take the free seats after %(time)s.") % {"time": period(self.seek.fill_after)}


def open_seeks(account: Account) -> list[ListedSeek]:
    """Return the open seeks of an account."""
    return [ListedSeek(seek) for seek in list_seeks(account).filter(state=Seek.State.OPEN)]


_MOST_ENDED: Final = 3


def ended_seeks(account: Account) -> list[ListedSeek]:
    """Return the latest searches of an account that have led to a game or found too few players."""
    ended = list_seeks(account).filter(state__in=(Seek.State.MATCHED, Seek.State.LAPSED), games_at_once=None)
    return [ListedSeek(seek) for seek in ended[:_MOST_ENDED]]
