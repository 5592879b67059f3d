"""Personal tokens and the tokens of third-party apps: their creation, authentication, scopes and end."""

import re
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qs, urlsplit

from allauth.idp.oidc.adapter import get_adapter
from allauth.idp.oidc.models import Client
from allauth.idp.oidc.models import Token as AppToken
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, ValidationError
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

from accounts import queries, security_log
from accounts.models import Account, SpentCode, Token
from accounts.names import skeleton, validate_no_contact
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
            raise AuthenticationFailed(_("This token is unknown or no longer valid.")) from None
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


# The number of apps that an account may register.
MOST_APPS: Final = 20
MOST_ADDRESSES: Final = 10
LONGEST_NAME: Final = 60
LONGEST_ADDRESS: Final = 500
_OUR_NAMES: Final = ("Darbar", "دربار", "داربار")
# Keys of the data of an app that registered itself.
_UNVERIFIED: Final = "unverified"
_USED: Final = "used"
# The time after which such an app is deleted if it has never got a token.
_UNUSED_APP_KEPT: Final = timedelta(hours=24)
_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")
# Parameters that we add to an app's address. The address must not have them itself.
_OURS: Final = frozenset(("code", "state", "error", "error_description", "error_uri", "iss"))


class TooManyApps(Exception):
    """The account has registered as many apps as it may."""


@dataclass(frozen=True)
class NewApp:
    """A new app."""

    name: str
    redirect_uris: Sequence[str]
    scopes: Sequence[str]
    # True for an app on a server, which can keep a secret. Other apps are protected by PKCE alone.
    confidential: bool = False
    # False for an app that registered itself.
    is_verified: bool = True


def register_app(new_app: NewApp, owner: Account | None) -> tuple[Client, str]:
    """Register an app. Return its row and its secret, which is shown only once (blank for a public app).

    An app without an owner belongs to the operator. Raises TooManyApps.
    """
    secret = get_adapter().generate_client_secret() if new_app.confidential else ""
    app = Client(
        name=new_app.name,
        owner=owner,
        type=Client.Type.CONFIDENTIAL if new_app.confidential else Client.Type.PUBLIC,
        secret="",
        data=None if new_app.is_verified else {_UNVERIFIED: True, _USED: False},
    )
    if secret:
        app.set_secret(secret)
    app.set_redirect_uris(list(new_app.redirect_uris))
    app.set_scopes(list(new_app.scopes))
    app.set_default_scopes(list(new_app.scopes))
    app.set_grant_types([Client.GrantType.AUTHORIZATION_CODE, Client.GrantType.REFRESH_TOKEN])
    with transaction.atomic():
        if owner is not None:
            Account.objects.select_for_update(no_key=True).only("pk").get(pk=owner.pk)
            if Client.objects.filter(owner=owner).count() >= MOST_APPS:
                raise TooManyApps
        app.save(force_insert=True)
    return app, secret


def validate_app_name(name: str) -> None:
    """Raise ValidationError if a name is invisible, contains a link, or could be mistaken for ours."""
    if not name.isprintable() or not any(character.isalnum() for character in name):
        raise ValidationError(_("A name needs visible letters."), code="app-name")
    validate_no_contact(name)
    if any(skeleton(ours) in skeleton(name) for ours in _OUR_NAMES):
        raise ValidationError(_("Choose a name without “Darbar”."), code="app-name")


def is_name_of_operator(name: str) -> bool:
    """Return True if a name looks like that of an app that the operator registered."""
    registered = Client.objects.filter(owner=None, data__isnull=True).values_list("name", flat=True)
    return skeleton(name) in map(skeleton, registered)


def is_verified_app(app: Client) -> bool:
    """Return False for an app that registered itself."""
    return not (app.data or {}).get(_UNVERIFIED)


def note_app_use(app: str) -> None:
    """Record that an app that registered itself has got a token, so that its registration is kept."""
    Client.objects.filter(pk=app, data__used=False).update(data={_UNVERIFIED: True, _USED: True})


def delete_unused_apps(now: datetime) -> int:
    """Delete the apps that registered themselves and never got a token. Return their number."""
    deleted: int
    deleted, _ = Client.objects.filter(data__used=False, created_at__lt=now - _UNUSED_APP_KEPT).delete()
    return deleted


def validate_redirect_uri(uri: str) -> None:
    """Raise ValidationError for an address to which codes must not be sent.

    Allowed are https, http on the app's own machine with any port (RFC 8252), and an app's own schemes, which contain a
    dot.
    """
    if not _is_redirect_uri(uri):
        sentence = _(
            "Write an address such as https://bot.example/back, http://127.0.0.1/back or com.example.bot:/back, "
            "without a fragment, a user name or an asterisk, and without a parameter that Darbar adds (code, state, "
            "error, iss)."
        )
        raise ValidationError(sentence, code="redirect-uri")


def _is_redirect_uri(uri: str) -> bool:
    try:
        parts = urlsplit(uri)
        parts.port  # noqa: B018 - a port that is no number is told by reading it
    except ValueError:
        return False
    if not _OURS.isdisjoint(parse_qs(parts.query, keep_blank_values=True)):
        return False
    plain = uri.isascii() and uri.isprintable() and not any(mark in uri for mark in " *#\\\"'<>;,")
    if not plain or parts.username is not None or parts.password is not None:
        return False
    match parts.scheme:
        case "https":
            return bool(parts.hostname)
        case "http":
            return parts.hostname in _LOOPBACK
    return "." in parts.scheme and not parts.netloc and parts.path.startswith("/")


# The number of access tokens, and of refresh tokens, that an app may have for a person. The oldest are deleted.
MOST_TOKENS: Final = 50


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


def revoke_app(account: int, app: str) -> bool:
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
        AppToken.objects.filter(pk__in=list(newest[MOST_TOKENS:])).delete()


def is_replayed(secret: str) -> bool:
    """Return True if a code or refresh token was used before. Then it may be stolen, and its grant ends (RFC 9700)."""
    spent = SpentCode.objects.filter(digest=digest_of(secret)).first()
    if spent is None:
        return False
    revoke_app(spent.account_id, spent.client)
    return True


def digest_of(secret: str) -> str:
    """Return the hash of a secret, which is stored instead of the secret."""
    return sha256(secret.encode()).hexdigest()


def delete_expired_app_tokens(before: datetime) -> int:
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
