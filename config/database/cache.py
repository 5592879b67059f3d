"""Serializes cache values and keys for the database."""

from hashlib import sha256


def hashed(key: str, prefix: str, version: int) -> str:
    """A hash of the key. It hides codes and addresses in keys, and has a fixed length."""
    return f"{prefix}:{version}:{sha256(key.encode()).hexdigest()}"
