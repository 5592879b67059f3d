"""Public addresses, and URLs that may be called. Nothing is resolved or opened here.

``ipaddress.is_global`` alone does not do: it takes multicast, 6to4, NAT64 and mapped addresses for public on some
versions of Python, and these lead to places that are not.
"""

import re
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

LONGEST: Final = 2000
"""Characters of a URL."""

_CLOSED: Final = tuple(
    map(
        ip_network,
        (
            # RFC 6890 and the IANA registries for special purposes, IPv4
            "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12",
            "192.0.0.0/24", "192.0.2.0/24", "192.31.196.0/24", "192.52.193.0/24", "192.88.99.0/24", "192.168.0.0/16",
            "192.175.48.0/24", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4",
            "168.63.129.16/32",  # what a cloud's machines ask for their own settings, on public ground
            # within 2000::/3: IETF protocols with Teredo and ORCHID, documentation, 6to4, AS112
            "2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20",
        ),
    )
)  # fmt: skip
_GLOBAL_UNICAST: Final = ip_network("2000::/3")
"""All of IPv6 that is handed out. Mapped, compatible, NAT64, local and multicast addresses lie outside of it."""
_LABEL: Final = re.compile(r"(?!-)[a-z0-9-]{1,63}(?<!-)")
_PRIVATE_NAMES: Final = frozenset(
    ("localhost", "local", "localdomain", "internal", "intranet", "lan", "home", "corp", "arpa", "onion")
)
"""Last labels that no public host has (RFC 6761, 6762, 7686, 8375, and what home routers use)."""


class ForbiddenAddress(Exception):
    """This address may not be called; the message says why, in a sentence that shows at most its host."""


@dataclass(frozen=True)
class Place:
    """The target of a URL, before its name is resolved."""

    secure: bool
    host: str
    """A name in lower case and ASCII, or an IP address without brackets."""
    port: int
    path: str
    """Path and query."""


def is_public(address: str) -> bool:
    """Return whether an IP address, as a resolver writes it, is one that anybody on the Internet may reach."""
    try:
        number = ip_address(address)
    except ValueError:
        return False
    if isinstance(number, IPv6Address) and (number.scope_id is not None or number not in _GLOBAL_UNICAST):
        return False
    return not any(number in network for network in _CLOSED if network.version == number.version)


def is_loopback(address: str) -> bool:
    """Return whether an IP address is 127.0.0.1 or ::1, written so."""
    return address in ("127.0.0.1", "::1")


def place_of(url: str, *, loopback: bool = False) -> Place:
    """Return where ``url`` leads. ForbiddenAddress for whatever is not a plain https URL of a public name or address.

    ``loopback``: http, and this machine itself, are allowed too.
    """
    if len(url) > LONGEST or not url.isascii() or not url.isprintable() or " " in url or "\\" in url:
        raise ForbiddenAddress(
            _("Write a URL of at most %(longest)s ASCII characters without blanks.") % {"longest": LONGEST}
        )
    try:
        parts = urlsplit(url)
        port, host = parts.port, parts.hostname or ""
    except ValueError:
        raise ForbiddenAddress(
            _("This URL has no valid host or port. Write a URL such as https://example.org:8443/hook.")
        ) from None
    if parts.scheme not in ("https", "http") or (parts.scheme == "http" and not loopback):
        raise ForbiddenAddress(_("Write a URL that begins with https://."))
    if "@" in parts.netloc or parts.netloc.endswith(":") or port == 0:
        raise ForbiddenAddress(_("Write a URL without a user name, and with a port only where it needs one."))
    _check_host(host, parts.netloc, loopback)
    secure = parts.scheme == "https"
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    return Place(secure, host, port or (443 if secure else 80), path)


def _check_host(host: str, netloc: str, loopback: bool) -> None:
    number = _literal(host)
    if (number is not None and number.version == 6) is not netloc.startswith("["):
        sentence = _("“%(host)s” is not the name of a host. Write one such as example.org, and only IPv6 in brackets.")
        raise ForbiddenAddress(sentence % {"host": netloc})
    if loopback and (is_loopback(host) or host == "localhost"):
        return
    if number is not None:
        if not is_public(host):
            sentence = _("“%(host)s” is not a public address. Write one that the whole Internet can reach.")
            raise ForbiddenAddress(sentence % {"host": host})
    elif not _is_public_name(host):
        raise ForbiddenAddress(_("Write the full public name of a host."))


def _literal(host: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(host)
    except ValueError:
        return None


def _is_public_name(host: str) -> bool:
    """Return whether it is a name that DNS can know. One that ends in a number would be read as an address by some."""
    labels = host.split(".")
    if len(host) > 253 or len(labels) < 2 or not all(map(_LABEL.fullmatch, labels)):
        return False
    return labels[-1] not in _PRIVATE_NAMES and not re.fullmatch(r"[0-9]+|0x[0-9a-f]*", labels[-1])
