"""Tokens that act for an account: their creation, their authentication, and repeated checks for long connections.

There are two kinds: personal tokens (``darbar_…``), and tokens that a third-party app gets by OAuth 2 for the person
who agreed. Both are stored as hashes, and both are sent as ``Authorization: Bearer <token>``.
"""

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from allauth.idp.oidc.models import Token as AppToken
from django.conf import settings
from django.db import transaction
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _
from knox.auth import TokenAuthentication as KnoxAuthentication
from knox.crypto import hash_token
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.limits import sightings
from accounts.models import Account, Token
from config.core.database.rows import Shape, find

# The maximum number of personal tokens of an account.
MOST: Final = 100
# The precision of a token's last use. Most requests need not write it.
_LAST_USE: Final = timedelta(hours=1)
# The result for an invalid token.
UNKNOWN: Final = object()
_SHAPE: Final = re.compile(rb"[\w-]+", re.ASCII)


@dataclass(frozen=True)
class AppAccess:
    """The access of a third-party app to an account: ``request.auth`` of the app's requests."""

    token: AppToken
    scopes: tuple[str, ...]

    @property
    def grant(self) -> str:
        """Return the app and the account, which are the same for all tokens of a grant."""
        return f"{self.token.client_id}:{self.token.user_id}"


class TooManyTokens(Exception):
    """The account has reached the limit of tokens."""


def issue(account: Account, name: str, scopes: list[str], lifetime: timedelta | None = None) -> tuple[Token, str]:
    """Create a token for ``account``. Return its row, and its text, which is shown only once.

    Without ``lifetime`` it never expires. Raises TooManyTokens.
    """
    with transaction.atomic():
        Account.objects.select_for_update(no_key=True).only("pk").get(pk=account.pk)
        if Token.objects.filter(user=account).count() >= MOST:
            raise TooManyTokens
        pair: tuple[Token, str] = Token.objects.create(account, expiry=lifetime, name=name, scopes=scopes)
        return pair


class TokenAuthentication(KnoxAuthentication):  # type: ignore[misc]  # knox has no types
    """Authentication by ``Authorization: Bearer <token>``.

    A request without ``Accept-Language`` is answered in the account's language. All invalid tokens get the same
    sentence. Checking a token writes only the time of its last use, once an hour.
    """

    def authenticate(self, request: Request | HttpRequest) -> tuple[Account, Token | AppAccess] | None:
        """Return the account and the token of a request, or None without a token. Raises AuthenticationFailed."""
        bare = request._request if isinstance(request, Request) else request
        if not hasattr(bare, "_token_acts_for"):
            bare._token_acts_for = self._authenticate_once(request)  # type: ignore[attr-defined]
        result = bare._token_acts_for  # type: ignore[attr-defined]
        if result is UNKNOWN:
            raise AuthenticationFailed(_("This token is not known, or no longer valid."))
        if result and "Accept-Language" not in request.headers:
            translation.activate(result[0].language)
        return result  # type: ignore[no-any-return]

    def _authenticate_once(self, request: Request | HttpRequest) -> Any:
        """Return the result of the authentication, or UNKNOWN, and record the use of a personal token."""
        try:
            result = super().authenticate(request)
        except AuthenticationFailed:
            return UNKNOWN
        if result and isinstance(result[1], Token):
            _record_use(request, result[1], timezone.now())
        return result

    def authenticate_credentials(self, token: bytes) -> tuple[Account, Token | AppAccess]:
        if not _SHAPE.fullmatch(token):
            raise AuthenticationFailed
        if not token.startswith(str(settings.REST_KNOX["TOKEN_PREFIX"]).encode()):
            return _authenticate_app(token.decode())
        return _authenticate_personal(token.decode(), timezone.now())


_TOKENS: Final = Shape(Token)
_ACCOUNTS: Final = Shape(Account)
# A personal token that is valid now, and its account.
_FIND: Final = f"""
    SELECT {_TOKENS.columns("token")}, {_ACCOUNTS.columns("account")}
    FROM accounts_token AS token JOIN accounts_account AS account ON account.id = token.user_id
    WHERE token.digest = %(digest)s AND account.is_active AND (token.expiry IS NULL OR token.expiry >= %(now)s)
"""


def _authenticate_personal(text: str, now: datetime) -> tuple[Account, Token]:
    """Return the account and row of a personal token. Raises AuthenticationFailed.

    knox's own method would load every token with the same prefix, and delete expired ones.
    """
    row = next(find(_FIND, {"digest": hash_token(text), "now": now}), None)
    if row is None:
        raise AuthenticationFailed
    token, account = _TOKENS.instance(row), _ACCOUNTS.instance(row[_TOKENS.width :])
    token.user = account
    return account, token


def _authenticate_app(text: str) -> tuple[Account, AppAccess]:
    """Return the account and access of an app's token. Raises AuthenticationFailed."""
    token = AppToken.objects.select_related("user").lookup(AppToken.Type.ACCESS_TOKEN, text)
    if token is None or token.user is None or token.client_id is None or not token.user.is_active:
        raise AuthenticationFailed
    return token.user, AppAccess(token, tuple(token.get_scopes()))


def _record_use(request: Request | HttpRequest, token: Token, now: datetime) -> None:
    if token.last_used_at is None or token.last_used_at < now - _LAST_USE:
        older = Q(last_used_at=None) | Q(last_used_at__lt=now - _LAST_USE)
        Token.objects.filter(older, pk=token.pk).update(last_used_at=now)
        bare = request._request if isinstance(request, Request) else request
        sightings.note_network(bare, token.user, now)


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
