"""Chat, reports, moderation, and the data of an account in games.

The log never contains chat, and no rule depends on it. Chat starts with the game and continues after its end, also for
players who are out. Bots do not chat, and spectators do not see it. A private message belongs to the two accounts that
wrote and received it, also if their seats are taken over. ``games.visibility.table`` returns random ids and no numbers,
so messages between other players leave no trace.

Emails contain new chat messages: in notifications about questions, and in notifications of their own
(``games.announcements.chat_emails``) ten minutes after the first message, once an hour for each game at most. Quiet
hours and digests delay these. A notification stores the last message that it contains, so no message is sent twice.
Messages of a withdrawn notification are part of the next one. The topics ``chat:<game>`` and ``chat`` can be muted.

An account that is blocked (``accounts.blocks``) is not notified and notices nothing: its messages are accepted,
but not delivered. If it wants to join a public game in which the other account plays, it is refused without a reason
that reveals the block. A report contains a copy of the reported text. Moderators (permission ``accounts.moderate``,
``manage.py moderator ADDRESS``) act on reports at ``/admin/`` through ``games.social.moderation``. The database refuses
changes of recorded actions. The admin shows no cards, seeds, moves, notifications or emails.

``settings.ACCOUNT_DATA_PROVIDERS`` names a module of each app that exports the data of an account, and deletes them
with the account (``accounts.account_data``). Bots take the seats of a deleted account in running
games (``games.lobby.takeover``, table event ``table.bot-takeover``), so that other players need not wait for it. Its
name and address are removed from all rows, including notifications to other accounts and received emails. Its messages
are deleted, except the copies in reports.
"""
