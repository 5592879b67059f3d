"""Creates the rematch of a game."""

import uuid
from collections.abc import Mapping
from dataclasses import asdict
from datetime import datetime
from typing import Any

import msgspec

from accounts.models import Account
from accounts.people.blocks import is_any_blocked_between
from games.clubs.club_games import add_to_club, lock_club_of_rematch
from games.engine import Phrase, gettext_noop
from games.engine.validation import FILLED_IN
from games.lobby.create import created, new_row
from games.lobby.eligibility import check_address
from games.lobby.new_game import chosen_options
from games.lobby.seating import Seeding, bot_names, held_game, seat_bot, seat_of_player, take_seat
from games.lobby.starting import deal_protected
from games.models import Bot, Club, Game, Seat
from games.play import game_caps
from games.play.locked_game import LockedGame
from games.refusals import Refusal


def create_rematch(game: uuid.UUID, account: Account, changed: Mapping[str, Any], via: str, now: datetime) -> Game:
    """Seat the same people once more, on the same seats, and deal, as soon as the deal is protected.

    ``changed`` are options that are to differ. A game has one rematch: whoever asks for it again gets the same. A
    bot takes the seat of somebody who has left the server, or is kept apart from who asks. Seeds are those that the
    players committed to as they revealed the ones before. Games of the arena have none.
    """
    with game_caps.lock_account(account):
        club = lock_club_of_rematch(account, game)
        with held_game(game, now) as old:
            seat_of_player(old, account)
            if old.game.state != Game.State.OVER:
                raise Refusal("conflict", Phrase(gettext_noop("This game is not over yet.")))
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
    """Return whether a seat's player is there, and not kept apart from who wants to play again."""
    return bool(seat.account and seat.account.is_active and not is_any_blocked_between(account.pk, [seat.account.pk]))


def _create_rematch(old: LockedGame, account: Account, club: Club | None, changed: Mapping[str, Any], via: str) -> Game:
    """A table like the one before, with the same people, and the game at it begun."""
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
