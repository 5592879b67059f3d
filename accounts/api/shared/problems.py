"""The errors of sign-up and log-in as problems."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Final

from django.core.exceptions import ValidationError as DjangoValidationError
from django.utils.translation import gettext_lazy as _
from rest_framework import status
from rest_framework.exceptions import APIException, ErrorDetail, PermissionDenied, Throttled, ValidationError

from accounts.authentication import flows
from accounts.authentication.sign_up import SignUpClosed, WrongCode, closed_message
from accounts.limits.attempt_limits import TooManyAttempts
from accounts.limits.rate_limits import RateLimitExceeded
from accounts.people import blocks
from accounts.second_factor.factors import WrongFactor
from accounts.tokens import tokens


class WrongPassword(APIException):
    """The password is wrong, or there is no account with this address. The answer is the same for both."""

    status_code = status.HTTP_401_UNAUTHORIZED
    default_code = "unauthenticated"
    default_detail = _(
        "There is no account with this address and this password. A sign-up becomes an account when it is confirmed."
    )
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
        "This account has a second factor: send the code of its authenticator app, or a recovery code, as otp. With a "
        "passkey alone, make the token on the settings page."
    )
    auth_header = "Bearer"


class OtpWrong(APIException):
    """The code of the second factor is wrong, or was used before."""

    status_code = status.HTTP_401_UNAUTHORIZED
    default_code = "otp-wrong"
    default_detail = _("This code is wrong, or it has been used: wait for the next one.")
    auth_header = "Bearer"


@contextmanager
def translate_errors() -> Iterator[None]:
    """Turn errors of sign-up and log-in inside this block into problems."""
    try:
        yield
    except tuple(_PROBLEMS) as error:
        raise next(make for kind, make in _PROBLEMS.items() if isinstance(error, kind))(error) from None


def _wrong_code(_error: WrongCode) -> APIException:
    sentence = _("This is not the code of a sign-up with this address and password, or it has expired.")
    return ValidationError({"code": [ErrorDetail(str(sentence), code="wrong-code")]})


def _not_confirmed(_error: flows.EmailNotConfirmed) -> APIException:
    return PermissionDenied(
        _("This address is not confirmed yet: send the code from our email to accounts/confirm/ first.")
    )


def _too_many_tokens(_error: tokens.TooManyTokens) -> APIException:
    return LimitReached(_("You have %(most)s tokens already: delete one first.") % {"most": tokens.MOST})


def _too_many_people(_error: blocks.TooManyPeople) -> APIException:
    sentence = _("You have %(most)s people on this list, which is the limit. Remove one of them first.")
    return LimitReached(sentence % {"most": blocks.MOST})


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
    TooManyAttempts: lambda error: Throttled(wait=error.wait),
    RateLimitExceeded: lambda error: Throttled(wait=error.wait),
    blocks.TooManyPeople: _too_many_people,
}
