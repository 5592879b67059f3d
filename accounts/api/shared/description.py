"""Problems, examples and responses of accounts and tokens, for their views and the API's description."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.core.exceptions import ValidationError as DjangoValidationError
from django.utils.translation import gettext_lazy as _
from django.utils.translation import override
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample, OpenApiResponse
from rest_framework import status
from rest_framework.exceptions import APIException, ErrorDetail, PermissionDenied, ValidationError

from accounts import blocks, tokens
from accounts.authentication import flows
from accounts.authentication.sign_up import SignUpClosed, WrongCode, closed_message
from accounts.local_times import in_digits
from accounts.rate_limits import RateLimitExceeded, TooManyAttempts
from accounts.second_factors import WrongFactor
from accounts.tokens import ANY_SCOPE, Scope, TokenAuthentication
from accounts.web.exceptions import RateLimited

_ADDRESS: Final = "maryam@darbar.example"
_ACCOUNT: Final = {
    "email": _ADDRESS,
    "name": "Maryam",
    "language": "fa",
    "time_zone": "Asia/Tehran",
    "sleep_from": "23:00",
    "sleep_to": "07:00",
    "preferences": {
        "mails": True,
        "digest": "at-once",
        "digest_every": 6,
        "digest_at": 8,
        "quiet_from": "22:30",
        "quiet_to": "07:00",
        "reminders": ["alone", "50%", "80%", "PT1H"],
        "learns_hours": True,
        "receipts": True,
        "only_aimed": False,
        "news": False,
        "channels": {
            "question": ["mail", "push"],
            "reminder": ["mail", "push"],
            "game": ["mail", "push"],
            "chat": ["mail", "push"],
            "invitation": ["mail", "push"],
        },
        "addresses": {
            "gotify": "https://gotify.example.org/",
            "matrix": None,
            "ntfy": "https://ntfy.sh/maryams-games",
            "telegram": None,
        },
        "secrets": {"discord": None, "gotify": "***", "matrix": None, "ntfy": None, "slack": None, "telegram": None},
        "muted": [],
    },
    "is_bot": False,
    "public_profile": False,
    "shows_answer_times": True,
    "shows_presence": False,
    "unreachable": None,
    "stream": "https://darbar.example/api/v1/stream/",
    "push_key": "BJa-FNXg0RzRqQxl8DifST5EqrVPDQxdEyTJ0TGk95-yleRm02dYj8Ir2sA4TtYOZLdY6PkgwdPv5Am9PZHcnT8",
    "created_at": "2026-11-20T08:30:00Z",
}
_TOKEN: Final = {
    "id": "5b0c7a54-2f0e-4d0b-9a3e-6b1f0e1c9d42",
    "name": "my bot",
    "scopes": ["games:read", "games:play"],
    "prefix": "darbar_4f1d2a90",
    "created_at": "2026-11-20T08:35:00Z",
    "expires_at": "2027-02-18T08:35:00Z",
    "last_used_at": "2026-11-22T07:10:00Z",
}


def _request_example(name: str, value: Any) -> OpenApiExample:
    return OpenApiExample(name, value, request_only=True)


def _response_example(name: str, value: Any, status: int = 200) -> OpenApiExample:
    return OpenApiExample(name, value, response_only=True, status_codes=[str(status)])


def _error_response(description: str) -> OpenApiResponse:
    return OpenApiResponse(description=description)


MALFORMED: Final = {400: _error_response("`malformed`: something in the request is wrong; `errors` names each field.")}
SIGN_UP_CLOSED: Final = {
    403: _error_response("`forbidden`: the operator has closed the sign-up, or accounts are made by invitation only.")
}
TOO_OFTEN: Final = {429: _error_response("`rate-limited`: too many of these for this address, or from this sender.")}
TOO_MANY: Final = {409: _error_response("`conflict`: there are as many as there may be.")}
NOT_NOW: Final = {
    409: _error_response(
        "`conflict`: this one is there already. `limit-reached`: you are at the limit. `key-busy`: a request with this "
        "idempotency key is being processed."
    )
}
GONE: Final = {404: _error_response("`not-found`: what this request made before is gone.")}
NO_PROOF: Final = {
    401: _error_response(
        "`unauthenticated`: no account has this address and password. `otp-required`, `otp-wrong`: the password "
        "is right, and the account needs a code of its second factor too."
    ),
    403: _error_response(
        "`forbidden`: the password is right, and the address is not confirmed, or the account is closed."
    ),
}
OTP: Final = {
    401: _error_response(
        "`unauthenticated`: there is no valid token. `otp-required`, `otp-wrong`: the account asks for a code of its "
        "second factor."
    )
}

SIGN_UP: Final = [
    _request_example(
        "A newcomer",
        {
            "email": _ADDRESS,
            "password": "seven goats on a roof",
            "name": "Maryam",
            "language": "fa",
            "time_zone": "Asia/Tehran",
        },
    ),
    _response_example("A code is on its way", {"email": _ADDRESS}, 202),
]
CONFIRM: Final = [
    _request_example("The code", {"email": _ADDRESS, "code": "BCDF-GHJK", "password": "seven goats on a roof"}),
    _response_example("Confirmed", _ACCOUNT),
]
TOKENS: Final = [_response_example("One token", _TOKEN)]
NEW_TOKEN: Final = [
    _request_example(
        "Everything, for ever", {"email": _ADDRESS, "password": "seven goats on a roof", "name": "the phone"}
    ),
    _request_example(
        "A bot for 90 days",
        {
            "email": _ADDRESS,
            "password": "seven goats on a roof",
            "name": "my bot",
            "scopes": ["games:read", "games:play"],
            "expires_in": "P90D",
        },
    ),
    _request_example(
        "With a second factor",
        {"email": _ADDRESS, "password": "seven goats on a roof", "otp": "492039", "name": "the phone"},
    ),
    _response_example("Shown this once", {"token": f"darbar_4f1d2a90{'0' * 56}", **_TOKEN}, 201),
]
ME: Final = [_response_example("Maryam", _ACCOUNT)]
CHANGE_ME: Final = [
    _request_example("Another zone", {"time_zone": "Europe/Berlin"}),
    _request_example("Nothing due at night", {"sleep_from": "23:00", "sleep_to": "07:00"}),
    _request_example("One email a day, at seven", {"preferences": {"digest": "daily", "digest_at": 7}}),
    *ME,
]


_APP: Final = {
    "client_id": "0f4ad2b8c1e94a6f9d7e5c3b2a190807",
    "name": "Corner table",
    "type": "public",
    "redirect_uris": ["https://corner.example/back", "com.example.corner:/back"],
    "scopes": ["games:read", "games:play"],
    "created_at": "2026-11-20T09:00:00Z",
}
APPS: Final = [_response_example("One app", _APP)]
NEW_APP: Final = [
    _request_example("An app on a phone", {name: _APP[name] for name in ("name", "redirect_uris", "scopes")}),
    _response_example("It has no secret", {**_APP, "client_secret": None}, 201),
]
GRANTS: Final = [
    _response_example(
        "One grant",
        {
            "app": {"client_id": _APP["client_id"], "name": "Corner table", "owner": "Kaveh", "is_verified": True},
            "scopes": ["games:read"],
            "renewed_at": "2026-11-21T10:00:00Z",
            "expires_at": "2027-02-19T10:00:00Z",
        },
    )
]


class TokenScheme(OpenApiAuthenticationExtension):
    """Describes tokens, and the scope that each operation needs."""

    target_class = TokenAuthentication
    name = ["token", "oauth2"]  # noqa: RUF012  (not a ClassVar in the base class)

    def get_security_definition(self, auto_schema: AutoSchema) -> list[dict[str, Any]]:
        flow = {
            "authorizationUrl": "/oauth/authorize",
            "tokenUrl": "/oauth/token",
            "refreshUrl": "/oauth/token",
            "scopes": {str(scope.value): _in_english(scope.label) for scope in Scope},
        }
        return [
            {"type": "http", "scheme": "bearer", "description": "A token of `POST /api/v1/tokens/`."},
            {
                "type": "oauth2",
                "description": "For third-party apps, made known at `me/apps/`: a code with PKCE (S256). The endpoints "
                "are described at `/.well-known/oauth-authorization-server` (RFC 8414); tokens are given back at "
                "`/oauth/revoke`.",
                "flows": {"authorizationCode": flow},
            },
        ]

    def get_security_requirement(self, auto_schema: AutoSchema) -> list[dict[str, list[str]]]:
        scope = getattr(auto_schema.view, "required_scopes", {}).get(auto_schema.method)
        return [{name: [] if scope in (None, ANY_SCOPE) else [str(scope)]} for name in self.name]


def _in_english(phrase: Any) -> str:
    with override("en"):
        return str(phrase)


class WrongPassword(APIException):
    """The password is wrong, or there is no account with this address. The answer is the same for both."""

    status_code = status.HTTP_401_UNAUTHORIZED
    default_code = "unauthenticated"
    default_detail = _("No account has this email and this password. A sign-up becomes an account once it’s confirmed.")
    auth_header = "Bearer"


class Conflict(APIException):
    """The request is not possible in the present state."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "conflict"


class LimitReached(Conflict):
    """The account has as many of these objects as it may have."""

    default_code = "limit-reached"


class OtpRequired(APIException):
    """The password is right, and the account also needs a second factor."""

    status_code = status.HTTP_401_UNAUTHORIZED
    default_code = "otp-required"
    default_detail = _(
        "This account has a second factor: send the code from its authenticator app, or a recovery code, as otp. If "
        "it only has a passkey, make the token on the settings page."
    )
    auth_header = "Bearer"


class OtpWrong(APIException):
    """The code of the second factor is wrong, or was used before."""

    status_code = status.HTTP_401_UNAUTHORIZED
    default_code = "otp-wrong"
    default_detail = _("This code is wrong, or it’s been used. Wait for the next one.")
    auth_header = "Bearer"


@contextmanager
def translate_errors() -> Iterator[None]:
    """Turn errors of sign-up and log-in inside this block into problems."""
    try:
        yield
    except tuple(_PROBLEMS) as error:
        raise next(make for kind, make in _PROBLEMS.items() if isinstance(error, kind))(error) from None


def _wrong_code(_error: WrongCode) -> APIException:
    sentence = _("This code doesn’t belong to a sign-up with this address and password, or it has expired.")
    return ValidationError({"code": [ErrorDetail(str(sentence), code="wrong-code")]})


def _not_confirmed(_error: flows.EmailNotConfirmed) -> APIException:
    return PermissionDenied(
        _("This address isn’t confirmed yet: send the code from our email to accounts/confirm/ first.")
    )


def _too_many_tokens(_error: tokens.TooManyTokens) -> APIException:
    return LimitReached(
        _("You already have %(most)s tokens, which is the limit. Delete one first.")
        % {"most": in_digits(str(tokens.MOST))}
    )


def _too_often(error: RateLimitExceeded) -> APIException:
    sentence = _("You can do this at most %(most)s times an hour.")
    return RateLimited(sentence % {"most": in_digits(str(error.policy.quota))}, error.wait)


def _too_many_people(_error: blocks.TooManyPeople) -> APIException:
    sentence = _("You have %(most)s people on this list, which is the limit. Remove one of them first.")
    return LimitReached(sentence % {"most": in_digits(str(blocks.MOST))})


def to_api_error(error: DjangoValidationError) -> dict[str, Any]:
    """Return the errors of a Django ValidationError by field, as REST framework expects them."""
    return {
        field: [ErrorDetail(message, code=error.code or "invalid") for error in errors for message in error.messages]
        for field, errors in error.error_dict.items()
    }


# The first entry whose type matches an error makes its problem.
_PROBLEMS: Final[dict[type[Exception], Callable[[Any], APIException]]] = {
    DjangoValidationError: lambda error: ValidationError(to_api_error(error)),
    WrongCode: _wrong_code,
    flows.WrongPassword: lambda error: WrongPassword(),
    flows.SecondFactorRequired: lambda error: OtpRequired(),
    WrongFactor: lambda error: OtpWrong(),
    flows.EmailNotConfirmed: _not_confirmed,
    SignUpClosed: lambda error: PermissionDenied(closed_message()),
    flows.AccountClosed: lambda error: PermissionDenied(_("This account is closed.")),
    tokens.TooManyTokens: _too_many_tokens,
    TooManyAttempts: lambda error: RateLimited(_("Too many attempts."), error.wait),
    RateLimitExceeded: _too_often,
    blocks.TooManyPeople: _too_many_people,
}
