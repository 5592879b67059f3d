"""All checks of the doctor, each after the checks that it depends on."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from urllib.parse import urlsplit

from django.conf import settings

from config.core.loopback import is_loopback
from games.operations.doctor import dns_records, mail, web
from games.operations.doctor.findings import Finding, unchecked, wrong
from games.operations.doctor.names import Names, NoAnswerFromDns


def examine(names: Names, wait: timedelta) -> Iterator[Finding]:
    """Run all checks. An email may take as long as ``wait`` to come back."""
    yield from _ask_dns("address", urlsplit(settings.PUBLIC_URL).hostname or "", names, dns_records.check_address)
    yield from web.check_tls()
    yield from web.check_pages()
    yield from web.check_stream()
    for check, function in (
        ("MX", dns_records.check_exchangers),
        ("SPF", dns_records.check_spf),
        ("DKIM", dns_records.check_dkim),
        ("DMARC", dns_records.check_dmarc),
        ("PTR", dns_records.check_reverse),
    ):
        yield from _ask_dns(check, settings.MAIL_DOMAIN, names, function)
    yield from mail.check_relay()
    yield from mail.check_authentication_server()
    yield from mail.check_round_trip(wait)


def _ask_dns(check: str, name: str, names: Names, function: Callable[[Names], Iterator[Finding]]) -> Iterator[Finding]:
    """Return the findings of a check that needs DNS. Names of this machine alone are not looked up."""
    if is_loopback(name):
        yield unchecked(check, f"{name} is this machine only, and has no records.")
        return
    try:
        yield from function(names)
    except NoAnswerFromDns as error:
        yield wrong(check, str(error), "Try another name server with --nameserver.")
