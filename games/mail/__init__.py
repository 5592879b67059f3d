"""Mail that came in: a parsed mail becomes a command, and the mail handler makes it a move.

The names exported here are pure: no models, no clock, no network. ``read`` (``notifications.mail_parsing.parser``)
says what a mail is and what its writer wrote. ``read_command`` and ``read_invitation_reply``
(``games.mail.reading.command_reader``) say what that means. None of them raises, whatever a mail holds. The other
modules of this folder receive mail and act upon it.

A line is a move if it is what was shown of an offered answer, if the grammar reads it, or if all its words are known
and together name one answer (``games.mail.reading.offered_moves``; a game brings its players' words as
``Rules.vocabulary``). Where a line is none of these, its first sentence or clause is read alone, unless the rest may
change it (``games.mail.reading.second_thoughts``), and a line that denies every other answer of a window allows.
Greetings, quotation marks and the like are taken off before (``notifications.mail_parsing.courtesies``). A reply to an
email with several questions names the game in each line (``games.mail.reading.digest_reader``). Where a reply to chat
is no command it is chat, unless it resembles a move.

How mail comes in stands in ``games.mail.intake``.

The address says for which question or seat an email acts; the From address must be one of the account's confirmed
ones, else nothing moves and the account's own address gets one notification with the page that confirms the answer.
Mail to the server's own address (``games.mail.mailbox``) is a command for the account whose confirmed address it
comes from, and answered to that account's own address, a few times a day; nobody else's is answered. What changes
something is asked back, unless ``AUTHENTICATION_SERVER`` vouches for the sender or the mail replies to such an answer.

Automatic mail is never answered, and nobody gets more than 20 answers an hour about one game, nor is told more often
that what they said was. The clock closes no question while an email to its game that was in by the deadline waits to
be read (six hours at most). An email answered 250 is read: an attempt that was cut, by a kill or by the database's
absence, is repeated after a pause that doubles from ten seconds to an hour, and no error of the server counts
against the email (``config.failures.is_server_error``). What the email itself may have caused does: three failures
of the reading, which is pure, or 14 in five hours of what follows, set it aside. What an email said is forgotten
once it is read; only while it is set aside is it kept, for 30 days and all together at most 64 MiB. Whoever sent it
is told (``games.announcements.setbacks``, which needs no game's state), as is whoever sent a move that could not be
resolved; the operator finds both in the log, and in a notification an hour (``notifications.delivery.operator``,
``OPERATOR_EMAIL``).
"""

from games.mail.mail_commands import (
    AskAgain,
    AskOnlyAimed,
    CancelPlan,
    Chat,
    ChooseName,
    ComeBack,
    Command,
    GivePlan,
    InvitationReply,
    ListPlans,
    Move,
    NotUnderstood,
    Pause,
    PlayAgain,
    Resign,
    SeveralCommands,
    Vote,
)
from games.mail.reading.command_reader import read_command, read_invitation_reply
from notifications.mail_parsing.parsed_mail import Automatic, Content, Doubtful, Empty, Reply, TooBig, Written
from notifications.mail_parsing.parser import read

__all__ = [
    "AskAgain",
    "AskOnlyAimed",
    "Automatic",
    "CancelPlan",
    "Chat",
    "ChooseName",
    "ComeBack",
    "Command",
    "Content",
    "Doubtful",
    "Empty",
    "GivePlan",
    "InvitationReply",
    "ListPlans",
    "Move",
    "NotUnderstood",
    "Pause",
    "PlayAgain",
    "Reply",
    "Resign",
    "SeveralCommands",
    "TooBig",
    "Vote",
    "Written",
    "read",
    "read_command",
    "read_invitation_reply",
]
