"""Keyed hashes (HMAC) and encryption of stored texts under ``SECRET_KEY``.

Hashes and texts under the former keys in ``SECRET_KEY_FALLBACKS`` stay valid.
"""

import base64
from functools import lru_cache

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.utils.crypto import salted_hmac


def keyed_hash(purpose: str, text: str) -> bytes:
    """Return the hash of a text under the present key: 32 bytes."""
    return keyed_hashes(purpose, text)[0]


def keyed_hashes(purpose: str, text: str) -> list[bytes]:
    """Return the hashes of a text under the present key and then under each former key."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return [salted_hmac(purpose, text, secret=key, algorithm="sha256").digest() for key in keys]


class UnreadableText(Exception):
    """A stored text was encrypted under another ``SECRET_KEY``, or for another purpose."""


def encrypt(text: str, purpose: str) -> str:
    """Return a text encrypted, for ``decrypt`` with the same purpose."""
    return _cipher(purpose).encrypt(text.encode()).decode()


def decrypt(stored: str, purpose: str) -> str:
    """Return a stored text. Raises UnreadableText."""
    try:
        return _cipher(purpose).decrypt(stored.encode()).decode()
    except InvalidToken:
        raise UnreadableText from None


def _cipher(purpose: str) -> MultiFernet:
    return MultiFernet([_key(secret, purpose) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


@lru_cache
def _key(secret: str, purpose: str) -> Fernet:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=purpose.encode()).derive(secret.encode())
    return Fernet(base64.urlsafe_b64encode(derived))
