"""Play by email: an email becomes a command, and its handler carries the command out.

The names in this module are pure: no models, no clock, no network. ``read`` parses an email and finds the sender's own
lines. ``read_command`` and ``read_invitation_reply`` return the command in these lines. They raise no exception for any
email.

A line is a move if it is the number, notation or label of an answer, if the game's grammar parses it, or if all its
words are known and name exactly one answer (``games.mail.reading.offered_moves``). If none of this is the case, its
first sentence or clause is tried. A line that denies all other answers of a reaction allows. Greetings and quotation
marks are removed first (``games.mail.reading.courtesies``). Other text beside a command must be known to change
nothing (``games.mail.reading.trailing_text``), otherwise the sender is asked, with both readings. In a reply to an
email with several questions each line names its game (``games.mail.reading.digest_reader``). A reply to a chat message
is a chat message unless it is a command or resembles a move.

The address of an email names its question or seat. The From address must be a confirmed address of the player's
account. If it is not, nothing changes and the account's own address gets one notification with a page on which the
answer can be confirmed. Email to the server's own address (``games.mail.mailbox``) is a command for the sender's
account. The reply goes to that account's address, a few times a day. Senders without an account get no reply. A change
must be confirmed unless the operator's mail server (``AUTHENTICATION_SERVER``) vouches for the sender or the email
answers such a reply.

Automatic mail is never answered. A player gets at most 20 replies an hour about one game, and 60 a day. A reply from an
account's own address that is neither carried out nor answered is shown on the game's page
(``games.mail.unread_replies``).

No deadline passes while an email to the game that was received before the deadline is unread, for at most six hours. An
email that was answered with 250 will be read. If reading is interrupted, by a kill or without a database, it is tried
again after a pause that doubles from ten seconds to an hour. Errors of the server do not count against an email
(``config.core.logs.is_server_error``). Three errors of the parser, or 14 errors of the later steps within five hours,
set the email aside. The text of an email is deleted once it is read. Only the text of email that was set aside is kept,
for 30 days and at most 64 MiB in total. Its sender is notified (``games.announcements.setbacks``), like the sender of a
move that could not be resolved. The operator finds both in the log and in an hourly notification
(``notifications.delivery.server_emails``, ``OPERATOR_EMAIL``).
"""
