"""Web Push: the service worker, and the endpoint for subscriptions from the page's script."""

from pathlib import Path
from typing import Final

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from notifications.channels import push
from notifications.channels.push import can_encrypt_for
from notifications.outgoing.address_policy import ForbiddenAddress, place_of

_WORKER: Final = (Path(__file__).parent.parent / "static/notifications/service-worker.js").read_text()
LONGEST: Final = 10_000
"""The most bytes of a subscription."""


class Keys(msgspec.Struct):
    """The keys for encrypting messages to a browser."""

    p256dh: str
    auth: str


class Subscription(msgspec.Struct):
    """A browser's push subscription (Push API, ``toJSON``). Other fields are ignored."""

    endpoint: str
    keys: Keys


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
        place_of(subscription.endpoint, loopback=settings.OUTGOING_LOOPBACK)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ForbiddenAddress):
        return HttpResponse(status=400)
    if not can_encrypt_for(subscription.keys.p256dh, subscription.keys.auth):
        return HttpResponse(status=400)
    name = _browser(request.headers.get("User-Agent", ""))
    push.add_device(
        request.user, subscription.endpoint, subscription.keys.p256dh, subscription.keys.auth, name, timezone.now()
    )
    return HttpResponse(status=201)


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
