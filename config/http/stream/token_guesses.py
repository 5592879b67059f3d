"""Bad tokens that an address shows at the event stream, counted in memory before anybody looks a token up.

One thread looks up the tokens of all streams, so whoever sends it guesses would keep the others waiting. A token that
was good lately is looked up whatever else its address has sent: people behind one address do not keep each other out.
"""

import hashlib
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

from accounts.limits.connections import surroundings_of
from accounts.limits.rate_limits import Policy
from config.http.rate_limits import network_policy, secrets_policy

_ROUNDING: Final = 1e-6
"""Seconds that adding up many small ones may be wrong by."""
KEPT: Final = 10_000
"""The most addresses, and the most good tokens, that are remembered; the oldest are forgotten first."""


class TokenGuesses:
    """The allowance for bad tokens that is left to each address. For one thread only."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._full_at: OrderedDict[str, float] = OrderedDict()
        """The time at which the allowance of an address or a network is full again."""
        self._good: OrderedDict[bytes, None] = OrderedDict()

    def take(self, address: str, shown: str) -> int:
        """Count a token as bad until it is settled; in how many seconds to try again, 0 where it may be looked up now.

        Whatever may be looked up is to be settled.
        """
        if _digest(shown) in self._good:
            return 0
        now = self._clock()
        owed = {key: self._owed(key, policy, now) for key, policy in _policies(address).items()}
        wait = max(owed[key] - policy.window.total_seconds() for key, policy in _policies(address).items())
        if wait > _ROUNDING:
            return math.ceil(wait)
        for key, seconds in owed.items():
            _put(self._full_at, key, now + seconds)
        return 0

    def settle(self, address: str, shown: str, *, is_bad: bool) -> None:
        """Say what came of a token that was looked up. One that is not bad is remembered, and cost nothing."""
        digest = _digest(shown)
        if is_bad:
            self._good.pop(digest, None)
            return
        if digest not in self._good:
            for key, policy in _policies(address).items():
                if key in self._full_at:
                    self._full_at[key] -= _each(policy)
        _put(self._good, digest, None)

    def _owed(self, key: str, policy: Policy, now: float) -> float:
        """The seconds until the allowance would be full again after one more bad token."""
        return max(self._full_at.get(key, now) - now, 0.0) + _each(policy)


def _policies(address: str) -> dict[str, Policy]:
    return {address: secrets_policy(), surroundings_of(address): network_policy(secrets_policy())}


def _each(policy: Policy) -> float:
    return policy.window.total_seconds() / policy.quota


def _digest(shown: str) -> bytes:
    return hashlib.sha256(shown.encode("latin-1", "replace")).digest()


def _put(kept: "OrderedDict[Any, Any]", key: Any, value: Any) -> None:
    kept[key] = value
    kept.move_to_end(key)
    if len(kept) > KEPT:
        kept.popitem(last=False)
