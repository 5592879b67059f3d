"""The adapter for allauth's identity provider: our scopes, and no features beyond OAuth 2."""

import secrets
from typing import Any, ClassVar

from allauth.idp.oidc.adapter import DefaultOIDCAdapter
from django.conf import settings
from django.core.exceptions import ValidationError

from accounts.tokens import Scope


class OAuthAdapter(DefaultOIDCAdapter):  # type: ignore[misc]  # allauth has no types
    """allauth's adapter (``IDP_OIDC_ADAPTER``)."""

    scope_display: ClassVar[dict[str, Any]] = dict(Scope.choices)

    def get_issuer(self) -> str:
        return str(settings.PUBLIC_URL)

    def generate_client_secret(self) -> str:
        """Return a secret that is the same with and without the escaping of RFC 6749, 2.3.1, which few clients do."""
        return secrets.token_hex(32)

    def validate_resource_uris(self, *, uris: list[str], **kwargs: Any) -> None:
        """Refuse resources other than this server's API (RFC 8707)."""
        if any(uri.rstrip("/") not in (settings.PUBLIC_URL, f"{settings.PUBLIC_URL}/api/v1") for uri in uris):
            raise ValidationError("Tokens are given for this server's API only.", code="invalid-target")
