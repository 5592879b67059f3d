"""Passkeys as a second factor: the requests to a browser, and the checks of its answers.

The challenge is stored in the session until it is answered. allauth stores the public keys.
"""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

# Private: allauth offers WebAuthn only with its own views and forms. Without it no passkey can be made or used.
from allauth.mfa.webauthn.internal import auth
from django.core.exceptions import ValidationError

from accounts.models import Account
from accounts.second_factor.factors import WrongFactor


def creation_options(account: Account) -> str:
    """Return the options with which a browser creates a passkey, as JSON."""
    return json.dumps(auth.begin_registration(account, passwordless=False))


def parse_new(text: str) -> dict[str, Any]:
    """Return the passkey that a browser created for the last options, from its JSON. Raises WrongFactor."""
    with _translate_errors():
        credential: dict[str, Any] = json.loads(text)
        auth.parse_registration_response(credential)
        auth.complete_registration(credential)
        return credential


def request_options(account: Account) -> str:
    """Return the options with which a browser uses one of the account's passkeys, as JSON."""
    return json.dumps(auth.begin_authentication(account))


def use(account: Account, text: str) -> None:
    """Check a browser's proof that it has one of the account's passkeys, from its JSON. Raises WrongFactor."""
    with _translate_errors():
        credential = json.loads(text)
        auth.parse_authentication_response(credential)
        auth.complete_authentication(account, credential).record_usage()


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Turn the various errors of the library about a browser's data into WrongFactor."""
    try:
        yield
    except (ValidationError, ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):
        raise WrongFactor from None
