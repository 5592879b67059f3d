"""The outbox: ordering, composing and delivering notifications.

A notification is ordered in the transaction of the events it is about (one row, with a key that prevents duplicates).
It is composed later from the state of the game at that time, for one reader in their language
(``games.announcements.emails``), and delivered by a channel with retries. Its id becomes the Message-ID, so that the
rare repeated delivery can be recognised.

Several notifications are composed in one transaction. Then the rows of their questions are locked until its end. So a
transaction that closes a question finds the notification written and withdraws it (``outbox.withdraw``); a digest is
then composed again.

If the reader has quiet hours or digests (``notifications.recipients.preferences``,
``notifications.content.quiet_hours``), notifications are held: all that are waiting are composed together, but no later
than two hours before a deadline, or half of a shorter time.

Addresses and links that act for an account (``notifications.content.addresses``) are derived: kind and subject in
clear, and 130 bits of an HMAC. A link to a question's page (``games.pages``) is valid for one question and one person,
and only the button on the page makes a move. Its Referrer-Policy is ``same-origin``: with ``no-referrer`` browsers send
forms with the origin ``null``, which Django refuses.
"""
