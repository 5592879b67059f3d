"""Strict reading of OAuth parameters: each only once and in its place, and redirect addresses exactly as registered."""

import re
from collections.abc import Iterable
from typing import Final

# A private function, so that the client is read exactly as allauth reads it, also with HTTP Basic.
from allauth.core.internal.httpkit import extract_basic_auth
from allauth.idp.oidc.models import Client
from django.http import HttpRequest, QueryDict

_FORM: Final = "application/x-www-form-urlencoded"
_REPEATABLE: Final = ("resource",)
"""RFC 8707 lets an app name several resources."""
_SECRETS: Final = {
    Client.GrantType.AUTHORIZATION_CODE: "code",
    Client.GrantType.REFRESH_TOKEN: "refresh_token",
}
"""The grants there are, and which parameter of each works only once."""
_LOOPBACK: Final = re.compile(r"\A(http://(?:127\.0\.0\.1|\[::1\]))(?::[0-9]{1,5})?(?=[/?]|\Z)")
"""Hosts of a program on its user's machine, which may listen on any free port (RFC 8252, 7.3)."""


class BadParameters(Exception):
    """A request is refused for its form, before anything that it says is looked at; its argument is OAuth's code."""


def check_consent_request(request: HttpRequest) -> None:
    """BadParameters unless a person's browser asks for the consent page, or sends its form, as it may."""
    if request.method == "POST" and request.GET:
        raise BadParameters("invalid_request")
    _check_repetition(request.GET)
    if request.method == "POST":
        _check_nul(request.POST)


def check_token_request(request: HttpRequest) -> None:
    """BadParameters unless an app sends a form, each parameter once, nothing beside it, and says who it is once."""
    if request.content_type != _FORM or request.GET:
        raise BadParameters("invalid_request")
    _check_repetition(request.POST)
    if _basic(request) and (request.POST.get("client_secret") or client_of(request) != _basic_client(request)):
        raise BadParameters("invalid_request")
    if "\0" in (client_of(request) or ""):
        raise BadParameters("invalid_request")


def grant_of(request: HttpRequest) -> tuple[str, str]:
    """Return which grant a checked form asks for, and the code or refresh token it shows for it. BadParameters."""
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
    """The id of the app that a form is from, as it says itself."""
    said = request.POST.get("client_id")
    return said or _basic_client(request)


def is_registered(uri: str, registered: Iterable[str]) -> bool:
    """Return whether a redirect address is one of those that were registered, letter by letter.

    Only of a program on its user's own machine the port may be another.
    """
    return any(_without_port(uri) == _without_port(each) for each in registered)


def _without_port(uri: str) -> str:
    return _LOOPBACK.sub(r"\1", uri)


def _check_repetition(said: QueryDict) -> None:
    """RFC 6749, 3.1 and 3.2: no parameter more than once."""
    if any(len(values) > 1 for name, values in said.lists() if name not in _REPEATABLE):
        raise BadParameters("invalid_request")
    _check_nul(said)


def _check_nul(said: QueryDict) -> None:
    """The database takes no NUL."""
    if any("\0" in value for _, values in said.lists() for value in values):
        raise BadParameters("invalid_request")


def _basic(request: HttpRequest) -> bool:
    return request.headers.get("Authorization", "").lower().startswith("basic")


def _basic_client(request: HttpRequest) -> str | None:
    client: str | None
    client, _ = extract_basic_auth(request.headers)
    return client
