"""The keys of the database cache."""

from hashlib import sha256


def hashed(key: str, prefix: str, version: int) -> str:
    """Return a hash of the key. It hides the codes and addresses in keys, and has a fixed length."""
    return f"{prefix}:{version}:{sha256(key.encode()).hexdigest()}"
