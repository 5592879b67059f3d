"""Apps that register themselves (RFC 7591), where the operator allows it (``APPS_REGISTER_THEMSELVES``).

Anyone may call this without a log-in, so such an app gets less than one that a player registers: no secret, scopes
that play only, and addresses on https or the own machine only. The consent page calls it unverified.
"""

from typing import Any, Final

import msgspec
from allauth.idp.oidc.models import Client
from django.conf import settings
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from accounts import names, security_log, tokens
from accounts.rate_limits import TooManyAttempts, app_registration, count_attempt
from accounts.tokens import Scope

SCOPES: Final = (Scope.GAMES_READ, Scope.GAMES_PLAY, Scope.CHAT)
"""The scopes of such an app. It can change neither the account nor its webhooks."""
_LONGEST_BODY: Final = 8 * 1024
_GRANT_TYPES: Final = [Client.GrantType.AUTHORIZATION_CODE, Client.GrantType.REFRESH_TOKEN]
_RESPONSE_TYPES: Final = [Client.ResponseType.CODE]


class _Metadata(msgspec.Struct):
    """The metadata of an app. Other members are ignored, as RFC 7591 asks."""

    redirect_uris: list[str]
    client_name: str
    scope: str = " ".join(SCOPES)
    token_endpoint_auth_method: str = "none"
    grant_types: list[str] = msgspec.field(default_factory=lambda: list(_GRANT_TYPES))
    response_types: list[str] = msgspec.field(default_factory=lambda: list(_RESPONSE_TYPES))
    client_secret: Any = None


class BadMetadata(Exception):
    """The metadata of an app is refused. ``code`` is the error of RFC 7591, 3.2.2."""

    def __init__(self, description: str, code: str = "invalid_client_metadata") -> None:
        super().__init__(description)
        self.code = code


@csrf_exempt
@require_POST
def register(request: HttpRequest) -> JsonResponse:
    """Register an app. Return its registration, or an error (RFC 7591, 3.2)."""
    if not settings.APPS_REGISTER_THEMSELVES:
        raise Http404
    try:
        new_app = read_metadata(request)
        count_attempt(app_registration(request))
    except BadMetadata as error:
        return _response({"error": error.code, "error_description": str(error)}, 400)
    except TooManyAttempts as error:
        description = f"Too many apps were registered. Try again in {error.wait} seconds."
        response = _response({"error": "temporarily_unavailable", "error_description": description}, 429)
        response.headers["Retry-After"] = str(error.wait)
        return response
    app, _ = tokens.register_app(new_app, None)
    security_log.record("app-registered", request, app=app.id)
    return _response(_registration(app), 201)


def read_metadata(request: HttpRequest) -> tokens.NewApp:
    """Return the app that a request describes. Raises BadMetadata."""
    if request.content_type != "application/json" or len(request.body) > _LONGEST_BODY:
        raise BadMetadata(f"Send a JSON object of at most {_LONGEST_BODY} bytes as application/json.")
    try:
        metadata = msgspec.json.decode(request.body, type=_Metadata)
    except (msgspec.MsgspecError, RecursionError, UnicodeDecodeError) as error:
        raise BadMetadata(str(error).encode("ascii", "replace").decode()) from None
    if metadata.token_endpoint_auth_method != "none" or metadata.client_secret is not None:
        raise BadMetadata("An app that registers itself has no secret: token_endpoint_auth_method is none.")
    if Client.GrantType.AUTHORIZATION_CODE not in metadata.grant_types or set(metadata.grant_types) - {*_GRANT_TYPES}:
        raise BadMetadata("grant_types are authorization_code and refresh_token.")
    if metadata.response_types != _RESPONSE_TYPES:
        raise BadMetadata("response_types is code.")
    scopes = metadata.scope.split()
    if not scopes or set(scopes) - {*SCOPES}:
        raise BadMetadata(f"scope is one or more of {', '.join(SCOPES)}.")
    _check_addresses(metadata.redirect_uris)
    name = names.tidy(metadata.client_name)
    _check_name(name)
    return tokens.NewApp(name, metadata.redirect_uris, tokens.sort_scopes(scopes), is_verified=False)


def _check_addresses(addresses: list[str]) -> None:
    sentence = (
        f"redirect_uris are 1 to {tokens.MOST_ADDRESSES} addresses of https, or of http on 127.0.0.1, [::1] or "
        "localhost, without a fragment, a star, a user name, or a parameter that the server adds (code, state, iss)."
    )
    try:
        for address in addresses:
            tokens.validate_redirect_uri(address)
    except ValidationError:
        raise BadMetadata(sentence, "invalid_redirect_uri") from None
    are_web = all(address.startswith(("https://", "http://")) for address in addresses)
    longest = max(map(len, addresses), default=0)
    if not 0 < len(addresses) <= tokens.MOST_ADDRESSES or longest > tokens.LONGEST_ADDRESS or not are_web:
        raise BadMetadata(sentence, "invalid_redirect_uri")


def _check_name(name: str) -> None:
    """Raise BadMetadata for a name that no player may have, or that looks like the operator's app or ours."""
    try:
        names.validate_name(name)
        tokens.validate_app_name(name)
    except ValidationError:
        raise BadMetadata(
            "client_name follows the rule for names of players: letters that can be seen, at most "
            f"{names.LONGEST} characters, no link, no word of the notation, and nothing like the server's own name."
        ) from None
    if tokens.is_name_of_operator(name):
        raise BadMetadata("client_name looks like the name of an app of this server's operator.")


def _registration(app: Client) -> dict[str, Any]:
    return {
        "client_id": app.id,
        "client_id_issued_at": int(app.created_at.timestamp()),
        "client_name": app.name,
        "redirect_uris": app.get_redirect_uris(),
        "scope": " ".join(app.get_scopes()),
        "token_endpoint_auth_method": "none",
        "grant_types": app.get_grant_types(),
        "response_types": list(_RESPONSE_TYPES),
    }


def _response(body: dict[str, Any], status: int) -> JsonResponse:
    return JsonResponse(body, status=status, headers={"Cache-Control": "no-store"})
