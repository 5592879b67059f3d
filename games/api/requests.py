"""What requests have in common: the body, the idempotency key, how long they would wait, the ETag."""

import hashlib
import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final

from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from accounts.permissions import HasScope
from games.play.once import Effect, once
from games.play.once import Request as Repeatable

LONGEST_KEY: Final = 200
LONGEST_WAIT: Final = timedelta(seconds=10)
_WAIT: Final = re.compile(r"(?:^|[,;\s])wait\s*=\s*\"?(\d{1,6})\"?\s*(?:$|[,;])", re.IGNORECASE)


class Door(APIView):
    """A view that knows when its request had come in whole, and asks for a token with a scope."""

    permission_classes: ClassVar = [HasScope]
    received_at: datetime

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Wait for the last byte of the body, then stamp the request."""
        request.body  # noqa: B018  (reads the whole of it, and keeps it for the idempotency key's fingerprint)
        self.received_at = timezone.now()
        super().initial(request, *args, **kwargs)


def checked(serializer: "Serializer[Any]") -> dict[str, Any]:
    """What a request says, once it is valid; else the problem that names what is not."""
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def effect_of(request: Request, effect: Callable[[], Effect], now: datetime) -> str:
    """Have the effect of a POST, once for its Idempotency-Key; gives the location of what it made."""
    key = request.headers.get("Idempotency-Key", "").strip()
    if len(key) > LONGEST_KEY or not key.isprintable():
        sentence = _("An idempotency key has at most %(longest)s characters, all of which can be seen.")
        raise ValidationError([ErrorDetail(sentence % {"longest": LONGEST_KEY}, code="idempotency-key")])
    return once(Repeatable(request.user, str(request.method), request.path, key, request.body), effect, now)


def patience(request: Request) -> timedelta:
    """For how long the client would wait for the outcome (``Prefer: wait=N``, RFC 7240), 10 seconds at most."""
    asked = _WAIT.search(request.headers.get("Prefer", ""))
    return min(timedelta(seconds=int(asked[1])), LONGEST_WAIT) if asked else timedelta()


def tagged(
    request: Request, body: bytes, content_type: str = "application/json", headers: Mapping[str, str] | None = None
) -> HttpResponseBase:
    """An answer under an ETag that is a digest of its bytes; 304 to who has it already."""
    etag = f'"{hashlib.sha256(body).hexdigest()}"'
    response = HttpResponse(body, content_type=content_type, headers=headers)
    response["ETag"] = etag
    response["Cache-Control"] = "private, no-cache"
    answer = get_conditional_response(request._request, etag=etag, response=response)
    assert answer is not None
    return answer
