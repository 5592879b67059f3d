"""The outbox: ordering, composing and delivering notifications.

A notification is ordered in the transaction of the events it tells about (one row, a key that makes doubles
impossible), written later as the game stands then, for one reader in their language (``games.announcements.emails``),
and delivered by a channel with retries. Its id gives the Message-ID, so that the one possible repetition can be
recognised.

Several notifications are composed in one transaction. Once all are, the rows of the questions that they put are locked
until its end. So whoever closes a question finds the notification written and withdraws it (``outbox.withdraw``); a
digest is then composed anew.

Who has quiet hours or wants digests (``notifications.recipients.preferences``, ``notifications.content.quiet_hours``)
has notifications that are held: composed late, all that wait together, and never later than two hours before a
deadline, or half of a shorter time.

Addresses and links that act for somebody (``notifications.content.addresses``) are derived: kind and subject in clear
and 130 bits of an HMAC. A link to a question's page (``games.pages``) is good for one question and one person; only
the page's button moves. Its Referrer-Policy is ``same-origin``: under ``no-referrer`` browsers send forms from
``null``, which Django refuses, rightly.
"""
