"""The public address of the event stream, and the error that refers clients to it."""

from typing import Final, NoReturn

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.exceptions import APIException, NotFound

_PATH: Final = "/api/v1/stream/"


def stream_address() -> str:
    """Return the public address of the event stream."""
    return f"{settings.STREAM_URL}{_PATH}"


class StreamElsewhere(APIException):
    """The stream has another address, which the problem names as ``stream``.

    This is not a redirect: many programs drop their token when they follow one to another port.
    """

    status_code = status.HTTP_421_MISDIRECTED_REQUEST
    default_code = "misdirected"

    def __init__(self, address: str) -> None:
        sentence = _("The event stream has its own address, which `stream` names. Send your token there.")
        super().__init__(sentence)
        self.members = {"stream": address}


def refer(address: str) -> NoReturn:
    """Refer the client to a stream. Raises NotFound if the proxy should have routed the request there."""
    if settings.STREAM_URL == settings.PUBLIC_URL:
        raise NotFound(
            _(
                "The event stream has its own port, and the proxy in front of this server does "
                "not pass it on. Tell the operator."
            )
        )
    raise StreamElsewhere(address)
