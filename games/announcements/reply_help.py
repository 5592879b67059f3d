"""The small print of emails that ask something: what a reply may contain."""

from django.utils.translation import gettext as _

from notifications.content.rendered_notification import Footnote


def how_to_answer(ahead: bool) -> Footnote:
    """Return the small print under a question: what a reply may contain, ``ahead`` where the game takes plans."""
    lines = (
        _("To answer, reply to this email: write the number or the text of one answer into the first line."),
        _("You may also write ? to be asked again, pause to ask for a pause, or resign to give up."),
    )
    plans = _(
        "Write plans to see your plans and how to write one. Plans may also follow an answer, on "
        "the lines right below it."
    )
    return Footnote((*lines, plans) if ahead else lines)


def how_to_answer_several() -> str:
    """Return how a reply answers some of several questions."""
    return _(
        "To answer by replying, begin a line for each answer with the code of its game, for example “VED4: 3”. The "
        "links under each question lead to it too."
    )
