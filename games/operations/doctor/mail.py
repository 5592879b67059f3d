"""Email: the server that sends, a round trip through it, and the authentication of senders."""

import smtplib
import time
from collections.abc import Iterator
from datetime import timedelta
from email import message_from_bytes, policy
from typing import Final
from uuid import uuid4

from django.conf import settings
from django.core.mail import get_connection

from games.operations.doctor.findings import Finding, ok, unchecked, wrong
from notifications.content import addresses
from notifications.email.message import SignedEmail
from notifications.models import RawMail

_SMTP: Final = "django.core.mail.backends.smtp.EmailBackend"
_PAUSE: Final = 0.2
_SHOWN: Final = 300


def check_relay() -> Iterator[Finding]:
    """Check that the server in ``EMAIL_URL`` accepts the log-in."""
    if settings.EMAIL_BACKEND != _SMTP:
        if settings.MAILBOX:
            yield unchecked("relay", "EMAIL_URL is not set: emails are on the page /mailbox/ and go nowhere.")
        else:
            yield wrong("relay", "EMAIL_URL is not set: no email leaves.", "Set EMAIL_URL to your mail server.")
        return
    name = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    try:
        connection = get_connection()
        connection.open()
        connection.close()
    except smtplib.SMTPAuthenticationError as error:
        yield wrong(
            "relay", f"{name} refuses the login ({error.smtp_code}).", "Correct user and password in EMAIL_URL."
        )
    except (OSError, smtplib.SMTPException) as error:
        yield wrong(
            "relay",
            f"{name} cannot be used: {str(error) or type(error).__name__}.",
            "Correct EMAIL_URL, or the server.",
        )
    else:
        yield ok("relay", f"{name} lets us in.")


def check_round_trip(wait: timedelta) -> Iterator[Finding]:
    """Check that an email to an address of this server goes out and comes in by the way of replies."""
    if settings.EMAIL_BACKEND != _SMTP:
        yield unchecked("round trip", "No email leaves, so none can come back.")
        return
    address = addresses.address(addresses.TRIP, addresses.short(uuid4()))
    mail = SignedEmail(
        "A round trip",
        "darbar doctor sent this to itself.\n",
        settings.DEFAULT_FROM_EMAIL,
        [address],
        headers={"Auto-Submitted": "auto-generated"},
    )
    begun = time.monotonic()
    try:
        mail.send()
    except (OSError, smtplib.SMTPException) as error:
        yield wrong("round trip", f"The email was not taken: {error}.", "See “relay” above.")
        return
    raw = _wait(address, wait)
    if raw is None:
        yield wrong(
            "round trip",
            f"The email left, and did not come back within {wait.total_seconds():.0f} s.",
            f"Look into the log of the mail server that MX names: it has to pass mail for {settings.MAIL_DOMAIN} on to "
            "Darbar.",
        )
        return
    yield ok("round trip", f"The email came back after {time.monotonic() - begun:.1f} s.")
    yield from _authentication(raw)


def _wait(address: str, wait: timedelta) -> bytes | None:
    """Remove the email to this address from the received mail and return it, or None if it does not arrive in time."""
    deadline = time.monotonic() + wait.total_seconds()
    mails = RawMail.objects.filter(recipients__contains=[address])
    while time.monotonic() < deadline:
        if row := mails.first():
            row.delete()
            return bytes(row.raw)
        time.sleep(_PAUSE)
    return None


def _authentication(raw: bytes) -> Iterator[Finding]:
    """Return the verdict of this server's mail server about the email's sender."""
    server = settings.AUTHENTICATION_SERVER
    fields = message_from_bytes(raw, policy=policy.compat32).get_all("Authentication-Results", [])
    headers = [" ".join(str(field).split()) for field in fields]
    ours = [field for field in headers if field.partition(";")[0].split()[:1] == [server]]
    if not server:
        return
    if not ours:
        yield wrong(
            "authentication",
            f"The email came back without Authentication-Results of {server}.",
            "Have that mail server check SPF, DKIM or DMARC, or correct AUTHENTICATION_SERVER.",
        )
    elif any(f"{method}=pass" in field for field in ours for method in ("dkim", "dmarc", "spf")):
        yield ok("authentication", f"{ours[0][:_SHOWN]}")
    else:
        yield wrong("authentication", f"{ours[0][:_SHOWN]}", "No check passed: see “SPF”, “DKIM” and “DMARC” above.")


def check_authentication_server() -> Iterator[Finding]:
    """Check that the senders of replies are authenticated, and explain the consequence if they are not."""
    if settings.AUTHENTICATION_SERVER:
        yield ok("senders", f"The word of {settings.AUTHENTICATION_SERVER} about senders is believed.")
    else:
        yield unchecked(
            "senders",
            "AUTHENTICATION_SERVER is not set: SPF, DKIM and DMARC of replies are not checked. Answers count by their "
            "secret reply address alone, and commands that change something are asked back.",
            "If your mail server checks senders, set AUTHENTICATION_SERVER to its name.",
        )
