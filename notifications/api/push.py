"""Pushes from the page: the service worker, and a subscription that the page's own script sends."""

from pathlib import Path
from typing import Final

import msgspec
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_POST, require_safe

from notifications.channels.push import devices
from notifications.channels.push.encryption import can_encrypt_for
from notifications.outgoing.address_policy import ForbiddenAddress, place_of

_WORKER: Final = (Path(__file__).parent.parent / "static/notifications/service-worker.js").read_text()
LONGEST: Final = 10_000
"""Bytes of what a browser says of its subscription."""


class Keys(msgspec.Struct):
    """The keys with which messages are encrypted."""

    p256dh: str
    auth: str


class Subscription(msgspec.Struct):
    """A browser's push subscription (Push API, ``toJSON``); what else it says is not looked at."""

    endpoint: str
    keys: Keys


@require_safe
@cache_control(no_cache=True)
def service_worker(request: HttpRequest) -> HttpResponse:
    """The service worker. It stands at the root: a worker sees to what is below its own address."""
    return HttpResponse(_WORKER, content_type="text/javascript; charset=utf-8")


@require_POST
def subscribe(request: HttpRequest) -> HttpResponse:
    """Push to the browser that asks, for whoever is logged in there. 400 for what is no subscription."""
    if not request.user.is_authenticated:
        return HttpResponse(status=403)
    try:
        said = msgspec.json.decode(request.body[:LONGEST], type=Subscription)
        place_of(said.endpoint, loopback=settings.OUTGOING_LOOPBACK)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, ForbiddenAddress):
        return HttpResponse(status=400)
    if not can_encrypt_for(said.keys.p256dh, said.keys.auth):
        return HttpResponse(status=400)
    name = _browser(request.headers.get("User-Agent", ""))
    devices.add(request.user, said.endpoint, said.keys.p256dh, said.keys.auth, name, timezone.now())
    return HttpResponse(status=201)


def _browser(agent: str) -> str:
    """Return what a browser is called by its owner: it, and the system it runs on."""
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
