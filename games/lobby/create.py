"""Creation of games and rematches."""

import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict
from datetime import datetime
from typing import Any

import msgspec
from django.db import transaction

from accounts.models import Account
from accounts.people.blocks import is_any_blocked_between
from games.clubs.club_games import add_to_club, lock_club_of_new_game, lock_club_of_rematch
from games.engine import AnyRules, Phrase, gettext_noop
from games.engine.validation import FILLED_IN
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
from games.lobby.seating import Seeding, bot_names, check_address, held_game, seat_bot, take_seat
from games.lobby.starting import deal_protected, start_if_full
from games.models import Bot, Club, Game, Seat, commitment_of
from games.play import game_caps
from games.play.locked_game import LockedGame
from games.refusals import Refusal


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


def create_rematch(game: uuid.UUID, account: Account, changed: Mapping[str, Any], via: str, now: datetime) -> Game:
    """Create a game with the same players on the same seats, and deal as soon as the deal is protected.

    ``changed`` are options that differ from the game before. A game has one rematch: a second request returns the same
    game. A bot takes the seat of a player whose account is closed, or who has a block with the caller. The seeds are
    those to which the players committed when they revealed the seeds before. Games of the arena have no rematch.
    """
    with game_caps.lock_account(account):
        club = lock_club_of_rematch(account, game)
        with held_game(game, now) as old:
            old.require_seat(account)
            if old.game.state != Game.State.OVER:
                raise Refusal("conflict", Phrase(gettext_noop("This game isn’t over yet.")))
            if old.game.arena:
                raise Refusal("forbidden", Phrase(gettext_noop("Games of the arena have no rematch.")))
            if old.game.rematch is None:
                if any(seat.account_id not in (None, account.pk) for seat in old.seats.values()):
                    check_address(account)
                game_caps.count_new_game(account, now, open=False)
                old.game.rematch = _create_rematch(old, account, club, changed, via)
                old.game.save(update_fields=["rematch"])
    return old.game.rematch


def _plays_again(seat: Seat, account: Account) -> bool:
    """Return whether a player's account is open and neither it nor the asking account has blocked the other."""
    return bool(seat.account and seat.account.is_active and not is_any_blocked_between(account.pk, [seat.account.pk]))


def _create_rematch(old: LockedGame, account: Account, club: Club | None, changed: Mapping[str, Any], via: str) -> Game:
    """Create a game with the settings and players of ``old``, and start it."""
    before = {name: value for name, value in old.game.options.items() if name != FILLED_IN}
    options = chosen_options(old.rules, {**before, **changed}, old.game.seat_count)
    people = {seat: seat_row.account for seat, seat_row in old.seats.items() if _plays_again(seat_row, account)}
    bots = {seat: Bot(old.seats[seat].level, old.seats[seat].style) for seat in sorted(old.seats) if seat not in people}
    game = new_row(
        old.rules,
        account,
        options=msgspec.to_builtins(options),
        seat_count=old.game.seat_count,
        bot_count=len(bots),
        chosen_bots=[asdict(bot) for bot in bots.values()],
        terms=old.game.terms,
        spectator_delay=old.game.spectator_delay,
        private=old.game.private,
        club=club,
        created_at=old.now,
    )
    outcome = old.rules.outcome(old.state)
    if FILLED_IN in game.options and outcome is not None:
        game.options[FILLED_IN] = list(outcome.winners)
    with created(game, via, old.now) as locked:
        names = iter(bot_names((person.name for person in people.values()), game.bot_count))
        for seat in sorted(old.seats):
            if person := people.get(seat):
                take_seat(locked, person, via, Seeding(commitment=old.seats[seat].next_seed_commitment))
            else:
                seat_bot(locked, next(names), bots[seat], via)
        deal_protected(locked)
        add_to_club(locked.game, old.now)
    return locked.game
