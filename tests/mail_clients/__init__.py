"""Whole games by real mail programs, with real mail servers in between: ``python -m tests.mail_clients``.

Each person writes `new coup with 2 bots` to the server's own address, confirms it, and answers each email until the
game is over. Every email goes through Postfix or OpenSMTPD, set up with the files of ``deploy/``, in by LMTP and out
by SMTP. Programs that are not installed are reported and skipped. Mail servers need root.
"""
