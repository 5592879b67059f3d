"""The sentences of emails and pages that ask something: until when, what follows, and what a reply may contain."""

from datetime import datetime

from django.utils.translation import gettext as _

from games.engine import Question
from games.text.phrases import period
from games.visibility.player_view import PlayerView
from notifications.content.rendered_notification import Footnote


def reply_by(player_view: PlayerView, question: Question, due_at: datetime, now: datetime) -> str:
    """Return until when a question waits, how long that is, and which move is played then."""
    values = {"due": player_view.moment(due_at), "left": period(due_at - now)}
    due = _("Reply by %(due)s (in %(left)s).") if due_at > now else _("Reply by %(due)s.")
    default = player_view.default_label(question)
    if default is None:
        after = _("After that Darbar picks a move for you.")
    else:
        after = _("After that Darbar plays “%(move)s” for you.") % {"move": default}
    return f"{due % values} {after}"


def how_to_answer(ahead: bool) -> Footnote:
    """Return the small print under a question: what a reply may contain, ``ahead`` where the game takes plans."""
    lines = (
        _("Reply with the number or the text of a move in the first line, for example: 2"),
        _("You may also write ? to be asked again, pause to ask for a pause, or resign."),
    )
    plans = _("To plan ahead, reply with “plans”. You may also write plans on the lines below your move.")
    return Footnote((*lines, plans) if ahead else lines)


def how_to_answer_several() -> str:
    """Return how a reply answers some of several questions."""
    return _(
        "To answer by replying, begin a line for each answer with the code of its game, for example “VED4: 3”. The "
        "links under each question lead to it too."
    )
