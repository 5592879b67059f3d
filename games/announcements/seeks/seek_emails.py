"""The notification that a search for players has lapsed."""

from datetime import datetime
from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import override

from games.models import Seek
from games.rules.registry import RULES
from games.text.phrases import render_phrase
from notifications.content.rendered_notification import Link, Prose, RenderedNotification
from notifications.delivery import outbox

LAPSED: Final = "seek-lapsed"
"""The reason of the notification to somebody for whom too few players were found in time."""


def tell_lapsed(seek: Seek, now: datetime) -> None:
    """Tell somebody that their search is over without a game. It has no topic: it is told once, so there is nothing to
    stop.
    """
    account, rules = seek.account, RULES.get(seek.rules)
    if not account.is_active:
        return
    with override(account.language):
        title = render_phrase(rules.words.title, {}) if rules else seek.rules
        written = RenderedNotification(
            language=account.language,
            subject=title,
            headline=_("Your search for players of %(game)s has ended.") % {"game": title},
            blocks=(
                Prose((_("Too few players were found in time. Search again, or join a game with free seats."),)),
                Link(_("Find players"), f"{settings.PUBLIC_URL}{reverse('pages:seeks')}"),
            ),
        )
    order = outbox.NewNotification(f"{LAPSED}:{seek.pk}", LAPSED, account.pk)
    outbox.add_rendered(order, written, now)
