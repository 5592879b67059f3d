"""The addresses by which senders of requests are counted."""

import ipaddress
from typing import Final

from allauth.account.adapter import get_adapter
from django.http import HttpRequest

from accounts.connections import network_of

_WIDE: Final = {4: 24, 6: 48}
"""The bits of a wide network, by the version of IP: what one organisation, or one customer, usually gets."""


def address_of(request: HttpRequest) -> str:
    """The sender's address, of IPv6 its /64; behind proxies of ours as they name it. PermissionDenied for none."""
    return network_of(get_adapter().get_client_ip(request))


def wide_network_of(address: str) -> str:
    """The network around an address as ``address_of`` gives it: /24 of IPv4, /48 of IPv6."""
    network = ipaddress.ip_network(address)
    return str(network.supernet(new_prefix=_WIDE[network.version]))
