"""The browser sessions of the account."""

from typing import ClassVar

from allauth.usersessions.models import UserSession
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import NotFound
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.authentication import sessions
from accounts.limits import security_log
from accounts.limits.idempotency import Effect
from accounts.models import Token
from accounts.tokens import grants
from accounts.tokens.permissions import HasScope
from accounts.tokens.scopes import Scope
from accounts.web.api_view import KEY, AccountApiView, run_idempotent, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import StrictSerializer

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


class Sessions(APIView):
    permission_classes = (HasScope,)
    required_scopes: ClassVar = {"GET": Scope.ACCOUNT}

    @extend_schema(
        operation_id="list_sessions", tags=["tokens"], responses=SessionSerializer(many=True), examples=_EXAMPLES
    )
    def get(self, request: AccountRequest) -> Response:
        """List the browsers in which you are logged in, the last used first."""
        rows = sessions.sessions_of(request.user, timezone.now())
        return Response(SessionSerializer(rows, many=True).data)


class OneSession(APIView):
    permission_classes = (HasScope,)
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
        operation_id="sign_out_everywhere",
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
                grants.revoke_apps(request.user)
            security_log.record("signed-out-everywhere", request._request, request.user)
            return Effect()

        run_idempotent(request, effect, self.received_at)
        return Response(status=status.HTTP_204_NO_CONTENT)
