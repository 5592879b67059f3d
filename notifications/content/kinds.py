"""The kinds of notifications for which people choose channels."""

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy


@dataclass(frozen=True)
class NotificationKind:
    """One kind, which several reasons for a notification may share."""

    label: Promise
    """The words for it on the settings page."""
    description: str
    """The words for it in the description of the API."""
    reasons: tuple[str, ...]
    """The values of ``Notification.reason`` that are of this kind."""
    asks: bool = False
    """True where it must reach its reader."""


KINDS: Final = {
    "question": NotificationKind(
        gettext_lazy("A question to me"),
        "I am asked something. It comes by one channel that works: by email where none of these does, or where none "
        "has taken it within ten minutes.",
        ("question",),
        asks=True,
    ),
    "reminder": NotificationKind(
        gettext_lazy("A reminder of a question"),
        "A question still waits. It comes by email where no channel that is named works.",
        ("reminder",),
        asks=True,
    ),
    "game": NotificationKind(
        gettext_lazy("A game begins or ends"),
        "A game of mine has begun, ended or been paused.",
        ("started", "ended", "played", "pause-proposed", "paused", "resumed"),
    ),
    "chat": NotificationKind(
        gettext_lazy("Someone writes in the chat"), "Somebody wrote in the chat of a game of mine.", ("chat",)
    ),
    "invitation": NotificationKind(gettext_lazy("An invitation"), "I am invited to a game.", ("invitation",)),
}
_BY_REASON: Final = {reason: name for name, kind in KINDS.items() for reason in kind.reasons}


def kind_of(reason: str) -> str | None:
    """Return the name of the kind that a reason belongs to; None for those that always go by email, such as codes."""
    return _BY_REASON.get(reason)
