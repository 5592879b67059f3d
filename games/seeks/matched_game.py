"""Makes the game of seeks that were matched."""

from dataclasses import asdict
from datetime import datetime

import msgspec
from django.db import transaction

from accounts.models import Account
from games.lobby.create import created, new_row
from games.lobby.new_game import chosen_options, rules_named
from games.lobby.seating import take_seat
from games.lobby.starting import start_if_full
from games.models import Bot, Game, Seek
from games.play import game_caps
from games.play.locked_game import SERVER
from games.seeks import arena
from games.seeks.matching import Match
from games.seeks.presence import present
from games.terms.speeds import SPEEDS


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
        if like.stands and not arena.may_begin(seeks.values(), now):
            return False
        game = _create(like, match, accounts, now)
        if not like.stands:
            Seek.objects.filter(pk__in=ids).update(state=Seek.State.MATCHED, game=game, ended_at=now)
    return True


def _create(like: Seek, match: Match, accounts: list[Account], now: datetime) -> Game:
    """A public game with these players, whose host is the first of them."""
    rules = rules_named(like.rules)
    game = new_row(
        rules,
        accounts[0],
        options=msgspec.to_builtins(chosen_options(rules, match.options, match.seat_count)),
        seat_count=match.seat_count,
        bot_count=match.bot_count,
        chosen_bots=[asdict(Bot())] * match.bot_count,
        terms=arena.TERMS if like.stands else SPEEDS[like.speed].terms,
        arena=like.stands,
        created_at=now,
    )
    with created(game, SERVER, now) as locked:
        for account in accounts:
            take_seat(locked, account, SERVER)
        start_if_full(locked)
    return locked.game
