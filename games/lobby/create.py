"""Creation of games."""

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
from games.lobby.new_game import (
    NewGame,
    check_bots,
    check_delay,
    check_seeding,
    check_terms,
    chosen_options,
    rules_named,
)
from games.lobby.seating import Seeding, check_address, held_game, take_seat
from games.lobby.starting import start_if_full
from games.models import Game, commitment_of
from games.play import game_caps
from games.play.locked_game import LockedGame


def create_game(host: Account, new_game: NewGame, via: str, now: datetime) -> Game:
    """Create a game with its host on seat 1. It starts immediately if all other seats are for bots.

    The seed of the game is created here, and bound by a commitment that is public from now on. Raises
    Refusal(malformed) for an invalid choice, Refusal(forbidden) if other people can join and the host has no confirmed
    address, and Refusal(limit-reached) or Refusal(rate-limited) for too many games.
    """
    rules = rules_named(new_game.rules)
    options = chosen_options(rules, new_game.options, new_game.seat_count)
    check_bots(new_game)
    seeding = Seeding(new_game.seed, new_game.seed_commitment)
    check_seeding(seeding)
    check_terms(new_game.terms)
    check_delay(new_game.spectator_delay)
    is_for_people = len(new_game.bots) + 1 < new_game.seat_count
    if is_for_people:
        check_address(host)
    with game_caps.lock_account(host):
        club = lock_club_of_new_game(host, new_game.club)
        game = new_row(
            rules,
            host,
            options=msgspec.to_builtins(options),
            seat_count=new_game.seat_count,
            bot_count=len(new_game.bots),
            chosen_bots=[asdict(bot) for bot in new_game.bots],
            terms=new_game.terms,
            private=new_game.private or club is not None,
            club=club,
            spectator_delay=new_game.spectator_delay,
            created_at=now,
        )
        game_caps.count_new_game(host, now, open=is_for_people)
        with created(game, via, now) as locked:
            take_seat(locked, host, via, seeding=seeding)
            start_if_full(locked)
            add_to_club(locked.game, now)
    return locked.game


def new_row(rules: AnyRules, host: Account | None, **fields: Any) -> Game:
    """Return a new game that is not stored yet, with a commitment to its seed. Games of tournaments have no host."""
    game = Game(rules=rules.name, rules_version=rules.version, host=host, **fields)
    game.commitment = commitment_of(game.id, bytes(game.seed))
    return game


@contextmanager
def created(game: Game, via: str, now: datetime) -> Iterator[LockedGame]:
    """Store a new game without players, and lock it."""
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
