"""The adapter that connects allauth to this project: it silences allauth's messages and finds the address of the
client.
"""

from ipaddress import ip_address
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """``ACCOUNT_ADAPTER``."""

    def add_message(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """A message for the next page; there is none for a program."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """The address that our proxies name. The peer's where they name none: it has come past them.

        PermissionDenied for a request that did not come over the network.
        """
        try:
            return str(ip_address(super().get_client_ip(request)))
        except (ImproperlyConfigured, PermissionDenied, ValueError):
            if "REMOTE_ADDR" not in request.META:
                raise PermissionDenied from None
            return str(request.META["REMOTE_ADDR"])
