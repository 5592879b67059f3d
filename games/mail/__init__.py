"""Mail that came in: a parsed mail becomes a command, and the mail handler makes it a move.

The names exported here are pure: no models, no clock, no network. ``read`` (``notifications.mail_parsing.parser``)
says what a mail is and what its writer wrote. ``command`` and ``invited`` (``games.mail.command_reader``) say what that
means. None of them raises, whatever a mail holds. The other modules of this folder receive mail and act upon it.
"""

from games.mail.command_reader import command, invited
from games.mail.mail_commands import (
    Again,
    Back,
    CancelPlan,
    Chat,
    Command,
    GivePlan,
    Invited,
    ListPlans,
    Move,
    Named,
    Pause,
    Refused,
    Resign,
    Several,
    Vote,
)
from notifications.mail_parsing.parsed_mail import Automatic, Content, Doubtful, Empty, Reply, TooBig, Written
from notifications.mail_parsing.parser import read

__all__ = [
    "Again",
    "Automatic",
    "Back",
    "CancelPlan",
    "Chat",
    "Command",
    "Content",
    "Doubtful",
    "Empty",
    "GivePlan",
    "Invited",
    "ListPlans",
    "Move",
    "Named",
    "Pause",
    "Refused",
    "Reply",
    "Resign",
    "Several",
    "TooBig",
    "Vote",
    "Written",
    "command",
    "invited",
    "read",
]
