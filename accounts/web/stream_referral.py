"""The address of the event stream from outside, and the answer that refers a client to it."""

from typing import Any, Final

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound
from rest_framework.response import Response

_PATH: Final = "/api/v1/stream/"


def stream_address() -> str:
    """Return where the event stream is found from outside."""
    return f"{settings.STREAM_URL}{_PATH}"


class StreamAddressSerializer(serializers.Serializer[Any]):
    """The address of the stream."""

    stream = serializers.URLField()


def referral(address: str) -> Response:
    """Refer somebody to a stream; ``not-found`` where the proxy should have passed the request on to it."""
    if settings.STREAM_URL == settings.PUBLIC_URL:
        raise NotFound(
            _(
                "The event stream has its own port, and the proxy in front of this server does "
                "not pass it on. Tell the operator."
            )
        )
    return Response({"stream": address}, status.HTTP_307_TEMPORARY_REDIRECT, headers={"Location": address})
