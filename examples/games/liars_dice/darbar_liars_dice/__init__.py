"""Liar's Dice: a game from outside the server. It needs only ``games.engine``."""

from typing import Final

from games.engine import AnyRules, Rules

from . import game
from .picture import STYLE, picture
from .words import WORDS

RULES: Final[AnyRules] = Rules(
    name="liars-dice",
    version=1,
    players=game.PLAYERS,
    option_type=game.Options,
    state_type=game.State,
    event_type=game.SetUp | game.Rolled | game.Raised | game.Called | game.Resigned | game.Won,
    move_type=game.Bid | game.Liar,
    setup=game.setup,
    legal_moves=game.legal_moves,
    decide=game.decide,
    resign=game.resign,
    words=WORDS,
    bot_move=game.bot_move,
    picture=picture,
    picture_style=STYLE,
)
