"""Middleware: language, slashes, rate limits, guests, maintenance, sizes of requests, omission of pages' middleware.

Requests to the API have a token and no cookie, so the middleware for pages, such as sessions and messages, would do
nothing for them, and take a quarter of the time of a move (``python -m bench.server doors``). In ``MIDDLEWARE`` it
stands between ``begin_page_middleware`` and ``end_page_middleware``. Django still calls every ``process_view``.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from django.conf import global_settings, settings
from django.contrib import messages
from django.contrib.sessions.middleware import SessionMiddleware
from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.http.response import HttpResponseBase
from django.middleware.common import CommonMiddleware
from django.shortcuts import redirect
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext as _

from accounts.guests import GUEST_VIEWS, is_guest
from accounts.rate_limits import Balance
from config.server.headers import API
from config.server.problems import too_large, too_many_requests, too_many_requests_page, unavailable_response
from config.server.rate_limits import count_request, is_for_programs
from games.mail.intake import webhook


def language_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Activate the language of the request, and set the header Content-Language of the response."""
    # Django's own middleware also looks for a language in the path, four times, and no path of this server has one.

    def respond(request: HttpRequest) -> HttpResponseBase:
        translation.activate(translation.get_language_from_request(request))
        request.LANGUAGE_CODE = translation.get_language()
        response = get_response(request)
        patch_vary_headers(response, ("Accept-Language",))
        response.headers.setdefault("Content-Language", translation.get_language())
        return response

    return respond


Respond = Callable[[HttpRequest], HttpResponseBase]

_FOLLOWING: Final[list[Respond]] = []
"""The middleware after that for pages. Django creates the last middleware first, so it is here when ``begin`` runs."""


def begin_page_middleware(get_response: Respond) -> Respond:
    """Begin the middleware for pages."""
    for_pages, for_programs = get_response, _FOLLOWING.pop()

    def respond(request: HttpRequest) -> HttpResponseBase:
        return for_programs(request) if request.path.startswith(API) else for_pages(request)

    return respond


def end_page_middleware(get_response: Respond) -> Respond:
    """End the middleware for pages."""
    _FOLLOWING.append(get_response)
    return get_response


class Sessions(SessionMiddleware):
    """Django's sessions, without cookies that cannot be a session key, such as one with a NUL character."""

    def process_request(self, request: HttpRequest) -> None:
        if not request.COOKIES.get(settings.SESSION_COOKIE_NAME, "0").isalnum():
            del request.COOKIES[settings.SESSION_COOKIE_NAME]
        super().process_request(request)


class SlashRedirects(CommonMiddleware):
    """Django's redirects, with status 308, so that a request keeps its method and body."""

    response_redirect_class = partial(HttpResponsePermanentRedirect, preserve_request=True)  # type: ignore[assignment]


class RateLimits(MiddlewareMixin):
    """Counts requests to pages and to unknown paths, refuses those over the limit, and adds the headers of the limit.

    Views of REST framework count their own requests (``config.server.rate_limits.RequestThrottle``). A request that
    such a view refuses before, for example because of its token, is counted here.
    """

    get_response: Callable[[HttpRequest], HttpResponse]

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        """Return a refusal if the limit is reached."""
        return None if hasattr(view, "cls") else _refuse_over_limit(request)

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Add the headers. Requests that were not counted before are counted here."""
        if not hasattr(request, "balance") and response.status_code < 500:
            response = _refuse_over_limit(request) or response
        balance: Balance | None = getattr(request, "balance", None)
        # After a refusal by a narrower limit, such as that of messages, this balance would contradict Retry-After.
        if balance is not None and not (balance.granted and response.status_code == 429):
            response.headers["RateLimit-Policy"] = balance.policy.header
            response.headers["RateLimit"] = balance.header
        return response


def _refuse_over_limit(request: HttpRequest) -> HttpResponse | None:
    """Count a request. Return a refusal if the limit is reached."""
    balance = count_request(request)
    if balance is None or balance.granted:
        return None
    return (
        too_many_requests(balance.wait) if is_for_programs(request) else too_many_requests_page(request, balance.wait)
    )


class StorablePaths(MiddlewareMixin):
    """Responds with 404 to a path with a NUL character, which PostgreSQL cannot store or look up."""

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> None:
        if "\0" in request.path:
            raise Http404


class GuestAccess(MiddlewareMixin):
    """Redirects guests to the sign-up page, except from the pages on which they play with bots."""

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        """Return a redirect to the sign-up page, or None if the view is for guests too."""
        match = request.resolver_match
        if match is None or match.view_name in GUEST_VIEWS or request.path.startswith(API) or not is_guest(request):
            return None
        messages.info(request, _("You need an account for this. You’ll keep your games."))
        return redirect("account_signup")


RETRY_AFTER: Final = 300
"""Seconds."""
_SAFE: Final = ("GET", "HEAD", "OPTIONS")

_Respond = Callable[[HttpRequest], HttpResponse]


def maintenance_middleware(get_response: _Respond) -> _Respond:
    """Refuse requests that may change something with 503, while ``MAINTENANCE`` is set."""

    def respond(request: HttpRequest) -> HttpResponse:
        if not settings.MAINTENANCE or request.method in _SAFE:
            return get_response(request)
        detail = gettext("Your request wasn’t saved. Please send it again once the maintenance is over.")
        return unavailable_response(request, f"{_explain()} {detail}", RETRY_AFTER, "maintenance.html")

    return respond


def banner(request: HttpRequest) -> dict[str, str]:
    """Return the operator's message for templates, as ``banner``."""
    message = str(settings.BANNER.get(get_language() or "", ""))
    return {"banner": f"{message} {_explain()}".strip() if settings.MAINTENANCE else message}


def _explain() -> str:
    return gettext(
        "Darbar is down for maintenance. You can still read everything. If it takes more than five minutes, all "
        "deadlines are extended by that time."
    )


LARGEST: Final = global_settings.DATA_UPLOAD_MAX_MEMORY_SIZE
"""Bytes of a form or a document."""
LARGEST_OF_PROVIDERS: Final = "/anymail/"
"""The beginning of the paths to which mail providers send whole emails."""


def largest_body(path: str) -> int:
    """Return the number of bytes that the server reads of a request to this path."""
    is_of_provider = settings.MAIL_WEBHOOKS and path.startswith(LARGEST_OF_PROVIDERS)
    return settings.DATA_UPLOAD_MAX_MEMORY_SIZE if is_of_provider else LARGEST


class BodyLimits(MiddlewareMixin):
    """Refuses large requests. The emails that mail providers send have Django's own limit."""

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        # The server never reads more than CONTENT_LENGTH bytes.
        if view is webhook or int(request.META.get("CONTENT_LENGTH") or 0) <= LARGEST:
            return None
        return too_large(request, LARGEST)
