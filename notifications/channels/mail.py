"""Sending email through the mail server."""

import re
import smtplib
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Final

from django.conf import settings
from django.core.mail import BadHeaderError, EmailMultiAlternatives, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.utils.translation import gettext_lazy

from notifications.channels.base import ChannelDown, ChannelError, DirectChannel, Send
from notifications.email.message import message
from notifications.kinds import KINDS
from notifications.models import Preferences

_ENHANCED: Final = re.compile(rb"^\s*([245]\.\d{1,3}\.\d{1,3})\b")
_DISCARDING_BACKEND: Final = "django.core.mail.backends.dummy.EmailBackend"
"""The backend that discards mail. That is right with the mailbox page, and an error without it."""
_STATUS_OF_CODE: Final = {552: "5.2.2", 554: "5.7.0"}
"""The status of plain refusals of a recipient that do not concern the address (RFC 5321): full, and unwanted."""
_OWN_FAILURES: Final = ("4.3.", "4.4.")
"""Prefixes of a status that blames the operator's own mail server (RFC 3463): not working, or no connection.

A refusal of a recipient blames the server only with the first prefix. Without a status it blames the recipient, and any
other refusal blames the server.
"""
_CLOSING: Final = 421
"""The code of a server that is about to close the connection."""


class Mail(DirectChannel):
    """Email through Django's mail backend, with one connection for each run."""

    label = gettext_lazy("by email")
    description = "an email"

    def open_to(self, accounts: Collection[int], stored: Mapping[int, Preferences]) -> Mapping[int, Collection[str]]:
        """Email is available to every account."""
        return dict.fromkeys(accounts, KINDS)

    @contextmanager
    def session(self) -> Iterator[Send]:
        if settings.EMAIL_BACKEND == _DISCARDING_BACKEND and not settings.MAILBOX:
            raise ChannelDown("there is no mail server: EMAIL_URL is not set")
        connection = get_connection()
        try:
            connection.open()
        except OSError as error:
            raise ChannelDown(f"the mail server cannot be reached: {type(error).__name__}", ours=True) from error
        try:
            yield lambda notification: _send(message(notification), connection)
        finally:
            with suppress(OSError):
                connection.close()


def _send(mail: EmailMultiAlternatives, connection: BaseEmailBackend) -> None:
    """Send one email. Raises ChannelError if it was refused, and ChannelDown if the server does not work."""
    try:
        connection.send_messages([mail])
    except BadHeaderError as error:
        raise ChannelError("a header contains a line break", permanent=True) from error
    except smtplib.SMTPRecipientsRefused as error:
        raise _refused_recipient(*next(iter(error.recipients.values()))) from error
    except (smtplib.SMTPAuthenticationError, smtplib.SMTPConnectError, smtplib.SMTPHeloError) as error:
        raise ChannelDown(f"the mail server refuses the connection: {error.smtp_code}", ours=True) from error
    except smtplib.SMTPResponseException as error:
        raise _refused(error.smtp_code, error.smtp_error) from error
    except OSError as error:
        raise ChannelDown(f"the connection to the mail server was lost: {type(error).__name__}", ours=True) from error


def _refused_recipient(code: int, message: bytes | str) -> ChannelError:
    """Return the error for a refused recipient. Without a status, the plain code names the fault."""
    error = _refused(code, message)
    error.ours = isinstance(error, ChannelDown) or error.status.startswith(_OWN_FAILURES[0])
    error.status = error.status or _STATUS_OF_CODE.get(code, f"{code // 100}.0.0")
    return error


def _refused(code: int, message: bytes | str) -> ChannelError:
    match = _ENHANCED.match(message if isinstance(message, bytes) else message.encode())
    status = match.group(1).decode() if match else ""
    reason = f"the mail server refused: {code} {status}".rstrip()
    if code == _CLOSING:
        return ChannelDown(reason, ours=True)
    return ChannelError(
        reason,
        permanent=code >= 500,
        status=status,
        ours=code < 500 and (not status or status.startswith(_OWN_FAILURES)),
    )


CHANNEL: Final = Mail()
