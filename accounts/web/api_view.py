"""The base of API views: who may call them, the body, the idempotency key."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from functools import cache
from typing import Any, Final

from django.utils.functional import Promise
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiParameter
from rest_framework import status
from rest_framework.exceptions import APIException, ErrorDetail, ValidationError
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.utils.formatting import lazy_format
from rest_framework.views import APIView

from accounts.limits.idempotency import Effect, IdempotencyConflict, run_once
from accounts.limits.idempotency import Request as Repeatable
from accounts.tokens.permissions import HasScope
from accounts.web.requests import AccountRequest
from accounts.web.serializers import QuerySerializer
from config.database import database_clock

LONGEST_KEY: Final = 200
KEY: Final = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": LONGEST_KEY, "pattern": "^[ -~]+$"},
    OpenApiParameter.HEADER,
    description="A name for this request: sent again with the same, it has no second effect.",
)
_STATUS: Final[Mapping[str, int]] = {
    "conflict": status.HTTP_409_CONFLICT,
    "key-reused": status.HTTP_422_UNPROCESSABLE_ENTITY,
}


class IdempotencyError(APIException):
    """A request whose idempotency key is at work, or was another's."""

    def __init__(self, refusal: IdempotencyConflict) -> None:
        super().__init__(_(refusal.sentence), refusal.code)
        self.status_code = _STATUS[refusal.code]


class PublicApiView(APIView):
    """A view for everybody. A token in the request is not looked at."""

    authentication_classes = ()
    permission_classes = (AllowAny,)


class AccountApiView(APIView):
    """A view that knows when its request had come in whole, and asks for a token with a scope.

    A middleware that has read the request may have noted the time on it, as ``received_at``.
    """

    permission_classes = (HasScope,)
    received_at: datetime
    request: AccountRequest

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Wait for the last byte of the body, then stamp the request."""
        request.body  # noqa: B018  (reads the whole of it, and keeps it for the idempotency key's fingerprint)
        self.received_at = getattr(request._request, "received_at", None) or database_clock.now()
        super().initial(request, *args, **kwargs)


def validated_data(serializer: "Serializer[Any]") -> dict[str, Any]:
    """Return what a request says, once it is valid; else the problem that names what is not."""
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def validated_query(serializer: type[QuerySerializer], request: Request) -> dict[str, Any]:
    """Return what the parameters of a request say, once they are valid; else the problem that names what is not."""
    return dict(_only(serializer).run_validation(request.query_params.dict()))


@cache
def _only(serializer: type[QuerySerializer]) -> QuerySerializer:
    """Return one for all requests: making its fields takes ten times as long as using them."""
    shared = serializer()
    validators: Iterable[Any] = (each for field in shared.fields.values() for each in field.validators)
    for validator in validators:
        match getattr(validator, "message", None):
            # REST framework's own keeps the language of whoever reads it first.
            case lazy_format(format_string=str() | Promise() as text, args=args, kwargs=named):
                validator.message = format_lazy(text, *args, **named)
    return shared


def run_idempotent(request: AccountRequest, effect: Callable[[], Effect], now: datetime) -> str:
    """Run the effect of a POST, once for its Idempotency-Key; return the location of what it made."""
    key = request.headers.get("Idempotency-Key", "").strip()
    if len(key) > LONGEST_KEY or not (key.isprintable() and key.isascii()):
        sentence = _("An Idempotency-Key has at most %(longest)s characters, all of them printable ASCII.")
        raise ValidationError([ErrorDetail(sentence % {"longest": LONGEST_KEY}, code="idempotency-key")])
    try:
        return run_once(Repeatable(request.user, str(request.method), request.path, key, request.body), effect, now)
    except IdempotencyConflict as refusal:
        raise IdempotencyError(refusal) from None


def id_in_location(location: str) -> str:
    """The id of what a request made, which its location ends in."""
    return location.rstrip("/").rpartition("/")[2]
