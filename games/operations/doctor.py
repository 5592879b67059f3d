"""The doctor: checks of the connections between this server and its users, with advice.

The records in DNS are the server's address, its mail exchangers, and those that receivers of its emails check.
"""

import base64
import json
import re
import smtplib
import socket
import ssl
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from email import message_from_bytes, policy
from enum import StrEnum
from typing import Any, Final
from urllib.error import HTTPError
from urllib.parse import urlsplit
from urllib.request import HTTPErrorProcessor, build_opener
from uuid import uuid4

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key
from django.conf import settings
from django.core.mail import get_connection
from dns.exception import DNSException
from dns.rdatatype import RdataType
from dns.resolver import NXDOMAIN, NoAnswer, NoNameservers, Resolver
from dns.reversename import from_address

from config.core.loopback import is_loopback
from notifications import reply_addresses
from notifications.email.message import SignedEmail
from notifications.models import RawMail


class Verdict(StrEnum):
    """The verdict of a check."""

    OK = "ok"
    WRONG = "wrong"
    UNCHECKED = "not checked"
    """The check was not possible, or not needed."""


@dataclass(frozen=True)
class Finding:
    """The result of a check."""

    check: str
    verdict: Verdict
    result: str
    """A sentence with the value that was found."""
    advice: str = ""
    """The advice, or blank if nothing needs to be done."""


def ok(check: str, result: str) -> Finding:
    """Return a finding that needs no action."""
    return Finding(check, Verdict.OK, result)


def wrong(check: str, result: str, advice: str) -> Finding:
    """Return a finding that needs action."""
    return Finding(check, Verdict.WRONG, result, advice)


def unchecked(check: str, result: str, advice: str = "") -> Finding:
    """Return a finding that could not be checked."""
    return Finding(check, Verdict.UNCHECKED, result, advice)


MOST_LOOKUPS: Final = 10
"""The highest number of lookups of an SPF record. Receivers ignore a record with more (RFC 7208, section 4.6.4)."""

_ASKING: Final = re.compile(r"[+?~-]?(include|a|mx|ptr|exists|redirect)(?:[:=/](\S+))?", re.I)


class Names:
    """A resolver that asks this machine's name servers, or a given one."""

    def __init__(self, nameserver: str = "", port: int = 53) -> None:
        """Use the name server with the IP address ``nameserver``, or those of this machine if it is blank."""
        self._resolver = Resolver(configure=not nameserver)
        self._resolver.lifetime = DNS_PATIENCE
        if nameserver:
            self._resolver.nameservers = [nameserver]
            self._resolver.port = port

    def addresses(self, host: str) -> list[str]:
        """Return the addresses of a host. Raises NoAnswerFromDns."""
        return [*self._ask(host, RdataType.A), *self._ask(host, RdataType.AAAA)]

    def exchangers(self, domain: str) -> list[str]:
        """Return the hosts that accept mail for a domain, the preferred one first. ``.`` means that all mail is
        refused.
        """
        records = (line.split() for line in self._ask(domain, RdataType.MX))
        return [
            host if host == "." else host.rstrip(".") for _, host in sorted((int(rank), host) for rank, host in records)
        ]

    def texts(self, name: str, beginning: str) -> list[str]:
        """Return the texts of a name that begin with ``start``. Long texts are stored in pieces."""
        pieces = (
            "".join(part.replace("\\;", ";") for part in line.split('"')[1::2])
            for line in self._ask(name, RdataType.TXT)
        )
        return [text for text in pieces if text.lower().startswith(beginning.lower())]

    def names_of(self, address: str) -> list[str]:
        """Return the names that the owner of an address gave it."""
        return [name.rstrip(".") for name in self._ask(str(from_address(address)), RdataType.PTR)]

    def _ask(self, name: str, kind: RdataType) -> list[str]:
        try:
            return [record.to_text() for record in self._resolver.resolve(name, kind, search=False)]
        except (NXDOMAIN, NoAnswer):
            return []
        except (DNSException, NoNameservers, OSError) as error:
            raise NoAnswerFromDns(f"DNS doesn’t answer about {name} ({kind.name}): {type(error).__name__}.") from error


def check_address(names: Names) -> Iterator[Finding]:
    """Check that the host of ``PUBLIC_URL`` has an address."""
    host = urlsplit(settings.PUBLIC_URL).hostname or ""
    if addresses := names.addresses(host):
        yield ok("address", f"{host} resolves to {', '.join(addresses)}.")
    else:
        yield wrong(
            "address", f"{host} has no address.", f"Add an A record (and AAAA) for {host} with this machine’s address."
        )


def check_exchangers(names: Names) -> Iterator[Finding]:
    """Check that replies reach a mail server: MX records whose hosts have addresses, or the domain's own address."""
    domain = settings.MAIL_DOMAIN
    hosts = names.exchangers(domain)
    lost = [host for host in hosts if host == "." or not names.addresses(host)]
    if lost:
        yield wrong(
            "MX", f"Mail for {domain} goes to {lost[0]}, which has no address.", "Name a host that has an A record."
        )
    elif hosts:
        yield ok("MX", f"Mail for {domain} goes to {', '.join(hosts)}.")
    elif names.addresses(domain):
        yield ok("MX", f"{domain} has no MX record, so its mail goes to its own address.")
    else:
        yield wrong(
            "MX", f"Mail for {domain} goes nowhere.", f"Add an MX record for {domain} that names your mail server."
        )


def check_spf(names: Names) -> Iterator[Finding]:
    """Check that one SPF record names the senders of the domain, and does not allow all."""
    domain = settings.MAIL_DOMAIN
    records = names.texts(domain, "v=spf1")
    if len(records) != 1:
        yield wrong(
            "SPF",
            f"{domain} has {len(records) or 'no'} SPF record{'s' if records else ''}.",
            f'Have exactly one TXT record at {domain}, such as "v=spf1 mx -all", that names the servers that send '
            "your email.",
        )
        return
    terms = records[0].lower().split()[1:]
    if {"all", "+all", "?all"} & set(terms) or not any(re.match("[~-]all$|redirect=", term) for term in terms):
        yield wrong("SPF", f"“{records[0]}” lets everyone send as {domain}.", "End the record with -all.")
    elif (lookups := _lookups(names, domain, set())) > MOST_LOOKUPS:
        yield wrong(
            "SPF",
            f"“{records[0]}” needs {lookups} DNS lookups, and {MOST_LOOKUPS} are allowed.",
            "Include fewer other domains.",
        )
    else:
        yield ok("SPF", f"“{records[0]}”.")


def _lookups(names: Names, domain: str, visited: set[str]) -> int:
    """Return how many lookups a receiver needs for the SPF record of a domain, with its included records."""
    if domain in visited or len(visited) > MOST_LOOKUPS:
        return 0
    visited.add(domain)
    asking = [
        match
        for text in names.texts(domain, "v=spf1")
        for term in text.split()[1:]
        if (match := _ASKING.fullmatch(term))
    ]
    followed = [match[2] for match in asking if match[1].lower() in ("include", "redirect") and match[2]]
    return len(asking) + sum(_lookups(names, include, visited) for include in followed)


def check_dkim(names: Names) -> Iterator[Finding]:
    """Check that the published key is the one that signs, if Darbar signs."""
    if not settings.DKIM_KEY:
        yield unchecked(
            "DKIM",
            "DKIM_KEY isn’t set: Darbar doesn’t sign your email, so the server in EMAIL_URL has to.",
            "Check whether the round trip ends with dkim=pass. If it doesn’t, set DKIM_KEY.",
        )
        return
    name, expected = f"{settings.DKIM_SELECTOR}._domainkey.{settings.MAIL_DOMAIN}", public_key(settings.DKIM_KEY)
    records = names.texts(name, "")
    keys = [match[1] for text in records if (match := re.search(r"\bp=([A-Za-z0-9+/=]*)", text.replace(" ", "")))]
    if keys == [expected]:
        yield ok("DKIM", f"{name} has the key that signs your email.")
    else:
        fault = "has another key" if keys else "has no key"
        yield wrong(
            "DKIM",
            f"{name} {fault}.",
            f"Publish this TXT record at {name}: {_strings(f'v=DKIM1; k=rsa; p={expected}')}",
        )


def public_key(pem: bytes) -> str:
    """Return the public half of a private key in the form of DNS records."""
    public = load_pem_private_key(pem, None).public_key()
    return base64.b64encode(public.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)).decode()


def _strings(record: str) -> str:
    """Return a record as strings of 255 characters, which is the most that one string of the DNS may have."""
    return " ".join(f'"{record[start : start + 255]}"' for start in range(0, len(record), 255))


def check_dmarc(names: Names) -> Iterator[Finding]:
    """Check that a policy covers forged mail."""
    places = [settings.MAIL_DOMAIN, *_parents(settings.MAIL_DOMAIN)]
    for name in (f"_dmarc.{place}" for place in places):
        if records := names.texts(name, "v=DMARC1"):
            policy = re.search(r"\bp\s*=\s*(none|quarantine|reject)\b", records[0], re.I)
            if policy and len(records) == 1:
                yield ok("DMARC", f"{name}: “{records[0]}”.")
            else:
                yield wrong("DMARC", f"{name}: “{records[0]}” has no readable policy.", _DMARC)
            return
    yield wrong("DMARC", f"_dmarc.{settings.MAIL_DOMAIN} has no record.", _DMARC)


_DMARC: Final = 'Have exactly one TXT record there, such as "v=DMARC1; p=quarantine; rua=mailto:you@example.org".'


def _parents(domain: str) -> list[str]:
    """Return the parent domains of a domain, without top-level ones."""
    labels = domain.split(".")
    return [".".join(labels[index:]) for index in range(1, len(labels) - 1)]


def check_reverse(names: Names) -> Iterator[Finding]:
    """Check that the sending address has a name that resolves to the address, if this machine sends by itself."""
    host = urlsplit(settings.PUBLIC_URL).hostname or ""
    if not is_loopback(settings.EMAIL_HOST):
        yield unchecked("PTR", f"{settings.EMAIL_HOST} sends your email, so its PTR record is up to its owner.")
        return
    for address in names.addresses(host):
        names_found = names.names_of(address)
        if any(address in names.addresses(name) for name in names_found):
            yield ok("PTR", f"{address} is {names_found[0]}.")
        else:
            fault = (
                f"{address} has the name {names_found[0]}, which leads elsewhere"
                if names_found
                else f"{address} has no name"
            )
            yield wrong("PTR", f"{fault}.", f"Ask the provider of this machine for a PTR record that names {host}.")


DNS_PATIENCE: Final = 5.0
"""The timeout of a query in seconds."""


class NoAnswerFromDns(Exception):
    """The DNS does not answer. The message contains the query."""


def examine(names: Names, wait: timedelta) -> Iterator[Finding]:
    """Run all checks. An email may take as long as ``wait`` to come back."""
    yield from check_names()
    yield from _ask_dns("address", urlsplit(settings.PUBLIC_URL).hostname or "", names, check_address)
    yield from check_tls()
    yield from check_pages()
    yield from check_stream()
    for check, function in (
        ("MX", check_exchangers),
        ("SPF", check_spf),
        ("DKIM", check_dkim),
        ("DMARC", check_dmarc),
        ("PTR", check_reverse),
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
            "reply address alone proves an answer, and Darbar asks for confirmation of commands that change something.",
            "If your mail server checks senders, set AUTHENTICATION_SERVER to its name.",
        )
