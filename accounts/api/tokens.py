"""Personal tokens, and the browser sessions of the account. A new token is created with the password."""

from typing import TYPE_CHECKING, ClassVar
from uuid import UUID

from allauth.usersessions.models import UserSession
from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.response import Response

from accounts import security_log, tokens
from accounts.api.shared import description
from accounts.api.shared.description import translate_errors
from accounts.api.shared.serializers import IssuedTokenSerializer, NewTokenSerializer, TokenSerializer
from accounts.authentication import flows, sessions
from accounts.idempotency import Effect
from accounts.models import Account, Token
from accounts.tokens import ALL, OptionalTokenAuthentication, Scope
from accounts.web.api_view import KEY, AccountApiView, ListApiView, run_idempotent, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import StrictSerializer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rest_framework.permissions import _SupportsHasPermission


class Tokens(ListApiView):
    """The personal tokens of the account."""

    takes_key = False  # the token is not stored, so it could not be shown again
    required_scopes: ClassVar = {"GET": Scope.ACCOUNT}

    def get_authenticators(self) -> list[BaseAuthentication]:
        """Require no token of a request for a new one, which its password authenticates."""
        return [OptionalTokenAuthentication()] if self._is_new_token_request() else super().get_authenticators()

    def get_permissions(self) -> "Sequence[_SupportsHasPermission]":
        return [AllowAny()] if self._is_new_token_request() else super().get_permissions()

    def _is_new_token_request(self) -> bool:
        return self.request is not None and self.request.method == "POST"

    @extend_schema(
        operation_id="list_tokens", tags=["tokens"], responses=TokenSerializer(many=True), examples=description.TOKENS
    )
    def get(self, request: AccountRequest) -> Response:
        """List your tokens, the newest first, without the tokens themselves."""
        return self.page_response(_tokens_of(request).order_by("-created", "public_id"), TokenSerializer)

    @extend_schema(
        operation_id="create_token",
        tags=["tokens"],
        request=NewTokenSerializer,
        responses={
            201: IssuedTokenSerializer,
            **description.MALFORMED,
            **description.NO_PROOF,
            **description.TOO_OFTEN,
        },
        examples=description.NEW_TOKEN,
    )
    def post(self, request: AccountRequest) -> Response:
        """Create a token with your address and password. It is shown only in this answer.

        Send it with every request as `Authorization: Bearer <token>`. If the account has a second factor the request
        needs `otp` too: `otp-required` without it, `otp-wrong` for a code that is wrong or was used before. The
        owner gets an email about every token except the first.
        """
        now = timezone.now()
        data = validated_data(NewTokenSerializer(data=request.data, context={"now": now}))
        with translate_errors():
            account = flows.authenticate(request._request, data["email"], data["password"], data.get("otp", ""))
        first = account.last_login is None and not _has_token(account)
        token_scopes = data.get("scopes", list(ALL))
        expiry = data.get("expires_at")
        with translate_errors():
            token, text = tokens.issue(
                account, data["name"], token_scopes, expiry - now if expiry else data.get("expires_in")
            )
        security_log.record("token-created", request._request, account, token=token.public_id)
        if not first:
            sessions.report_token(request._request, account, token.name, now)
        body = {"token": text, **TokenSerializer(token).data}
        return Response(body, status.HTTP_201_CREATED, headers={"Cache-Control": "no-store"})


class OneToken(AccountApiView):
    required_scopes: ClassVar = {"DELETE": Scope.ACCOUNT}

    @extend_schema(operation_id="delete_token", tags=["tokens"], responses={204: None})
    def delete(self, request: AccountRequest, token: UUID) -> Response:
        """Revoke a token immediately. It may be the one in the request."""
        deleted, _ = _tokens_of(request).filter(public_id=token).delete()
        if not deleted:
            raise NotFound
        security_log.record("token-revoked", request._request, request.user, token=token)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _has_token(account: Account) -> bool:
    return bool(Token.objects.filter(user=account).exists())


def _tokens_of(request: AccountRequest) -> QuerySet[Token]:
    tokens: QuerySet[Token] = Token.objects.filter(user=request.user)
    return tokens


_EXAMPLES = [
    OpenApiExample(
        "A browser",
        {
            "id": 17,
            "device": "Firefox on Linux",
            "address": "192.0.2.7",
            "created_at": "2026-11-20T08:30:00Z",
            "last_seen_at": "2026-11-22T07:00:00Z",
        },
        response_only=True,
    )
]


class SessionSerializer(serializers.Serializer[UserSession]):
    """A browser in which you are logged in."""

    id = serializers.IntegerField(source="pk")
    device = serializers.SerializerMethodField(help_text="The browser and system, as the browser names them.")
    address = serializers.IPAddressField(source="ip", help_text="The address from which you logged in.")
    created_at = serializers.DateTimeField()
    last_seen_at = serializers.DateTimeField(help_text="To the hour.")

    def get_device(self, session: UserSession) -> str:
        return sessions.describe_device(session.user_agent)


class SignOutSerializer(StrictSerializer):
    """Other access to end together with the sessions."""

    tokens = serializers.BooleanField(
        required=False, default=False, help_text="Your tokens too, except the one in this request."
    )
    grants = serializers.BooleanField(required=False, default=False, help_text="The access of apps, too.")


class Sessions(ListApiView):
    required_scopes: ClassVar = {"GET": Scope.ACCOUNT}

    @extend_schema(
        operation_id="list_sessions", tags=["tokens"], responses=SessionSerializer(many=True), examples=_EXAMPLES
    )
    def get(self, request: AccountRequest) -> Response:
        """List the browsers in which you are logged in, the last used first."""
        return self.page_response(sessions.sessions_of(request.user, timezone.now()), SessionSerializer)


class OneSession(AccountApiView):
    required_scopes: ClassVar = {"DELETE": Scope.ACCOUNT}

    @extend_schema(operation_id="delete_session", tags=["tokens"], responses={204: None})
    def delete(self, request: AccountRequest, session: int) -> Response:
        """Log out a browser immediately."""
        if not sessions.end(request.user, session, timezone.now()):
            raise NotFound
        security_log.record("session-ended", request._request, request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class SignOut(AccountApiView):
    """Log-out from all browsers."""

    required_scopes: ClassVar = {"POST": Scope.ACCOUNT}

    @extend_schema(
        operation_id="end_all_sessions",
        tags=["tokens"],
        request=SignOutSerializer,
        responses={204: None},
        parameters=[KEY],
        examples=[OpenApiExample("Browsers and programs", {"tokens": True, "grants": True}, request_only=True)],
    )
    def post(self, request: AccountRequest) -> Response:
        """Log out every browser immediately, and on request revoke your tokens and what you allowed apps.

        The token in this request stays, unless an app shows it and `grants` is true.
        """
        ends = validated_data(SignOutSerializer(data=request.data))

        def effect() -> Effect:
            sessions.end_others(request.user, None)
            if ends["tokens"]:
                shown_token = request.auth.pk if isinstance(request.auth, Token) else None
                Token.objects.filter(user=request.user).exclude(pk=shown_token).delete()
            if ends["grants"]:
                tokens.revoke_apps(request.user)
            security_log.record("signed-out-everywhere", request._request, request.user)
            return Effect()

        run_idempotent(request, effect, self.received_at)
        return Response(status=status.HTTP_204_NO_CONTENT)
