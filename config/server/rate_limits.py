"""Rate limits of accounts, addresses and networks.

Every request that reaches Django is counted before its view runs. Static files and the health check are free. The
headers RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers) have the remaining requests, and
Retry-After the seconds to wait. ``docs/limits.md`` lists all limits. ``accounts.limits.rate_limits`` has those for
signing up, logging in and codes.
"""

import hashlib
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Any, Final

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin
from rest_framework.exceptions import AuthenticationFailed

from accounts.limits.connections import network_of, surroundings_of
from accounts.limits.rate_limits import MINUTE, OF_ACCOUNT, Balance, Policy, account_policy, take_each
from accounts.models import Account, Token
from accounts.tokens.tokens import AppAccess, TokenAuthentication
from config.server.problems import too_many_requests, too_many_requests_page

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


class RateLimits(MiddlewareMixin):
    """Counts requests, and refuses those over the limit before the view runs."""

    get_response: Callable[[HttpRequest], HttpResponse]

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        """Return a refusal if the limit is reached."""
        return _count(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Add the headers. Requests without a view, such as those for unknown paths, are counted here."""
        if not hasattr(request, "balance") and response.status_code < 500:
            response = _count(request) or response
        balance: Balance | None = getattr(request, "balance", None)
        if balance is not None:
            response.headers["RateLimit-Policy"] = balance.policy.header
            response.headers["RateLimit"] = balance.header
        return response


def _count(request: HttpRequest) -> HttpResponse | None:
    """Count a request, and set its ``balance``. Return a refusal if the limit is reached."""
    if request.path == FREE or (settings.MAILBOX and request.path.startswith(MAILBOX)):
        request.balance = None  # type: ignore[attr-defined]
        return None
    try:
        balance = take_each(_draws(request), timezone.now())
    except OperationalError:
        if _is_for_programs(request) or request.method not in ("GET", "HEAD"):
            raise
        request.balance = None  # type: ignore[attr-defined]
        return None  # some pages work without the database
    request.balance = balance  # type: ignore[attr-defined]
    if balance.granted:
        return None
    return (
        too_many_requests(balance.wait) if _is_for_programs(request) else too_many_requests_page(request, balance.wait)
    )


def _is_for_programs(request: HttpRequest) -> bool:
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
    if request.path.startswith(API):
        credentials = _authenticate(request)
        return draws_of(*credentials) if credentials else _sender_draws(request, address_policy())
    if isinstance(request.user, Account):
        return draws_of(request.user, None)
    return _sender_draws(request, pages_policy())


def _authenticate(request: HttpRequest) -> tuple[Account, Token | AppAccess] | None:
    try:
        return TokenAuthentication().authenticate(request)
    except AuthenticationFailed:
        return None


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
