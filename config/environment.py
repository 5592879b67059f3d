"""Settings from environment variables. An invalid value raises ImproperlyConfigured with one sentence."""

import base64
import contextlib
import ipaddress
import os
import pwd
import re
import secrets
import shlex
import sys
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

from config.core.email_spellings import ascii_domain
from config.core.loopback import is_loopback

DOMAIN: Final = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?")
SHORTEST_TYPO: Final = 5
"""Shorter names are not compared, because too many of other programs resemble one of ours by chance."""
_env = environ.Env()
_names: set[str] = set()
"""The names of the variables that have been read."""
_OWN_FILE: Final = Path("/etc/darbar.env")
_own_file_names: set[str] = set()
"""The names of the variables in our own file of settings."""
_LINE: Final = re.compile(r"(?:export )?([A-Za-z_0-9]+)=.*")


def read_own_file(base: Path) -> None:
    """Set the variables of our own file of settings, except those that are set already.

    It is the file that ``DARBAR_ENV`` names. By default it is ``/etc/darbar.env``, and none for a checkout at ``base``.
    Raises ImproperlyConfigured if the file cannot be read, or if a line is no assignment.
    """
    setting = text("DARBAR_ENV")
    path = Path(setting or _OWN_FILE)
    if not setting and ((base / "manage.py").is_file() or not path.exists()):
        return
    try:
        lines = path.read_text().splitlines()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ImproperlyConfigured(
            f"The settings in {path} can’t be read ({reason}). Run Darbar as a user who may read them, such as "
            "runuser -u darbar -- darbar doctor."
        ) from None
    for number, assignment in enumerate(lines, 1):
        match = _LINE.fullmatch(assignment)
        if match:
            _own_file_names.add(match[1])
        elif assignment.strip() and not assignment.startswith("#"):
            raise ImproperlyConfigured(f"Line {number} of {path} must be NAME=value, a comment after # or blank.")
    _env.read_env(path)


def text(name: str, default: str = "") -> str:
    """Return the value of a variable, or the default if it is unset."""
    _names.add(name)
    return str(_env.str(name, default=default))


def misspelt_names() -> list[tuple[str, str]]:
    """Return the variables whose names are one letter away from one of ours, each with the name of ours.

    Raises ImproperlyConfigured if our own file of settings has such a name. Others may belong to other programs.
    """
    others = [name for name in os.environ if name not in _names and len(name) >= SHORTEST_TYPO]
    pairs = sorted((other, name) for other in others for name in _names if _is_one_letter_away(other, name))
    for other, name in pairs:
        if other in _own_file_names:
            path = text("DARBAR_ENV", str(_OWN_FILE))
            raise ImproperlyConfigured(f"{path} sets {other}, which isn’t a setting. Do you mean {name}?")
    return pairs


def _is_one_letter_away(one: str, other: str) -> bool:
    """Return whether one letter was left out, added or replaced, or two neighbours were exchanged."""
    shorter, longer = sorted((one, other), key=len)
    pairs = enumerate(zip(shorter, longer, strict=False))
    start = next((number for number, (left, right) in pairs if left != right), len(shorter))
    first, second = shorter[start:], longer[start:]
    if len(first) == len(second):
        return first[1:] == second[1:] or (first[:2] == second[1::-1] and first[2:] == second[2:])
    return first == second[1:]


def number(name: str, default: int, lowest: int, highest: int) -> int:
    """Return a whole number within bounds. Raises ImproperlyConfigured."""
    value = text(name, str(default)).strip()
    if not (value.isascii() and value.isdigit() and lowest <= int(value) <= highest):
        raise ImproperlyConfigured(f"{name} must be a whole number from {lowest} to {highest}, not {value!r}.")
    return int(value)


def one_of(name: str, values: Sequence[str]) -> str:
    """Return the value, which must be one of these words. The default is the first one. Raises ImproperlyConfigured."""
    value = text(name).strip().lower() or values[0]
    if value not in values:
        raise ImproperlyConfigured(f"{name} must be {' or '.join(values)}, not {value!r}.")
    return value


def some_of(name: str, values: Sequence[str]) -> list[str]:
    """Return a list of some of these values, separated by commas, or all if unset. Raises ImproperlyConfigured."""
    words = [word.strip() for word in text(name).split(",") if word.strip()]
    if unknown := [word for word in words if word not in values]:
        raise ImproperlyConfigured(
            f"{name} must be some of {', '.join(values)}, separated by commas, not {unknown[0]!r}."
        )
    return words or list(values)


def flag(name: str, default: bool = False) -> bool:
    """Return True for ``yes``, False for ``no``, and the default if unset. Raises ImproperlyConfigured."""
    value = text(name).strip().lower() or ("yes" if default else "no")
    if value not in ("yes", "no"):
        raise ImproperlyConfigured(f"{name} must be yes or no, not {value!r}.")
    return value == "yes"


def line(name: str, longest: int) -> str:
    """Return a line of text of limited length, or an empty string if unset. Raises ImproperlyConfigured."""
    value = text(name).strip()
    if len(value) > longest or not value.replace("\u200c", "").isprintable():
        raise ImproperlyConfigured(f"{name} must be one line of at most {longest} characters.")
    return value


def label(name: str, default: str) -> str:
    """Return a label of a domain name. Raises ImproperlyConfigured."""
    value = text(name, default).strip().lower()
    if not DOMAIN.fullmatch(value):
        raise ImproperlyConfigured(f"{name} must be letters, digits and hyphens, such as {default}, not {value!r}.")
    return value


def digits(name: str, count: int) -> str:
    """Return hexadecimal digits of this length, or an empty string if unset. Raises ImproperlyConfigured."""
    value = text(name).strip().lower()
    if value and not re.fullmatch(f"[0-9a-f]{{{count}}}", value):
        raise ImproperlyConfigured(f"{name} must be {count} hexadecimal digits.")
    return value


def optional_number(name: str, lowest: int, highest: int) -> int | None:
    """Return a whole number within bounds, or None if unset. Raises ImproperlyConfigured."""
    return number(name, lowest, lowest, highest) if text(name).strip() else None


def require_scheme(name: str, url: str, schemes: tuple[str, ...], example: str) -> None:
    scheme, separator, _ = url.partition("://")
    if not separator or scheme not in schemes:
        fault = f"{scheme!r} isn’t a known scheme" if separator else "it has no ://"
        raise ImproperlyConfigured(f"{name} must be a URL such as {example}; {fault}.")


SHORTEST_SECRET: Final = 16
LEAST_BITS: Final = 1024
"""The shortest key that mail servers accept (RFC 8301)."""
_P256_ORDER: Final = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""The number of possible private keys (SEC 2, secp256r1)."""


def certificates(name: str) -> list[x509.Certificate]:
    """Return the certificates in a PEM file, or none if unset. Raises ImproperlyConfigured."""
    path = text(name).strip()
    try:
        return x509.load_pem_x509_certificates(Path(path).read_bytes()) if path else []
    except (OSError, ValueError):
        raise ImproperlyConfigured(f"{name} must be a PEM file with certificates, not {path!r}.") from None


def signing_key(name: str) -> bytes:
    """Return the private RSA key in a PEM file, or empty bytes if unset.

    Raises ImproperlyConfigured if the file has no such key, or if other users may read it.
    """
    path = text(name).strip()
    if not path:
        return b""
    try:
        is_public, pem = Path(path).stat().st_mode & 0o007, Path(path).read_bytes()
        key = load_pem_private_key(pem, None)
    except (OSError, ValueError, TypeError):
        raise ImproperlyConfigured(f"{name} must be a PEM file with a private RSA key, not {path!r}.") from None
    if not isinstance(key, RSAPrivateKey) or key.key_size < LEAST_BITS:
        raise ImproperlyConfigured(f"{name} must be a private RSA key of at least {LEAST_BITS} bits.")
    if is_public:
        raise ImproperlyConfigured(f"{name} is {path}, which others can read. Give it mode 640 or 600.")
    return key.private_bytes(Encoding.PEM, PrivateFormat.TraditionalOpenSSL, NoEncryption())


def secret(name: str, file_path: Path, make: Callable[[], str] = lambda: secrets.token_urlsafe(48)) -> str:
    """Return a key from the environment or from a file, which is written at the first start.

    Raises ImproperlyConfigured if the key is too short, or if other users may read the file.
    """
    if key := text(name):
        if len(key) < SHORTEST_SECRET:
            raise ImproperlyConfigured(f"{name} must have at least {SHORTEST_SECRET} characters.")
        return key
    if not file_path.exists():
        _write_secret(file_path, make)
    if file_path.stat().st_mode & 0o077:
        raise ImproperlyConfigured(f"{name} is kept in {file_path}, which others can read. Give it mode 600.")
    key = file_path.read_text().strip()
    if len(key) < SHORTEST_SECRET:
        raise ImproperlyConfigured(f"{name} is kept in {file_path}, which is damaged. Restore it or delete it.")
    return key


def secret_list(name: str) -> list[str]:
    """Return keys that are separated by commas. Raises ImproperlyConfigured if one is too short."""
    keys = [key.strip() for key in text(name).split(",") if key.strip()]
    if any(len(key) < SHORTEST_SECRET for key in keys):
        raise ImproperlyConfigured(
            f"{name} must be keys of at least {SHORTEST_SECRET} characters, separated by commas."
        )
    return keys


def push_key(name: str, file_path: Path) -> str:
    """Return the private key that signs pushes (VAPID, RFC 8292), in base64url, from the environment or a file.

    Browsers subscribed with its public key, so another key ends all subscriptions.
    """
    key = secret(name, file_path, lambda: _base64url((secrets.randbelow(_P256_ORDER - 1) + 1).to_bytes(32)))
    if not re.fullmatch(r"[A-Za-z0-9_-]{43}", key):
        raise ImproperlyConfigured(f"{name} must be a private key of P-256: 32 bytes as 43 characters of base64url.")
    return key


def _base64url(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).rstrip(b"=").decode()


def _write_secret(file_path: Path, make: Callable[[], str]) -> None:
    """Write a new key atomically. If two processes do so at the same time, the first key stays."""
    with tempfile.NamedTemporaryFile("w", dir=file_path.parent) as file:
        file.write(make())
        file.flush()
        with contextlib.suppress(FileExistsError):
            os.link(file.name, file_path)


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
            raise ImproperlyConfigured(f"{name} must be host names separated by commas, and {host!r} isn’t one.")
    return names


def domain(name: str, default: str | None) -> str:
    """Return the domain of this server's email addresses, or ``localhost`` if the default cannot be one."""
    if value := ascii_domain(text(name)):
        if not DOMAIN.fullmatch(value):
            raise ImproperlyConfigured(f"{name} must be a domain such as darbar.example, not {value!r}.")
        return value
    default = ascii_domain(default or "")
    return default if DOMAIN.fullmatch(default) and not default.replace(".", "").isdigit() else "localhost"


def mail_address(name: str) -> str:
    """Return an email address, or an empty string if unset. Raises ImproperlyConfigured."""
    value = text(name).strip()
    local, _, domain = value.rpartition("@")
    if value and not (re.fullmatch(r"[^\s@<>\",;]{1,64}", local) and DOMAIN.fullmatch(domain.lower())):
        raise ImproperlyConfigured(f"{name} must be an email address such as operator@darbar.example, not {value!r}.")
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
    written_networks = text(name).replace(",", " ").split()
    try:
        return tuple(map(ipaddress.ip_network, written_networks))
    except ValueError as error:
        raise ImproperlyConfigured(
            f"{name} must be networks such as 192.0.2.0/24, 2001:db8::/48 or 192.0.2.7: {error}."
        ) from None


LONGEST_SOCKET: Final = 107
"""The number of bytes in the path of a socket on Linux."""


def default_data_dir(base: Path) -> Path:
    """Return the default of DATA_DIR: ``var`` in a checkout at ``base``, otherwise the usual place of the system."""
    if (base / "manage.py").is_file():
        return base / "var"
    if os.geteuid() == 0:
        return Path("/var/lib/darbar")
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share") / "darbar"


def folder(name: str, default: Path) -> Path:
    """Return a writable folder, which is created if it is missing. Raises ImproperlyConfigured."""
    path = Path(text(name) or default).expanduser().absolute()
    try:
        path.mkdir(parents=True, exist_ok=True)
        owner = path.stat().st_uid
    except OSError as error:
        raise ImproperlyConfigured(f"{name} must be a folder that Darbar can write to: {error}.") from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise ImproperlyConfigured(f"{name} must be a folder that Darbar can write to, and {path} isn’t.")
    if os.geteuid() == 0 and owner != 0:
        # Files that root makes there could not be read by the server later.
        try:
            user = pwd.getpwuid(owner).pw_name
        except KeyError:
            user = f"#{owner}"
        raise ImproperlyConfigured(
            f"{name} is {path}, which belongs to the user {user}. To run this as that user, type: "
            f"runuser -u {user} -- {shlex.join(sys.orig_argv)}"
        )
    return path


def keep_metrics(folder: Path) -> None:
    """Let this process write its metrics to a folder, from which another process collects them."""
    # prometheus-client reads this variable when it is imported, which is after the settings.
    folder.mkdir(mode=0o700, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)


def socket(name: str) -> Path | None:
    """Return the path of a socket, or None if unset. Raises ImproperlyConfigured."""
    value = text(name)
    if not value:
        return None
    path = Path(value)
    if not path.is_absolute() or len(os.fsencode(path)) > LONGEST_SOCKET or not path.parent.is_dir():
        raise ImproperlyConfigured(
            f"{name} must be a path such as /run/darbar/lmtp in a folder that exists, of at most {LONGEST_SOCKET} "
            f"bytes, not {value!r}."
        )
    return path


BROKERS: Final = ("amqp", "amqps", "redis", "rediss", "memory")
DATABASES: Final = ("postgres", "postgresql", "pgsql", "psql")
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
"""For each mail provider and kind of request: anymail's option with the secret, and the environment variable."""


def database(name: str) -> dict[str, Any] | None:
    """Return Django's settings of the PostgreSQL database at a URL, or None if unset. Raises ImproperlyConfigured."""
    url = text(name)
    if not url:
        return None
    require_scheme(name, url, DATABASES, "postgres://user:password@host:5432/name")
    try:
        config = environ.Env.db_url_config(url)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} can’t be read: {error}.") from error
    if not config["NAME"]:
        raise ImproperlyConfigured(f"{name} must name a database, as in postgres://user:password@host:5432/name.")
    return dict(config)


def sentry_dsn(name: str) -> str:
    """Return the address of a Sentry project, or an empty string if unset.

    Raises ImproperlyConfigured if it is invalid or the library is not installed.
    """
    dsn = text(name).strip()
    if dsn and not re.fullmatch(r"https?://[^@/\s]+@[^/\s]+/\S+", dsn):
        raise ImproperlyConfigured(f"{name} must be a DSN such as https://key@sentry.example/7, not {dsn!r}.")
    if dsn and find_spec("sentry_sdk") is None:
        raise ImproperlyConfigured(f"{name} needs the library sentry-sdk: install darbar[errors], or unset it.")
    return dsn


def collector(name: str) -> str:
    """Return the address of a trace collector, or an empty string if unset.

    Raises ImproperlyConfigured if it is invalid or the libraries are not installed.
    """
    url = text(name).strip()
    if url and not re.fullmatch(r"https?://[^@/\s]+/\S+", url):
        raise ImproperlyConfigured(f"{name} must be an address such as http://127.0.0.1:4318/v1/traces, not {url!r}.")
    if url and find_spec("opentelemetry") is None:
        raise ImproperlyConfigured(f"{name} needs OpenTelemetry's libraries: install darbar[traces], or unset it.")
    return url


def broker(name: str) -> str:
    """Return the URL of a broker, or an empty string if unset. Raises ImproperlyConfigured."""
    url = text(name)
    if url:
        require_scheme(name, url, BROKERS, "redis://localhost:6379/0 or amqp://localhost")
    return url


def mail(name: str) -> dict[str, Any]:
    """Return Django's mail settings for a URL, or an empty dict if unset. Raises ImproperlyConfigured."""
    url = text(name)
    if not url:
        return {}
    schemes = tuple(environ.Env.EMAIL_SCHEMES)
    require_scheme(name, url, schemes, "smtp://user:password@host:25, smtp+tls:// (STARTTLS) or smtp+ssl://")
    try:
        config = environ.Env.email_url_config(url)
    except ValueError as error:
        raise ImproperlyConfigured(f"{name} can’t be read: {error}.") from error
    if url.startswith("smtp") and not config["EMAIL_HOST"]:
        raise ImproperlyConfigured(f"{name} must name a mail server, as in smtp://mail.example.org:25.")
    if unknown := sorted(config.pop("OPTIONS", {})):
        raise ImproperlyConfigured(f"{name} has no option {unknown[0].lower()}.")
    return {key: value for key, value in config.items() if value not in (None, "")}


def mail_webhooks() -> dict[tuple[str, str], dict[str, str]]:
    """Return the secrets that authenticate the requests of mail providers, by provider and kind of request.

    Raises ImproperlyConfigured for a secret that is too short, or a password without a user.
    """
    options = {(provider, kind): {option: _webhook_secret(name)} for provider, kind, option, name in WEBHOOKS}
    return {request: secret for request, secret in options.items() if any(secret.values())}


def _webhook_secret(name: str) -> str:
    secret = text(name).strip()
    if secret and len(secret) < SHORTEST_SECRET:
        raise ImproperlyConfigured(f"{name} must have at least {SHORTEST_SECRET} characters.")
    if secret and name.endswith("_WEBHOOK_SECRET") and not re.fullmatch(r"[^:\s]+:[^:\s]+", secret):
        raise ImproperlyConfigured(f"{name} must be a user and a password, as in darbar:a-long-random-password.")
    return secret
