"""Handing mail over to the mail server."""

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
from notifications.channels.mail.message import message
from notifications.content.kinds import KINDS
from notifications.models import Preferences

_ENHANCED: Final = re.compile(rb"^\s*([245]\.\d{1,3}\.\d{1,3})\b")
_NOWHERE: Final = "django.core.mail.backends.dummy.EmailBackend"
"""The backend that throws mail away: fine where the mailbox page shows it, a loss anywhere else."""
_UNNAMED: Final = {552: "5.2.2", 554: "5.7.0"}
"""The plain refusals of a recipient whose meaning is not the address itself (RFC 5321): full, and unwanted."""
_OURS: Final = ("4.3.", "4.4.")
"""The beginning of the status where our own mail server is at fault (RFC 3463): it is not well, or nothing gets out.
Of a recipient only the former says so; without a status it is the recipient, and else the server."""
_CLOSING: Final = 421
"""The answer of a server that is about to hang up, whatever was asked."""


class Mail(DirectChannel):
    """Mail through Django's mail backend, one connection a run."""

    label = gettext_lazy("by email")
    description = "an email"

    def open_to(self, accounts: Collection[int], wanted: Mapping[int, Preferences]) -> Mapping[int, Collection[str]]:
        """Return all of them: every account has an address."""
        return dict.fromkeys(accounts, KINDS)

    @contextmanager
    def session(self) -> Iterator[Send]:
        if settings.EMAIL_BACKEND == _NOWHERE and not settings.MAILBOX:
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
    """Hand one mail to the server. ChannelError where it was refused, ChannelDown where the server is not well."""
    try:
        connection.send_messages([mail])
    except BadHeaderError as error:
        raise ChannelError("a header would hold a line break", permanent=True) from error
    except smtplib.SMTPRecipientsRefused as error:
        raise _refused_recipient(*next(iter(error.recipients.values()))) from error
    except (smtplib.SMTPAuthenticationError, smtplib.SMTPConnectError, smtplib.SMTPHeloError) as error:
        raise ChannelDown(f"the mail server does not let us in: {error.smtp_code}", ours=True) from error
    except smtplib.SMTPResponseException as error:
        raise _refused(error.smtp_code, error.smtp_error) from error
    except OSError as error:
        raise ChannelDown(f"the mail server is lost: {type(error).__name__}", ours=True) from error


def _refused_recipient(code: int, said: bytes | str) -> ChannelError:
    """The refusal of the address itself: without a status of its own, its plain code tells what is wrong with it."""
    error = _refused(code, said)
    error.ours = isinstance(error, ChannelDown) or error.status.startswith(_OURS[0])
    error.status = error.status or _UNNAMED.get(code, f"{code // 100}.0.0")
    return error


def _refused(code: int, said: bytes | str) -> ChannelError:
    found = _ENHANCED.match(said if isinstance(said, bytes) else said.encode())
    enhanced = found.group(1).decode() if found else ""
    reason = f"the mail server refused: {code} {enhanced}".rstrip()
    if code == _CLOSING:
        return ChannelDown(reason, ours=True)
    return ChannelError(
        reason, permanent=code >= 500, status=enhanced, ours=code < 500 and (not enhanced or enhanced.startswith(_OURS))
    )


CHANNEL: Final = Mail()
