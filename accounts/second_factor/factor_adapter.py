"""Settings of allauth's second factors that are code: how their secrets are stored, and what a passkey belongs to."""

import base64
from functools import lru_cache
from urllib.parse import urlsplit

from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


class UnreadableFactor(Exception):
    """A stored secret was encrypted under another ``SECRET_KEY``."""


class FactorAdapter(DefaultMFAAdapter):  # type: ignore[misc]  # allauth has no types
    """``MFA_ADAPTER``.

    The secrets of authenticator apps and of recovery codes lie in the database encrypted, with a key derived from
    ``SECRET_KEY``: a copy of the database alone passes nobody's second factor.
    """

    def encrypt(self, text: str) -> str:
        return _cipher().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return _cipher().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            raise UnreadableFactor from None

    def get_totp_issuer(self) -> str:
        return f"Darbar ({_host()})"

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """The host of ``PUBLIC_URL``: browsers offer its passkeys at no other."""
        return {"id": _host(), "name": "Darbar"}


def _host() -> str:
    return urlsplit(settings.PUBLIC_URL).hostname or "localhost"


def _cipher() -> MultiFernet:
    return MultiFernet([_key(secret) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)])


@lru_cache
def _key(secret: str) -> Fernet:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=b"accounts.second_factor.factors").derive(
        secret.encode()
    )
    return Fernet(base64.urlsafe_b64encode(derived))
