"""Notifications to people and programs: the outbox, its channels, and mail that comes in. Knows no game.

A notification is ordered in the transaction of the events it is about (one row, with a key that prevents duplicates).
It is composed later from the state of the game at that time, for one reader in their language
(``games.announcements.emails``), and delivered by a channel with retries. Its id becomes the Message-ID, so that the
rare repeated delivery can be recognised.

Several notifications are composed in one transaction. The rows of their questions are locked until its end. A
transaction that closes a question then finds the notification written and withdraws it (``outbox.withdraw``); a digest
is composed again.

If the reader has quiet hours or digests (``preferences``), notifications are held: all that are waiting are composed
together, but at the latest two hours before a deadline, or after half of a shorter time.

Addresses and links that act for an account (``reply_addresses``) are computed: kind and subject in clear, and an HMAC.
A reply address and a link to a question's page (``games.pages``) are valid for one account. Only the button on the page
makes a move. Its Referrer-Policy is ``same-origin``: with ``no-referrer`` browsers send forms with the origin ``null``,
which Django refuses.

Channels: accounts choose the channels of each kind of notification (``preferences``). A question is sent by a channel
that works. An email that was not chosen is still ordered, on standby. It is dropped once another channel has accepted
the question. It is sent after ten minutes if none has, and immediately if a channel is permanently gone. Codes are
always sent by email.

Emails are sent while their row is locked. Messages to servers that users choose (``deliver``: pushes, ntfy) are sent
under a lease instead, by one thread of a worker, so nothing is locked while it waits. They contain the headline and the
subject, which have no secrets. Pushes are encrypted for the device (RFC 8291) and signed (VAPID, RFC 8292). The key is
stored beside the secret key.

Failed emails: each email has a return address of its own. Reports to it (``received_mail``: RFC 3464, and complaints,
RFC 5965; the latter also to ``feedback@MAIL_DOMAIN``, for feedback loops of mailbox providers), events from providers
and refusals by mail servers all end in ``deliverability``. A permanent failure or a complaint closes the address
immediately, and five temporary failures within two weeks do too. Delays do not count. Refusals of this server or of one
email (5.7.x, a full mailbox) are temporary. Reports are never answered, and count for the address to which the
notification was sent, independent of their text.

A closed address gets no email except a request to confirm it, at most once an hour, when its owner asks for it (``me/``
shows the state, ``me/confirmation/`` sends it) or writes to a game. A code to sign up counts as one. The button behind
its link, or the code, opens the address again. Until then questions are sent by push or webhook if there is one;
otherwise their notifications wait. This state is a row of its own (``Deliverability``, keyed by a keyed hash of the
address) and not allauth's ``EmailAddress.verified``, which names the owner of an address and is not changed by any
report.
"""
