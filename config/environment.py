"""Reading the environment. A value that is no good is refused by its name, in one sentence."""

import base64
import contextlib
import ipaddress
import os
import re
import secrets
import tempfile
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import environ
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key
from django.core.exceptions import ImproperlyConfigured

from config.loopback import is_loopback

BROKERS: Final = ("amqp", "amqps", "redis", "rediss", "memory")
DATABASES: Final = ("postgres", "postgresql", "pgsql", "psql")
SHORTEST_SECRET: Final = 16
LEAST_BITS: Final = 1024
"""A shorter key is not believed by those who receive email (RFC 8301)."""
LONGEST_SOCKET: Final = 107
"""A path of more bytes is no socket's on Linux."""
WEBHOOKS: Final = (
    ("mailersend", "inbound", "inbound_secret", "MAILERSEND_INBOUND_SECRET"),
    ("mailersend", "tracking", "signing_secret", "MAILERSEND_SIGNING_SECRET"),
    ("mailgun", "inbound", "webhook_signing_key", "MAILGUN_WEBHOOK_SIGNING_KEY"),
    ("mailgun", "tracking", "webhook_signing_key", "MAILGUN_WEBHOOK_SIGNING_KEY"),
    ("mailjet", "inbound", "webhook_secret", "MAILJET_WEBHOOK_SECRET"),
    ("mailjet", "tracking", "webhook_secret", "MAILJET_WEBHOOK_SECRET"),
    ("mandrill", "both", "webhook_key", "MANDRILL_WEBHOOK_KEY"),
    ("postal", "inbound", "webhook_key", "POSTAL_WEBHOOK_KEY"),
    ("postal", "tracking", "webhook_key", "POSTAL_WEBHOOK_KEY"),
    ("postmark", "inbound", "webhook_secret", "POSTMARK_WEBHOOK_SECRET"),
    ("postmark", "tracking", "webhook_secret", "POSTMARK_WEBHOOK_SECRET"),
    ("sparkpost", "inbound", "webhook_secret", "SPARKPOST_WEBHOOK_SECRET"),
    ("sparkpost", "tracking", "webhook_secret", "SPARKPOST_WEBHOOK_SECRET"),
)
"""Mail providers, what their requests are about, anymail's name for what they are checked with, and the variable."""
_DOMAIN: Final = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")

_P256_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The number of possible private keys (SEC 2, secp256r1)."""

_env = environ.Env()


def _text(name: str, default: str = "") -> str:
    """Return a variable's value, or the default where it is unset."""
    return str(_env.str(name, default=default))


def number(name: str, default: int, lowest: int, highest: int) -> int:
    """A whole number within bounds. ImproperlyConfigured otherwise."""
    written = _text(name, str(default)).strip()
    if not (written.isascii() and written.isdigit() and lowest <= int(written) <= highest):
        raise ImproperlyConfigured(f"{name} must be a whole number from {lowest} to {highest}, not {written!r}.")
    return int(written)


def one_of(name: str, values: Sequence[str]) -> str:
    """One of these words, the first where nothing is said. ImproperlyConfigured otherwise."""
    written = _text(name).strip().lower() or values[0]
    if written not in values:
        raise ImproperlyConfigured(f"{name} must be {' or '.join(values)}, not {written!r}.")
    return written


def some_of(name: str, values: Sequence[str]) -> list[str]:
    """The values among these that a list separated by commas names; all if unset. ImproperlyConfigured else."""
    said = [each.strip() for each in _text(name).split(",") if each.strip()]
    if unknown := [each for each in said if each not in values]:
        raise ImproperlyConfigured(f"{name} lists {', '.join(values)}, separated by commas; not {unknown[0]!r}.")
    return said or list(values)


def flag(name: str) -> bool:
    """Return whether something is wanted that is off unless it is said: ``yes`` or ``no``. ImproperlyConfigured
    otherwise.
    """
    written = _text(name).strip().lower() or "no"
    if written not in ("yes", "no"):
        raise ImproperlyConfigured(f"{name} must be yes or no, not {written!r}.")
    return written == "yes"


def addresses(name: str) -> tuple[str, ...]:
    """URLs separated by commas, without a slash at their ends. ImproperlyConfigured for what is none."""
    found = tuple(each.strip().rstrip("/") for each in _text(name).split(",") if each.strip())
    for each in found:
        if not re.fullmatch(r"https?://[^\s/]+(/\S*)?", each):
            raise ImproperlyConfigured(f"{name} must be URLs separated by commas, not {each!r}.")
    return found


def certificates(name: str) -> list[x509.Certificate]:
    """The certificates in a PEM file; none if unset. ImproperlyConfigured where it holds none."""
    path = _text(name).strip()
    try:
        return x509.load_pem_x509_certificates(Path(path).read_bytes()) if path else []
    except (OSError, ValueError):
        raise ImproperlyConfigured(f"{name} must be a PEM file with certificates, not {path!r}.") from None


def signing_key(name: str) -> bytes:
    """The private RSA key in a PEM file; empty if unset. ImproperlyConfigured where it holds none, or others may read
    it.
    """
    path = _text(name).strip()
    if not path:
        return b""
    try:
        open_to_others, pem = Path(path).stat().st_mode & 0o007, Path(path).read_bytes()
        key = load_pem_private_key(pem, None)
    except (OSError, ValueError, TypeError):
        raise ImproperlyConfigured(f"{name} must be a PEM file with a private RSA key, not {path!r}.") from None
    if not isinstance(key, RSAPrivateKey) or key.key_size < LEAST_BITS:
        raise ImproperlyConfigured(f"{name} must be a private RSA key of at least {LEAST_BITS} bits.")
    if open_to_others:
        raise ImproperlyConfigured(f"{name} is {path}, which others may read: give it mode 640 or 600.")
    return key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())


def label(name: str, default: str) -> str:
    """A label of a domain name. ImproperlyConfigured otherwise."""
    chosen = _text(name, default).strip().lower()
    if not _DOMAIN.fullmatch(chosen):
        raise ImproperlyConfigured(f"{name} must be letters, digits and hyphens, such as {default}, not {chosen!r}.")
    return chosen


def digits(name: str, count: int) -> str:
    """A number of hexadecimal digits; blank if unset. ImproperlyConfigured otherwise."""
    written = _text(name).strip().lower()
    if written and not re.fullmatch(f"[0-9a-f]{{{count}}}", written):
        raise ImproperlyConfigured(f"{name} must be {count} hexadecimal digits.")
    return written


def optional_number(name: str, lowest: int, highest: int) -> int | None:
    """A whole number within bounds; None if unset. ImproperlyConfigured otherwise."""
    return number(name, lowest, lowest, highest) if _text(name).strip() else None


def default_data_dir(base: Path) -> Path:
    """The folder for data where DATA_DIR is not set: ``var`` in a checkout at ``base``, else the system's place."""
    if (base / "manage.py").is_file():
        return base / "var"
    if os.geteuid() == 0:
        return Path("/var/lib/darbar")
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share") / "darbar"


def folder(name: str, default: Path) -> Path:
    """A folder to write in, made if it is missing. ImproperlyConfigured where it cannot be had."""
    path = Path(_text(name) or default).expanduser().absolute()
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"{name} must be a folder that can be written to: {error}.") from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise ImproperlyConfigured(f"{name} must be a folder that can be written to, and {path} is not.")
    return path


def keep_metrics(folder: Path) -> None:
    """Let this process write what it counts into a folder, where another one gathers it: before the first count.

    prometheus-client reads the variable when it is imported, and that is after the settings.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)


def database(name: str) -> dict[str, Any] | None:
    """Django's description of the PostgreSQL database at a URL; None if unset."""
    url = _text(name)
    if not url:
        return None
    _scheme(name, url, DATABASES, "postgres://user:password@host:5432/name")
    try:
        config = environ.Env.db_url_config(url)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} cannot be read: {error}.") from error
    if not config["NAME"]:
        raise ImproperlyConfigured(f"{name} must name a database, as in postgres://user:password@host:5432/name.")
    return dict(config)


def sentry_dsn(name: str) -> str:
    """The address of a project at Sentry; blank if unset. ImproperlyConfigured otherwise, or without its library."""
    dsn = _text(name).strip()
    if dsn and not re.fullmatch(r"https?://[^@/\s]+@[^/\s]+/\S+", dsn):
        raise ImproperlyConfigured(f"{name} must be a DSN such as https://key@sentry.example/7, not {dsn!r}.")
    if dsn and find_spec("sentry_sdk") is None:
        raise ImproperlyConfigured(f"{name} needs the library sentry-sdk: install darbar[errors], or unset it.")
    return dsn


def broker(name: str) -> str:
    """The URL of a broker; blank if unset."""
    url = _text(name)
    if url:
        _scheme(name, url, BROKERS, "redis://localhost:6379/0 or amqp://localhost")
    return url


def mail(name: str) -> dict[str, Any]:
    """Django's mail settings for a URL; none if unset."""
    url = _text(name)
    if not url:
        return {}
    known = tuple(environ.Env.EMAIL_SCHEMES)
    _scheme(name, url, known, "smtp://user:password@host:25, smtp+tls:// (STARTTLS) or smtp+ssl://")
    try:
        config = environ.Env.email_url_config(url)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} cannot be read: {error}.") from error
    if unknown := sorted(config.pop("OPTIONS", {})):
        raise ImproperlyConfigured(f"{name} has no option {unknown[0].lower()}.")
    return {key: value for key, value in config.items() if value not in (None, "")}


def socket(name: str) -> Path | None:
    """Return where a socket of the file system is to be; None if unset. ImproperlyConfigured where it cannot be."""
    written = _text(name)
    if not written:
        return None
    path = Path(written)
    if not path.is_absolute() or len(os.fsencode(path)) > LONGEST_SOCKET or not path.parent.is_dir():
        raise ImproperlyConfigured(
            f"{name} must be a path such as /run/darbar/lmtp in a folder that exists, of at most {LONGEST_SOCKET} "
            f"bytes, not {written!r}."
        )
    return path


def mail_webhooks() -> dict[tuple[str, str], dict[str, str]]:
    """Return what the requests of each mail provider that has a secret are checked with, by provider and kind of
    request.

    ImproperlyConfigured for a secret that is too short, or a password without its user.
    """
    read = {(provider, kind): {option: _webhook_secret(name)} for provider, kind, option, name in WEBHOOKS}
    return {request: secret for request, secret in read.items() if any(secret.values())}


def _webhook_secret(name: str) -> str:
    secret = _text(name).strip()
    if secret and len(secret) < SHORTEST_SECRET:
        raise ImproperlyConfigured(f"{name} must have at least {SHORTEST_SECRET} characters.")
    if secret and name.endswith("_WEBHOOK_SECRET") and not re.fullmatch(r"[^:\s]+:[^:\s]+", secret):
        raise ImproperlyConfigured(f"{name} must be a user and a password, as in darbar:a-long-random-password.")
    return secret


def _scheme(name: str, url: str, known: tuple[str, ...], example: str) -> None:
    scheme = url.partition("://")[0]
    if scheme not in known:
        raise ImproperlyConfigured(f"{name} must be a URL such as {example}; {scheme!r} is not a kind that is known.")


def public_url(name: str, default: str) -> str:
    """The address at which people reach this server, without a slash at its end."""
    url = _text(name) or default
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.path.strip("/") or parts.query:
        raise ImproperlyConfigured(f"{name} must be an address such as https://darbar.example, not {url!r}.")
    return url.rstrip("/")


def stream_url(name: str, public: str, port: int, stream_port: int) -> str:
    """Return where programs find the event stream, without its path.

    Unless it is said, that is where they find everything else; on this machine, without a proxy, its own port.
    """
    parts = urlsplit(public)
    direct = is_loopback(parts.hostname or "") and parts.port == port
    return public_url(name, f"http://{parts.hostname}:{stream_port}" if direct else public)


def hosts(name: str, default: list[str]) -> list[str]:
    """Host names, separated by commas."""
    chosen = [host.strip() for host in _text(name).split(",") if host.strip()] or default
    for host in chosen:
        if "/" in host or " " in host:
            raise ImproperlyConfigured(f"{name} must be host names with commas between them; {host!r} is none.")
    return chosen


def domain(name: str, default: str | None) -> str:
    """Return what stands behind the @ of this server's addresses; ``localhost`` where the default cannot."""
    if chosen := _text(name).strip().lower():
        if not _DOMAIN.fullmatch(chosen):
            raise ImproperlyConfigured(f"{name} must be a domain such as darbar.example, not {chosen!r}.")
        return chosen
    default = (default or "").lower()
    return default if _DOMAIN.fullmatch(default) and not default.replace(".", "").isdigit() else "localhost"


def mail_address(name: str) -> str:
    """A mail address; blank if unset."""
    chosen = _text(name).strip()
    local, _, domain = chosen.rpartition("@")
    if chosen and not (re.fullmatch(r"[^\s@<>\",;]{1,64}", local) and _DOMAIN.fullmatch(domain.lower())):
        raise ImproperlyConfigured(f"{name} must be a mail address such as operator@darbar.example, not {chosen!r}.")
    return chosen


def server(name: str) -> str:
    """The name of a mail server; blank if unset."""
    chosen = _text(name).strip().lower()
    if chosen and not _DOMAIN.fullmatch(chosen):
        raise ImproperlyConfigured(f"{name} must be the name of a mail server such as mx.darbar.example.")
    return chosen


def address(name: str, default: str) -> str:
    """An IP address to listen on."""
    written = _text(name) or default
    try:
        return str(ipaddress.ip_address(written))
    except ValueError:
        raise ImproperlyConfigured(
            f"{name} must be an IP address such as 127.0.0.1 or 0.0.0.0, not {written!r}."
        ) from None


def networks(name: str) -> tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]:
    """Networks in CIDR notation, with commas or spaces between them; none if unset. ImproperlyConfigured otherwise."""
    written = _text(name).replace(",", " ").split()
    try:
        return tuple(map(ipaddress.ip_network, written))
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{name} must be networks such as 192.0.2.0/24, 2001:db8::/48 or 192.0.2.7: {error}."
        ) from None


def secret(name: str, kept: Path, make: Callable[[], str] = lambda: secrets.token_urlsafe(48)) -> str:
    """The server's key: from the environment, else the one in the file ``kept``, made at the first start.

    Nobody but its owner may read the file; an open or a spoiled one is refused.
    """
    if key := _text(name):
        if len(key) < SHORTEST_SECRET:
            raise ImproperlyConfigured(f"{name} must have at least {SHORTEST_SECRET} characters.")
        return key
    if not kept.exists():
        _write_secret(kept, make)
    if kept.stat().st_mode & 0o077:
        raise ImproperlyConfigured(f"{name} is kept in {kept}, which others may read: give it mode 600.")
    key = kept.read_text().strip()
    if len(key) < SHORTEST_SECRET:
        raise ImproperlyConfigured(f"{name} is kept in {kept}, which is spoiled: restore it or delete it.")
    return key


def secrets_of(name: str) -> list[str]:
    """Keys with commas between them; none if unset. ImproperlyConfigured for one that is too short."""
    keys = [key.strip() for key in _text(name).split(",") if key.strip()]
    if any(len(key) < SHORTEST_SECRET for key in keys):
        raise ImproperlyConfigured(
            f"{name} must be keys of at least {SHORTEST_SECRET} characters, with commas between."
        )
    return keys


def push_key(name: str, kept: Path) -> str:
    """The private key with which pushes are signed (VAPID, RFC 8292), in base64url: as ``secret`` is kept.

    Who subscribed to pushes did so under its public half, so another key ends all subscriptions.
    """
    key = secret(name, kept, lambda: _base64url((secrets.randbelow(_P256_ORDER - 1) + 1).to_bytes(32)))
    if not re.fullmatch(r"[A-Za-z0-9_-]{43}", key):
        raise ImproperlyConfigured(f"{name} must be a private key of P-256: 32 bytes as 43 characters of base64url.")
    return key


def _base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _write_secret(kept: Path, make: Callable[[], str]) -> None:
    """Write a new key whole or not at all; of two processes at once, the first wins."""
    with tempfile.NamedTemporaryFile("w", dir=kept.parent) as file:
        file.write(make())
        file.flush()
        with contextlib.suppress(FileExistsError):
            os.link(file.name, kept)
