"""Tokens that act for an account: making one, and knowing whose one is.

There are two kinds: personal ones (``darbar_…``), and those that a third-party app gets by OAuth 2 for the person
who agreed. Both are kept as hashes, and both are shown as ``Authorization: Bearer <token>``.
"""

import re
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
from config.database.rows import Shape, find

MOST: Final = 100
"""The maximum number of personal tokens of an account."""
_LAST_USE: Final = timedelta(hours=1)
"""The precision with which the last use of a token is noted, so that most requests write nothing."""
UNKNOWN: Final = object()
"""The answer for a token that is shown and is none."""
_SHAPE: Final = re.compile(rb"[\w-]+", re.ASCII)


@dataclass(frozen=True)
class AppAccess:
    """The access of a third-party app to the account of who agreed to it: ``request.auth`` where it acts."""

    token: AppToken
    scopes: tuple[str, ...]

    @property
    def grant(self) -> str:
        """The app and the person; the same for every token that came of one grant."""
        return f"{self.token.client_id}:{self.token.user_id}"


class TooManyTokens(Exception):
    """The account has as many tokens as it may have; one must go before another comes."""


def issue(account: Account, name: str, scopes: list[str], lifetime: timedelta | None = None) -> tuple[Token, str]:
    """A new token for ``account``: its row, and the text that is shown this once. No ``lifetime``: it never expires.

    TooManyTokens.
    """
    with transaction.atomic():
        Account.objects.select_for_update(no_key=True).only("pk").get(pk=account.pk)
        if Token.objects.filter(user=account).count() >= MOST:
            raise TooManyTokens
        made: tuple[Token, str] = Token.objects.create(account, expiry=lifetime, name=name, scopes=scopes)
        return made


class TokenAuthentication(KnoxAuthentication):  # type: ignore[misc]  # knox has no types
    """``Authorization: Bearer <token>``.

    A request that names no language of its own is answered in the account's. A bad token of any kind is
    refused with one sentence. Looking at a token changes nothing but, once in an hour, when it was last used.
    """

    def authenticate(self, request: Request | HttpRequest) -> tuple[Account, Token | AppAccess] | None:
        """Return the account and the token of a request, or None without a token. Raises AuthenticationFailed."""
        bare = request._request if isinstance(request, Request) else request
        if not hasattr(bare, "_token_acts_for"):
            bare._token_acts_for = self._authenticate_once(request)  # type: ignore[attr-defined]
        found = bare._token_acts_for  # type: ignore[attr-defined]
        if found is UNKNOWN:
            raise AuthenticationFailed(_("This token is not known, or no longer valid."))
        if found and "Accept-Language" not in request.headers:
            translation.activate(found[0].language)
        return found  # type: ignore[no-any-return]

    def _authenticate_once(self, request: Request | HttpRequest) -> Any:
        """Authenticate once for each request, and remember the result."""
        try:
            found = super().authenticate(request)
        except AuthenticationFailed:
            return UNKNOWN
        if found and isinstance(found[1], Token):
            _record_use(request, found[1], timezone.now())
        return found

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
    """Return the account that a personal token acts for. AuthenticationFailed for one that is unknown or has expired.

    knox would look at every token that begins alike, and delete those that have expired.
    """
    row = next(find(_FIND, {"digest": hash_token(text), "now": now}), None)
    if row is None:
        raise AuthenticationFailed
    token, account = _TOKENS.instance(row), _ACCOUNTS.instance(row[_TOKENS.width :])
    token.user = account
    return account, token


def _authenticate_app(text: str) -> tuple[Account, AppAccess]:
    """Return the account that an app's token acts for. AuthenticationFailed for one unknown, expired or revoked."""
    found = AppToken.objects.select_related("user").lookup(AppToken.Type.ACCESS_TOKEN, text)
    if found is None or found.user is None or found.client_id is None or not found.user.is_active:
        raise AuthenticationFailed
    return found.user, AppAccess(found, tuple(found.get_scopes()))


def _record_use(request: Request | HttpRequest, token: Token, now: datetime) -> None:
    if token.last_used_at is None or token.last_used_at < now - _LAST_USE:
        older = Q(last_used_at=None) | Q(last_used_at__lt=now - _LAST_USE)
        Token.objects.filter(older, pk=token.pk).update(last_used_at=now)
        bare = request._request if isinstance(request, Request) else request
        sightings.note_network(bare, token.user, now)
