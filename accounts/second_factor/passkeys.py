"""Passkeys as a second factor: what a browser is asked for, and whether its answer is right.

The challenge lies in the session and is forgotten with the right answer. allauth keeps the public keys.
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
    """Options with which a browser makes a new passkey, as JSON."""
    return json.dumps(auth.begin_registration(account, passwordless=False))


def parse_new(text: str) -> dict[str, Any]:
    """A passkey that a browser has made for the options given last, from its JSON. WrongFactor."""
    with _translate_errors():
        credential: dict[str, Any] = json.loads(text)
        auth.parse_registration_response(credential)
        auth.complete_registration(credential)
        return credential


def request_options(account: Account) -> str:
    """Options with which a browser shows one of the account's passkeys, as JSON."""
    return json.dumps(auth.begin_authentication(account))


def use(account: Account, text: str) -> None:
    """Accept the proof that a browser has one of the account's passkeys, from its JSON. WrongFactor."""
    with _translate_errors():
        credential = json.loads(text)
        auth.parse_authentication_response(credential)
        auth.complete_authentication(account, credential).record_usage()


@contextmanager
def _translate_errors() -> Iterator[None]:
    """Turn the library's various errors about a browser's data into WrongFactor."""
    try:
        yield
    except (ValidationError, ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):
        raise WrongFactor from None
