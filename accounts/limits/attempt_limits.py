"""Limits on attempts to sign up, to enter passwords and codes, and on codes by email.

Attempts are counted for each email address (in all spellings: ``silence.digest``) and network. So guesses at another
person's password lock out only the network that they come from. The attempts from all networks together are limited
too, far above what an owner needs. Successful attempts are not counted. ``accounts.authentication.sessions``
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
from notifications.recipients import deliverability

HOUR: Final = timedelta(hours=1)
DAY: Final = timedelta(days=1)
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


def code_attempt(request: HttpRequest, email: str) -> Draws:
    """Return the limits of an attempt at a code that was sent to this address."""
    network, mailbox = _network(request), _mailbox(email)
    return [
        (f"codes:{mailbox}:{network}", CODES_FROM_NETWORK),
        (f"codes:{network}", CODES_OF_NETWORK),
        (f"codes:{mailbox}", CODES_FROM_ANYWHERE),
    ]


def second_factor_attempt(account: Account) -> Draws:
    """Return the limits of an attempt at a code of the account's second factor, after the right password."""
    return [(f"factors:{account.pk}", FACTORS), (f"factors:day:{account.pk}", FACTORS_IN_DAY)]


def code_email(request: HttpRequest, email: str, purpose: str) -> Draws:
    """Return the limits of an email with a code to this address.

    Each purpose has its own limits, so that sign-ups with another person's address do not use up their codes for a new
    password.
    """
    mailbox = f"{purpose}:{_mailbox(email)}"
    return [
        (f"mails:pace:{mailbox}", MAIL_PACE),
        (f"mails:hour:{mailbox}", MAILS_IN_HOUR),
        (f"mails:day:{mailbox}", MAILS_IN_DAY),
        (f"mails:{_network(request)}", network_email_policy()),
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
