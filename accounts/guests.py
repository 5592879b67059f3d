"""Guests: people who play before they sign up, against bots or with people who gave them a link.

A guest is an account without an address of its own or a password. Only its session gives access to it. Guests get no
email, reach only the pages of ``GUEST_VIEWS``, and are deleted after ``KEPT``. Signing up in the same browser turns the
guest into an account, which keeps its games.
"""

import secrets
from datetime import datetime, timedelta
from typing import Final
from uuid import uuid4

from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from accounts import email_addresses, local_times, names, rate_limits
from accounts.account_data import delete_account
from accounts.authentication import flows, sign_up
from accounts.models import Account
from notifications import preferences

KEPT: Final = timedelta(days=30)
# The domain of addresses that no email can reach (RFC 2606).
DOMAIN: Final = "guest.invalid"
# The pages that guests may open. Pages for inviting others, writing to them or storing data for long are missing.
GUEST_VIEWS: Final = frozenset(
    {
        *(
            "pages:home",
            "second-address",
            "pages:play-now",
            "pages:game",
            "pages:answer-question",
            "pages:resign",
            "pages:rematch",
            "pages:practice",
            "pages:join-as-guest",
            "pages:leave",
            "pages:start",
            "pages:agree-to-pause",
            "pages:decline-pause",
            "pages:end-pause",
        ),
        *(
            "pages:replay",
            "pages:record",
            "pages:analysis",
            "pages:rules",
            "pages:rules-of",
            "pages:figure",
            "pages:picture-style",
            "pages:picture-symbols",
        ),
        *(
            "pages:games",
            "pages:leaders",
            "pages:arena",
            "pages:player",
            "pages:card-site",
            "pages:card-rules",
            "pages:card-game",
            "pages:card-moment",
        ),
        *(
            "pages:site-map",
            "pages:lesson",
            "pages:privacy",
            "pages:feed-games",
            "pages:feed-results",
            "pages:feed-player",
        ),
        *("account_signup", "account_email_verification_sent", "account_login", "account_logout", "language"),
        "pages:join-club",
        *("api", "api-v1", "schema", "core-schema", "account-schema", "docs", "docs-entry", "llms"),
        *("healthz", "manifest", "robots", "offline", "service-worker"),
    }
)
_MOST_TRIES: Final = 20
_NUMBERS: Final = 1_000_000


def begin(request: HttpRequest, now: datetime, name: str = "") -> Account:
    """Create a guest and log the browser in as it.

    Raises SignUpClosed, ValidationError if the guest cannot have the name, or TooManyAttempts if the network has
    created too many guests.
    """
    sign_up.require_open()
    address = f"{uuid4().hex}@{DOMAIN}"
    if name:
        email_addresses.check_name(name, address)
    rate_limits.count_attempt(rate_limits.guest_attempt(request))
    zone = local_times.guess_zone(request.POST.get("time_zone", ""), get_language())
    try:
        with transaction.atomic():
            guest = Account.objects.create_user(
                address, name=name or _free_name(), language=get_language(), time_zone=zone, is_guest=True
            )
    except IntegrityError:
        raise names.taken_message() from None
    preferences.change(guest, {"mails": False}, now)
    flows.log_in(request, guest, factor=False)
    return guest


def _free_name() -> str:
    for _try in range(_MOST_TRIES):
        name = _("Guest %(number)s") % {"number": local_times.in_digits(str(secrets.randbelow(_NUMBERS)))}
        if Account.objects.is_free(name, ""):
            return name
    return uuid4().hex[:12]


def is_guest(request: HttpRequest) -> bool:
    """Return True if a request comes from a guest."""
    return isinstance(request.user, Account) and request.user.is_guest


def delete_expired(now: datetime) -> None:
    """Delete expired guests, with their data as for every deleted account."""
    for guest in Account.objects.filter(is_guest=True, created_at__lt=now - KEPT):
        delete_account(guest, now)
