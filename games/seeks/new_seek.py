"""Checking and storing seeks, which the sweep matches."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings

from accounts.models import Account
from accounts.rate_limits import HOUR, Policy
from games.engine import AnyRules, Notation, Phrase, gettext_noop
from games.event_log.enqueue import enqueue
from games.lobby.new_game import chosen_options, rules_named
from games.lobby.seating import check_address
from games.models import Seek
from games.play import game_caps
from games.refusals import Refusal
from games.seeks import arena
from games.terms.speeds import SPEEDS, USUAL

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
                "You have %(most)s searches for players already, which is the limit. Stop one of them first."
            )
            raise Refusal("limit-reached", Phrase(sentence, {"most": MOST_OPEN}))
        sentence = gettext_noop("You may look for players at most %(most)s times an hour. Wait a little.")
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
                "It may also join open games."
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
        raise Refusal("conflict", Phrase(gettext_noop("You’re looking for this game already.")))


def _check_arena(account: Account, new_seek: NewSeek, now: datetime) -> None:
    """Refuse a bot account that is in the arena for these rules already, or that was late too often."""
    if arena.open_seeks().filter(account=account, rules=new_seek.rules).exists():
        sentence = gettext_noop("This bot account is in the arena for this game already. Withdraw that seek first.")
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
        sentence = gettext_noop("“Players at most” can’t be less than “players at least”.")
        raise Refusal("malformed", Phrase(sentence), "most")
