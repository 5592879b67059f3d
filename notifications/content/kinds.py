"""The kinds of notifications for which accounts choose channels."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy


class Urgency(StrEnum):
    """The urgency of a push message (RFC 8030). A device with a low battery may wait for urgent messages only."""

    LOW = "low"
    NORMAL = "normal"
    HIGH = "high"


@dataclass(frozen=True)
class NotificationKind:
    """A kind of notifications. Several reasons of notifications may have the same kind."""

    label: Promise
    """The name on the settings page."""
    description: str
    """The text for the description of the API."""
    reasons: tuple[str, ...]
    """The values of ``Notification.reason`` of this kind."""
    asks: bool = False
    """True if the notification must reach its reader."""
    urgency: Urgency = Urgency.NORMAL


KINDS: Final = {
    "question": NotificationKind(
        gettext_lazy("A question to me"),
        "A game asks you something. It comes by one channel that works, or by email if none of these does or "
        "none has taken it within ten minutes.",
        ("question",),
        asks=True,
        urgency=Urgency.HIGH,
    ),
    "reminder": NotificationKind(
        gettext_lazy("A reminder of a question"),
        "A question still waits for you. It comes by email if no channel that is named works.",
        ("reminder",),
        asks=True,
        urgency=Urgency.HIGH,
    ),
    "game": NotificationKind(
        gettext_lazy("A game starts or ends"),
        "One of your games, a tournament or its round has started or ended, a tournament starts at another time, a "
        "game was paused, too few players were found for one, or a bot account has left the arena.",
        (
            *("started", "ended", "played", "pause-proposed", "paused", "resumed", "seek-lapsed", "arena-left"),
            *("tournament-moved", "tournament-round", "tournament-ended", "rematch-lapsed"),
        ),
        urgency=Urgency.LOW,
    ),
    "chat": NotificationKind(
        gettext_lazy("Someone writes in the chat"), "Someone wrote in the chat of one of your games.", ("chat",)
    ),
    "invitation": NotificationKind(
        gettext_lazy("An invitation"),
        "You are invited to a game or offered a rematch, or your club has a new game.",
        ("invitation", "club-game", "rematch-offered"),
    ),
}
BESIDE_QUESTIONS: Final = ("pause-proposed", "paused", "resumed")
"""The reasons of notifications about a game that may come while a question of the game is open. A push of them does not
replace the push with the question."""
ASKING: Final = tuple(reason for kind in KINDS.values() if kind.asks for reason in kind.reasons)
"""The reasons of notifications with an open question of a game."""
_BY_REASON: Final = {reason: name for name, kind in KINDS.items() for reason in kind.reasons}


def kind_of(reason: str) -> str | None:
    """Return the kind of a reason, or None for reasons that are always sent by email, such as codes."""
    return _BY_REASON.get(reason)


def urgency_of(reason: str) -> Urgency:
    """Return the urgency of a notification with this reason."""
    kind = kind_of(reason)
    return Urgency.NORMAL if kind is None else KINDS[kind].urgency
