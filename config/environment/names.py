"""Names and addresses in a network."""

import ipaddress
import re
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from config.environment.values import DOMAIN, text
from config.loopback import is_loopback


def addresses(name: str) -> tuple[str, ...]:
    """Return URLs separated by commas, without trailing slashes. Raises ImproperlyConfigured."""
    found = tuple(each.strip().rstrip("/") for each in text(name).split(",") if each.strip())
    for each in found:
        if not re.fullmatch(r"https?://[^\s/]+(/\S*)?", each):
            raise ImproperlyConfigured(f"{name} must be URLs separated by commas, not {each!r}.")
    return found


def public_url(name: str, default: str) -> str:
    """The address at which people reach this server, without a slash at its end."""
    url = text(name) or default
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise ImproperlyConfigured(f"{name} must be an address such as https://darbar.example, not {url!r}.")
    return url.rstrip("/")


def stream_url(name: str, public: str, port: int, stream_port: int) -> str:
    """Return the public address of the event stream, without its path.

    The default is the address of the server, or on this machine without a proxy, the stream's own port.
    """
    parts = urlsplit(public)
    direct = is_loopback(parts.hostname or "") and parts.port == port
    return public_url(name, f"http://{parts.hostname}:{stream_port}" if direct else public)


def hosts(name: str, default: list[str]) -> list[str]:
    """Host names, separated by commas."""
    chosen = [host.strip() for host in text(name).split(",") if host.strip()] or default
    for host in chosen:
        if "/" in host or " " in host:
            raise ImproperlyConfigured(f"{name} must be host names with commas between them; {host!r} is none.")
    return chosen


def domain(name: str, default: str | None) -> str:
    """Return the domain of this server's email addresses, or ``localhost`` if the default cannot be one."""
    if chosen := text(name).strip().lower():
        if not DOMAIN.fullmatch(chosen):
            raise ImproperlyConfigured(f"{name} must be a domain such as darbar.example, not {chosen!r}.")
        return chosen
    default = (default or "").lower()
    return default if DOMAIN.fullmatch(default) and not default.replace(".", "").isdigit() else "localhost"


def mail_address(name: str) -> str:
    """A mail address; blank if unset."""
    chosen = text(name).strip()
    local, _, domain = chosen.rpartition("@")
    if chosen and not (re.fullmatch(r"[^\s@<>\",;]{1,64}", local) and DOMAIN.fullmatch(domain.lower())):
        raise ImproperlyConfigured(f"{name} must be a mail address such as operator@darbar.example, not {chosen!r}.")
    return chosen


def server(name: str) -> str:
    """The name of a mail server; blank if unset."""
    chosen = text(name).strip().lower()
    if chosen and not DOMAIN.fullmatch(chosen):
        raise ImproperlyConfigured(f"{name} must be the name of a mail server such as mx.darbar.example.")
    return chosen


def address(name: str, default: str) -> str:
    """An IP address to listen on."""
    written = text(name) or default
    try:
        return str(ipaddress.ip_address(written))
    except ValueError:
        raise ImproperlyConfigured(
            f"{name} must be an IP address such as 127.0.0.1 or 0.0.0.0, not {written!r}."
        ) from None


def networks(name: str) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
    """Networks in CIDR notation, with commas or spaces between them; none if unset. ImproperlyConfigured otherwise."""
    written = text(name).replace(",", " ").split()
    try:
        return tuple(map(ipaddress.ip_network, written))
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{name} must be networks such as 192.0.2.0/24, 2001:db8::/48 or 192.0.2.7: {error}."
        ) from None
