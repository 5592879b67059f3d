"""The outbox: ordering, composing and delivering notifications.

A notification is ordered in the transaction of the events it is about (one row, with a key that prevents duplicates).
It is composed later from the state of the game at that time, for one reader in their language
(``games.announcements.emails``), and delivered by a channel with retries. Its id becomes the Message-ID, so that the
rare repeated delivery can be recognised.

Several notifications are composed in one transaction. The rows of their questions are locked until its end. A
transaction that closes a question then finds the notification written and withdraws it (``outbox.withdraw``); a digest
is composed again.

If the reader has quiet hours or digests (``notifications.recipients.preferences``,
``notifications.content.quiet_hours``), notifications are held: all that are waiting are composed together, but at the
latest two hours before a deadline, or after half of a shorter time.

Addresses and links that act for an account (``notifications.content.addresses``) are computed: kind and subject in
clear, and an HMAC. A reply address and a link to a question's page (``games.pages``) are valid for one account. Only
the button on the page makes a move. Its Referrer-Policy is ``same-origin``: with ``no-referrer`` browsers send forms
with the origin ``null``, which Django refuses.
"""
