"""Two Houses: a game of teams from outside the server. All players bid at the same time, in secret, with a form instead
of a list.
"""

from typing import Final

from games.engine import AnyRules, Rules

from . import game
from .bot import bot_move, statistics
from .picture import STYLE, picture
from .words import WORDS

RULES: Final[AnyRules] = Rules(
    name="two-houses",
    version=1,
    players=game.PLAYERS,
    option_type=game.Options,
    state_type=game.State,
    event_type=game.SetUp | game.Arrived | game.Sealed | game.Opened | game.Resigned | game.Won,
    move_type=game.Bid,
    setup=game.setup,
    evolve=game.evolve,
    questions=game.questions,
    forms=game.forms,
    decide=game.decide,
    resign=game.resign,
    outcome=game.outcome,
    words=WORDS,
    bot_move=bot_move,
    statistics=statistics,
    picture=picture,
    picture_style=STYLE,
)
