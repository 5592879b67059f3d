"""Base classes of API views: authentication, the body of a request, and idempotency keys."""

import inspect
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from functools import cache, wraps
from typing import Any, ClassVar, Final, NoReturn, TypeVar

from django.conf import settings
from django.db.models import QuerySet
from django.utils.functional import Promise
from django.utils.http import http_date
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import status
from rest_framework.exceptions import APIException, ErrorDetail, NotFound, ValidationError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.utils.formatting import lazy_format
from rest_framework.views import APIView

from accounts.idempotency import Effect, IdempotencyConflict, run_once
from accounts.idempotency import Request as Repeatable
from accounts.local_times import in_digits
from accounts.tokens import HasScope, OptionalTokenAuthentication
from accounts.web.pagination import KeysetPagination, PageSerializer
from accounts.web.requests import AccountRequest
from accounts.web.serializers import QuerySerializer
from config.core import clock
from config.core.database import (
    time_limits,
)

LONGEST_KEY: Final = 200
KEY: Final = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "pattern": "^[ -~]+$"},
    OpenApiParameter.HEADER,
    description="A name for this request. The same request with the same name has no second effect, and its answer "
    "has the header `Idempotent-Replayed`.",
)
# The time for which the answer to a repeated request shows a secret again.
SECRET_REPEATED: Final = timedelta(hours=1)
_STATUS: Final[Mapping[str, int]] = {
    "key-busy": status.HTTP_409_CONFLICT,
    "key-reused": status.HTTP_422_UNPROCESSABLE_ENTITY,
}


class IdempotencyError(APIException):
    """The idempotency key of a request is in use, or belongs to another request."""

    def __init__(self, refusal: IdempotencyConflict) -> None:
        super().__init__(_(refusal.sentence), refusal.code)
        self.status_code = _STATUS[refusal.code]
        self.wait = 1 if refusal.code == "key-busy" else None


class KeyRefused(APIException):
    """The request has an idempotency key, and the operation accepts none."""

    status_code = status.HTTP_400_BAD_REQUEST
    default_code = "key-refused"
    default_detail = gettext_lazy(
        "This request takes no Idempotency-Key: its answer can’t be repeated. Send it without one."
    )


class InvalidQuery(ValidationError):
    """Query parameters are wrong. The errors name parameters, also of a request with a body."""


class ApiView(APIView):
    """A view whose POST runs once for each idempotency key, or refuses keys."""

    # Must be False if the POST does not call ``run_idempotent``. Then a key is refused, never ignored.
    takes_key: ClassVar = True
    # The query parameters of GET. All other parameters are refused, so that a misspelt filter is not ignored.
    query_serializer: ClassVar[type[QuerySerializer]] = QuerySerializer
    query: dict[str, Any]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        request.body  # noqa: B018  (reads the whole body, and keeps it for the fingerprint of the idempotency key)
        super().initial(request, *args, **kwargs)
        serializer = self.query_serializer if request.method in ("GET", "HEAD") else QuerySerializer
        try:
            self.query = dict(_shared_instance(serializer).run_validation(request.query_params.dict()))
        except ValidationError as error:
            raise InvalidQuery(error.detail) from None
        if request.method == "POST" and "Idempotency-Key" in request.headers:
            if not self.takes_key:
                raise KeyRefused
            _check_key(request.headers["Idempotency-Key"])

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Mark the answer to a repeated request."""
        if _first_run(request) is not None:
            response.headers["Idempotent-Replayed"] = "true"
        return super().finalize_response(request, response, *args, **kwargs)


class PublicApiView(ApiView):
    """A view that needs no token. Requests with a valid one count for its account, and are answered in its language."""

    authentication_classes = (OptionalTokenAuthentication,)
    permission_classes = (AllowAny,)


class AccountApiView(ApiView):
    """A view that requires a token with a scope, and knows the time at which the whole request had arrived."""

    permission_classes = (HasScope,)
    received_at: datetime
    request: AccountRequest

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Record when the whole request had arrived, before the database was asked for its rate limit."""
        request.body  # noqa: B018  (as above)
        received = request.META.get(time_limits.RECEIVED)
        waited = timedelta() if received is None else timedelta(seconds=time.monotonic() - received)
        self.received_at = clock.now() - waited
        super().initial(request, *args, **kwargs)


class ListApiView(AccountApiView):
    """A view whose GET answers with a page of a list. Its ``query_serializer`` has the fields of ``PageSerializer``."""

    pagination_class = KeysetPagination
    query_serializer: ClassVar[type[QuerySerializer]] = PageSerializer

    @property
    def filters(self) -> dict[str, Any]:
        """Return the query parameters without those that choose a page."""
        return {name: value for name, value in self.query.items() if name not in ("limit", "cursor")}

    def page_response(
        self, rows: "QuerySet[Any, Any] | Sequence[Any]", serializer: "type[Serializer[Any]]", **context: Any
    ) -> Response:
        """Return the requested page of a queryset, or of a list that was computed."""
        pages = self.pagination_class(self.query["limit"])
        if isinstance(rows, QuerySet):
            page = pages.paginate_queryset(rows, self.request)
        else:
            page = pages.paginate_list(rows, self.request)
        return pages.get_paginated_response(serializer(page, many=True, context=context).data)


def validated_data(serializer: "Serializer[Any]") -> dict[str, Any]:
    """Return the validated body of a request. Raises ValidationError with the wrong fields."""
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


@cache
def _shared_instance(serializer: type[QuerySerializer]) -> QuerySerializer:
    """Return a shared instance, because creating its fields takes ten times as long as using them."""
    shared = serializer()
    validators: Iterable[Any] = (validator for field in shared.fields.values() for validator in field.validators)
    for validator in validators:
        match getattr(validator, "message", None):
            # REST framework's own class caches the messages in the language of the first request.
            case lazy_format(format_string=str() | Promise() as text, args=args, kwargs=keywords):
                validator.message = format_lazy(text, *args, **keywords)
    return shared


def run_idempotent(request: AccountRequest, effect: Callable[[], Effect], now: datetime) -> str:
    """Run the effect of a POST once for its Idempotency-Key, and return the location of the new object."""
    key = request.headers.get("Idempotency-Key", "").strip()
    try:
        run = run_once(Repeatable(request.user, str(request.method), request.path, key, request.body), effect, now)
    except IdempotencyConflict as refusal:
        raise IdempotencyError(refusal) from None
    request._request.first_run_at = run.first_at  # type: ignore[attr-defined]
    return run.location


def may_show_secret(request: AccountRequest, now: datetime) -> bool:
    """Return False if this request repeats one that is too old for its secret to be shown again."""
    first_at = _first_run(request)
    return first_at is None or now - first_at < SECRET_REPEATED


def _first_run(request: Request) -> datetime | None:
    return getattr(request._request, "first_run_at", None)


def _check_key(key: str) -> None:
    if not key.strip() or len(key) > LONGEST_KEY or not (key.isprintable() and key.isascii()):
        sentence = _("An Idempotency-Key has 1 to %(longest)s characters, all of them printable ASCII.")
        sentence %= {"longest": in_digits(str(LONGEST_KEY))}
        raise ValidationError([ErrorDetail(sentence, code="idempotency-key")])


def id_in_location(location: str) -> str:
    """Return the id at the end of a location."""
    return location.rstrip("/").rpartition("/")[2]


class OneForm(BaseContentNegotiation):
    """Accepts every ``Accept`` header. Problems are JSON nevertheless."""

    def select_renderer(self, request: Request, renderers: Any, format_suffix: Any = None) -> Any:
        return renderers[0], renderers[0].media_type

    def select_parser(self, request: Request, parsers: Any) -> Any:
        return parsers[0]


_PATH: Final = "/api/v1/stream/"


def stream_address() -> str:
    """Return the public address of the event stream."""
    return f"{settings.STREAM_URL}{_PATH}"


def refuse_stream() -> NoReturn:
    """Raise NotFound, because the process of the event stream answers at another address.

    This is not a redirect: many programs drop their token when they follow one to another port.
    """
    if settings.STREAM_URL == settings.PUBLIC_URL:
        raise NotFound(
            _(
                "The event stream has its own port, and the proxy in front of this server doesn’t pass it on. "
                "Tell the operator."
            )
        )
    sentence = _("The event stream is at %(address)s: “stream” of GET /api/v1/me/. Send your token there.")
    raise NotFound(sentence % {"address": stream_address()})


Handler = TypeVar("Handler", bound=Callable[..., Any])


def deprecated(*, since: date, until: date, instead: str) -> Callable[[Handler], Handler]:
    """Mark a handler of the API as deprecated ``since`` a date. It is there ``until`` another date.

    To be used above ``extend_schema``. Answers get the headers ``Deprecation`` (RFC 9745) and ``Sunset`` (RFC 8594).
    The description marks the operation, and names what to use ``instead``.
    """
    headers = {"Deprecation": f"@{_seconds(since)}", "Sunset": http_date(_seconds(until))}

    def decorate(handler: Handler) -> Handler:
        @wraps(handler)
        def handle(*args: Any, **kwargs: Any) -> Any:
            response = handler(*args, **kwargs)
            for name, value in headers.items():
                response.headers[name] = value
            return response

        description = (
            f"{inspect.getdoc(handler)}\n\nDeprecated since {since}: use `{instead}`. It is there until {until}."
        )
        return extend_schema(deprecated=True, description=description)(handle)  # type: ignore[return-value]  # the same

    return decorate


def _seconds(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp())
