"""Values that the processes of a server share through the cache: each can report what another has seen.

Each is kept with the moment at which it was told, by the database's clock: the cache's time is each machine's own.
"""

from collections.abc import Iterable
from datetime import timedelta
from typing import Final, NamedTuple

from django.core.cache import cache

from config.database.database_clock import CLOCK

FRESH: Final = timedelta(minutes=1)
"""The age up to which a fault that a process has told of counts."""
_KEPT: Final = timedelta(days=1)


class SharedValue(NamedTuple):
    """A value, and how long ago it was told."""

    value: float
    age: timedelta


def share(name: str, value: float) -> None:
    """Tell all processes of a value. Raises what Django raises without a database."""
    cache.set(f"shared:{name}", (value, CLOCK.now()), _KEPT.total_seconds())


def read(names: Iterable[str]) -> dict[str, SharedValue]:
    """The values that were told under these names, in one query."""
    now, prefix = CLOCK.now(), "shared:"
    found = cache.get_many([f"{prefix}{name}" for name in names])
    return {key.removeprefix(prefix): SharedValue(value, abs(now - at)) for key, (value, at) in found.items()}


def read_fresh(names: Iterable[str]) -> dict[str, float]:
    """Return the values that were told within the last minute."""
    return {name: shared.value for name, shared in read(names).items() if shared.age <= FRESH}
