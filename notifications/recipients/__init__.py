"""The choice of recipients and channels: who gets what, when, and whom nothing reaches.

Channels:

People choose the channels of each kind of notification (``notifications.recipients.channel_choice``). A question comes
by one that works. An email that was not chosen is ordered all the same and stands by. It is dropped once another
channel has taken the question. It goes out after ten minutes if none has, and at once where a channel is gone for
good. Codes always go by email.

Mail is handed over while its row is locked. What goes to servers that strangers chose
(``notifications.delivery.dispatch``: pushes, ntfy) is taken under a lease instead, by one thread of a worker, so
nothing is locked while they are waited for. It holds the headline and the subject, which are without secrets. Pushes
are encrypted for the device (RFC 8291) and signed (VAPID, RFC 8292). The key is kept beside the secret one.

Mail that does not arrive:

Each email has a return address of its own. What comes there (``notifications.inbound.bounces``: reports of delivery,
RFC 3464, and complaints, RFC 5965; the latter also at ``feedback@MAIL_DOMAIN``, for mailbox providers' feedback
loops), what providers tell and what mail servers refuse ends in ``notifications.recipients.deliverability``: a
failure for good or a complaint closes the address at once, five failures that may pass within two weeks do, delays
never. What refuses us or one email rather than the address (5.7.x, a full mailbox) may pass. No report is ever
answered, and it counts for the address its notification went to, whatever it says.

A closed address gets no email but the one that asks for its confirmation, once an hour at most, when its person asks
for it (``me/`` says so, ``me/confirmation/`` sends it) or writes to a table; a code to sign up with counts as one.
Its link's button, or the code, opens the address again. Meanwhile questions come by push or webhook where there is
one, else their notifications wait. This is a row of its own (``Deliverability``, keyed by a keyed hash of the
address) and not allauth's ``EmailAddress.verified``: that says whose the address is, which no report changes.
"""
