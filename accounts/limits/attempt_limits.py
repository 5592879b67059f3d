"""Limits on attempts to sign up, to enter passwords and codes, and on codes by email.

Attempts are counted for each email address (in all spellings: ``silence.digest``) and network, so guesses at another
person's password lock out only the network that they come from. The attempts from all networks together are limited
too, far above what an owner needs. Successful attempts are not counted. ``accounts.authentication.known_devices``
admits owners while that limit is reached. docs/limits.md has the reasons for the numbers.
"""

from datetime import timedelta
from typing import Final

from allauth.account.adapter import get_adapter
from allauth.core import ratelimit
from django.conf import settings
from django.http import HttpRequest
from django.utils import timezone

from accounts.limits.connections import network_of, surroundings_of
from accounts.limits.rate_limits import MINUTE, Policy, give_back, take
from accounts.models import Account
from notifications.recipients import suppression_list

HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
WAIT: Final = 60
"""The number of seconds to wait if nothing more precise is known."""

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
GUESTS_IN_DAY: Final = Policy("guests", 100, DAY)
"""The number of guests in a day: in the time a guest is kept, one network makes a few thousand at most."""

Draws = list[tuple[str, Policy]]
"""The allowances that one try draws on, by their keys, the narrowest first."""


class TooManyAttempts(Exception):
    """Too many of these by this sender or for this address; in ``wait`` seconds there may be another."""

    def __init__(self, wait: int = WAIT) -> None:
        super().__init__()
        self.wait = wait


def count_request(request: HttpRequest, action: str, key: str | None = None) -> None:
    """Count one try against ``ACCOUNT_RATE_LIMITS``. TooManyAttempts."""
    if not ratelimit.consume(request, action=action, key=key):
        raise TooManyAttempts


def count_attempt(draws: Draws) -> Draws:
    """Count an attempt and return its counters, for ``refund``. Raises TooManyAttempts and counts nothing if a limit
    is reached.
    """
    now = timezone.now()
    for taken, (key, policy) in enumerate(draws):
        balance = take(key, policy, now)
        if not balance.granted:
            give_back(draws[:taken])
            raise TooManyAttempts(balance.wait)
    return draws


def refund(draws: Draws) -> None:
    """Count a try no longer: it was right."""
    give_back(draws)


def password_attempt(request: HttpRequest, email: str) -> Draws:
    """A try at the password of the account with this address."""
    network, mailbox = _network(request), _mailbox(email)
    return [
        (f"passwords:{mailbox}:{network}", PASSWORDS_FROM_NETWORK),
        (f"passwords:{network}", PASSWORDS_OF_NETWORK),
        (f"passwords:{mailbox}", PASSWORDS_FROM_ANYWHERE),
    ]


def known_device_attempt(email: str) -> Draws:
    """A try at a password in a browser in which its account has been logged in to before: strangers have no such."""
    return [(f"passwords:{_mailbox(email)}:known", PASSWORDS_OF_KNOWN)]


def code_attempt(request: HttpRequest, email: str) -> Draws:
    """A try at a code that was mailed to this address."""
    network, mailbox = _network(request), _mailbox(email)
    return [
        (f"codes:{mailbox}:{network}", CODES_FROM_NETWORK),
        (f"codes:{network}", CODES_OF_NETWORK),
        (f"codes:{mailbox}", CODES_FROM_ANYWHERE),
    ]


def second_factor_attempt(account: Account) -> Draws:
    """Count an attempt at a code of an account's second factor, after the right password."""
    return [(f"factors:{account.pk}", FACTORS), (f"factors:day:{account.pk}", FACTORS_IN_DAY)]


def code_email(request: HttpRequest, email: str, purpose: str) -> Draws:
    """Count an email with a code to this address. Each purpose has its own limit, so that sign-ups with another
    person's address do not use up their codes for a new password.
    """
    mailbox = f"{purpose}:{_mailbox(email)}"
    return [
        (f"mails:pace:{mailbox}", MAIL_PACE),
        (f"mails:hour:{mailbox}", MAILS_IN_HOUR),
        (f"mails:day:{mailbox}", MAILS_IN_DAY),
        (f"mails:{_network(request)}", network_email_policy()),
    ]


def guest_attempt(request: HttpRequest) -> Draws:
    """Making a guest account."""
    network = _network(request)
    around = surroundings_of(network)
    return [
        (f"guests:{network}", GUESTS),
        (f"guests:{around}", GUESTS_OF_SURROUNDINGS),
        (f"guests:day:{around}", GUESTS_IN_DAY),
    ]


def network_email_policy() -> Policy:
    """The mails with codes that one network may have sent."""
    return Policy("mails", settings.CODE_MAILS_PER_NETWORK, DAY)


def _network(request: HttpRequest) -> str:
    return network_of(get_adapter().get_client_ip(request))


def _mailbox(email: str) -> str:
    return suppression_list.digest(email).hex()
