"""Sightings: the browsers and networks in which accounts were recently used, so that moderators can see whether several
accounts belong to one person.

Only keyed hashes are stored, for ``settings.KEEP_SIGHTINGS``, or nothing if that is zero. A browser is recognised by
the marks of the accounts that have logged in there, which are in a cookie (``known_devices``). Each account is recorded
with all of them. A sighting alone has no consequences.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import combinations
from typing import Final

from allauth.account.adapter import get_adapter
from django.conf import settings
from django.contrib.postgres.aggregates import ArrayAgg
from django.core.exceptions import PermissionDenied
from django.db.models import Count
from django.http import HttpRequest

from accounts.limits.connections import network_of
from accounts.models import Account, Sighting
from config.core.crypto import keyed_hash

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
    place = ["account", "kind", "digest"]
    Sighting.objects.bulk_create(rows, update_conflicts=True, unique_fields=place, update_fields=["last_at"])


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
