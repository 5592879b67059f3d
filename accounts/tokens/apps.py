"""Third-party apps: their registration, and the validation of their names and addresses."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qs, urlsplit

from allauth.idp.oidc.adapter import get_adapter
from allauth.idp.oidc.models import Client
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import Account
from accounts.profile.names import skeleton, validate_no_contact

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
