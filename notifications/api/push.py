"""Web Push: the service worker, and the endpoints for subscriptions from the page's script and from the worker."""

from pathlib import Path
from typing import Final

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST, require_safe

from notifications.channels import push
from notifications.channels.push import can_encrypt_for
from notifications.outgoing import ForbiddenAddress, place_of

_WORKER: Final = (Path(__file__).parent.parent / "static/notifications/service-worker.js").read_text()
LONGEST: Final = 10_000
"""The most bytes of a request."""


class Keys(msgspec.Struct):
    """The keys for encrypting messages to a browser."""

    p256dh: str
    auth: str


class Subscription(msgspec.Struct):
    """A browser's push subscription (Push API, ``toJSON``). Other fields are ignored."""

    endpoint: str
    keys: Keys


class Renewal(msgspec.Struct):
    """A subscription that has changed, and the one before, which the server knows."""

    former: Subscription
    current: Subscription


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """Return the service worker. It has an address in the root, because it controls only pages below its address."""
    return HttpResponse(_WORKER, content_type="text/javascript; charset=utf-8")


@require_POST
def subscribe(request: HttpRequest) -> HttpResponse:
    """Add the requesting browser to the devices of the account. Return 400 for an invalid subscription."""
    if not request.user.is_authenticated:
        return HttpResponse(status=403)
    try:
        subscription = msgspec.json.decode(request.body[:LONGEST], type=Subscription)
    except _MALFORMED:
        return HttpResponse(status=400)
    if not _is_valid(subscription):
        return HttpResponse(status=400)
    name = _browser(request.headers.get("User-Agent", ""))
    push.add_device(
        request.user, subscription.endpoint, subscription.keys.p256dh, subscription.keys.auth, name, timezone.now()
    )
    return HttpResponse(status=201)


@require_POST
@csrf_exempt
def renew(request: HttpRequest) -> HttpResponse:
    """Replace a subscription that has changed, at the request of the service worker.

    The secret of the former subscription proves that it is the same browser. The session is ignored, because another
    account may have logged in there. Return 404 if the former subscription belongs to no device.
    """
    try:
        renewal = msgspec.json.decode(request.body[:LONGEST], type=Renewal)
    except _MALFORMED:
        return HttpResponse(status=400)
    former, current = renewal.former, renewal.current
    if not (_is_valid(former) and _is_valid(current)):
        return HttpResponse(status=400)
    is_known = push.renew_device(
        (former.endpoint, former.keys.auth), current.endpoint, current.keys.p256dh, current.keys.auth
    )
    return HttpResponse(status=204 if is_known else 404)


_MALFORMED: Final = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)


def _is_valid(subscription: Subscription) -> bool:
    """Return whether the server can send encrypted messages to a subscription."""
    try:
        place_of(subscription.endpoint, loopback=settings.OUTGOING_LOOPBACK)
    except ForbiddenAddress:
        return False
    return can_encrypt_for(subscription.keys.p256dh, subscription.keys.auth)


def _browser(agent: str) -> str:
    """Return a name for a browser: its product and its operating system."""
    browser = next((name for sign, name in _BROWSERS if sign in agent), "")
    system = next((name for sign, name in _SYSTEMS if sign in agent), "")
    return ", ".join(filter(None, (browser, system)))


_BROWSERS: Final = (
    ("Edg", "Edge"), ("OPR/", "Opera"), ("Firefox/", "Firefox"), ("Chrom", "Chrome"), ("Safari/", "Safari"),
)  # fmt: skip
_SYSTEMS: Final = (
    ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("Mac OS", "macOS"),
    ("Linux", "Linux"),
)  # fmt: skip
