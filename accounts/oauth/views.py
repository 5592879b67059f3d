"""The endpoints of OAuth 2: consent, tokens, revocation, metadata. allauth implements the protocol.

These views are stricter than the protocol requires. PKCE with S256 is required of all apps, not only of public ones.
With locks and a list of used codes and refresh tokens, only one of two concurrent requests succeeds, and a second use
ends the grant. A code that was once sent with a wrong secret becomes invalid. Parameters are validated strictly: each
occurs once and in its place, and redirect addresses match exactly. Answers name the issuer (RFC 9207). The cache holds
a hash of the code instead of the code.
"""

import json
import re
from collections.abc import Iterable
from typing import Any, ClassVar, Final
from urllib.parse import parse_qs, urlsplit

# Private functions, so that we add parameters to addresses and read the client as allauth itself does. They are needed
# to send an app back with an error or issuer, and to authenticate it with HTTP Basic.
from allauth.core.internal.httpkit import add_query_params, extract_basic_auth
from allauth.idp.oidc import app_settings
from allauth.idp.oidc.adapter import get_adapter

# Private, because allauth has no public way to invalidate a code. A code that was sent with a wrong secret must end.
from allauth.idp.oidc.internal.oauthlib import authorization_codes

# Private: allauth's page for errors that are not sent to the app. Without it a wrong redirect address is a 500.
from allauth.idp.oidc.internal.oauthlib.utils import respond_html_error
from allauth.idp.oidc.models import Client
from allauth.idp.oidc.models import Token as AppToken
from allauth.idp.oidc.views import AuthorizationView, RevokeView, TokenView
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.cache import cache
from django.core.exceptions import BadRequest, ValidationError
from django.db import transaction
from django.forms import Form
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from oauthlib.oauth2.rfc6749.errors import MismatchingRedirectURIError

from accounts import security_log, tokens
from accounts.tokens import ALL
from config.core.database.sql import lock

# A SHA-256 hash as PKCE writes it.
_CHALLENGE: Final = re.compile(r"[A-Za-z0-9_-]{43}")
_POLICY: Final = (
    "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; frame-ancestors 'none'; "
    "form-action 'self' {app}"
)


class Consent(AuthorizationView):  # type: ignore[misc]  # allauth has no types
    """The page on which a person grants or refuses an app access."""

    template_name = "accounts/consent.html"
    http_method_names: ClassVar = ["get", "head", "post"]

    def dispatch(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        """Return the page, or the redirect back to the app."""
        try:
            check_consent_request(request)
            response = super().dispatch(request, *args, **kwargs)
        except (BadParameters, ValueError, ValidationError):
            raise BadRequest from None
        if response.status_code == 302:
            return _with_issuer(response)
        if isinstance(response, TemplateResponse):
            app = _policy_source(self._request_info["redirect_uri"])
            response.headers["Content-Security-Policy"] = _POLICY.format(app=app)
        elif response.status_code == 200:
            response.status_code = 400  # allauth's page with the error
        response.headers["Cache-Control"] = "no-store"
        return response

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return the page. Errors are sent to the app's redirect address, if that address is registered."""
        if not _is_registered_address(request.GET.get("client_id"), request.GET.get("redirect_uri", "")):
            refusal: HttpResponse = respond_html_error(request, error=MismatchingRedirectURIError())
            return refusal
        response: HttpResponse = super().get(request, *args, **kwargs)
        if not isinstance(response, TemplateResponse) or _has_challenge(self._request_info):
            return response
        parameters = self._request_info
        error = {"error": "invalid_request", "error_description": "PKCE with S256 is required."}
        state = {"state": parameters["state"]} if parameters.get("state") else {}
        back = HttpResponse(status=302)
        back.headers["Location"] = add_query_params(parameters["redirect_uri"], {**error, **state})
        return back

    def form_valid(self, form: Form) -> HttpResponse:
        """Redirect the person to the app with a code. Only a hash of the code is stored."""
        with transaction.atomic():
            response: HttpResponse = super().form_valid(form)
            code = parse_qs(urlsplit(response.headers.get("Location", "")).query).get("code")
            if code:
                security_log.record("app-allowed", self.request, self.request.user, app=self._request_info["client_id"])
                _keep_hash_only(self._request_info["client_id"], code[-1])  # the last is ours
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context = super().get_context_data(**kwargs)
        back = urlsplit(self._request_info["redirect_uri"])
        app = Client.objects.get(id=self._request_info["client_id"])
        return {**context, "goes_to": back.hostname or back.scheme, "is_verified": tokens.is_verified_app(app)}

    def _login_required(self, request: HttpRequest) -> HttpResponse | None:
        """Require a log-in. OpenID Connect's parameter ``prompt`` is ignored."""
        return None if request.user.is_authenticated else redirect_to_login(request.get_full_path())


class Tokens(TokenView):  # type: ignore[misc]  # allauth has no types
    """The endpoint that returns tokens for a code or a refresh token."""

    def post(self, request: HttpRequest) -> HttpResponse:
        """Return tokens, or an error (RFC 6749, 5.2)."""
        try:
            check_token_request(request)
            grant, secret = grant_of(request)
        except BadParameters as error:
            return _error(str(error))
        with transaction.atomic():
            lock("oauth" + secret)
            if tokens.is_replayed(secret):
                security_log.record_refusal("app-code-replayed", request)
                return _error("invalid_grant")
            response = self._answer(request)
            if response.status_code == 200:
                issued = AppToken.objects.by_value(json.loads(response.content)["access_token"]).get()
                tokens.mark_spent(secret, issued, timezone.now())
                tokens.note_app_use(issued.client_id)
                tokens.delete_surplus(issued)
            elif grant == Client.GrantType.AUTHORIZATION_CODE:
                authorization_codes.invalidate(client_of(request) or "", secret)
        return response

    def _answer(self, request: HttpRequest) -> HttpResponse:
        """Return allauth's response. Its exceptions become responses too."""
        try:
            answer: HttpResponse = super().post(request)
        except ValidationError:
            return _error("invalid_target")
        except ValueError:
            return _error("invalid_request")
        return answer


class Revocation(RevokeView):  # type: ignore[misc]  # allauth has no types
    """The endpoint that revokes a token (RFC 7009). A refresh token revokes its whole grant."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Return 200, also for an unknown token."""
        try:
            check_token_request(request)
        except BadParameters as error:
            return _error(str(error))
        token = AppToken.objects.by_value(request.POST.get("token", "")).first()
        if token is not None and token.client_id != client_of(request):
            return _error("invalid_client", 401)
        with transaction.atomic():
            response: HttpResponse = super().post(request, *args, **kwargs)
            if token is not None and response.status_code == 200 and token.type == AppToken.Type.REFRESH_TOKEN:
                tokens.revoke_app(token.user_id, token.client_id)
        return response


@require_safe
@never_cache
def metadata(request: HttpRequest) -> JsonResponse:
    """Return the metadata of this authorization server (RFC 8414)."""

    def url_of(name: str) -> str:
        return f"{settings.PUBLIC_URL}{reverse(name)}"

    methods = list(app_settings.AUTH_METHODS)
    return JsonResponse(
        {
            "issuer": get_adapter().get_issuer(),
            "authorization_endpoint": url_of("idp:oidc:authorization"),
            "token_endpoint": url_of("idp:oidc:token"),
            "revocation_endpoint": url_of("idp:oidc:revoke"),
            **({"registration_endpoint": url_of("idp:oidc:register")} if settings.APPS_REGISTER_THEMSELVES else {}),
            "scopes_supported": list(ALL),
            "response_types_supported": [Client.ResponseType.CODE],
            "response_modes_supported": ["query"],
            "grant_types_supported": [Client.GrantType.AUTHORIZATION_CODE, Client.GrantType.REFRESH_TOKEN],
            "token_endpoint_auth_methods_supported": methods,
            "revocation_endpoint_auth_methods_supported": methods,
            "code_challenge_methods_supported": ["S256"],
            "authorization_response_iss_parameter_supported": True,
            "service_documentation": url_of("docs"),
            "ui_locales_supported": [code for code, _ in settings.LANGUAGES],
        }
    )


def _is_registered_address(client: str | None, redirect_uri: str) -> bool:
    """Return whether an address is registered for this app. For an unknown app, allauth returns the error."""
    app = Client.objects.filter(id=client).first()
    return app is None or is_registered(redirect_uri, app.get_redirect_uris())


def _has_challenge(parameters: dict[str, Any]) -> bool:
    hashed = parameters.get("code_challenge_method") == "S256"
    return hashed and _CHALLENGE.fullmatch(parameters.get("code_challenge") or "") is not None


def _with_issuer(response: HttpResponse) -> HttpResponse:
    """Add the issuer to a redirect, so that the app can tell our answers from those of other servers (RFC 9207)."""
    location = response.headers["Location"]
    if not location.startswith("/"):
        response.headers["Location"] = add_query_params(location, {"iss": get_adapter().get_issuer()})
    response.headers["Referrer-Policy"] = "no-referrer"
    response.headers["Cache-Control"] = "no-store"
    return response


def _policy_source(redirect_uri: str) -> str:
    """Return an app's address as a source of a content security policy. Browsers check a form's last redirect."""
    parts = urlsplit(redirect_uri)
    return f"{parts.scheme}://{parts.netloc}" if parts.scheme in ("http", "https") else f"{parts.scheme}:"


def _keep_hash_only(client: str, code: str) -> None:
    key = authorization_codes.cache_key(client, code)
    entry = cache.get(key)
    entry["code"] = {name: value for name, value in entry["code"].items() if name != "code"}
    cache.set(key, entry, app_settings.AUTHORIZATION_CODE_EXPIRES_IN)


def _error(code: str, status: int = 400) -> JsonResponse:
    return JsonResponse({"error": code}, status=status, headers={"Cache-Control": "no-store"})


# A private function, so that the client is read exactly as allauth reads it, also with HTTP Basic.

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
