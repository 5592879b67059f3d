"""Rate limits: a number of requests in a burst, and the same number again in each window of time.

All processes use the same row, so they share the limit. A request takes one statement on an unlogged table, which never
waits for a disk. After a crash all limits start afresh.

``config/server/rate_limits.py`` counts every request before its view runs: for the account, together for all its
tokens, apps and sessions, or without an account for the address (IPv6: its /64) and the network around it. Requests of
an app are counted for its grant too. docs/limits.md lists all limits.

The constants and functions from ``WAIT`` on limit attempts to sign up, to enter passwords and codes, and codes by
email. Attempts are counted for each email address (in all spellings: ``deliverability.suppression_digest``) and
network. So guesses at another person's password lock out only the network that they come from. The attempts from all
networks together are limited too, far above what an owner needs. Successful attempts are not counted.
``accounts.authentication.sessions`` admits owners while that limit is reached. docs/limits.md has the reasons for the
numbers.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from allauth.account.adapter import get_adapter
from allauth.core import ratelimit
from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from accounts import queries
from accounts.limits.connections import network_of, surroundings_of
from accounts.models import Account
from config.core.database.sql import execute, find
from notifications.recipients import deliverability

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


def network_email_policy() -> Policy:
    """Return the limit of emails with codes that one network may cause."""
    return Policy("mails", settings.CODE_MAILS_PER_NETWORK, DAY)


def _network(request: HttpRequest) -> str:
    return network_of(get_adapter().get_client_ip(request))


def _mailbox(email: str) -> str:
    return deliverability.suppression_digest(email).hex()
