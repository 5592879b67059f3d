"""All checks of the doctor in order, with those of email and of the pages from outside."""

import json
import smtplib
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from email import message_from_bytes, policy
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPErrorProcessor, build_opener
from uuid import uuid4

from django.conf import settings
from django.core.mail import get_connection

from config.core.loopback import is_loopback
from games.operations.doctor import dns_records
from games.operations.doctor.dns_records import Names, NoAnswerFromDns
from games.operations.doctor.findings import Finding, ok, unchecked, wrong
from notifications import reply_addresses
from notifications.email.message import SignedEmail
from notifications.models import RawMail


def examine(names: Names, wait: timedelta) -> Iterator[Finding]:
    """Run all checks. An email may take as long as ``wait`` to come back."""
    yield from check_names()
    yield from _ask_dns("address", urlsplit(settings.PUBLIC_URL).hostname or "", names, dns_records.check_address)
    yield from check_tls()
    yield from check_pages()
    yield from check_stream()
    for check, function in (
        ("MX", dns_records.check_exchangers),
        ("SPF", dns_records.check_spf),
        ("DKIM", dns_records.check_dkim),
        ("DMARC", dns_records.check_dmarc),
        ("PTR", dns_records.check_reverse),
    ):
        yield from _ask_dns(check, settings.MAIL_DOMAIN, names, function)
    yield from check_relay()
    yield from check_authentication_server()
    yield from check_round_trip(wait)


def check_names() -> Iterator[Finding]:
    """Check that no variable is a misspelt setting."""
    for name, setting in settings.MISSPELT_SETTINGS:
        yield unchecked("settings", f"{name} isn’t a setting.", f"Do you mean {setting}?")


def _ask_dns(check: str, name: str, names: Names, function: Callable[[Names], Iterator[Finding]]) -> Iterator[Finding]:
    """Return the findings of a check that needs DNS. Names of this machine alone are not looked up."""
    if is_loopback(name):
        yield unchecked(check, f"{name} is only this machine, so it has no records.")
        return
    try:
        yield from function(names)
    except NoAnswerFromDns as error:
        yield wrong(check, str(error), "Try another name server with --nameserver.")


PATIENCE: Final = 10.0
SOON: Final = 14
"""Days of validity below which the renewal of a certificate has failed."""
_DAY: Final = 86_400


class _NoRedirects(HTTPErrorProcessor):
    """An opener that returns redirects instead of following them."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


def check_tls() -> Iterator[Finding]:
    """Check that the certificate is trusted and is renewed in time."""
    parts = urlsplit(settings.PUBLIC_URL)
    if parts.scheme != "https":
        address = f"PUBLIC_URL is {settings.PUBLIC_URL}."
        if settings.ON_LOOPBACK:
            yield unchecked("TLS", f"{address} Only this machine can reach it.")
        else:
            yield wrong(
                "TLS", f"{address} Passwords cross the network unencrypted.", "Get a certificate, and use https://."
            )
        return
    host = parts.hostname or ""
    try:
        ends = _certificate_ends(host, parts.port or 443)
    except ssl.SSLCertVerificationError as error:
        yield wrong("TLS", f"The certificate of {host} isn’t trusted: {error.verify_message}.", "Renew it.")
    except OSError as error:
        yield wrong(
            "TLS", f"{host} can’t be reached: {error.strerror or error}.", "Start the proxy, and open its port."
        )
    else:
        days = int((ends - time.time()) // _DAY)
        if days < SOON:
            yield wrong("TLS", f"The certificate of {host} expires in {days} days.", "Find out why it wasn’t renewed.")
        else:
            yield ok("TLS", f"The certificate of {host} is valid for {days} more days.")


def _certificate_ends(host: str, port: int) -> float:
    with (
        socket.create_connection((host, port), PATIENCE) as plain,
        ssl.create_default_context().wrap_socket(plain, server_hostname=host) as connection,
    ):
        return ssl.cert_time_to_seconds(str((connection.getpeercert() or {})["notAfter"]))


def check_pages() -> Iterator[Finding]:
    """Check that Darbar answers at ``PUBLIC_URL``, and that no sign of health is red."""
    url = f"{settings.PUBLIC_URL}/healthz"
    try:
        status, _, body = _get(url)
        health = json.loads(body)
        red = list(health["red"])
    except OSError as error:
        yield wrong("pages", f"{url} does not answer: {error}.", "Start Darbar, and the proxy in front of it.")
    except (ValueError, KeyError, TypeError):
        yield wrong("pages", f"Something else answers at {url} ({status}).", "Make the proxy pass requests to PORT.")
    else:
        if red:
            yield wrong(
                "pages", f"Signs of health are red: {', '.join(red)}.", "See what docs/operating.md says about each."
            )
        else:
            yield ok("pages", f"Darbar answers at {settings.PUBLIC_URL}, and all signs of health are green.")
    if settings.HTTPS and not settings.ALLAUTH_TRUSTED_PROXY_COUNT:
        yield wrong(
            "proxy",
            "TRUSTED_PROXIES is 0, but TLS needs a proxy, so everyone seems to have the same address.",
            "Set TRUSTED_PROXIES to the number of your proxies.",
        )


def check_stream() -> Iterator[Finding]:
    """Check that requests for the event stream reach its port."""
    url = f"{settings.STREAM_URL}/api/v1/stream/"
    try:
        status, headers, body = _get(url)
    except OSError as error:
        yield wrong(
            "stream",
            f"{url} does not answer: {error}.",
            "Start the event stream, and make the proxy pass this path to STREAM_PORT.",
        )
        return
    if status == 401 and "location" not in headers and _is_ours(body):
        yield ok("stream", f"The event stream answers at {url}.")
    else:
        yield wrong(
            "stream",
            f"{url} answers {status}, which isn’t the event stream.",
            "Make the proxy pass this path to STREAM_PORT.",
        )


def _is_ours(body: bytes) -> bool:
    """Return whether Darbar asks for a token in a body, and not a proxy for a password."""
    try:
        return bool(json.loads(body)["code"] == "unauthenticated")
    except (ValueError, KeyError, TypeError):
        return False


def _get(url: str) -> tuple[int, set[str], bytes]:
    """Return the status, the header names and the beginning of the body of an answer. Raises OSError."""
    try:
        with build_opener(_NoRedirects).open(url, timeout=PATIENCE) as answer:
            return answer.status, {name.lower() for name in answer.headers}, answer.read(100_000)
    except HTTPError as error:
        return error.code, set(), b""


_SMTP: Final = "django.core.mail.backends.smtp.EmailBackend"
_PAUSE: Final = 0.2
_SHOWN: Final = 300


def check_relay() -> Iterator[Finding]:
    """Check that the server in ``EMAIL_URL`` accepts the log-in."""
    if settings.EMAIL_BACKEND != _SMTP:
        if settings.MAILBOX:
            yield unchecked("relay", "EMAIL_URL isn’t set: emails stay on the page /mailbox/.")
        else:
            yield wrong("relay", "EMAIL_URL isn’t set: no email is sent.", "Set EMAIL_URL to your mail server.")
        return
    name = f"{settings.EMAIL_HOST}:{settings.EMAIL_PORT}"
    try:
        connection = get_connection()
        connection.open()
        connection.close()
    except smtplib.SMTPAuthenticationError as error:
        yield wrong(
            "relay", f"{name} refuses the login ({error.smtp_code}).", "Correct the user and the password in EMAIL_URL."
        )
    except (OSError, smtplib.SMTPException) as error:
        yield wrong(
            "relay",
            f"{name} can’t be used: {str(error) or type(error).__name__}.",
            "Correct EMAIL_URL, or repair the server.",
        )
    else:
        yield ok("relay", f"{name} accepts our login.")


def check_round_trip(wait: timedelta) -> Iterator[Finding]:
    """Check that an email to an address of this server goes out and comes in by the way of replies."""
    if settings.EMAIL_BACKEND != _SMTP:
        yield unchecked("round trip", "No email is sent, so none can come back.")
        return
    address = reply_addresses.address(reply_addresses.TRIP, reply_addresses.short(uuid4()))
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
        yield wrong("round trip", f"The email wasn’t accepted: {error}.", "See “relay” above.")
        return
    raw = _wait(address, wait)
    if raw is None:
        yield wrong(
            "round trip",
            f"The email was sent, but didn’t come back within {wait.total_seconds():.0f} s.",
            f"Check the log of the mail server that MX names. It has to pass mail for {settings.MAIL_DOMAIN} on to "
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
            f"The email came back without Authentication-Results from {server}.",
            "Have that mail server check SPF, DKIM or DMARC, or correct AUTHENTICATION_SERVER.",
        )
    elif any(f"{method}=pass" in field for field in ours for method in ("dkim", "dmarc", "spf")):
        yield ok("authentication", f"{ours[0][:_SHOWN]}")
    else:
        yield wrong("authentication", f"{ours[0][:_SHOWN]}", "No check passed: see “SPF”, “DKIM” and “DMARC” above.")


def check_authentication_server() -> Iterator[Finding]:
    """Check that the senders of replies are authenticated, and explain the consequence if they are not."""
    if settings.AUTHENTICATION_SERVER:
        yield ok("senders", f"Darbar trusts {settings.AUTHENTICATION_SERVER} about senders.")
    else:
        yield unchecked(
            "senders",
            "AUTHENTICATION_SERVER isn’t set, so Darbar doesn’t check SPF, DKIM and DMARC of replies. The secret "
            "reply address alone proves an answer, and Darbar asks back about commands that change something.",
            "If your mail server checks senders, set AUTHENTICATION_SERVER to its name.",
        )
