"""Keys and certificates from environment variables."""

import base64
import contextlib
import os
import re
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, load_pem_private_key
from django.core.exceptions import ImproperlyConfigured

from config.environment.values import text

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
        raise ImproperlyConfigured(f"{name} is {path}, which others may read: give it mode 640 or 600.")
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
        raise ImproperlyConfigured(f"{name} is kept in {file_path}, which others may read: give it mode 600.")
    key = file_path.read_text().strip()
    if len(key) < SHORTEST_SECRET:
        raise ImproperlyConfigured(f"{name} is kept in {file_path}, which is spoiled: restore it or delete it.")
    return key


def secret_list(name: str) -> list[str]:
    """Return keys that are separated by commas. Raises ImproperlyConfigured if one is too short."""
    keys = [key.strip() for key in text(name).split(",") if key.strip()]
    if any(len(key) < SHORTEST_SECRET for key in keys):
        raise ImproperlyConfigured(
            f"{name} must be keys of at least {SHORTEST_SECRET} characters, with commas between."
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
