"""The adapter that connects allauth to this project: it silences allauth's messages, and finds the client's address."""

from ipaddress import ip_address
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]  # allauth has no types
    """allauth's adapter (``ACCOUNT_ADAPTER``)."""

    def add_message(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Do nothing: API clients have no next page for a message."""

    def get_client_ip(self, request: HttpRequest) -> str:
        """Return the client's address from our proxies, or the peer's address if there is no proxy.

        Raises PermissionDenied for a request that did not come over the network.
        """
        try:
            return str(ip_address(super().get_client_ip(request)))
        except (ImproperlyConfigured, PermissionDenied, ValueError):
            if "REMOTE_ADDR" not in request.META:
                raise PermissionDenied from None
            return str(request.META["REMOTE_ADDR"])
