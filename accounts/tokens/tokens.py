"""Tokens that act for an account: their creation, authentication and scopes, and repeated checks for long connections.

There are two kinds: personal tokens (``darbar_…``), and tokens that a third-party app gets by OAuth 2 for the person
who agreed. Both are stored as hashes, and both are sent as ``Authorization: Bearer <token>``.
"""

import re
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Final

from allauth.idp.oidc.models import Token as AppToken
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.db import models, transaction
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone, translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from knox.auth import TokenAuthentication as KnoxAuthentication
from knox.crypto import hash_token
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts import queries
from accounts.limits import security_log
from accounts.models import Account, Token
from config.core.database.rows import Shape, attach
from config.core.database.sql import find

# The maximum number of personal tokens of an account.
MOST: Final = 100
# The precision of a token's last use. Most requests need not write it.
_LAST_USE: Final = timedelta(hours=1)
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
        try:
            result = super().authenticate(request)
        except AuthenticationFailed:
            raise AuthenticationFailed(_("This token isn’t known, or no longer valid.")) from None
        if result and isinstance(result[1], Token):
            _record_use(request, result[1], timezone.now())
        if result and "Accept-Language" not in request.headers:
            translation.activate(result[0].language)
        return result  # type: ignore[no-any-return]

    def authenticate_credentials(self, token: bytes) -> tuple[Account, Token | AppAccess]:
        if not _SHAPE.fullmatch(token):
            raise AuthenticationFailed
        if not token.startswith(str(settings.REST_KNOX["TOKEN_PREFIX"]).encode()):
            return _authenticate_app(token.decode())
        return _authenticate_personal(token.decode(), timezone.now())


class OptionalTokenAuthentication(TokenAuthentication):
    """Authentication at public addresses, where an invalid token is as good as none."""

    def authenticate(self, request: Request | HttpRequest) -> tuple[Account, Token | AppAccess] | None:
        try:
            return super().authenticate(request)
        except AuthenticationFailed:
            return None


_TOKENS: Final = Shape.of(Token)
_ACCOUNTS: Final = Shape.of(Account)
_VALID_TOKEN: Final = queries.VALID_TOKEN.format(token=_TOKENS.columns("token"), account=_ACCOUNTS.columns("account"))


def _authenticate_personal(text: str, now: datetime) -> tuple[Account, Token]:
    """Return the account and row of a personal token. Raises AuthenticationFailed.

    knox's own method would load every token with the same prefix, and delete expired ones.
    """
    row = next(find(_VALID_TOKEN, {"digest": hash_token(text), "now": now}), None)
    if row is None:
        raise AuthenticationFailed
    token, account = _TOKENS.instance(row), _ACCOUNTS.instance(row[_TOKENS.width :])
    attach(token, "user", account)
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
        security_log.note_network(bare, token.user, now)


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


class Scope(models.TextChoices):
    """The scopes of tokens. A token has all of them unless its owner names fewer."""

    GAMES_READ = "games:read", _("see games and questions")
    GAMES_PLAY = "games:play", _("create, join and play games")
    CHAT = "chat", _("read and write the chat")
    ACCOUNT = "account", _("see and change the account and its tokens")
    WEBHOOKS = "webhooks", _("manage webhooks")


ALL: tuple[str, ...] = tuple(Scope.values)
# In the place of a scope: every token may call the method.
ANY_SCOPE: Final = "any"


if TYPE_CHECKING:
    from rest_framework.views import APIView


class InsufficientScope(PermissionDenied):
    """The token lacks a scope. The header ``WWW-Authenticate`` names it (RFC 6750)."""

    def __init__(self, scope: str) -> None:
        super().__init__(gettext("This token lacks the scope “%(scope)s”.") % {"scope": scope})
        self.auth_header = f'Bearer error="insufficient_scope", scope="{scope}"'


class HasScope(BasePermission):
    """Allows authenticated accounts whose token has the scope that the view requires.

    A view names the scope of each of its methods. HEAD requires the scope of GET::

        class Games(APIView):
            permission_classes = (HasScope,)
            required_scopes = {"GET": "games:read", "POST": "games:play"}

    A method without a scope raises ImproperlyConfigured, so nothing is public by mistake. A session without a token has
    every scope. A public view has ``permission_classes = (AllowAny,)`` instead.
    """

    def has_permission(self, request: Request, view: "APIView") -> bool:
        if not (request.user and request.user.is_authenticated):
            return False
        method = "GET" if request.method == "HEAD" else str(request.method)
        if method == "OPTIONS" or not _has_method(view, method):
            return True
        scope = _required(view, method)
        if scope != ANY_SCOPE and not has_scope(request, scope):
            raise InsufficientScope(scope)
        return True


def has_scope(request: Request, scope: str) -> bool:
    """Return True if the token of a request has a scope. A session without a token has every scope."""
    return scope in (ALL if request.auth is None else getattr(request.auth, "scopes", ()))


def _has_method(view: "APIView", method: str) -> bool:
    return method.lower() in view.http_method_names and hasattr(view, method.lower())


def _required(view: "APIView", method: str) -> str:
    scope: str = getattr(view, "required_scopes", {}).get(method, "")
    if scope not in (*ALL, ANY_SCOPE):
        raise ImproperlyConfigured(f"{type(view).__name__}.required_scopes names no known scope for {method}.")
    return scope
