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
        "A game asks you something. It comes by one channel that works, or by email if none of these does or "
        "none has taken it within ten minutes.",
        ("question",),
        asks=True,
    ),
    "reminder": NotificationKind(
        gettext_lazy("A reminder of a question"),
        "A question still waits for you. It comes by email if no channel that is named works.",
        ("reminder",),
        asks=True,
    ),
    "game": NotificationKind(
        gettext_lazy("A game begins or ends"),
        "One of your games, a tournament or its round has begun or ended, a tournament begins at another time, a game "
        "was paused, too few players were found for one, or a bot account has left the arena.",
        (
            *("started", "ended", "played", "pause-proposed", "paused", "resumed", "seek-lapsed", "arena-left"),
            *("tournament-moved", "tournament-round", "tournament-ended"),
        ),
    ),
    "chat": NotificationKind(
        gettext_lazy("Someone writes in the chat"), "Somebody wrote in the chat of one of your games.", ("chat",)
    ),
    "invitation": NotificationKind(
        gettext_lazy("An invitation"),
        "You are invited to a game, or your club has a new one.",
        ("invitation", "club-game"),
    ),
}
_BY_REASON: Final = {reason: name for name, kind in KINDS.items() for reason in kind.reasons}


def kind_of(reason: str) -> str | None:
    """Return the name of the kind that a reason belongs to; None for those that always go by email, such as codes."""
    return _BY_REASON.get(reason)
