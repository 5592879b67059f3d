"""Skulls of Sedlec, for two or three players: the rules as pure functions."""

from typing import Final

from games.engine import AnyRules, Rules
from games.engine.rules import Search
from games.rules.sedlec.bot import bot_move
from games.rules.sedlec.decide import NAME, PLAYERS, VERSION, decide, outcome, resign, setup
from games.rules.sedlec.events import SedlecEvent
from games.rules.sedlec.moves import SedlecMove, default_move, legal_moves
from games.rules.sedlec.options import Options
from games.rules.sedlec.pictures.drawing import STYLE
from games.rules.sedlec.pictures.figures import FIGURES, facts
from games.rules.sedlec.pictures.picture import picture
from games.rules.sedlec.plans import PLANS
from games.rules.sedlec.standing import share
from games.rules.sedlec.state import REASONS, State, questions
from games.rules.sedlec.text.notation import SYNONYMS
from games.rules.sedlec.text.refusals import why_illegal
from games.rules.sedlec.text.turning_point import turning_point
from games.rules.sedlec.text.words import WORDS
from games.rules.sedlec.views import View, view
from games.rules.sedlec.worlds import worlds

RULES: Final[AnyRules] = Rules(
    name=NAME,
    version=VERSION,
    players=PLAYERS,
    option_type=Options,
    state_type=State,
    view_type=View,
    event_type=SedlecEvent,
    move_type=SedlecMove,
    setup=setup,
    questions=questions,
    legal_moves=legal_moves,
    decide=decide,
    default_move=default_move,
    resign=resign,
    why_illegal=why_illegal,
    view=view,
    outcome=outcome,
    words=WORDS,
    bot_move=bot_move,
    bot_version=4,
    picture=picture,
    picture_style=STYLE,
    worlds=worlds,
    search=Search(share=share, effort=1.0, horizon=6),
    plans=PLANS,
    paces={"turn": "turn", "take": "choice"},
    reasons=REASONS,
    vocabulary=SYNONYMS,
    turning_point=turning_point,
    figures=FIGURES,
    facts=facts,
)
