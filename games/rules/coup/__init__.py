"""Coup with all its expansions, for 2 to 10 players, as described in ``rules/coup.md``.

The classic rules are data (the table ``LAW`` of actions and questions in ``game.py``) and steps that follow one another
(``flow.py``). An expansion (``expansions/``) defines only the differences: its own actions, questions, answers, steps
and events, characters that replace others, and protection by parties. ``game.py`` lists the expansions and builds the
law for a set of options. The classic game names no expansion. The state (``state.py``) is one struct for all of them,
so a snapshot can be read without knowing the expansions.

The answers in a reaction are in the log in the order in which they came, but their content is hidden from the other
players. The events that close the reaction tell the result. The court is not stored: it is the part of the pack that is
not elsewhere. Its order would never matter, because it is shuffled after every return, so cards are drawn from it one
by one.
"""

from typing import Final

from games.engine import AnyRules, Phrase, Rules, Words, gettext_noop
from games.engine.rules import Search
from games.rules.coup import game
from games.rules.coup.bot import learning, rollouts
from games.rules.coup.bot.rollouts import fondness, heat
from games.rules.coup.bot.simple import bot_move
from games.rules.coup.events import Challenged, Lost, Proved
from games.rules.coup.expansions.inquisitor import HandedBack, Swapped
from games.rules.coup.game import PACES, AnyEvent
from games.rules.coup.hindsight import claims, consequences, guesses, statistics, turning_point
from games.rules.coup.moves import AnyMove
from games.rules.coup.pictures.drawing import STYLE, SYMBOLS
from games.rules.coup.pictures.figures import FIGURES, facts
from games.rules.coup.pictures.picture import picture
from games.rules.coup.state import REASONS, Options, State
from games.rules.coup.text import status, words
from games.rules.coup.text.coaching import COACHING
from games.rules.coup.text.lesson import LESSON
from games.rules.coup.text.plan_words import PERSIAN_PLANS, PLANS
from games.rules.coup.text.refusals import why_illegal
from games.rules.coup.text.status import meanings
from games.rules.coup.text.story import story
from games.rules.coup.text.words import OPTIONS, PERSIAN, SYNONYMS
from games.rules.coup.views import View, view, worlds

RULES: Final[AnyRules] = Rules(
    name=game.NAME,
    version=game.VERSION,
    players=game.PLAYERS,
    option_type=Options,
    state_type=State,
    view_type=View,
    event_type=AnyEvent,
    move_type=AnyMove,
    setup=game.setup,
    questions=game.questions,
    legal_moves=game.legal_moves,
    decide=game.decide,
    default_move=game.default_move,
    resign=game.resign,
    view=view,
    outcome=game.outcome,
    words=Words(
        title=Phrase(gettext_noop("Coup")),
        story=story,
        asks=words.asks,
        label=words.label,
        meanings=meanings,
        coaching=COACHING,
        summary=status.summary,
        table=status.table,
        hands=status.hands,
        options=OPTIONS,
        notation={"fa": {**PERSIAN, **PERSIAN_PLANS}},
        status=status.sentences,
    ),
    play=game.play,
    picture=picture,
    why_illegal=why_illegal,
    picture_style=STYLE,
    picture_symbols=SYMBOLS,
    bot_move=bot_move,
    bot_version=5,
    worlds=worlds,
    search=Search(
        worlds=learning.likely,
        step=rollouts.step,
        habits=rollouts.doubts,
        share=rollouts.share,
        heat=heat,
        fondness=fondness,
        leaves=("draft", "party", "proof", "loss", "show"),
        effort=1.0,
        horizon=rollouts.horizon,
        guesses=guesses,
        consequences=consequences,
        unanalysed=("draft", "party"),
    ),
    plans=PLANS,
    statistics=statistics,
    turning_point=turning_point,
    claims=claims,
    highlights=(Challenged, Lost),
    momentary=(Proved, HandedBack, Swapped),
    paces=PACES,
    reasons=REASONS,
    vocabulary=SYNONYMS,
    figures=FIGURES,
    lesson=LESSON,
    facts=facts,
)
"""Coup, as the registry knows it."""
