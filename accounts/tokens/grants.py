"""The access that people gave to third-party apps, and its end.

A grant consists of all the tokens that an app has for a person. All of them follow from that person's consent.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from typing import Final

from allauth.idp.oidc.models import Client
from allauth.idp.oidc.models import Token as AppToken
from django.db import transaction

from accounts.models import Account, SpentCode, Token
from accounts.tokens.scopes import ALL

# The number of access tokens, and of refresh tokens, that an app may have for a person. The oldest are deleted.
MOST: Final = 50


@dataclass(frozen=True)
class Grant:
    """The access of one app to one person's account."""

    app: Client
    scopes: tuple[str, ...]
    # The time at which the app last got a token.
    renewed_at: datetime
    # The time at which the grant ends, unless the app renews it before.
    expires_at: datetime | None


def grants_of(account: Account, now: datetime) -> list[Grant]:
    """Return the valid grants of this account, ordered by the names of the apps."""
    valid = AppToken.objects.filter(user=account, client__isnull=False, expires_at__gt=now)
    tokens = valid.select_related("client", "client__owner").order_by("client__name", "client_id")
    return [_grant(tuple(app_tokens)) for _, app_tokens in groupby(tokens, attrgetter("client_id"))]


def _grant(tokens: tuple[AppToken, ...]) -> Grant:
    allowed = sort_scopes(scope for token in tokens for scope in token.get_scopes())
    return Grant(
        app=tokens[0].client,
        scopes=tuple(allowed),
        renewed_at=max(token.created_at for token in tokens),
        expires_at=max(token.expires_at for token in tokens if token.expires_at),
    )


def revoke(account: int, app: str) -> bool:
    """Revoke all tokens that an app has for an account. Return True if there were any."""
    deleted, _ = AppToken.objects.filter(user=account, client=app).delete()
    return bool(deleted)


def revoke_all(account: Account) -> None:
    """Revoke all access of programs to this account: its personal tokens, and the access of apps."""
    Token.objects.filter(user=account).delete()
    revoke_apps(account)


def revoke_apps(account: Account) -> None:
    """Revoke the access of all third-party apps to this account."""
    AppToken.objects.filter(user=account).delete()


def mark_spent(secret: str, issued: AppToken, now: datetime) -> None:
    """Record the use of a code or refresh token, so that a second use is recognised."""
    SpentCode.objects.create(digest=digest_of(secret), account_id=issued.user_id, client=issued.client_id, spent_at=now)


def delete_surplus(issued: AppToken) -> None:
    """Delete the oldest tokens of a grant beyond the limit, after another one was issued."""
    same = AppToken.objects.filter(user=issued.user_id, client=issued.client_id)
    for kind in (AppToken.Type.ACCESS_TOKEN, AppToken.Type.REFRESH_TOKEN):
        newest = same.filter(type=kind).order_by("-created_at", "-pk").values_list("pk", flat=True)
        AppToken.objects.filter(pk__in=list(newest[MOST:])).delete()


def is_replayed(secret: str) -> bool:
    """Return True if a code or refresh token was used before. Then it may be stolen, and its grant ends (RFC 9700)."""
    spent = SpentCode.objects.filter(digest=digest_of(secret)).first()
    if spent is None:
        return False
    revoke(spent.account_id, spent.client)
    return True


def digest_of(secret: str) -> str:
    """Return the hash of a secret, which is stored instead of the secret."""
    return sha256(secret.encode()).hexdigest()


def delete_expired(before: datetime) -> int:
    """Delete used codes and expired tokens from before this time. Return the number of rows."""
    with transaction.atomic():
        spent, _ = SpentCode.objects.filter(spent_at__lt=before).delete()
        expired: int
        expired, _ = AppToken.objects.filter(expires_at__lt=before).delete()
    return spent + expired


def sort_scopes(scopes: Iterable[str]) -> list[str]:
    """Return distinct scopes in their usual order."""
    names = set(scopes)
    return [scope for scope in ALL if scope in names]
