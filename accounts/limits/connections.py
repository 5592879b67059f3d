"""Limits on open connections, requests and bytes: of each address, of each network around it and in all.

The web server, the event stream and the mail server share this code. Their protocols take ``LimitedConnection`` as
their first base. The counts belong to one process and are touched by its event loop only.
"""

import asyncio
import ipaddress
import itertools
import resource
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final, Protocol

# Open files that a process needs for other things than connections: modules, logs, database connections.
RESERVED_FILES: Final = 200
# The number of addresses whose share a network of this prefix length may use: IPv4 /24, IPv6 /56 and /48.
SHARES: Final = {24: 4, 56: 2, 48: 4}


@lru_cache(4096)
def network_of(address: str) -> str:
    """Return the network that counts as one address: an IPv4 address itself, of IPv6 the /64.

    An IPv4 address that is written as IPv6 is folded to IPv4. Other text (the peer of a Unix socket has no address) is
    returned unchanged.
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
    """Return the network around an address: the /24 of IPv4, the /48 of IPv6. Other text is returned unchanged."""
    return _networks_around(address)[-1][0]


@lru_cache(4096)
def _networks_around(address: str) -> tuple[tuple[str, int], ...]:
    """Return the networks that an address lies in, smallest first, each with the number of its shares."""
    smallest = network_of(address)
    try:
        network = ipaddress.ip_network(smallest)
    except ValueError:
        return ((smallest, 1),)
    lengths = (24,) if network.version == 4 else (56, 48)
    around = ((str(network.supernet(new_prefix=length)), SHARES[length]) for length in lengths)
    return ((smallest, 1), *around)


def raise_file_limit() -> int:
    """Raise this process's limit of open files as far as the system permits, and return the new limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    except (ValueError, OSError):  # macOS names a hard limit that it does not grant
        return soft
    return hard


def affordable(total: int) -> int:
    """Return ``total``, or a smaller number of connections if the limit of open files requires it."""
    files = raise_file_limit()
    return total if files == resource.RLIM_INFINITY else max(1, min(total, files - RESERVED_FILES))


class Holder(Protocol):
    """A connection or request that holds a part of a limit."""

    # The client's address, for which the holder is counted.
    address: str

    @property
    def waiting_since(self) -> float | None:
        """Return the time since which the server waits for the client, or None while the server works."""

    def drop(self) -> None:
        """End the connection or request, because another client needs its place."""


class _Network:
    """A node of a tree of networks, with all clients at the root and single addresses as leaves."""

    def __init__(self, name: str, limit: int, parent: "_Network | None") -> None:
        self.name, self.limit, self.parent = name, limit, parent
        self.held = 0
        self.children: set[_Network] = set()
        self.holders: dict[Holder, int] = {}

    def lineage(self) -> "Iterator[_Network]":
        """Yield this network and all networks around it."""
        network: _Network | None = self
        while network is not None:
            yield network
            network = network.parent

    def all_holders(self) -> Iterator[Holder]:
        """Yield the holders of this network and of all networks in it."""
        yield from self.holders
        for child in self.children:
            yield from child.all_holders()


class NetworkLimits:
    """Limits on connections, requests or bytes: for each address, for each network around it, and in total.

    An address that has used up its own share is refused. If a network or the whole server is full, the part that holds
    most gives up the holder that has waited longest for its client: a slow or idle connection, or one that never reads.
    """

    def __init__(self, total: int, per_address: int) -> None:
        self.total, self.per_address = total, per_address
        self._all = _Network("all", total, None)
        self._networks: dict[str, _Network] = {}
        self._leaves: dict[Holder, _Network] = {}

    @property
    def count(self) -> int:
        """Return the amount that all clients hold together."""
        return self._all.held

    def held_by(self, address: str) -> int:
        """Return the amount that an address holds."""
        return self._amount_of(network_of(address))

    def _limit(self, name: str, shares: int) -> int:
        # A client without an address is a proxy of ours or on a Unix socket: only the total limits it.
        return self.per_address * shares if name else self.total

    def _amount_of(self, name: str) -> int:
        return self._networks[name].held if name in self._networks else 0

    def admit(self, holder: Holder, amount: int = 1) -> bool:
        """Count an amount for a holder. Return False if there is no room for it, and no other holder gives way."""
        leaf = self._leaf(holder.address)
        while full := next((network for network in leaf.lineage() if network.held + amount > network.limit), None):
            rival = _rival(leaf, full, amount)
            if rival is None:
                self._prune(leaf)
                return False
            self.release(rival)
            rival.drop()
            leaf = self._leaf(holder.address)  # the release may have pruned it
        for network in leaf.lineage():
            network.held += amount
        leaf.holders[holder] = leaf.holders.get(holder, 0) + amount
        self._leaves[holder] = leaf
        return True

    def release(self, holder: Holder) -> None:
        """Give back all that a holder has, if it has anything."""
        leaf = self._leaves.pop(holder, None)
        if leaf is None:
            return
        amount = leaf.holders.pop(holder)
        for network in leaf.lineage():
            network.held -= amount
        self._prune(leaf)

    def is_full_for(self, address: str, amount: int = 1) -> bool:
        """Return True if the share of the address, or of a network around it, has no room for an amount."""
        networks = _networks_around(address)
        return any(self._amount_of(name) + amount > self._limit(name, shares) for name, shares in networks)

    def _leaf(self, address: str) -> _Network:
        """Return the smallest network of an address. New networks are added to the tree."""
        network = self._all
        for name, shares in reversed(_networks_around(address)):
            if name not in self._networks:
                self._networks[name] = _Network(name, self._limit(name, shares), network)
                network.children.add(self._networks[name])
            network = self._networks[name]
        return network

    def _prune(self, leaf: _Network) -> None:
        """Remove the networks around an address that hold nothing any more."""
        for network in tuple(leaf.lineage()):
            if network.parent and not network.held and not network.children:
                network.parent.children.discard(network)
                self._networks.pop(network.name, None)


def _rival(leaf: _Network, full: _Network, amount: int) -> Holder | None:
    """Return the holder that gives way to a new one of the network ``leaf`` when the network ``full`` is full.

    Compares the parts of the full network, then the parts of the new client's own part, and so on. A part gives way
    only if it holds at least as much as the new client's part would hold afterwards.
    """
    lineage = list(leaf.lineage())
    inner = lineage[: lineage.index(full)]
    for branch in reversed(inner):
        assert branch.parent is not None
        greedy = [part for part in branch.parent.children if part.held >= branch.held + amount]
        greedy.sort(key=lambda part: part.held, reverse=True)
        for _, parts in itertools.groupby(greedy, key=lambda part: part.held):
            holders = (holder for part in parts for holder in part.all_holders())
            waiting = [(since, holder) for holder in holders if (since := holder.waiting_since) is not None]
            if waiting:
                return min(waiting, key=lambda pair: pair[0])[1]
    return None


class LimitedConnection(asyncio.Protocol):
    """The first base of a limited connection's protocol. A refused connection never reaches the other bases."""

    # Set by a subclass before a connection is made.
    connection_limits: NetworkLimits
    # The address of the other side.
    peer: str = ""
    # The address for which this connection is counted: the peer's, or the one that our proxy names.
    address: str = ""
    is_admitted = False
    # The time since which the server waits for the client; None while the server works on an answer.
    waiting_since: float | None = None
    _transport: asyncio.Transport

    def connection_made(self, transport: Any) -> None:
        """Admit or refuse the connection."""
        name = transport.get_extra_info("peername")
        self.peer = name[0] if isinstance(name, tuple) else ""
        self.address = self.counted_address()
        self._transport = transport
        self.waiting_since = asyncio.get_running_loop().time()
        self.is_admitted = self.connection_limits.admit(self)
        if self.is_admitted:
            super().connection_made(transport)
        else:
            self.refuse(transport)

    def counted_address(self) -> str:
        """Return the address that a new connection is counted for."""
        return self.peer

    def connection_lost(self, exc: Exception | None) -> None:
        """Make room for another connection."""
        self.connection_limits.release(self)
        if self.is_admitted:
            super().connection_lost(exc)

    def eof_received(self) -> bool | None:
        """Call the next base, unless the connection was refused."""
        return super().eof_received() if self.is_admitted else None

    def data_received(self, data: bytes) -> None:
        """Call the next base, unless the connection was refused."""
        if self.is_admitted:
            super().data_received(data)

    def drop(self) -> None:
        """Close the connection, because another client needs its place."""
        self._transport.abort()

    def refuse(self, transport: Any) -> None:
        """Close a connection that is over a limit. A subclass may send a message first."""
        transport.abort()
