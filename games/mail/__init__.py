"""Mail that came in: raw bytes become a value, the value becomes a command, and the road makes it a move.

What is exported here is pure: no models, no clock, no network. ``road``, ``arrival``, ``answers``, ``undelivered``,
``listener``, ``webhooks`` and ``tasks`` beside it are the door.

``read`` (notifications.mail_parsing.parser) says what a mail is and what its writer wrote; ``command`` and ``invited``
(games.mail.command_reader) say what that means. Neither ever raises for anything that a mail may hold.
"""

from games.mail.command_reader import command, invited
from games.mail.mail_commands import (
    Again,
    Back,
    CancelOrder,
    Command,
    Invited,
    Move,
    Named,
    Order,
    Orders,
    Pause,
    Refused,
    Resign,
    Several,
    Talk,
    Vote,
)
from notifications.mail_parsing.parsed_mail import Automatic, Content, Doubtful, Empty, Reply, TooBig, Written
from notifications.mail_parsing.parser import read

__all__ = [
    "Again",
    "Automatic",
    "Back",
    "CancelOrder",
    "Command",
    "Content",
    "Doubtful",
    "Empty",
    "Invited",
    "Move",
    "Named",
    "Order",
    "Orders",
    "Pause",
    "Refused",
    "Reply",
    "Resign",
    "Several",
    "Talk",
    "TooBig",
    "Vote",
    "Written",
    "command",
    "invited",
    "read",
]
