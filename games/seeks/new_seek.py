"""Checking and storing seeks, which the sweep matches."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings

from accounts.limits.rate_limits import HOUR, Policy
from accounts.models import Account
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
    """The options that have to be so."""
    fill_after: timedelta | None = None
    games_at_once: int | None = None
    """For bot accounts: the number of games in the arena that the account plays at the same time."""


def usual_numbers(rules: AnyRules) -> tuple[int, int]:
    """Return the least and the greatest number of players of a search that names none."""
    most = max(rules.players)
    return min(max(_USUAL_LEAST, min(rules.players)), most), min(_USUAL_MOST, most)


def pace() -> Policy:
    """Return how often an account may look for players."""
    return Policy("seeks", settings.GAMES_PER_HOUR, HOUR)


def create_seek(account: Account, wanted: NewSeek, now: datetime) -> Seek:
    """Look for players, or enter the arena. A game begins as soon as there are enough who want the same.

    Refusal ``malformed`` names what cannot be wanted; ``forbidden``: a person in the arena, a bot account elsewhere, or
    no confirmed address; ``conflict``: the bot account is there already; ``limit-reached`` and ``rate-limited``: too
    many seeks, or too many questions that timed out.
    """
    _check_kind(account, wanted)
    _check(wanted)
    check_address(account)
    with game_caps.lock_account(account):
        if wanted.games_at_once is not None:
            _check_arena(account, wanted, now)
        if Seek.objects.filter(account=account, state=Seek.State.OPEN).count() >= MOST_OPEN:
            sentence = gettext_noop(
                "You have %(most)s searches for players already, which is the limit. Stop one of them first."
            )
            raise Refusal("limit-reached", Phrase(sentence, {"most": MOST_OPEN}))
        sentence = gettext_noop("You may look for players at most %(most)s times an hour. Wait a little.")
        game_caps.enforce_rate(account, pace(), sentence, now)
        seek = Seek.objects.create(
            account=account,
            rules=wanted.rules,
            least=wanted.least,
            most=wanted.most,
            speed=wanted.speed,
            options=dict(wanted.options),
            fill_after=wanted.fill_after,
            games_at_once=wanted.games_at_once,
            created_at=now,
            until=now + (LIFETIMES[wanted.speed] if wanted.games_at_once is None else arena.LIFETIME),
            look_at=now,
        )
        enqueue("games.tasks.match_seeks")
    return seek


def _check_kind(account: Account, wanted: NewSeek) -> None:
    """Refuse bot accounts outside the arena, and people in it."""
    if wanted.games_at_once is None:
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
    if not 1 <= wanted.games_at_once <= arena.MOST_AT_ONCE:
        sentence = gettext_noop("Choose from %(least)s to %(most)s games in parallel.")
        raise Refusal("malformed", Phrase(sentence, {"least": 1, "most": arena.MOST_AT_ONCE}), "games_at_once")
    if wanted.speed != arena.SPEED:
        sentence = gettext_noop("All games of the arena have the speed “%(speed)s”.")
        raise Refusal("malformed", Phrase(sentence, {"speed": Notation(arena.SPEED)}), "speed")


def _check_arena(account: Account, wanted: NewSeek, now: datetime) -> None:
    """Refuse a bot account that is in the arena for these rules already, or that was late too often."""
    if arena.open_seeks().filter(account=account, rules=wanted.rules).exists():
        sentence = gettext_noop("This bot account is in the arena for this game already. Withdraw that seek first.")
        raise Refusal("conflict", Phrase(sentence))
    timed_out = arena.recent_activity(now).timed_out.get(account.pk, ())
    if len(timed_out) >= arena.MOST_TIMED_OUT:
        sentence = gettext_noop("Too many questions of this bot account timed out within an hour. Wait a little.")
        free_at = timed_out[-arena.MOST_TIMED_OUT] + arena.LATELY
        raise Refusal("rate-limited", Phrase(sentence), wait=math.ceil((free_at - now).total_seconds()))


def _check(wanted: NewSeek) -> None:
    rules = rules_named(wanted.rules)
    _check_speed(wanted.speed)
    _check_numbers(rules, wanted)
    for seat_count in range(wanted.least, wanted.most + 1):
        chosen_options(rules, wanted.options, seat_count)
    if wanted.fill_after is not None and not SOONEST_FILL <= wanted.fill_after < LIFETIMES[wanted.speed]:
        sentence = gettext_noop("Bots can fill the free seats after a minute or later, but before the search ends.")
        raise Refusal("malformed", Phrase(sentence), "fill_after")


def _check_speed(name: str) -> None:
    if name not in SPEEDS:
        sentence = gettext_noop("There is no speed “%(speed)s”; there are: %(known)s.")
        known = tuple(Phrase("%(name)s", {"name": Notation(each)}) for each in SPEEDS)
        raise Refusal("malformed", Phrase(sentence, {"speed": Notation(name[:40]), "known": known}), "speed")


def _check_numbers(rules: AnyRules, wanted: NewSeek) -> None:
    players = {"least": min(rules.players), "most": max(rules.players)}
    for name in ("least", "most"):
        if getattr(wanted, name) not in rules.players:
            raise Refusal(
                "malformed", Phrase(gettext_noop("This game is played by %(least)s to %(most)s."), {**players}), name
            )
    if wanted.most < wanted.least:
        sentence = gettext_noop("“Players at most” cannot be less than “players at least”.")
        raise Refusal("malformed", Phrase(sentence), "most")
