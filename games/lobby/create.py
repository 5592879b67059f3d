"""Creates games."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from typing import Any

import msgspec
from django.db import transaction

from accounts.models import Account
from games.clubs.club_games import add_to_club, lock_club_of_new_game
from games.engine import AnyRules
from games.event_log.table import seconds_of
from games.event_log.table_events import GameCreated
from games.lobby.check_terms import check_terms
from games.lobby.eligibility import check_address
from games.lobby.new_game import NewGame, check_bots, check_delay, check_seeding, chosen_options, rules_named
from games.lobby.seating import Seeding, held_game, take_seat
from games.lobby.starting import start_if_full
from games.models import Game, commitment_of
from games.play import game_caps
from games.play.locked_game import LockedGame


def create_game(host: Account, chosen: NewGame, via: str, now: datetime) -> Game:
    """Create a game with its host on seat 1. It begins at once where everybody else is a bot.

    The seed of its chance is made here and bound by the commitment that is public from now on.
    Refusal ``malformed`` names what cannot be chosen; ``forbidden``: no confirmed address, and other people are to
    join; ``limit-reached`` and ``rate-limited``: too many games.
    """
    rules = rules_named(chosen.rules)
    options = chosen_options(rules, chosen.options, chosen.seat_count)
    check_bots(chosen)
    seeding = Seeding(chosen.seed, chosen.seed_commitment)
    check_seeding(seeding)
    check_terms(chosen.terms)
    check_delay(chosen.spectator_delay)
    is_for_people = len(chosen.bots) + 1 < chosen.seat_count
    if is_for_people:
        check_address(host)
    with game_caps.lock_account(host):
        club = lock_club_of_new_game(host, chosen.club)
        game = new_row(
            rules,
            host,
            options=msgspec.to_builtins(options),
            seat_count=chosen.seat_count,
            bot_count=len(chosen.bots),
            chosen_bots=[asdict(bot) for bot in chosen.bots],
            terms=chosen.terms,
            private=chosen.private or club is not None,
            club=club,
            spectator_delay=chosen.spectator_delay,
            created_at=now,
        )
        game_caps.count_new_game(host, now, open=is_for_people)
        with created(game, via, now) as locked:
            take_seat(locked, host, via, seeding=seeding)
            start_if_full(locked)
            add_to_club(locked.game, now)
    return locked.game


def new_row(rules: AnyRules, host: Account | None, **chosen: Any) -> Game:
    """A table that is not stored yet, its chance bound by a commitment. The games of a tournament have no host."""
    game = Game(rules=rules.name, rules_version=rules.version, host=host, **chosen)
    game.commitment = commitment_of(game.id, bytes(game.seed))
    return game


@contextmanager
def created(game: Game, via: str, now: datetime) -> Iterator[LockedGame]:
    """Store a new table and hold it, with nobody seated yet."""
    with transaction.atomic():
        game.save(force_insert=True)
        with held_game(game.id, now) as locked:
            created = GameCreated(
                rules=game.rules,
                version=game.rules_version,
                seat_count=game.seat_count,
                bot_count=game.bot_count,
                commitment=game.commitment,
                terms=game.terms,
                private=game.private,
                spectator_delay=seconds_of(game.spectator_delay),
                arena=game.arena,
            )
            locked.add_table_event(created, via)
            yield locked
