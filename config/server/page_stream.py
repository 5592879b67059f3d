"""The address of the event stream for pages, and the recognition of requests of our own pages."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from accounts.models import Account
from accounts.web.api_view import stream_address
from config.core.loopback import is_loopback
from notifications.stream_events import id_before

_RENDER_TIME: Final = timedelta(seconds=5)
"""The longest time for rendering a page. Events in that time are sent again, which costs one update of the page."""


def event_stream(request: HttpRequest) -> dict[str, Any]:
    """Return the address of the stream for templates, as ``event_stream``. It continues where the page ends."""
    user = getattr(request, "user", None)
    return {"event_stream": SimpleLazyObject(lambda: _address_for(request, user))} if isinstance(user, Account) else {}


def _address_for(request: HttpRequest, account: Account) -> str:
    address, host = urlsplit(stream_address()), urlsplit(f"//{request.get_host()}").hostname or ""
    # On this machine the stream gets the page's host name, because ``localhost`` and ``127.0.0.1`` share no cookies.
    has_own_port = address.netloc != urlsplit(settings.PUBLIC_URL).netloc
    if has_own_port and is_loopback(address.hostname or "") and is_loopback(host):
        address = address._replace(netloc=f"{f'[{host}]' if ':' in host else host}:{address.port}")
    last = id_before(account.pk, timezone.now() - _RENDER_TIME)
    return address._replace(query=urlencode({"last-event-id": last})).geturl()


def own_origin(headers: Mapping[str, str]) -> str:
    """Return the origin of a request of our own page, or an empty string for other clients and without an origin."""
    return headers.get("origin", "") if is_of_own_page(headers) else ""


def is_of_own_page(headers: Mapping[str, str]) -> bool:
    """Return True if a browser sent the request from a page of this server."""
    # On this machine the stream has its own port, and the server has several names.
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "same-origin") == "same-origin"
    public, page = urlsplit(settings.PUBLIC_URL), urlsplit(origin)
    if (page.scheme, page.netloc) == (public.scheme, public.netloc):
        return True
    hosts = (public.hostname or "", page.hostname or "")
    return all(map(is_loopback, hosts)) and (page.scheme, page.port) == (public.scheme, public.port)
