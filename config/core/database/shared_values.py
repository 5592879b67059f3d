"""Values that the processes of a server share through the cache, such as failed checks for the health page.

A value is stored with the database's time, because the expiry of the cache uses the clock of each machine.
"""

from collections.abc import Iterable
from datetime import timedelta
from hashlib import sha256
from typing import Final, NamedTuple

from django.core.cache import cache

from config.core.clock import CLOCK

FRESH: Final = timedelta(minutes=1)
"""The age up to which a reported fault counts."""
_KEPT: Final = timedelta(days=1)


class SharedValue(NamedTuple):
    """A value and its age."""

    value: float
    age: timedelta


def share(name: str, value: float) -> None:
    """Share a value with all processes. Raises Django's errors without a database."""
    cache.set(f"shared:{name}", (value, CLOCK.now()), _KEPT.total_seconds())


def read(names: Iterable[str]) -> dict[str, SharedValue]:
    """Return the values that were shared under these names, with one query."""
    now, prefix = CLOCK.now(), "shared:"
    entries = cache.get_many([f"{prefix}{name}" for name in names])
    return {key.removeprefix(prefix): SharedValue(value, abs(now - time)) for key, (value, time) in entries.items()}


def read_fresh(names: Iterable[str]) -> dict[str, float]:
    """Return the values that were shared within the last minute."""
    return {name: shared.value for name, shared in read(names).items() if shared.age <= FRESH}


def hashed(key: str, prefix: str, version: int) -> str:
    """Return a hash of the key. It hides the codes and addresses in keys, and has a fixed length."""
    return f"{prefix}:{version}:{sha256(key.encode()).hexdigest()}"
