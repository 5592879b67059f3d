"""Third-party apps: their registration, and the access that people gave to them.

A grant consists of all the tokens that an app has for a person. All of them follow from that person's consent.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from itertools import groupby
from operator import attrgetter
from typing import Final
from urllib.parse import parse_qs, urlsplit

from allauth.idp.oidc.adapter import get_adapter
from allauth.idp.oidc.models import Client
from allauth.idp.oidc.models import Token as AppToken
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import Account, SpentCode, Token
from accounts.profile.names import skeleton, validate_no_contact
from accounts.tokens.tokens import ALL

# The number of apps that an account may register.
MOST: Final = 20
MOST_ADDRESSES: Final = 10
LONGEST_NAME: Final = 60
LONGEST_ADDRESS: Final = 500
_OUR_NAMES: Final = ("Darbar", "دربار", "داربار")
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


def register(new_app: NewApp, owner: Account | None) -> tuple[Client, str]:
    """Register an app. Return its row and its secret, which is shown only once (blank for a public app).

    An app without an owner belongs to the operator. Raises TooManyApps.
    """
    secret = get_adapter().generate_client_secret() if new_app.confidential else ""
    app = Client(
        name=new_app.name,
        owner=owner,
        type=Client.Type.CONFIDENTIAL if new_app.confidential else Client.Type.PUBLIC,
        secret="",
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
            if Client.objects.filter(owner=owner).count() >= MOST:
                raise TooManyApps
        app.save(force_insert=True)
    return app, secret


def validate_app_name(name: str) -> None:
    """Raise ValidationError if a name is invisible, contains a link, or could be mistaken for ours."""
    if not name.isprintable() or not any(character.isalnum() for character in name):
        raise ValidationError(_("A name needs letters that can be seen."), code="app-name")
    validate_no_contact(name)
    if any(skeleton(ours) in skeleton(name) for ours in _OUR_NAMES):
        raise ValidationError(_("Choose a name without “Darbar”."), code="app-name")


def validate_redirect_uri(uri: str) -> None:
    """Raise ValidationError for an address to which codes must not be sent.

    Allowed are https, http on the app's own machine with any port (RFC 8252), and an app's own schemes, which contain a
    dot.
    """
    if not _is_redirect_uri(uri):
        sentence = _(
            "Write an address such as https://bot.example/back, http://127.0.0.1/back or com.example.bot:/back: "
            "without a fragment, a name or a star, and without a parameter that Darbar adds (code, state, error, iss)."
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
        AppToken.objects.filter(pk__in=list(newest[MOST_TOKENS:])).delete()


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
