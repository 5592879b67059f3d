"""Cockroach Poker by Jacques Zeimet, without a picture of its own: the default board draws it."""

from typing import Final

from games.engine import AnyRules, Rules

from . import game
from .words import WORDS

RULES: Final[AnyRules] = Rules(
    name="cockroach-poker",
    version=1,
    players=game.PLAYERS,
    state_type=game.State,
    event_type=game.Dealt | game.CardGiven | game.Looked | game.Passed | game.Guessed | game.Lost,
    move_type=game.Give | game.Pass | game.Look | game.Believe | game.Doubt,
    setup=game.setup,
    legal_moves=game.legal_moves,
    forms=game.forms,
    decide=game.decide,
    resign=game.resign,
    words=WORDS,
    bot_move=game.bot_move,
    worlds=game.worlds,
    momentary=(game.Looked,),
)
