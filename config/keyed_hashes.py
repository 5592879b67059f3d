"""Keyed hashes that follow from ``SECRET_KEY``, and from the keys before it (``SECRET_KEY_FALLBACKS``).

What is made goes by the present key. What was made under a former one is still known while that one is named.
"""

from django.conf import settings
from django.utils.crypto import salted_hmac


def keyed_hash(purpose: str, text: str) -> bytes:
    """The hash of a text under the present key: 32 bytes."""
    return keyed_hashes(purpose, text)[0]


def keyed_hashes(purpose: str, text: str) -> list[bytes]:
    """The hashes of a text under the present key, and then under each former one."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return [salted_hmac(purpose, text, secret=key, algorithm="sha256").digest() for key in keys]
