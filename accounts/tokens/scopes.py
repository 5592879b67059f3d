"""The scopes of tokens, and the permission that checks them."""

from typing import TYPE_CHECKING

from django.core.exceptions import ImproperlyConfigured
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import BasePermission
from rest_framework.request import Request


class Scope(models.TextChoices):
    """The scopes of tokens. A token has all of them unless its owner names fewer."""

    GAMES_READ = "games:read", _("see games and questions")
    GAMES_PLAY = "games:play", _("create, join and play games")
    CHAT = "chat", _("read and write the chat")
    ACCOUNT = "account", _("see and change the account and its tokens")
    WEBHOOKS = "webhooks", _("manage webhooks")


ALL: tuple[str, ...] = tuple(Scope.values)


if TYPE_CHECKING:
    from rest_framework.views import APIView


class InsufficientScope(PermissionDenied):
    """The token lacks a scope. The header ``WWW-Authenticate`` names it (RFC 6750)."""

    def __init__(self, scope: str) -> None:
        super().__init__(gettext("This token lacks the scope “%(scope)s”.") % {"scope": scope})
        self.auth_header = f'Bearer error="insufficient_scope", scope="{scope}"'


class HasScope(BasePermission):
    """Allows authenticated accounts whose token has the scope that the view requires.

    A view names the scope of each of its methods. HEAD requires the scope of GET::

        class Games(APIView):
            permission_classes = (HasScope,)
            required_scopes = {"GET": "games:read", "POST": "games:play"}

    A method without a scope raises ImproperlyConfigured, so nothing is public by mistake. A session without a token has
    every scope. A public view has ``permission_classes = (AllowAny,)`` instead.
    """

    def has_permission(self, request: Request, view: "APIView") -> bool:
        if not (request.user and request.user.is_authenticated):
            return False
        method = "GET" if request.method == "HEAD" else str(request.method)
        if method == "OPTIONS" or not _has_method(view, method):
            return True
        scope = _required(view, method)
        if scope not in (ALL if request.auth is None else getattr(request.auth, "scopes", ())):
            raise InsufficientScope(scope)
        return True


def _has_method(view: "APIView", method: str) -> bool:
    return method.lower() in view.http_method_names and hasattr(view, method.lower())


def _required(view: "APIView", method: str) -> str:
    scope: str = getattr(view, "required_scopes", {}).get(method, "")
    if scope not in ALL:
        raise ImproperlyConfigured(f"{type(view).__name__}.required_scopes names no known scope for {method}.")
    return scope
