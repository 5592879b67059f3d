"""How often something may be tried at the doors: signing up, passwords, codes."""

from allauth.core import ratelimit
from django.http import HttpRequest


class TooManyTries(Exception):
    """Too many requests of this kind by this sender or for this address."""


def count(request: HttpRequest, action: str, key: str | None = None) -> None:
    """Count one try against ``ACCOUNT_RATE_LIMITS``. TooManyTries."""
    if not ratelimit.consume(request, action=action, key=key):
        raise TooManyTries


def clear(request: HttpRequest, action: str, key: str) -> None:
    """Forget what was tried: it has succeeded."""
    ratelimit.clear(request, action=action, key=key)
