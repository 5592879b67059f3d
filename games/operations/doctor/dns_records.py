"""DNS queries, and checks of the records of a server.

These are its address, its mail exchangers, and the records that receivers of its emails check.
"""

import base64
import re
from collections.abc import Iterator
from typing import Final
from urllib.parse import urlsplit

from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key
from django.conf import settings
from dns.exception import DNSException
from dns.rdatatype import RdataType
from dns.resolver import NXDOMAIN, NoAnswer, NoNameservers, Resolver
from dns.reversename import from_address

from config.core.loopback import is_loopback
from games.operations.doctor.findings import Finding, ok, unchecked, wrong

MOST_LOOKUPS: Final = 10
"""The highest number of lookups of an SPF record. Receivers ignore a record with more (RFC 7208, section 4.6.4)."""

_ASKING: Final = re.compile(r"[+?~-]?(include|a|mx|ptr|exists|redirect)(?:[:=/](\S+))?", re.I)


class Names:
    """A resolver that asks this machine's name servers, or a given one."""

    def __init__(self, nameserver: str = "", port: int = 53) -> None:
        """Use the name server with the IP address ``nameserver``, or those of this machine if it is blank."""
        self._resolver = Resolver(configure=not nameserver)
        self._resolver.lifetime = PATIENCE
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


PATIENCE: Final = 5.0
"""The timeout of a query in seconds."""


class NoAnswerFromDns(Exception):
    """The DNS does not answer. The message contains the query."""
