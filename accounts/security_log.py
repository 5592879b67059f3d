"""The security log: log-ins, refusals and changes of accounts.

Events go to the logger ``darbar.security``, as ``EVENT account=ID address=ADDRESS``. Lines never contain a password, a
code, a token, a name or an email address. docs/security.md lists the events; ``config.core.logs`` adds the time.

This module also stores sightings: the browsers and networks in which an account was used, as keyed hashes.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from itertools import combinations
from typing import Any, Final

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib.auth import signals as auth
from django.contrib.postgres.aggregates import ArrayAgg
from django.core.exceptions import PermissionDenied
from django.db.models import Count
from django.dispatch import receiver
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

from accounts.models import Account, Sighting
from accounts.rate_limits import network_of
from config.core.crypto import keyed_hash

logger = logging.getLogger("darbar.security")

_REFUSALS: Final = (401, 403, 429)


def record(event: str, request: HttpRequest | None, account: Account | None = None, **details: object) -> None:
    """Log an event with its account and the address of the request."""
    _log(logging.INFO, event, request, account, details)


def record_refusal(event: str, request: HttpRequest | None, account: Account | None = None, **details: object) -> None:
    """Log a refused request. The same refusal is logged once in ten minutes (``config.core.logs``)."""
    _log(logging.WARNING, event, request, account, details)


def security_log_middleware(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    """Log every request that is answered with 401, 403 or 429."""

    def respond(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if response.status_code in _REFUSALS:
            match = request.resolver_match
            view_name = match.view_name or "-" if match else "-"
            record_refusal(
                "access-refused", request, _cached_account(request), status=response.status_code, view=view_name
            )
        return response

    return respond


@receiver(auth.user_logged_in)
def _signed_in(request: HttpRequest | None, user: Account, **_: Any) -> None:
    record("signed-in", request, user)


@receiver(auth.user_logged_out)
def _signed_out(request: HttpRequest | None, user: Account | None, **_: Any) -> None:
    if user is not None:
        record("signed-out", request, user)


@receiver(auth.user_login_failed)
def _sign_in_refused(credentials: dict[str, str], request: HttpRequest | None = None, **_: Any) -> None:
    email = str(credentials.get("email", "")).lower()
    # An address always has the same digest, so guesses at one account can be counted, but the address cannot be
    # recovered.
    record_refusal("sign-in-refused", request, None, digest=salted_hmac(__name__, email).hexdigest()[:12])


def _log(
    level: int, event: str, request: HttpRequest | None, account: Account | None, details: dict[str, object]
) -> None:
    fields = {"account": account.pk if account else "-", "address": _address(request), **details}
    logger.log(level, "%s %s", event, " ".join(f"{name}={value}" for name, value in fields.items()))


def _cached_account(request: HttpRequest) -> Account | None:
    """Return the account that was already loaded for a request. Does not query, because the database may be down."""
    account = request.__dict__.get("_cached_user") or request.__dict__.get("user")
    return account if type(account) is Account else None


def _address(request: HttpRequest | None) -> str:
    if request is None:
        return "-"
    try:
        return str(get_adapter().get_client_ip(request))
    except PermissionDenied:  # a proxy that names no address
        return "-"


# A place with more accounts has no significance: it is a school, a company, or a provider of many people.
MOST_SHARING: Final = 5


def note_network(request: HttpRequest, account: Account, now: datetime) -> None:
    """Record the network from which an account is used. Behind our proxies this is the client's network.

    A request without an address, as over a Unix socket, is not recorded.
    """
    try:
        network = network_of(get_adapter().get_client_ip(request))
    except PermissionDenied:
        return
    if network:
        _note(account, Sighting.Kind.NETWORK, [keyed_hash("accounts.limits.sightings", network)], now)


def note_browser(account: Account, marks: Iterable[str], now: datetime) -> None:
    """Record a log-in of an account in a browser with the marks of these accounts."""
    _note(account, Sighting.Kind.BROWSER, map(bytes.fromhex, marks), now)


def _note(account: Account, kind: Sighting.Kind, digests: Iterable[bytes], now: datetime) -> None:
    """Record an account in places. Guests are not recorded, because they play against bots only."""
    if account.is_guest or not settings.KEEP_SIGHTINGS:
        return
    rows = [Sighting(account=account, kind=kind, digest=digest, first_at=now, last_at=now) for digest in digests]
    unique_fields = ["account", "kind", "digest"]
    Sighting.objects.bulk_create(rows, update_conflicts=True, unique_fields=unique_fields, update_fields=["last_at"])


def delete_old(now: datetime) -> None:
    """Delete sightings that are older than ``settings.KEEP_SIGHTINGS``."""
    Sighting.objects.filter(last_at__lte=now - settings.KEEP_SIGHTINGS).delete()


def shared(now: datetime) -> Iterator[tuple[Sighting.Kind, int, int]]:
    """Yield the kind of a place and two accounts that were seen there, the older account first. Yields once for each
    place."""
    places = Sighting.objects.filter(last_at__gt=now - settings.KEEP_SIGHTINGS).values("kind", "digest")
    places = places.annotate(count=Count("pk")).filter(count__gte=2, count__lte=MOST_SHARING)
    for place in places.annotate(accounts=ArrayAgg("account", order_by="account")).order_by("kind", "digest"):
        for first, second in combinations(place["accounts"], 2):
            yield Sighting.Kind(place["kind"]), first, second
