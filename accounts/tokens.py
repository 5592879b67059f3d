"""Tokens that act for an account: making one, and knowing whose one is."""

import re
from datetime import timedelta
from typing import Any, Final

from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _
from knox.auth import TokenAuthentication as KnoxAuthentication
from rest_framework.exceptions import AuthenticationFailed
from rest_framework.request import Request

from accounts.models import Account, Token

_SHAPE: Final = re.compile(rb"\w+", re.ASCII)


def issue(account: Account, name: str, scopes: list[str], lifetime: timedelta | None = None) -> tuple[Token, str]:
    """A new token for ``account``: its row, and the text that is shown this once. No ``lifetime``: it never expires."""
    return Token.objects.create(account, expiry=lifetime, name=name, scopes=scopes)


class TokenAuthentication(KnoxAuthentication):
    """``Authorization: Bearer <token>``.

    A request that names no language of its own is answered in the account's. A bad token of any kind is
    refused with one sentence; looking at one changes no row.
    """

    def authenticate(self, request: Request) -> tuple[Account, Token] | None:
        try:
            known = super().authenticate(request)
        except AuthenticationFailed:
            raise AuthenticationFailed(_("This token is not known, or no longer valid.")) from None
        if known and "Accept-Language" not in request.headers:
            translation.activate(known[0].language)
        return known

    def authenticate_credentials(self, token: bytes) -> tuple[Account, Token]:
        if not _SHAPE.fullmatch(token):
            raise AuthenticationFailed
        return super().authenticate_credentials(token)

    def _cleanup_token(self, auth_token: Any) -> bool:
        """Whether the token has expired; knox would also delete it and its owner's other expired ones."""
        return auth_token.expiry is not None and auth_token.expiry < timezone.now()
