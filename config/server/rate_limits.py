"""Rate limits of accounts, addresses and networks.

Every request that reaches Django is counted before its view runs: by ``RequestThrottle`` in views of REST framework,
otherwise by ``config.server.middleware.RateLimits``. Static files and the health check are free. The headers
RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers) have the remaining requests, and Retry-After the
seconds to wait. ``docs/limits.md`` lists all limits. ``accounts.rate_limits`` has those for signing up, logging
in and codes.
"""

import hashlib
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.db import OperationalError
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from accounts.models import Account, Token
from accounts.rate_limits import (
    MINUTE,
    OF_ACCOUNT,
    Balance,
    Policy,
    account_policy,
    network_of,
    surroundings_of,
    take_each,
)
from accounts.tokens import AppAccess
from accounts.web.exceptions import RateLimited

if TYPE_CHECKING:
    from rest_framework.views import APIView

API: Final = "/api/"
PROVIDERS: Final = "/anymail/"
SECRETS: Final = ("/oauth/token", "/oauth/revoke")
"""Paths whose requests may compute the hash of a secret."""
CARDS: Final = "/cards/"
"""The prefix of paths whose requests may draw a picture."""
FREE: Final = "/healthz"
MAILBOX: Final = "/mailbox/"
"""The prefix of the mailbox page, which is free. It exists only on a server that other machines cannot reach."""
NETWORK_TIMES: Final = 10
"""The factor between the limit of a network and that of an address in it."""
PAGES_TIMES: Final = 2
"""The factor between the limits of pages and of the API, because many people may share an address."""
SECRETS_PART: Final = 10
"""The divisor of an address's limit for requests with secrets."""
CARDS_PART: Final = 10
"""The divisor of an address's limit for cards of links."""
APP_PART: Final = 3
"""The divisor of an account's limit for the requests of one app."""

Draws = list[tuple[str, Policy]]
"""The keys and policies of the allowances that count a request, the narrowest first."""


class RequestThrottle(BaseThrottle):
    """Counts the requests to a view of REST framework, after it has authenticated them."""

    def allow_request(self, request: Request, view: "APIView") -> bool:
        balance = count_request(request._request)
        if balance is not None and not balance.granted:
            raise RateLimited(gettext("You sent too many requests."), balance.wait)
        return True


def count_request(request: HttpRequest) -> Balance | None:
    """Count a request, and set its ``balance``. Return None for a request that is free."""
    balance = None
    try:
        if request.path != FREE and not (settings.MAILBOX and request.path.startswith(MAILBOX)):
            balance = take_each(_draws(request), timezone.now())
    except OperationalError:
        # Some pages work without the database.
        if is_for_programs(request) or request.method not in ("GET", "HEAD"):
            raise
    request.balance = balance  # type: ignore[attr-defined]
    return balance


def is_for_programs(request: HttpRequest) -> bool:
    return request.path.startswith((API, PROVIDERS)) or request.path in SECRETS


def app_policy() -> Policy:
    """Return the allowance of an app for one account. Its requests also count for the account, and cannot use it up."""
    return Policy("app", max(settings.REQUESTS_PER_ACCOUNT // APP_PART, 1), MINUTE)


def address_policy() -> Policy:
    """Return the allowance of an address for requests to the API without a valid token."""
    return Policy("address", settings.REQUESTS_PER_ADDRESS, MINUTE)


def pages_policy() -> Policy:
    """Return the allowance of an address for pages without a session."""
    return Policy("pages", PAGES_TIMES * settings.REQUESTS_PER_ADDRESS, MINUTE)


def secrets_policy() -> Policy:
    """Return the allowance of an address for requests with secrets."""
    return Policy("secrets", max(settings.REQUESTS_PER_ADDRESS // SECRETS_PART, 1), MINUTE)


def cards_policy() -> Policy:
    """Return the allowance of an address for cards of links."""
    return Policy("cards", max(settings.REQUESTS_PER_ADDRESS // CARDS_PART, 1), MINUTE)


def providers_policy() -> Policy:
    """Return the allowance of an address for requests of mail providers. One address sends all mail of a server."""
    return Policy("providers", settings.REQUESTS_PER_ACCOUNT, MINUTE)


def network_policy(policy: Policy) -> Policy:
    """Return the allowance of a network for a ``policy`` of its addresses."""
    return Policy("network", NETWORK_TIMES * policy.quota, MINUTE)


def draws_of(account: Account, token: Token | AppAccess | None) -> Draws:
    """Return the allowances that count a request of an account, with a token or with a session (None)."""
    account_draw = (f"{OF_ACCOUNT}{account.pk}", account_policy())
    return [(f"app:{token.grant}", app_policy()), account_draw] if isinstance(token, AppAccess) else [account_draw]


def _draws(request: HttpRequest) -> Draws:
    """Return the allowances that count a request. With an invalid token, that is the address's."""
    if request.path in SECRETS:
        return _sender_draws(request, secrets_policy())
    if request.path.startswith(CARDS):
        return _sender_draws(request, cards_policy())
    if request.path.startswith(PROVIDERS):
        return _sender_draws(request, providers_policy())
    # REST framework sets the account and the token, if they are valid.
    account = getattr(request, "user", None)
    if isinstance(account, Account):
        return draws_of(account, getattr(request, "auth", None))
    return _sender_draws(request, address_policy() if request.path.startswith(API) else pages_policy())


def _sender_draws(request: HttpRequest, policy: Policy) -> Draws:
    address = network_of(get_adapter().get_client_ip(request))
    network = f"{policy.name}:{surroundings_of(address)}"
    return [(f"{policy.name}:{address}", policy), (network, network_policy(policy))]


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
