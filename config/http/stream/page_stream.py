"""The event stream as pages find it."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone
from django.utils.functional import SimpleLazyObject

from accounts.models import Account
from accounts.web.stream_referral import stream_address
from config.loopback import is_loopback
from notifications.stream.stream_events import id_before

_MAKING: Final = timedelta(seconds=5)
"""A page is made in less time than this. What happened meanwhile is told once more: it costs one look."""


def event_stream(request: HttpRequest) -> dict[str, Any]:
    """Return the address of the stream as ``event_stream``, to be opened where the page leaves off.

    On this machine it is called as the page is: browsers keep the cookies of ``localhost`` and ``127.0.0.1`` apart.
    """
    user = getattr(request, "user", None)
    return {"event_stream": SimpleLazyObject(lambda: _address_for(request, user))} if isinstance(user, Account) else {}


def _address_for(request: HttpRequest, account: Account) -> str:
    address, asked = urlsplit(stream_address()), urlsplit(f"//{request.get_host()}").hostname or ""
    has_own_port = address.netloc != urlsplit(settings.PUBLIC_URL).netloc
    if has_own_port and is_loopback(address.hostname or "") and is_loopback(asked):
        host = f"[{asked}]" if ":" in asked else asked
        address = address._replace(netloc=f"{host}:{address.port}")
    last = id_before(account.pk, timezone.now() - _MAKING)
    return address._replace(query=urlencode({"last-event-id": last})).geturl()


def own_origin(headers: Mapping[str, str]) -> str:
    """The origin of the page of ours that asks; blank for anybody else, and where the browser names none."""
    return headers.get("origin", "") if is_of_own_page(headers) else ""


def is_of_own_page(headers: Mapping[str, str]) -> bool:
    """Return whether a page of this server asks: browsers say where a request comes from.

    On this machine, where the stream has a port of its own, the server goes by several names.
    """
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "same-origin") == "same-origin"
    public, asking = urlsplit(settings.PUBLIC_URL), urlsplit(origin)
    if (asking.scheme, asking.netloc) == (public.scheme, public.netloc):
        return True
    both = (public.hostname or "", asking.hostname or "")
    return all(map(is_loopback, both)) and (asking.scheme, asking.port) == (public.scheme, public.port)
