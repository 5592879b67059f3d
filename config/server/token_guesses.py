"""The limit of invalid tokens that an address may send to the event stream, counted in memory.

One thread looks up the tokens of all streams, so guesses of one client would delay all others. A token that was valid
before is always looked up, so that people behind one address do not block each other.
"""

import hashlib
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

from accounts.limits.connections import surroundings_of
from accounts.limits.rate_limits import Policy
from config.server.rate_limits import network_policy, secrets_policy

_ROUNDING: Final = 1e-6
"""The rounding error of a sum of many small numbers of seconds."""
KEPT: Final = 10_000
"""The number of addresses and of valid tokens that are remembered. The oldest are forgotten first."""


class TokenGuesses:
    """The remaining allowance of each address for invalid tokens. Not thread-safe."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._full_at: OrderedDict[str, float] = OrderedDict()
        """The time at which the allowance of an address or network is full again."""
        self._good: OrderedDict[bytes, None] = OrderedDict()

    def take(self, address: str, token: str) -> int:
        """Count a token as invalid until ``settle`` is called, and return 0.

        If the allowance is used up, return the seconds until the next try instead.
        """
        if _digest(token) in self._good:
            return 0
        now = self._clock()
        owed = {key: self._owed(key, policy, now) for key, policy in _policies(address).items()}
        wait = max(owed[key] - policy.window.total_seconds() for key, policy in _policies(address).items())
        if wait > _ROUNDING:
            return math.ceil(wait)
        for key, seconds in owed.items():
            _remember(self._full_at, key, now + seconds)
        return 0

    def settle(self, address: str, token: str, *, is_bad: bool) -> None:
        """Record the result of a lookup. A valid token is remembered and not counted."""
        digest = _digest(token)
        if is_bad:
            self._good.pop(digest, None)
            return
        if digest not in self._good:
            for key, policy in _policies(address).items():
                if key in self._full_at:
                    self._full_at[key] -= _seconds_per_token(policy)
        _remember(self._good, digest, None)

    def _owed(self, key: str, policy: Policy, now: float) -> float:
        """Return the seconds until the allowance would be full again after one more invalid token."""
        return max(self._full_at.get(key, now) - now, 0.0) + _seconds_per_token(policy)


def _policies(address: str) -> dict[str, Policy]:
    return {address: secrets_policy(), surroundings_of(address): network_policy(secrets_policy())}


def _seconds_per_token(policy: Policy) -> float:
    return policy.window.total_seconds() / policy.quota


def _digest(token: str) -> bytes:
    return hashlib.sha256(token.encode("latin-1", "replace")).digest()


def _remember(cache: "OrderedDict[Any, Any]", key: Any, value: Any) -> None:
    cache[key] = value
    cache.move_to_end(key)
    if len(cache) > KEPT:
        cache.popitem(last=False)
