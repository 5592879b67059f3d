"""The ways by which mail comes in: SMTP and LMTP, a provider's requests, and a program that hands over one mail.

The mail server (``games.mail.intake.smtp_server``, SMTP and, where that is set, LMTP), ``manage.py receive_mail`` and
the requests of mail providers (``games.mail.intake.provider_webhooks``: anymail's views, each on only while its
secret is set) take mail for our own addresses only, and store it as it is (``notifications.inbound.received_mail``,
table RawMail) before they say yes. An email has at most 1 MiB, a report of a machine 256 KiB; SMTP announces it and
reads no more. ``games.mail.intake.conversation`` bounds what a client of the mail server may hold: 200 connections in
all and 10 of one address, 30 s until it greets, a minute for a command or an email as a whole, ten minutes in all, 32
MiB for all emails that are being received. ``games.mail.intake.quotas`` counts emails and bytes for each address and
the network around it (rows of ``accounts.limits.rate_limits``, so for all processes together); a recipient that is
none counts as an email, is answered later each time, and after the tenth the conversation ends. ``MAIL_RELAYS``, and
whoever speaks LMTP, have only the limits in all: they bring mail from everywhere. The pipe and the providers'
requests are trusted too. The task ``games.mail.tasks.read_mail`` reads it in the order in which it came, each email
in one transaction with all that it leads to: the Move, its resolution and the notification that answers it. Copies of
an email are told by its sender, Message-ID and address.
"""
