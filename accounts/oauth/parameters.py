"""Strict validation of OAuth parameters: each occurs once and in its place, and redirect addresses match exactly."""

import re
from collections.abc import Iterable
from typing import Final

# A private function, so that the client is read exactly as allauth reads it, also with HTTP Basic.
from allauth.core.internal.httpkit import extract_basic_auth
from allauth.idp.oidc.models import Client
from django.http import HttpRequest, QueryDict

_FORM: Final = "application/x-www-form-urlencoded"
# An app may name several resources (RFC 8707).
_REPEATABLE: Final = ("resource",)
# The supported grant types, and the parameter of each that works only once.
_SECRETS: Final = {
    Client.GrantType.AUTHORIZATION_CODE: "code",
    Client.GrantType.REFRESH_TOKEN: "refresh_token",
}
# Hosts of a program on its user's own machine, which may listen on any free port (RFC 8252, 7.3).
_LOOPBACK: Final = re.compile(r"\A(http://(?:127\.0\.0\.1|\[::1\]))(?::[0-9]{1,5})?(?=[/?]|\Z)")


class BadParameters(Exception):
    """A request with malformed parameters. The argument is the error code of OAuth."""


def check_consent_request(request: HttpRequest) -> None:
    """Raise BadParameters unless the parameters of a request for the consent page are well-formed."""
    if request.method == "POST" and request.GET:
        raise BadParameters("invalid_request")
    _check_repetition(request.GET)
    if request.method == "POST":
        _check_nul(request.POST)


def check_token_request(request: HttpRequest) -> None:
    """Raise BadParameters unless an app sends a form, each parameter once, and authenticates in one way only."""
    if request.content_type != _FORM or request.GET:
        raise BadParameters("invalid_request")
    _check_repetition(request.POST)
    if _basic(request) and (request.POST.get("client_secret") or client_of(request) != _basic_client(request)):
        raise BadParameters("invalid_request")
    if "\0" in (client_of(request) or ""):
        raise BadParameters("invalid_request")


def grant_of(request: HttpRequest) -> tuple[str, str]:
    """Return the grant type of a checked form, and its code or refresh token. Raises BadParameters."""
    grant = request.POST.get("grant_type", "")
    if not grant:
        raise BadParameters("invalid_request")
    if grant not in _SECRETS:
        raise BadParameters("unsupported_grant_type")
    secret = request.POST.get(_SECRETS[Client.GrantType(grant)], "")
    if not secret:
        raise BadParameters("invalid_request")
    return grant, secret


def client_of(request: HttpRequest) -> str | None:
    """Return the client id of a form, as the app claims it."""
    client_id = request.POST.get("client_id")
    return client_id or _basic_client(request)


def is_registered(uri: str, registered: Iterable[str]) -> bool:
    """Return True if a redirect address is registered, character by character.

    Only the port may differ, and only for a program on its user's own machine.
    """
    return any(_without_port(uri) == _without_port(address) for address in registered)


def _without_port(uri: str) -> str:
    return _LOOPBACK.sub(r"\1", uri)


def _check_repetition(parameters: QueryDict) -> None:
    """Refuse repeated parameters (RFC 6749, 3.1 and 3.2)."""
    if any(len(values) > 1 for name, values in parameters.lists() if name not in _REPEATABLE):
        raise BadParameters("invalid_request")
    _check_nul(parameters)


def _check_nul(parameters: QueryDict) -> None:
    """Refuse NUL characters, which PostgreSQL does not store."""
    if any("\0" in value for _, values in parameters.lists() for value in values):
        raise BadParameters("invalid_request")


def _basic(request: HttpRequest) -> bool:
    return request.headers.get("Authorization", "").lower().startswith("basic")


def _basic_client(request: HttpRequest) -> str | None:
    client: str | None
    client, _ = extract_basic_auth(request.headers)
    return client
