"""Mail that came in: a parsed mail becomes a command, and the mail handler makes it a move.

The names exported here are pure: no models, no clock, no network. ``read`` (``notifications.mail_parsing.parser``)
parses a mail and finds the writer's own lines. ``read_command`` and ``read_invitation_reply``
(``games.mail.reading.command_reader``) say what that means. None of them raises for any mail. The other
modules of this folder receive mail and act upon it.

A line is a move if it is the shown text of an offered answer, if the grammar reads it, or if all its words are known
and together name one answer (``games.mail.reading.offered_moves``; a game brings its players' words as
``Rules.vocabulary``). If a line is none of these, its first sentence or clause is read alone. A line that denies every
other answer of a window allows. Other text beside a command, on its line or below, has to be known to change nothing
(``games.mail.reading.trailing_text``); else the writer is asked, with both readings. Greetings, quotation marks and the
like are taken off before (``notifications.mail_parsing.courtesies``). A reply to an email with several questions names
the game in each line (``games.mail.reading.digest_reader``). If a reply to chat is no command it is chat, unless it
resembles a move.

How mail comes in stands in ``games.mail.intake``.

The address says for which question or seat an email acts; the From address must be one of the account's confirmed
ones, else nothing moves and the account's own address gets one notification with the page that confirms the answer.
Mail to the server's own address (``games.mail.mailbox``) is a command for the account whose confirmed address it
comes from, and answered to that account's own address, a few times a day; mail from other addresses is not answered. A
change is asked back, unless ``AUTHENTICATION_SERVER`` vouches for the sender or the mail replies to such an answer.

Automatic mail is never answered. A player gets at most 20 answers an hour about one game, and 60 a day. A reply from
an account's own address that is neither played nor answered is shown to its writer on the game's page
(``games.mail.unread_replies``). The clock closes no question while an email to its game that was in by the deadline
waits to be read (six hours at most). An email answered 250 is read: an attempt that was cut, by a kill or by the
database's absence, is repeated after a pause that doubles from ten seconds to an hour. No error of the server counts
against the email (``config.failures.is_server_error``). Errors that the email itself may have caused do: three failures
of the reading, which is pure, or 14 in five hours of the later steps, set it aside. The text of an email is deleted
once it is read. Only while it is set aside is it kept, for 30 days and all together at most 64 MiB. Its sender is told
(``games.announcements.setbacks``, which needs no game's state), as is the sender of a move that could not be
resolved. The operator finds both in the log, and in a notification an hour (``notifications.delivery.operator``,
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
