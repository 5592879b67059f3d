"""Skulls of Sedlec, for two or three players: the rules as pure functions."""

from typing import Final

from msgspec.structs import replace

from games.engine import AnyRules, Rules
from games.engine.rules import Search
from games.rules.sedlec.bot import bot_move, horizon, share
from games.rules.sedlec.events import SedlecEvent
from games.rules.sedlec.figures import FIGURES, facts
from games.rules.sedlec.game import (
    NAME,
    PLAYERS,
    VERSION,
    SedlecMove,
    decide,
    default_move,
    legal_moves,
    outcome,
    resign,
    setup,
)
from games.rules.sedlec.picture import STYLE, SYMBOLS, picture
from games.rules.sedlec.plans import PLANS
from games.rules.sedlec.state import REASONS, Options, State, questions
from games.rules.sedlec.teaching import COACHING, LESSON
from games.rules.sedlec.views import View, view, worlds
from games.rules.sedlec.words import SYNONYMS, WORDS, turning_point, why_illegal

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
    words=replace(WORDS, coaching=COACHING),
    bot_move=bot_move,
    bot_version=5,
    picture=picture,
    picture_style=STYLE,
    picture_symbols=SYMBOLS,
    worlds=worlds,
    search=Search(share=share, effort=1.0, horizon=horizon),
    plans=PLANS,
    paces={"turn": "turn", "take": "choice"},
    reasons=REASONS,
    vocabulary=SYNONYMS,
    turning_point=turning_point,
    figures=FIGURES,
    lesson=LESSON,
    facts=facts,
)
