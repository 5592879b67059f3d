"""The small print of emails that ask something: what a reply may contain."""

from django.utils.translation import gettext as _

from notifications.content.notice import Footnote


def how_to_answer(ahead: bool) -> Footnote:
    """Return the small print under a question: what a reply may contain, ``ahead`` where the game takes plans."""
    lines = (
        _("To answer, reply to this mail: write the number or the text of one answer into the first line."),
        _("You may also write ? to be asked again, pause to ask for a pause, or resign to give up."),
    )
    orders = _(
        "Write orders to see what is answered for you ahead, and how you say what is to be. Orders may also follow an "
        "answer, on the lines right below it."
    )
    return Footnote((*lines, orders) if ahead else lines)
