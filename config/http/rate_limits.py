"""Rate limits of accounts, addresses and networks.

Every request that reaches Django is counted before its view runs. Static files and the health check are free. The
headers RateLimit-Policy and RateLimit (draft-ietf-httpapi-ratelimit-headers) give what is left, and Retry-After the
seconds to wait. ``docs/limits.md`` lists what is counted for whom. Signing up, logging in and trying codes have other
limits (``accounts.limits.attempt_limits``).
"""

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
from config.http.problems import too_many_requests, too_many_requests_page

API: Final = "/api/"
PROVIDERS: Final = "/anymail/"
SECRETS: Final = ("/oauth/token", "/oauth/revoke")
"""The paths where a request may cost the hash of a secret."""
CARDS: Final = "/cards/"
"""The paths at which a request may cost the drawing of a picture."""
FREE: Final = "/healthz"
MAILBOX: Final = "/mailbox/"
"""Free too, where it is there: then nobody but this machine can ask for it."""

NETWORK_TIMES: Final = 10
"""The factor by which a whole network may send more than one address of it."""
PAGES_TIMES: Final = 2
"""The factor by which an address gets more pages than answers of the API: many people may sit behind one."""
SECRETS_PART: Final = 10
"""Of what an address may send, so small a part may show secrets."""
CARDS_PART: Final = 10
"""Of what an address may send, so small a part may ask for cards of links."""
APP_PART: Final = 3
"""Of what an account may send, so small a part may come from one app that it has allowed."""

Draws = list[tuple[str, Policy]]
"""The allowances that one request draws on, by their keys, the narrowest first."""


class RateLimits(MiddlewareMixin):
    """Counts requests, and refuses what is too much before any view runs."""

    get_response: Callable[[HttpRequest], HttpResponse]

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        """The refusal, where nothing is left."""
        return _count(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Say what is left. What no view has answered, such as a path that leads nowhere, is counted here."""
        if not hasattr(request, "balance") and response.status_code < 500:
            response = _count(request) or response
        balance: Balance | None = getattr(request, "balance", None)
        if balance is not None:
            response.headers["RateLimit-Policy"] = balance.policy.header
            response.headers["RateLimit"] = balance.header
        return response


def _count(request: HttpRequest) -> HttpResponse | None:
    """Count a request; the refusal, where nothing is left. Whatever is counted has a ``balance``."""
    if request.path == FREE or (settings.MAILBOX and request.path.startswith(MAILBOX)):
        request.balance = None  # type: ignore[attr-defined]
        return None
    try:
        balance = take_each(_draws(request), timezone.now())
    except OperationalError:
        if _is_for_programs(request) or request.method not in ("GET", "HEAD"):
            raise
        request.balance = None  # type: ignore[attr-defined]
        return None  # a page that does without the database is there while that is away
    request.balance = balance  # type: ignore[attr-defined]
    if balance.granted:
        return None
    return (
        too_many_requests(balance.wait) if _is_for_programs(request) else too_many_requests_page(request, balance.wait)
    )


def _is_for_programs(request: HttpRequest) -> bool:
    return request.path.startswith((API, PROVIDERS)) or request.path in SECRETS


def app_policy() -> Policy:
    """The allowance of an app at one account: it draws on the account's too, and cannot use that up."""
    return Policy("app", max(settings.REQUESTS_PER_ACCOUNT // APP_PART, 1), MINUTE)


def address_policy() -> Policy:
    """The allowance of an address for requests to the API without a valid token."""
    return Policy("address", settings.REQUESTS_PER_ADDRESS, MINUTE)


def pages_policy() -> Policy:
    """The allowance of an address for pages that nobody is signed in to."""
    return Policy("pages", PAGES_TIMES * settings.REQUESTS_PER_ADDRESS, MINUTE)


def secrets_policy() -> Policy:
    """The allowance of an address for requests that show secrets."""
    return Policy("secrets", max(settings.REQUESTS_PER_ADDRESS // SECRETS_PART, 1), MINUTE)


def cards_policy() -> Policy:
    """The allowance of an address for cards of links."""
    return Policy("cards", max(settings.REQUESTS_PER_ADDRESS // CARDS_PART, 1), MINUTE)


def providers_policy() -> Policy:
    """The allowance of an address for what mail providers post: one of them sends a whole server's mail."""
    return Policy("providers", settings.REQUESTS_PER_ACCOUNT, MINUTE)


def network_policy(policy: Policy) -> Policy:
    """The allowance of a whole network for what each of its addresses has a ``policy`` for."""
    return Policy("network", NETWORK_TIMES * policy.quota, MINUTE)


def draws_of(account: Account, shown: Token | AppAccess | None) -> Draws:
    """Return what a request of an account draws on: one that shows a token, or one with a session (None)."""
    own = (f"{OF_ACCOUNT}{account.pk}", account_policy())
    return [(f"app:{shown.grant}", app_policy()), own] if isinstance(shown, AppAccess) else [own]


def _draws(request: HttpRequest) -> Draws:
    """Return what a request draws on. A token that is none draws on its sender's address."""
    if request.path in SECRETS:
        return _sender_draws(request, secrets_policy())
    if request.path.startswith(CARDS):
        return _sender_draws(request, cards_policy())
    if request.path.startswith(PROVIDERS):
        return _sender_draws(request, providers_policy())
    if request.path.startswith(API):
        known = _authenticated(request)
        return draws_of(*known) if known else _sender_draws(request, address_policy())
    if isinstance(request.user, Account):
        return draws_of(request.user, None)
    return _sender_draws(request, pages_policy())


def _authenticated(request: HttpRequest) -> tuple[Account, Token | AppAccess] | None:
    try:
        return TokenAuthentication().authenticate(request)
    except AuthenticationFailed:
        return None


def _sender_draws(request: HttpRequest, policy: Policy) -> Draws:
    address = network_of(get_adapter().get_client_ip(request))
    around = f"{policy.name}:{surroundings_of(address)}"
    return [(f"{policy.name}:{address}", policy), (around, network_policy(policy))]
