"""How many requests programs may make: one allowance a token, and one an address for whoever shows none.

Counted before anything else is done, for every request below ``/api/`` and to the OAuth endpoints (a move that goes the
short way: by the statement that stores it); told in the headers RateLimit-Policy and RateLimit
(draft-ietf-httpapi-ratelimit-headers), and in Retry-After where it was too much.
Signing up, logging in and trying codes have limits of their own besides (allauth's).
"""

import ipaddress
from collections.abc import Callable
from typing import Final

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.deprecation import MiddlewareMixin
from rest_framework.exceptions import AuthenticationFailed

from accounts.allowances import MINUTE, OF_TOKEN, Balance, Policy, of_tokens, take
from accounts.tokens import AppAccess, TokenAuthentication
from config.problems import too_many

API: Final = "/api/"
OAUTH: Final = "/oauth/"
_OF_OAUTH: Final = 10
"""How many times fewer requests may go from an address to the OAuth endpoints: one may cost the hash of a secret."""


class RateLimits(MiddlewareMixin):
    """Counts, and refuses what is too much before any view runs."""

    get_response: Callable[[HttpRequest], HttpResponse]

    def process_request(self, request: HttpRequest) -> HttpResponse | None:
        """The refusal, where nothing is left."""
        if not request.path.startswith((API, OAUTH)):
            return None
        key, policy = _who(request)
        balance = take(key, policy, timezone.now())
        request._balance = balance  # type: ignore[attr-defined]
        return None if balance.granted else too_many(balance.wait)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Say what is left."""
        balance: Balance | None = getattr(request, "_balance", None)
        if balance is not None:
            tell(balance, response)
        return response


def tell(balance: Balance, response: HttpResponseBase) -> None:
    """Say in the answer what is left."""
    response.headers["RateLimit-Policy"] = balance.policy.header
    response.headers["RateLimit"] = balance.header


def _who(request: HttpRequest) -> tuple[str, Policy]:
    """Whose allowance a request draws on. A token that is none draws on its sender's."""
    if request.path.startswith(OAUTH):
        quota = max(settings.REQUESTS_PER_ADDRESS // _OF_OAUTH, 1)
        return f"oauth:{_network(request)}", Policy("oauth", quota, MINUTE)
    try:
        known = TokenAuthentication().authenticate(request)
    except AuthenticationFailed:
        known = None
    if known is None:
        return f"address:{_network(request)}", Policy("address", settings.REQUESTS_PER_ADDRESS, MINUTE)
    _, token = known
    name = f"app:{token.grant}" if isinstance(token, AppAccess) else f"{OF_TOKEN}{token.public_id}"
    return name, of_tokens()


def _network(request: HttpRequest) -> str:
    """The sender's address; of IPv6 the network of 64 bits, all of which one sender has."""
    address = ipaddress.ip_address(get_adapter().get_client_ip(request))
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address)
