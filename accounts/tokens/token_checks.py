"""Repeated checks of tokens, for long-lived connections."""

from collections.abc import Hashable, Iterable
from datetime import datetime

from allauth.idp.oidc.models import Token as AppToken
from django.db.models import Q

from accounts.models import Token
from accounts.tokens.tokens import AppAccess

# ``own`` or ``app``, and the primary key of the token.
TokenName = tuple[str, Hashable]


def token_key(token: Token | AppAccess) -> TokenName:
    """Return the key under which a token is remembered. It cannot be used to log in."""
    return ("app", token.token.pk) if isinstance(token, AppAccess) else ("own", token.pk)


def valid_keys(names: Iterable[TokenName], now: datetime) -> set[TokenName]:
    """Return the tokens that are neither revoked nor expired, and whose accounts are active."""
    names = tuple(names)
    personal = Token.objects.filter(
        Q(expiry=None) | Q(expiry__gt=now), pk__in=_keys_of_kind(names, "own"), user__is_active=True
    )
    apps = AppToken.objects.filter(
        Q(expires_at=None) | Q(expires_at__gt=now), pk__in=_keys_of_kind(names, "app"), user__is_active=True
    )
    return {("own", key) for key in personal.values_list("pk", flat=True)} | {
        ("app", key) for key in apps.values_list("pk", flat=True)
    }


def _keys_of_kind(names: Iterable[TokenName], kind: str) -> list[Hashable]:
    return [key for token_kind, key in names if token_kind == kind]
