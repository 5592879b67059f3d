"""Everything that people do beside the game: chat, reports, moderation.

The chat of a game (``games.social.chat``, rows of ``ChatMessage``) never stands in the log, and no rule looks at it.
Chat begins with the game and goes on after its end; who is out of the game chats on; bots do not chat; who only
looks on hears nothing. A notification belongs to the two accounts that wrote and got it, whoever sits on their seats
later. What somebody is given (``games.visibility.visible_chat``) has random ids and no numbers, so that
notifications between others leave no trace in it.

Chat is told by email in turn emails, and in notifications of its own (``games.announcements.chat_emails``): ten
minutes after the first message with whatever else was said by then, one an hour from a table at most, held by quiet
hours and digests. A notification notes how far it tells, so that nothing is told twice, and what stood in one that
was withdrawn is told by the next. Topics of their own, ``chat:<game>`` and ``chat``, can be muted.

Who is blocked (``accounts.people.blocks``) is not told, and notices nothing: what they send is taken and not handed
on. Only at a public table where one of the two sits the other is turned away, with a sentence that says neither who
nor why. A report keeps a copy of what its reporter saw. Moderators (the right ``accounts.moderate``, ``manage.py
moderator ADDRESS``) act upon it at ``/admin/`` (``games.administration``), through ``games.social.moderation``; each
act is a row that the database refuses to change. The admin has the models that are registered there and no other:
nothing in it shows a hand, a seed, a move, or what notifications and emails say.

What belongs to an account stands in several apps that do not know each other; ``settings.ACCOUNT_DATA_PROVIDERS``
names a module of each, with what it exports of an account and what it does before the account is deleted
(``accounts.account_data.export_and_deletion``). Whoever goes leaves their seats: a bot takes them in running games
(``games.lobby.vacate``, the table event ``table.bot-takeover``), for nobody should wait a turn's time again and
again for somebody who will not come back. Their name and address are in no row afterwards, in others' notifications
and in emails that were read neither; what they said is gone, but for the copies in reports.
"""
