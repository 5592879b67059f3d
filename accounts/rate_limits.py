"""Limits on requests, attempts and connections, of accounts and of networks."""

import asyncio
import ipaddress
import itertools
import math
import resource
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, Final, Protocol

from allauth.account.adapter import get_adapter
from allauth.core import ratelimit
from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from accounts import queries
from accounts.models import Account
from config.core import processes
from config.core.database.sql import execute, find
from notifications import deliverability

# A row that was not used for this time is a full allowance, just like no row.
KEPT: Final = timedelta(hours=1)
HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
# The window of all limits on requests.
MINUTE: Final = timedelta(minutes=1)

# The prefix of the key of an account's limit; the account's primary key follows.
OF_ACCOUNT: Final = "account:"


@dataclass(frozen=True)
class Policy:
    """A limit of ``quota`` requests in each ``window``. ``name`` is its name in the header RateLimit-Policy."""

    name: str
    quota: int
    window: timedelta

    @property
    def header(self) -> str:
        """Return the value of RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers)."""
        return f'"{self.name}";q={self.quota};w={int(self.window.total_seconds())}'


@dataclass(frozen=True)
class Balance:
    """The state of a limit after a request."""

    policy: Policy
    granted: bool
    left: int
    # The number of seconds until the limit is full again.
    full_in: int
    # The number of seconds to wait before the next request, or 0.
    wait: int

    @property
    def header(self) -> str:
        """Return the value of the header RateLimit. After a refusal it agrees with Retry-After."""
        return f'"{self.policy.name}";r={self.left};t={self.wait or self.full_in}'


def account_policy() -> Policy:
    """Return the limit of an account, which all its tokens, apps and sessions share."""
    return Policy("account", settings.REQUESTS_PER_ACCOUNT, MINUTE)


# The number of times that an account may export its data.
EXPORTS: Final = Policy("exports", 10, HOUR)
WEBHOOK_TESTS: Final = Policy("webhook-tests", 60, HOUR)
# The number of messages that an account may send to test its channels.
CHANNEL_TESTS: Final = Policy("channel-tests", 20, HOUR)


# The number of new addresses to which an account may have a code sent.
ADDRESS_CHANGES: Final = Policy("address-changes", 5, DAY)
# The number of sign-ups by email that are answered, for one mailbox and for one domain.
SIGN_UPS_OF_MAILBOX: Final = Policy("mail-sign-ups", 1, DAY)
SIGN_UPS_OF_DOMAIN: Final = Policy("mail-sign-ups", 100, DAY)


class RateLimitExceeded(Exception):
    """An account has reached a limit. It may repeat the action after ``wait`` seconds."""

    def __init__(self, policy: Policy, wait: int) -> None:
        super().__init__(policy, wait)
        self.policy, self.wait = policy, wait


def enforce(account: int, policy: Policy, now: datetime) -> None:
    """Count an action of an account (its primary key). Raises RateLimitExceeded if a limit is reached."""
    balance = take(f"{policy.name}:{account}", policy, now)
    if not balance.granted:
        raise RateLimitExceeded(policy, balance.wait)


def take(key: str, policy: Policy, now: datetime, amount: int = 1) -> Balance:
    """Count ``amount`` units for ``key``. If there are not enough, count nothing and grant nothing."""
    # A request cannot take more than the whole limit.
    cost = min(policy.window * amount / policy.quota, policy.window)
    values = {"key": key, "now": now, "each": cost, "full": now + policy.window}
    row = next(find(queries.TAKE_UNITS, values), None)
    granted = row is not None
    if row is None:
        row = next(find(queries.FULL_AT, [key]), (now + policy.window,))
    return _balance(policy, row[0], now, granted=granted)


def take_each(draws: Sequence[tuple[str, Policy]], now: datetime) -> Balance:
    """Count one request on each limit in turn until one is exhausted. Return the scarcest.

    Narrower limits come first, so a request that they refuse is not counted on wider ones.
    """
    balances = []
    for key, policy in draws:
        balances.append(take(key, policy, now))
        if not balances[-1].granted:
            return balances[-1]
    return min(balances, key=lambda balance: balance.left)


def give_back(draws: Iterable[tuple[str, Policy]]) -> None:
    """Take back one unit from each limit."""
    for key, policy in draws:
        execute(queries.GIVE_BACK_UNITS, [policy.window / policy.quota, key])


def _balance(policy: Policy, full_at: datetime, now: datetime, *, granted: bool = True) -> Balance:
    """Return the remaining units of a limit that is full again at this time."""
    cost, owed = policy.window / policy.quota, max(full_at - now, timedelta(0))
    left = max(math.floor((policy.window - owed) / cost), 0)
    wait = 0 if granted else max(math.ceil((owed + cost - policy.window).total_seconds()), 1)
    return Balance(policy, granted, left, math.ceil(owed.total_seconds()), wait)


def delete_idle(now: datetime) -> int:
    """Delete the rows that have been full for long. Return their number."""
    return execute(queries.DELETE_FULL_LIMITS, [now - KEPT])


# The number of seconds to wait if nothing more precise is known.
WAIT: Final = 60

PASSWORDS_OF_NETWORK: Final = Policy("passwords", 10, MINUTE)
PASSWORDS_FROM_NETWORK: Final = Policy("passwords", 5, 5 * MINUTE)
PASSWORDS_OF_KNOWN: Final = Policy("passwords", 10, 5 * MINUTE)
PASSWORDS_FROM_ANYWHERE: Final = Policy("passwords", 100, HOUR)
CODES_OF_NETWORK: Final = Policy("codes", 30, MINUTE)
CODES_FROM_NETWORK: Final = Policy("codes", 20, HOUR)
CODES_FROM_ANYWHERE: Final = Policy("codes", 1000, HOUR)
FACTORS: Final = Policy("factors", 5, 5 * MINUTE)
FACTORS_IN_DAY: Final = Policy("factors", 50, DAY)
MAIL_PACE: Final = Policy("mails", 1, timedelta(seconds=10))
MAILS_IN_HOUR: Final = Policy("mails", 5, HOUR)
MAILS_IN_DAY: Final = Policy("mails", 10, DAY)

APPS: Final = Policy("apps", 10, DAY)
APPS_OF_SURROUNDINGS: Final = Policy("apps", 40, DAY)
APPS_FROM_ANYWHERE: Final = Policy("apps", 1000, DAY)
GUESTS: Final = Policy("guests", 5, HOUR)
GUESTS_OF_SURROUNDINGS: Final = Policy("guests", 20, HOUR)
# In the time for which a guest is kept, one network makes a few thousand guests at most.
GUESTS_IN_DAY: Final = Policy("guests", 100, DAY)

# The keys and policies of the limits that an attempt counts against, the narrowest first.
Draws = list[tuple[str, Policy]]


class TooManyAttempts(Exception):
    """There were too many attempts by this sender or for this address. Another is possible after ``wait`` seconds."""

    def __init__(self, wait: int = WAIT) -> None:
        super().__init__()
        self.wait = wait


def count_request(request: HttpRequest, action: str, key: str | None = None) -> None:
    """Count an attempt against ``ACCOUNT_RATE_LIMITS``. Raises TooManyAttempts."""
    if not ratelimit.consume(request, action=action, key=key):
        raise TooManyAttempts


def count_attempt(draws: Draws) -> Draws:
    """Count an attempt, and return its limits for ``refund``.

    Raises TooManyAttempts if a limit is reached. Then nothing is counted.
    """
    now = timezone.now()
    for index, (key, policy) in enumerate(draws):
        balance = take(key, policy, now)
        if not balance.granted:
            give_back(draws[:index])
            raise TooManyAttempts(balance.wait)
    return draws


def refund(draws: Draws) -> None:
    """Take back the count of an attempt that was successful."""
    give_back(draws)


def password_attempt(request: HttpRequest, email: str) -> Draws:
    """Return the limits of an attempt at the password of the account with this address."""
    network, mailbox = _network(request), _mailbox(email)
    return [
        (f"passwords:{mailbox}:{network}", PASSWORDS_FROM_NETWORK),
        (f"passwords:{network}", PASSWORDS_OF_NETWORK),
        (f"passwords:{mailbox}", PASSWORDS_FROM_ANYWHERE),
    ]


def known_device_attempt(email: str) -> Draws:
    """Return the limits of an attempt at a password in a browser that has logged in to the account before."""
    return [(f"passwords:{_mailbox(email)}:known", PASSWORDS_OF_KNOWN)]


def code_attempt(request: HttpRequest | None, email: str) -> Draws:
    """Return the limits of an attempt at a code that was sent to this address. ``request`` is None for an email."""
    mailbox = _mailbox(email)
    if request is None:
        return [(f"codes:{mailbox}:mail", CODES_FROM_NETWORK), (f"codes:{mailbox}", CODES_FROM_ANYWHERE)]
    network = _network(request)
    return [
        (f"codes:{mailbox}:{network}", CODES_FROM_NETWORK),
        (f"codes:{network}", CODES_OF_NETWORK),
        (f"codes:{mailbox}", CODES_FROM_ANYWHERE),
    ]


def second_factor_attempt(account: Account) -> Draws:
    """Return the limits of an attempt at a code of the account's second factor, after the right password."""
    return [(f"factors:{account.pk}", FACTORS), (f"factors:day:{account.pk}", FACTORS_IN_DAY)]


def code_email(request: HttpRequest | None, email: str, purpose: str) -> Draws:
    """Return the limits of an email with a code to this address. ``request`` is None if an email asks for it.

    Each purpose has its own limits, so that sign-ups with another person's address do not use up their codes for a new
    password.
    """
    mailbox = f"{purpose}:{_mailbox(email)}"
    return [
        (f"mails:pace:{mailbox}", MAIL_PACE),
        (f"mails:hour:{mailbox}", MAILS_IN_HOUR),
        (f"mails:day:{mailbox}", MAILS_IN_DAY),
        *([] if request is None else [(f"mails:{_network(request)}", network_email_policy())]),
    ]


def guest_attempt(request: HttpRequest) -> Draws:
    """Return the limits of creating a guest account."""
    network = _network(request)
    around = surroundings_of(network)
    return [
        (f"guests:{network}", GUESTS),
        (f"guests:{around}", GUESTS_OF_SURROUNDINGS),
        (f"guests:day:{around}", GUESTS_IN_DAY),
    ]


def app_registration(request: HttpRequest) -> Draws:
    """Return the limits of an app that registers itself."""
    network = _network(request)
    return [
        (f"apps:{network}", APPS),
        (f"apps:{surroundings_of(network)}", APPS_OF_SURROUNDINGS),
        ("apps", APPS_FROM_ANYWHERE),
    ]


def network_email_policy() -> Policy:
    """Return the limit of emails with codes that one network may cause."""
    return Policy("mails", settings.CODE_MAILS_PER_NETWORK, DAY)


def _network(request: HttpRequest) -> str:
    return network_of(get_adapter().get_client_ip(request))


def _mailbox(email: str) -> str:
    return deliverability.suppression_digest(email).hex()


# Open files that a process needs for other things than connections: modules, logs, database connections.
RESERVED_FILES: Final = 200
# The number of addresses whose share a network of this prefix length may use: IPv4 /24, IPv6 /56 and /48.
SHARES: Final = {24: 4, 56: 2, 48: 4}


@lru_cache(4096)
def network_of(address: str) -> str:
    """Return the network that counts as one address: for IPv4 the address itself, for IPv6 its /64.

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


def affordable(total: int) -> int:
    """Return ``total``, or a smaller number of connections if the limit of open files requires it."""
    files = processes.raise_file_limit()
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
