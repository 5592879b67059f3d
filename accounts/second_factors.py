"""Second factors of an account: authenticator apps (TOTP), passkeys, recovery codes.

They are rows of allauth's ``Authenticator``. The ten recovery codes are created with the first factor and deleted with
the last. This module adds two things to allauth: a TOTP code is accepted once, even in two simultaneous requests or
after its entry has left the cache, and the secrets are encrypted (``FactorAdapter``). Wrong codes are counted for each
account, and only after a correct password (docs/limits.md). The challenge to a passkey is stored in the session until
it is answered.

On pages the password leads to a second step, and the session stores for ten minutes which account has passed the first.
In the API, ``POST tokens/`` and ``me/deletion/`` take ``otp``. ``/admin/`` opens only after a second factor.
"""

import json
import logging
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import urlsplit

from allauth.mfa.adapter import DefaultMFAAdapter, get_adapter
from allauth.mfa.models import Authenticator

# Private, all three: allauth makes and checks factors only with its own views and forms, whose pages are not ours.
# Without them no second factor can be set up, used or taken away.
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)

# Private, as above.
from allauth.mfa.webauthn.internal import auth
from allauth.mfa.webauthn.internal.auth import WebAuthn
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import QuerySet
from django.utils.crypto import constant_time_compare
from qrcode.main import QRCode

from accounts.models import Account
from config.core.crypto import UnreadableText, decrypt, encrypt

Type = Authenticator.Type

MOST_PASSKEYS: Final = 10
# The length of a passkey's name.
LONGEST_NAME: Final = 60
# The key, in the data of an authenticator app, of the time step of the last used code.
_LAST: Final = "last_counter"
_log = logging.getLogger(__name__)


class WrongFactor(Exception):
    """The code is wrong, or it has been used."""


class FactorExists(Exception):
    """The account has an authenticator app already, or as many passkeys as it may have."""


def new_secret() -> str:
    """Return a secret for an authenticator app, in base 32."""
    return str(generate_totp_secret())


def address_of(account: Account, secret: str) -> str:
    """Return the ``otpauth:`` address from which an authenticator app reads a secret."""
    return str(get_adapter().build_totp_url(account, secret))


def has_factor(account: Account) -> bool:
    """Return True if a log-in to the account takes more than a password."""
    return _without_recovery_codes(account).exists()


def factors_of(account: Account) -> list[Authenticator]:
    """Return the authenticator app and the passkeys of an account, oldest first."""
    return list(_without_recovery_codes(account).order_by("created_at", "pk"))


def has_passkey(account: Account) -> bool:
    """Return True if the account has a passkey."""
    return _factors(account).filter(type=Type.WEBAUTHN).exists()


def add_app(account: Account, secret: str, code: str) -> None:
    """Add an authenticator app that shows ``code`` now, and recovery codes if there are none.

    Raises WrongFactor or FactorExists.
    """
    counter = _counter_of(secret, normalize_code(code), after=0)
    if counter is None:
        raise WrongFactor
    with _lock(account):
        if _factors(account).filter(type=Type.TOTP).exists():
            raise FactorExists
        data = {"secret": get_adapter().encrypt(secret), _LAST: counter}
        Authenticator.objects.create(user=account, type=Type.TOTP, data=data)
        RecoveryCodes.activate(account)


def add_passkey(account: Account, name: str, credential: dict[str, Any]) -> None:
    """Add a passkey that a browser has just created, and recovery codes if there are none. Raises FactorExists."""
    with _lock(account):
        if _factors(account).filter(type=Type.WEBAUTHN).count() >= MOST_PASSKEYS:
            raise FactorExists
        WebAuthn.add(account, name, credential)
        RecoveryCodes.activate(account)


def remove(account: Account, factor: int) -> str | None:
    """Remove a factor, and with the last one also the recovery codes. Return its type, or None if there is no such
    factor."""
    with _lock(account):
        row = _without_recovery_codes(account).filter(pk=factor).first()
        if row is None:
            return None
        row.delete()
        if not has_factor(account):
            _factors(account).delete()
        removed: str = Type(row.type)
        return removed


def remove_all(account: Account) -> int:
    """Remove every factor and the recovery codes. Return the number of factors."""
    with _lock(account):
        count = _without_recovery_codes(account).count()
        _factors(account).delete()
        return count


def recovery_codes(account: Account) -> list[str]:
    """Return the unused recovery codes. Raises UnreadableFactor."""
    row = _factors(account).filter(type=Type.RECOVERY_CODES).first()
    return RecoveryCodes(row).get_unused_codes() if row else []


def renew_recovery_codes(account: Account) -> None:
    """Replace the recovery codes."""
    with _lock(account):
        _factors(account).filter(type=Type.RECOVERY_CODES).delete()
        RecoveryCodes.activate(account)


def use_code(account: Account, code: str) -> str:
    """Accept a code of the authenticator app, or a recovery code, each only once. Return its type. Raises
    WrongFactor."""
    code = normalize_code(code)
    with transaction.atomic():
        for row in _factors(account).exclude(type=Type.WEBAUTHN).select_for_update().order_by("pk"):
            if _accepts(row, code):
                row.record_usage()
                kind: str = Type(row.type)
                return kind
    raise WrongFactor


def normalize_code(code: str) -> str:
    """Return the digits of a code in ASCII, without blanks and dashes. Accepts all decimal digits of Unicode."""
    return "".join(str(unicodedata.decimal(digit)) for digit in code if digit.isdecimal())


def _accepts(factor: Authenticator, code: str) -> bool:
    try:
        return _is_app_code(factor, code) if factor.type == Type.TOTP else RecoveryCodes(factor).validate_code(code)
    except UnreadableFactor:
        _log.error("second factor %s cannot be decrypted: it was stored under another SECRET_KEY", factor.pk)
        return False


def _is_app_code(app: Authenticator, code: str) -> bool:
    """Return True if an authenticator app shows this code and it was not used yet. Locks the row of the app."""
    secret = get_adapter().decrypt(app.data["secret"])
    counter = _counter_of(secret, code, after=app.data[_LAST])
    if counter is None:
        return False
    app.data[_LAST] = counter
    app.save(update_fields=["data"])
    return True


def _counter_of(secret: str, code: str, after: int) -> int | None:
    """Return the time step of a code, or None. Only steps close to now and after the step ``after`` count."""
    expected_codes = (
        (counter, format_hotp_value(hotp_value(secret, counter))) for counter in yield_hotp_counters_from_time()
    )
    matches = (
        counter for counter, expected in expected_codes if counter > after and constant_time_compare(expected, code)
    )
    return next(matches, None)


def _factors(account: Account) -> QuerySet[Authenticator]:
    factors: QuerySet[Authenticator] = Authenticator.objects.filter(user=account)
    return factors


def _without_recovery_codes(account: Account) -> QuerySet[Authenticator]:
    """Return the factors other than recovery codes."""
    return _factors(account).exclude(type=Type.RECOVERY_CODES)


@contextmanager
def _lock(account: Account) -> Iterator[None]:
    """Lock the factors of an account against other changes."""
    with transaction.atomic():
        Account.objects.select_for_update(no_key=True).only("pk").get(pk=account.pk)
        yield


@dataclass(frozen=True)
class Drawing:
    """A QR code. Each of its squares is one unit wide, and a quiet zone surrounds it."""

    size: int
    path: str


def draw_qr_code(text: str) -> Drawing:
    """Return the QR code of a text."""
    code = QRCode()
    code.add_data(text)
    rows = code.get_matrix()
    squares = (f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
    return Drawing(len(rows), "".join(squares))


_PURPOSE: Final = "accounts.second_factors"


class UnreadableFactor(Exception):
    """A stored secret was encrypted with another ``SECRET_KEY``."""


class FactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no types
    """allauth's adapter for second factors (``MFA_ADAPTER``).

    The secrets of authenticator apps and recovery codes are encrypted in the database with a key derived from
    ``SECRET_KEY``, so a copy of the database alone is not enough to pass a second factor.
    """

    def encrypt(self, text: str) -> str:
        return encrypt(text, _PURPOSE)

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return decrypt(encrypted_text, _PURPOSE)
        except UnreadableText:
            raise UnreadableFactor from None

    def get_totp_issuer(self) -> str:
        return f"Darbar ({_host()})"

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Return the host of ``PUBLIC_URL``. Browsers offer its passkeys at no other host."""
        return {"id": _host(), "name": "Darbar"}


def _host() -> str:
    return urlsplit(settings.PUBLIC_URL).hostname or "localhost"


# Private: allauth offers WebAuthn only with its own views and forms. Without it no passkey can be made or used.


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
