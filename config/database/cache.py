"""Serializes cache values and keys for the database."""

from hashlib import sha256


def hashed(key: str, prefix: str, version: int) -> str:
    """A hash: keys hold codes and addresses, which are nobody's to read; and it fits, however long the key is."""
    return f"{prefix}:{version}:{sha256(key.encode()).hexdigest()}"
