"""The sources of email: SMTP and LMTP, webhooks of mail providers, and a command that passes on one email.

The mail server (``games.mail.intake.smtp_server``), ``manage.py receive_mail`` and the webhooks
(``games.mail.intake.provider_webhooks``) accept mail for this server's own addresses only. They store it unchanged
(``notifications.received_mail``, table RawMail) before they confirm it. An email has at most 1 MiB, an
automatic report 256 KiB. ``games.mail.intake.conversation`` limits the clients of the mail server: 200 connections in
total and 10 for each address, 30 seconds until the greeting, a minute for a command or an email, ten minutes in total,
and 32 MiB for all emails that are being received. ``games.mail.intake.quotas`` counts emails and bytes for each address
and the network around it. An unknown recipient counts as an email, is answered more slowly each time, and the tenth one
ends the connection. Mail servers in ``MAIL_RELAYS`` and clients of LMTP have only the total limits, because they pass
on mail from everywhere. The command and the webhooks are trusted too. The task ``games.mail.tasks.read_mail`` reads
emails in the order of arrival, each in one transaction with its effects: the move, its resolution and the reply. Copies
of an email are recognised by sender, Message-ID and address.
"""
