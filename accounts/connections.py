"""Limits on open connections, counted for each network address and in all.

Every server of ours that listens has one ``ConnectionLimits``; its asyncio protocol takes ``LimitedConnection`` as its
first base. The counts are of one process and are touched by its event loop only.
"""

import asyncio
import ipaddress
import resource
from typing import Any, Final

RESERVED_FILES: Final = 200
"""Open files that a process keeps for other things than connections: modules, logs, database connections."""


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
    """How many connections, or requests, there may be at once: in all, and of each network."""

    def __init__(self, total: int, per_network: int) -> None:
        self.total, self.per_network = total, per_network
        self._open: dict[str, int] = {}
        self.count = 0
        """All that are open."""

    def admit(self, address: str) -> bool:
        """Count one more of an address, unless that is over a limit. Each that is admitted is released once."""
        network = network_of(address)
        held = self._open.get(network, 0)
        if self.count >= self.total or held >= self.per_network:
            return False
        self._open[network] = held + 1
        self.count += 1
        return True

    def release(self, address: str) -> None:
        """Count one less. KeyError where none of this address was admitted."""
        network = network_of(address)
        self._open[network] -= 1
        self.count -= 1
        if not self._open[network]:
            del self._open[network]

    def held_by(self, address: str) -> int:
        """How many an address's network has."""
        return self._open.get(network_of(address), 0)


class LimitedConnection(asyncio.Protocol):
    """The first base of a protocol whose connections are limited: one over a limit never reaches the other bases."""

    connection_limits: ConnectionLimits
    """To be set before a connection is made."""
    peer: str | None = None
    """The address that this connection is counted for; None unless it was admitted."""

    def connection_made(self, transport: Any) -> None:
        """Admit the connection, or refuse it."""
        name = transport.get_extra_info("peername")
        address = name[0] if isinstance(name, tuple) else ""
        if self.connection_limits.admit(address):
            self.peer = address
            super().connection_made(transport)
        else:
            self.refuse(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for another."""
        if self.peer is not None:
            self.connection_limits.release(self.peer)
            super().connection_lost(exc)

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
