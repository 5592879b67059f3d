"""allauth's adapter for second factors: the encryption of their secrets, and the host of passkeys."""

from typing import Final
from urllib.parse import urlsplit

from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings

from config.core.crypto import UnreadableText, decrypt, encrypt

_PURPOSE: Final = "accounts.second_factor.factors"


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
