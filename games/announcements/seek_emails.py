"""Notifications about the end of a search for players, or of a place in the arena."""

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, override

from games.models import Seek
from games.phrases import render_phrase
from games.rules.registry import RULES
from notifications import outbox
from notifications.content import Link, Prose, RenderedNotification

LAPSED: Final = "seek-lapsed"
"""The reason of the notification about a search that found too few players in time."""
LEFT_ARENA: Final = "arena-left"
"""The reason of the notification to a bot account whose place in the arena has ended."""


@dataclass(frozen=True)
class _Words:
    """The texts and the link of a notification. All but the name of the page are translated."""

    reason: str
    headline: str
    text: str
    link: str
    page: str


_NOT_FOUND: Final = _Words(
    LAPSED,
    gettext_noop("Your search for players of %(game)s has ended."),
    gettext_noop("We didn’t find enough players in time. Search again, or join a game with free seats."),
    gettext_noop("Find players"),
    "pages:seeks",
)
_ARENA_LAPSED: Final = _Words(
    LEFT_ARENA,
    gettext_noop("Your bot has left the arena of %(game)s."),
    gettext_noop("A place in the arena lasts 90 days. Let your bot enter again."),
    gettext_noop("Open the arena"),
    "pages:arena",
)
_REMOVED: Final = _Words(
    LEFT_ARENA,
    gettext_noop("Your bot was taken out of the arena of %(game)s."),
    gettext_noop(
        "It let three questions time out within an hour while the others waited for it. Its running games go on. Once "
        "that hour is over, it can enter again."
    ),
    gettext_noop("Open the arena"),
    "pages:arena",
)


def notify_ended(seek: Seek, now: datetime) -> None:
    """Notify an account of the end of its search or of its bot's place in the arena.

    The notification has no topic, because it is sent once and cannot be muted.
    """
    words = _REMOVED if seek.state == Seek.State.REMOVED else _ARENA_LAPSED if seek.is_standing else _NOT_FOUND
    account, rules = seek.account, RULES.get(seek.rules)
    if not account.is_active:
        return
    with override(account.language):
        title = render_phrase(rules.words.title, {}) if rules else seek.rules
        notification = RenderedNotification(
            language=account.language,
            subject=title,
            headline=_(words.headline) % {"game": title},
            blocks=(Prose((_(words.text),)), Link(_(words.link), f"{settings.PUBLIC_URL}{reverse(words.page)}")),
        )
    order = outbox.NewNotification(f"{words.reason}:{seek.pk}", words.reason, account.pk)
    outbox.add_rendered(order, notification, now)
