"""Tasks of incoming mail. The work and its truth are in the database."""

from typing import Final

from celery import shared_task

from config.database import database_clock
from config.database.concurrency_limit import ConcurrencyLimit
from games.lobby import invitations
from games.mail import mail_handler
from notifications import set_aside
from notifications.inbound import received_mail

_READING: Final = ConcurrencyLimit(lambda: mail_handler.read_due(database_clock.now()))


@shared_task(ignore_result=True)
def read_mail() -> None:
    """Read the mail that came in. Rung after each commit that stored one, and every few seconds."""
    _READING()


@shared_task(ignore_result=True)
def forget_mail() -> None:
    """Delete mail that was read, and notes of what was set aside and settled, long ago. Rung every hour."""
    received_mail.forget(database_clock.now())
    set_aside.forget(database_clock.now())


@shared_task(ignore_result=True)
def forget_addresses() -> None:
    """Forget to whom invitations went that nobody answers any more. Rung every hour."""
    invitations.forget_old_addresses(database_clock.now())
