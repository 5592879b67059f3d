"""Limits on what is open or held at once, counted for each network address and in all.

Every server of ours that listens has one ``ConnectionLimits``; its asyncio protocol takes ``LimitedConnection`` as its
first base. The counts are of one process and are touched by its event loop only.
"""

import asyncio
import ipaddress
import resource
from functools import lru_cache
from typing import Any, Final

RESERVED_FILES: Final = 200
"""Open files that a process keeps for other things than connections: modules, logs, database connections."""


@lru_cache(4096)
def network_of(address: str) -> str:
    """The network that one client is taken to have: an IPv4 address itself, of IPv6 its /64.

    An IPv4 address that is written as IPv6 is folded to IPv4. What is no address (a socket of the file system has
    none) is returned as it is.
    """
    try:
        parsed = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(parsed, ipaddress.IPv4Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return str(ipaddress.ip_network((parsed, 64), strict=False))


def surroundings_of(address: str) -> str:
    """The network around an address: the /24 of an IPv4 address, the /48 of an IPv6 one; what is none is returned."""
    try:
        network = ipaddress.ip_network(network_of(address))
    except ValueError:
        return address
    return str(network.supernet(new_prefix=24 if network.version == 4 else 48))


def raise_file_limit() -> int:
    """Raise this process's limit of open files as far as it may be raised; the limit that holds then."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (ValueError, OSError):  # macOS names a hard limit that it does not grant
        return soft
    return hard


def affordable(total: int) -> int:
    """As many connections as are wanted, or as the limit of open files leaves room for."""
    files = raise_file_limit()
    return total if files == resource.RLIM_INFINITY else max(1, min(total, files - RESERVED_FILES))


class ConnectionLimits:
    """Limits on open connections, requests or bytes: in all, and of each network."""

    def __init__(self, total: int, per_network: int) -> None:
        self.total, self.per_network = total, per_network
        self._open: dict[str, int] = {}
        self.count = 0
        """All that are open."""

    def admit(self, address: str, amount: int = 1) -> bool:
        """Count one more of an address, or an amount, unless that is over a limit. Whatever is admitted is released."""
        if self.count + amount > self.total or not self.has_share(address, amount):
            return False
        network = network_of(address)
        self._open[network] = self._open.get(network, 0) + amount
        self.count += amount
        return True

    def release(self, address: str, amount: int = 1) -> None:
        """Count less. KeyError where nothing of this address was admitted."""
        network = network_of(address)
        self._open[network] -= amount
        self.count -= amount
        if not self._open[network]:
            del self._open[network]

    @property
    def is_full(self) -> bool:
        """Return True if there is no room for anybody."""
        return self.count >= self.total

    def has_share(self, address: str, amount: int = 1) -> bool:
        """Return True if the limit on each network allows an address so much more."""
        return self.held_by(address) + amount <= self.per_network

    def held_by(self, address: str) -> int:
        """Return how many an address's network has."""
        return self._open.get(network_of(address), 0)


class LimitedConnection(asyncio.Protocol):
    """The first base of a protocol whose connections are limited: one over a limit never reaches the other bases."""

    connection_limits: ConnectionLimits
    """To be set before a connection is made."""
    peer: str | None = None
    """The address that this connection is counted for; None unless it was admitted."""
    is_counted = False
    """True while the connection is counted."""

    def connection_made(self, transport: Any) -> None:
        """Admit the connection, or refuse it."""
        name = transport.get_extra_info("peername")
        address = name[0] if isinstance(name, tuple) else ""
        if self.connection_limits.admit(address):
            self.peer, self.is_counted = address, True
            super().connection_made(transport)
        else:
            self.refuse(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for another."""
        self.make_room()
        if self.peer is not None:
            super().connection_lost(exc)

    def make_room(self) -> None:
        """Count the connection no longer: it is closed, or is about to be."""
        if self.peer is not None and self.is_counted:
            self.connection_limits.release(self.peer)
            self.is_counted = False

    def eof_received(self) -> bool | None:
        """Pass it on, unless the connection was refused."""
        return None if self.peer is None else super().eof_received()

    def data_received(self, data: bytes) -> None:
        """Pass it on, unless the connection was refused."""
        if self.peer is not None:
            super().data_received(data)

    def refuse(self, transport: Any) -> None:
        """Close a connection that is over a limit. A protocol with a word for it may say it first."""
        transport.abort()
