"""Network names and addresses from environment variables."""

import ipaddress
import re
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured

from config.core.loopback import is_loopback
from config.environment.values import DOMAIN, text


def addresses(name: str) -> tuple[str, ...]:
    """Return URLs separated by commas, without trailing slashes. Raises ImproperlyConfigured."""
    urls = tuple(url.strip().rstrip("/") for url in text(name).split(",") if url.strip())
    for url in urls:
        if not re.fullmatch(r"https?://[^\s/]+(/\S*)?", url):
            raise ImproperlyConfigured(f"{name} must be URLs separated by commas, not {url!r}.")
    return urls


def public_url(name: str, default: str) -> str:
    """Return the public address of this server, without a trailing slash. Raises ImproperlyConfigured."""
    url = text(name) or default
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise ImproperlyConfigured(f"{name} must be an address such as https://darbar.example, not {url!r}.")
    return url.rstrip("/")


def stream_url(name: str, public: str, port: int, stream_port: int) -> str:
    """Return the public address of the event stream, without its path.

    The default is the address of the server. On this machine without a proxy it has the stream's own port.
    """
    parts = urlsplit(public)
    direct = is_loopback(parts.hostname or "") and parts.port == port
    return public_url(name, f"http://{parts.hostname}:{stream_port}" if direct else public)


def hosts(name: str, default: list[str]) -> list[str]:
    """Return host names that are separated by commas. Raises ImproperlyConfigured."""
    names = [host.strip() for host in text(name).split(",") if host.strip()] or default
    for host in names:
        if "/" in host or " " in host:
            raise ImproperlyConfigured(f"{name} must be host names with commas between them; {host!r} is none.")
    return names


def domain(name: str, default: str | None) -> str:
    """Return the domain of this server's email addresses, or ``localhost`` if the default cannot be one."""
    if value := text(name).strip().lower():
        if not DOMAIN.fullmatch(value):
            raise ImproperlyConfigured(f"{name} must be a domain such as darbar.example, not {value!r}.")
        return value
    default = (default or "").lower()
    return default if DOMAIN.fullmatch(default) and not default.replace(".", "").isdigit() else "localhost"


def mail_address(name: str) -> str:
    """Return an email address, or an empty string if unset. Raises ImproperlyConfigured."""
    value = text(name).strip()
    local, _, domain = value.rpartition("@")
    if value and not (re.fullmatch(r"[^\s@<>\",;]{1,64}", local) and DOMAIN.fullmatch(domain.lower())):
        raise ImproperlyConfigured(f"{name} must be a mail address such as operator@darbar.example, not {value!r}.")
    return value


def server(name: str) -> str:
    """Return the name of a mail server, or an empty string if unset. Raises ImproperlyConfigured."""
    value = text(name).strip().lower()
    if value and not DOMAIN.fullmatch(value):
        raise ImproperlyConfigured(f"{name} must be the name of a mail server such as mx.darbar.example.")
    return value


def address(name: str, default: str) -> str:
    """Return an IP address to listen on. Raises ImproperlyConfigured."""
    value = text(name) or default
    try:
        return str(ipaddress.ip_address(value))
    except ValueError:
        raise ImproperlyConfigured(
            f"{name} must be an IP address such as 127.0.0.1 or 0.0.0.0, not {value!r}."
        ) from None


def networks(name: str) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
    """Return networks in CIDR notation, separated by commas or spaces. Raises ImproperlyConfigured."""
    value = text(name).replace(",", " ").split()
    try:
        return tuple(map(ipaddress.ip_network, value))
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{name} must be networks such as 192.0.2.0/24, 2001:db8::/48 or 192.0.2.7: {error}."
        ) from None
