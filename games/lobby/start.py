"""Starts a game with those who sit at its table."""

import uuid
from datetime import datetime

from accounts.models import Account
from games.engine import Phrase, gettext_noop
from games.lobby.seating import check_open, held_game, seat_of_player
from games.lobby.starting import close_table
from games.models import Game
from games.refusals import Refusal


def start_game(game: uuid.UUID, account: Account, now: datetime) -> Game:
    """Begin with those who sit here and the bots, as the host may once they are enough."""
    with held_game(game, now) as locked:
        seat_of_player(locked, account)
        if locked.game.host_id != account.pk:
            raise Refusal("forbidden", Phrase(gettext_noop("Only the host may begin the game.")))
        check_open(locked)
        least = min(locked.rules.players)
        if len(locked.seats) + locked.game.bot_count < least:
            sentence = gettext_noop("This game needs at least %(least)s players.")
            raise Refusal("conflict", Phrase(sentence, {"least": least}))
        close_table(locked)
    return locked.game
