"""Keyed hashes (HMAC) under ``SECRET_KEY`` and the former keys in ``SECRET_KEY_FALLBACKS``."""

from django.conf import settings
from django.utils.crypto import salted_hmac


def keyed_hash(purpose: str, text: str) -> bytes:
    """Return the hash of a text under the present key: 32 bytes."""
    return keyed_hashes(purpose, text)[0]


def keyed_hashes(purpose: str, text: str) -> list[bytes]:
    """Return the hashes of a text under the present key and then under each former key."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return [salted_hmac(purpose, text, secret=key, algorithm="sha256").digest() for key in keys]
