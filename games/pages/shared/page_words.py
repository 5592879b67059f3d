"""Sentences of the pages, in the active language."""

from typing import Any

import msgspec
from django.utils.translation import gettext as _

from games.announcements import setbacks
from games.engine import Phrase, Question
from games.models import Game, Move
from games.text.phrases import render_phrase
from games.visibility.player_view import PlayerView


def second_question(player_view: PlayerView, question: Question) -> dict[str, Any]:
    """Return the template context for choosing the next turn together with an answer.

    The choice is shown if the reader is next, otherwise it is folded away.
    """
    is_next = player_view.is_next(question)
    label = _("You are next. You can choose your turn now too:") if is_next else _("Choose your next turn now too")
    return {"seconds": player_view.second_answers(question), "then": label, "then_folded": not is_next}


def answer_button() -> str:
    """Return the label of the button that sends an answer."""
    return _("Play this move")


def all_answers_link() -> str:
    """Return the label of the link to all answers."""
    return _("All answers")


def events_since() -> str:
    """Return the title of the events after a question was closed."""
    return _("What happened then")


def closed_question(player_view: PlayerView, answered: Move | None) -> str:
    """Return a sentence that says how a question was closed."""
    if answered is None:
        sentence = _("This question in %(game)s, game %(code)s, is closed: an answer is no longer needed.")
    elif answered.via == Move.Via.TIMEOUT:
        sentence = _("This question in %(game)s, game %(code)s, is closed: it timed out, and Darbar moved for you.")
    else:
        sentence = _("This question in %(game)s, game %(code)s, is closed: you have answered it.")
    return sentence % player_view.name_values


def waiting_move(game: Game) -> str:
    """Return the text about an answer that is not resolved yet."""
    if game.stalled_since is not None:
        return _(setbacks.NOT_YET)
    return _("Your answer has come in and will be processed in a moment.")


def move_result(player_view: PlayerView, move: Move) -> str:
    """Return the result of an answer that did not close its question."""
    if move.state == Move.State.RECEIVED:
        return waiting_move(player_view.game)
    if move.state == Move.State.FAILED:
        return _("Something went wrong on the server: this move was not played. The operator knows of it.")
    phrase = msgspec.json.decode(move.phrase, type=Phrase) if move.phrase else None
    return render_phrase(phrase, player_view.names) if phrase else ""
