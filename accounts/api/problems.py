"""Turns failures of the sign-up and login flows into problems."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.core.exceptions import ValidationError as DjangoValidationError
from django.utils.translation import gettext_lazy as _
from rest_framework import status
from rest_framework.exceptions import APIException, ErrorDetail, PermissionDenied, Throttled, ValidationError

from accounts.authentication import flows
from accounts.authentication.sign_up import WrongCode
from accounts.limits.attempt_limits import TooManyAttempts
from accounts.limits.rate_limits import RateLimitExceeded
from accounts.people import blocks
from accounts.second_factor.factors import WrongFactor
from accounts.tokens import tokens


class WrongPassword(APIException):
    """The same for a wrong password and for an address without an account."""

    status_code = status.HTTP_401_UNAUTHORIZED
    default_code = "unauthenticated"
    default_detail = _(
        "There is no account with this address and this password. A sign-up becomes an account when it is confirmed."
    )
    auth_header = "Bearer"


class Conflict(APIException):
    """The request does not fit how things stand."""

    status_code = status.HTTP_409_CONFLICT
    default_code = "conflict"


class LimitReached(Conflict):
    """There are as many of these as one account may have."""

    default_code = "limit-reached"


class OtpRequired(APIException):
    """The password is right, and the account asks for a second factor besides."""

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
    """Inside, what a flow raises becomes a problem with a code and a sentence."""
    try:
        yield
    except DjangoValidationError as error:
        raise ValidationError(to_api_error(error)) from None
    except WrongCode:
        sentence = _(
            "This is not the code that was sent for a sign-up with this address and password, or it holds no more."
        )
        raise ValidationError({"code": [ErrorDetail(sentence, code="wrong-code")]}) from None
    except flows.WrongPassword:
        raise WrongPassword from None
    except flows.SecondFactorRequired:
        raise OtpRequired from None
    except WrongFactor:
        raise OtpWrong from None
    except flows.EmailNotConfirmed:
        raise PermissionDenied(
            _("This address is not confirmed yet: send the code from our email to accounts/confirm/ first.")
        ) from None
    except flows.AccountClosed:
        raise PermissionDenied(_("This account is closed.")) from None
    except tokens.TooManyTokens:
        raise LimitReached(_("You have %(most)s tokens already: delete one first.") % {"most": tokens.MOST}) from None
    except (TooManyAttempts, RateLimitExceeded) as error:
        raise Throttled(wait=error.wait) from None
    except blocks.TooManyPeople:
        sentence = _("You have blocked or muted %(most)s people, as many as you may. Take one back first.")
        raise LimitReached(sentence % {"most": blocks.MOST}) from None


def to_api_error(error: DjangoValidationError) -> dict[str, Any]:
    """A ValidationError of Django, by field, as one of the API, with its codes."""
    return {
        field: [ErrorDetail(message, code=each.code or "invalid") for each in errors for message in each.messages]
        for field, errors in error.error_dict.items()
    }
