"""Errors as RFC 9457 problem details, with a code for programs, and outages of the database.

Views raise REST framework's exceptions, or APIExceptions whose ``default_code`` is one of the codes below. This module
converts all of them to problems, which ``config.server.api_description.openapi`` describes.
"""

import logging
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy
from django.views import defaults
from drf_standardized_errors.formatter import ExceptionFormatter
from drf_standardized_errors.handler import ExceptionHandler
from drf_standardized_errors.types import Error
from rest_framework.exceptions import APIException, ErrorDetail, ValidationError
from rest_framework.renderers import JSONRenderer
from rest_framework.response import Response

from accounts.web.api_view import InvalidQuery
from accounts.web.exceptions import RateLimited
from config.core.database import time_limits
from config.core.logs import describe_error
from games.phrases import number

logger = logging.getLogger(__name__)

RETRY_AFTER: Final = 5
"""Seconds. A database that was killed needs about this time to restart."""
_SAFE: Final = ("GET", "HEAD", "OPTIONS")


def time_limit_middleware(
    get_response: Callable[[HttpRequest], HttpResponseBase],
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Limit the time that a request waits for the database."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        with time_limits.limited(time_limits.left_since(request.META.get(time_limits.RECEIVED))):
            return get_response(request)

    return middleware


def is_outage(error: BaseException | None) -> bool:
    """Return True if the database is away or cannot work now, for example because its disk is full."""
    return isinstance(error, OperationalError | InterfaceError)


def explain_outage(request: HttpRequest, error: BaseException) -> str:
    """Log the type and place of the error, and return the message for the sender of the request."""
    logger.warning("a request was answered with 503: %s", describe_error(error.__cause__ or error))
    problem = gettext("The database isn’t responding right now.")
    return f"{problem} {_storage_sentence(request)}"


def _storage_sentence(request: HttpRequest) -> str:
    if request.method in _SAFE:
        return gettext("Please try again in a few seconds.")
    # Every request is counted before its view runs. One that was not even counted has changed nothing.
    if not hasattr(request, "balance"):
        return gettext("Your request wasn’t saved. Please send it again in a few seconds.")
    return gettext(
        "Your request may have been saved. Check before you send it again, or send it with the same Idempotency-Key."
    )


MEDIA_TYPE: Final = "application/problem+json"

TITLES: Final[Mapping[str, Any]] = {
    "malformed": gettext_lazy("Invalid request"),
    "illegal": gettext_lazy("Move not allowed"),
    "question-closed": gettext_lazy("This question isn’t open to you"),
    "not-found": gettext_lazy("Not found"),
    "unauthenticated": gettext_lazy("Log in first"),
    "otp-required": gettext_lazy("Second factor needed"),
    "otp-wrong": gettext_lazy("Wrong second factor"),
    "forbidden": gettext_lazy("You’re not allowed to do this"),
    "conflict": gettext_lazy("Not possible right now"),
    "limit-reached": gettext_lazy("Limit reached"),
    "key-busy": gettext_lazy("Request still being processed"),
    "key-refused": gettext_lazy("Idempotency key not allowed"),
    "key-reused": gettext_lazy("Key already used"),
    "rate-limited": gettext_lazy("Too many requests"),
    "method-not-allowed": gettext_lazy("Method not allowed"),
    "not-acceptable": gettext_lazy("Format not available"),
    "too-large": gettext_lazy("Request too large"),
    "unsupported-media-type": gettext_lazy("Media type not supported"),
    "unavailable": gettext_lazy("Temporarily unavailable"),
    "error": pgettext_lazy("title of a problem", "Something went wrong on the server"),
}
"""The title of each code."""

_CODES: Final = {
    "invalid": "malformed",
    "required": "malformed",
    "parse_error": "malformed",
    "not_authenticated": "unauthenticated",
    "authentication_failed": "unauthenticated",
    "permission_denied": "forbidden",
}
_STATUS_CODES: Final = {
    400: "malformed",
    401: "unauthenticated",
    403: "forbidden",
    404: "not-found",
    409: "conflict",
    422: "illegal",
    429: "rate-limited",
}


def problem(status: int, code: str, detail: str, errors: list[dict[str, str]] | None = None) -> dict[str, Any]:
    """Return the body of a problem."""
    body = {
        "type": f"urn:darbar:problem:{code}",
        "title": str(TITLES[code]),
        "status": status,
        "code": code,
        "detail": detail,
    }
    return body | {"errors": errors} if errors else body


class ProblemFormatter(ExceptionFormatter):
    """Converts an exception of the REST framework to a problem."""

    def run(self) -> dict[str, Any]:
        """Return the body. Every wrong field is listed, by a JSON pointer or as a query parameter."""
        if isinstance(self.exc, ValidationError):
            request = self.context["request"]
            has_no_body = request is not None and request.method in ("GET", "HEAD")
            place = _parameter if has_no_body or isinstance(self.exc, InvalidQuery) else _body
            errors = [place(error.attr) | _mistake(error) for error in self.get_errors()]
            return problem(self.exc.status_code, "malformed", " ".join(_sentences(errors)), errors)
        code = code_of(self.exc)
        return problem(self.exc.status_code, code, str(self.exc.detail)) | getattr(self.exc, "members", {})


def code_of(error: APIException) -> str:
    """Return our code for an exception: its own code if we have it, otherwise that of its status."""
    original = (error.detail.code if isinstance(error.detail, ErrorDetail) else error.default_code) or ""
    code = _CODES.get(original, original.replace("_", "-"))
    return code if code in TITLES else _STATUS_CODES.get(error.status_code, "error")


def _mistake(error: Error) -> dict[str, str]:
    """Return the code of an error in a field, in our spelling, and its sentence."""
    return {"code": error.code.replace("_", "-"), "detail": error.detail}


def _parameter(attr: str | None) -> dict[str, str]:
    """Return the place of an error in a request without a body."""
    return {"parameter": (attr or "").split(".")[0]}


def _body(attr: str | None) -> dict[str, str]:
    """Return the place of an error in a request with a body."""
    return {"pointer": _pointer(attr)}


def _pointer(attr: str | None) -> str:
    """Return ``seats.0.name`` as ``#/seats/0/name``, and the whole body as ``#``."""
    if attr is None or attr.split(".")[-1] == "non_field_errors":
        parts = (attr or "").split(".")[:-1]
    else:
        parts = attr.split(".")
    return "/".join(["#", *parts])


def _sentences(errors: list[dict[str, str]]) -> Iterator[str]:
    for error in errors:
        place = error.get("parameter") or error.get("pointer", "#")[2:].replace("/", ".")
        yield f"{place}: {error['detail']}" if place else error["detail"]


class Unavailable(APIException):
    """The database does not answer."""

    status_code = 503
    default_code = "unavailable"
    wait = RETRY_AFTER


class ProblemHandler(ExceptionHandler):
    """Responds to exceptions with problems."""

    def convert_unhandled_exceptions(self, exc: Exception) -> APIException:
        """Convert an outage of the database to a 503, and any other exception to a 500 without details."""
        if isinstance(exc, APIException):
            return exc
        if is_outage(exc) and (request := self.context["request"]):
            return Unavailable(explain_outage(request._request, exc))
        return APIException(gettext("This is our fault, not yours. Please try again later."))

    def report_exception(self, exc: APIException, response: Response) -> None:
        # An outage has been logged already, without a traceback for each request.
        if isinstance(exc, Unavailable):
            response._has_been_logged = True  # type: ignore[attr-defined]
        else:
            super().report_exception(exc, response)

    def get_headers(self, exc: APIException) -> dict[str, str]:
        return {**super().get_headers(exc), **getattr(exc, "headers", {})}

    def get_response(self, exc: APIException, data: dict[str, Any]) -> Response:
        if request := self.context["request"]:
            # Some views render YAML or a page. Problems are JSON everywhere.
            request.accepted_renderer, request.accepted_media_type = JSONRenderer(), JSONRenderer.media_type
        return Response(data, status=exc.status_code, headers=self.get_headers(exc), content_type=MEDIA_TYPE)


def problem_response(status: int, code: str, detail: str, errors: list[dict[str, str]] | None = None) -> JsonResponse:
    """Return a problem from outside the views of the REST framework."""
    return JsonResponse(
        problem(status, code, detail, errors),
        status=status,
        content_type=MEDIA_TYPE,
        json_dumps_params={"ensure_ascii": False},
    )


def too_many_requests(wait: int) -> JsonResponse:
    """Return a 429 for a sender who may send the next request in ``wait`` seconds."""
    error = RateLimited(gettext("You sent too many requests."), wait)
    response = problem_response(429, "rate-limited", str(error.detail))
    response.headers["Retry-After"] = str(wait)
    return response


def too_many_requests_page(request: HttpRequest, wait: int) -> HttpResponse:
    """Return a 429 as a page."""
    response = render(request, "too_many_requests.html", {"seconds": wait, "wait": number(wait)}, status=429)
    response.headers["Retry-After"] = str(wait)
    return response


def _is_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return a 400 from outside any view, such as for an unknown host name."""
    if not _is_api(request):
        return defaults.bad_request(request, exception)
    return problem_response(400, "malformed", gettext("We couldn’t process this request."))


def too_large(request: HttpRequest, most: int) -> HttpResponse:
    """Return a 413 for a body of more than ``most`` bytes, which was not read."""
    detail = gettext("A request can have at most %(most)s bytes.") % {"most": number(most)}
    if not _is_api(request):
        return HttpResponse(detail, status=413, content_type="text/plain; charset=utf-8")
    return problem_response(413, "too-large", detail)


def permission_denied(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return a 403 from outside the views of the REST framework."""
    if not _is_api(request):
        return defaults.permission_denied(request, exception)
    return problem_response(403, "forbidden", gettext("You don’t have permission to do this."))


def form_expired(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Return a 403 for a form that another site sent, or that is too old."""
    return render(request, "403.html", {"expired": True}, status=403)


def page_not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Return a 404 for an unknown path."""
    if not _is_api(request):
        return defaults.page_not_found(request, exception)
    return problem_response(
        404, "not-found", gettext("There’s nothing at this address. Check it against the API’s description.")
    )


def server_error(request: HttpRequest) -> HttpResponse:
    """Return a 500 from outside the views of the REST framework, or a 503 for an outage of the database."""
    error = sys.exception()
    if error is not None and is_outage(error):
        return unavailable_response(request, explain_outage(request, error))
    if not _is_api(request):
        return defaults.server_error(request)
    return problem_response(500, "error", gettext("This is our fault, not yours. Please try again later."))


def unavailable_response(
    request: HttpRequest, detail: str, retry_after: int = RETRY_AFTER, template: str = "503.html"
) -> HttpResponse:
    """Return a 503. It is rendered without the database."""
    if _is_api(request):
        response: HttpResponse = problem_response(503, "unavailable", detail)
    else:
        response = HttpResponse(render_to_string(template, {"detail": detail}), status=503)
    response.headers["Retry-After"] = str(retry_after)
    response._has_been_logged = True  # type: ignore[attr-defined]
    return response
