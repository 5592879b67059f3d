"""Sign-up, confirmation, tokens, and who I am."""

from typing import TYPE_CHECKING, Any, ClassVar
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.authentication import BaseAuthentication
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api import description
from accounts.api.problems import translate_errors
from accounts.api.serializers import (
    AccountSerializer,
    ConfirmSerializer,
    IssuedTokenSerializer,
    NewTokenSerializer,
    SignedUpSerializer,
    SignUpSerializer,
    TokenSerializer,
)
from accounts.authentication import flows, known_devices, sign_up
from accounts.limits import security_log
from accounts.models import Account, Token
from accounts.tokens import scopes, tokens
from accounts.tokens.permissions import HasScope
from accounts.web.requests import AccountRequest
from notifications.recipients import preferences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rest_framework.permissions import _SupportsHasPermission


class SignUp(APIView):
    """A new account."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="sign_up",
        tags=["accounts"],
        request=SignUpSerializer,
        responses={
            202: SignedUpSerializer,
            **description.MALFORMED,
            **description.SIGN_UP_CLOSED,
            **description.TOO_OFTEN,
        },
        examples=description.SIGN_UP,
    )
    def post(self, request: Request) -> Response:
        """Ask for an account. A code goes to the address, which `accounts/confirm/` takes.

        The answer is the same where the address has an account already; then its owner gets an email that says so.
        Each sign-up has a code of its own: one that comes later changes nothing about those of before.
        """
        asked = _validated(SignUpSerializer(data=request.data))
        with translate_errors():
            sign_up.sign_up(request._request, asked)
        return Response({"email": asked["email"].lower()}, status.HTTP_202_ACCEPTED)


class Confirm(APIView):
    """An address that is shown to be one's own."""

    authentication_classes = ()
    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="confirm",
        tags=["accounts"],
        request=ConfirmSerializer,
        responses={200: AccountSerializer, **description.MALFORMED, **description.TOO_OFTEN},
        examples=description.CONFIRM,
    )
    def post(self, request: Request) -> Response:
        """Confirm a sign-up with the code that was sent for it, and its password. After that the account gives tokens.

        A code holds for an hour; a new one comes with a new sign-up. A name that somebody else has got meanwhile is
        refused (`name-taken`), and the code still holds: sign up again with another.
        """
        said = _validated(ConfirmSerializer(data=request.data))
        with translate_errors():
            account = sign_up.confirm(request._request, said["email"], said["code"], password=said["password"])
        return Response(AccountSerializer(account).data)


class Tokens(APIView):
    """My tokens."""

    permission_classes = (HasScope,)
    required_scopes: ClassVar = {"GET": scopes.Scope.ACCOUNT}

    def get_authenticators(self) -> list[BaseAuthentication]:
        """None for a new token: the password says who asks, and an old token in the header is not looked at."""
        return [] if self._is_new_token_request() else super().get_authenticators()

    def get_permissions(self) -> "Sequence[_SupportsHasPermission]":
        return [AllowAny()] if self._is_new_token_request() else super().get_permissions()

    def _is_new_token_request(self) -> bool:
        return self.request is not None and self.request.method == "POST"

    @extend_schema(
        operation_id="list_tokens", tags=["tokens"], responses=TokenSerializer(many=True), examples=description.TOKENS
    )
    def get(self, request: AccountRequest) -> Response:
        """My tokens, the newest first, without what makes them work."""
        return Response(TokenSerializer(_tokens_of(request).order_by("-created"), many=True).data)

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
        """A new token for whoever knows the password. It is shown in this answer and never again.

        It goes into every request as `Authorization: Bearer <token>`. An account with a second factor asks for `otp`
        besides: `otp-required` without it, `otp-wrong` for a code that is wrong or was used before. The owner gets an
        email about every token but the first.
        """
        now = timezone.now()
        asked = _validated(NewTokenSerializer(data=request.data, context={"now": now}))
        with translate_errors():
            account = flows.authenticate(request._request, asked["email"], asked["password"], asked.get("otp", ""))
        first = account.last_login is None and not _has_token(account)
        chosen = asked.get("scopes", list(scopes.ALL))
        ends = asked.get("expires_at")
        with translate_errors():
            token, text = tokens.issue(account, asked["name"], chosen, ends - now if ends else asked.get("expires_in"))
        security_log.record("token-created", request._request, account, token=token.public_id)
        if not first:
            known_devices.report_token(request._request, account, token.name, now)
        body = {"token": text, **TokenSerializer(token).data}
        return Response(body, status.HTTP_201_CREATED, headers={"Cache-Control": "no-store"})


class OneToken(APIView):
    """One of my tokens."""

    permission_classes = (HasScope,)
    required_scopes: ClassVar = {"DELETE": scopes.Scope.ACCOUNT}

    @extend_schema(operation_id="delete_token", tags=["tokens"], responses={204: None})
    def delete(self, request: AccountRequest, public_id: UUID) -> Response:
        """Revoke a token at once, the one in the request included."""
        deleted, _ = _tokens_of(request).filter(public_id=public_id).delete()
        if not deleted:
            raise NotFound
        security_log.record("token-revoked", request._request, request.user, token=public_id)
        return Response(status=status.HTTP_204_NO_CONTENT)


class Me(APIView):
    """My account."""

    permission_classes = (HasScope,)
    required_scopes: ClassVar = {"GET": scopes.Scope.ACCOUNT, "PATCH": scopes.Scope.ACCOUNT}

    @extend_schema(operation_id="get_me", tags=["accounts"], responses=AccountSerializer, examples=description.ME)
    def get(self, request: AccountRequest) -> Response:
        """The account whose token this is."""
        return Response(AccountSerializer(request.user).data)

    @extend_schema(
        operation_id="change_me",
        tags=["accounts"],
        request=AccountSerializer,
        responses=AccountSerializer,
        examples=description.CHANGE_ME,
    )
    def patch(self, request: AccountRequest) -> Response:
        """Change my name, language, time zone or preferences. A new name holds at every table at once."""
        serializer = AccountSerializer(request.user, data=request.data, partial=True)
        changes = _validated(serializer)
        wanted = changes.pop("preferences", None)
        with translate_errors(), transaction.atomic():
            flows.update_account(request.user, changes)
            if wanted:
                request.user.preferences = preferences.change(request.user, wanted, timezone.now())
        return Response(AccountSerializer(request.user).data)


def _validated(serializer: Any) -> dict[str, Any]:
    """Return what a valid request says."""
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def _has_token(account: Account) -> bool:
    return bool(Token.objects.filter(user=account).exists())


def _tokens_of(request: AccountRequest) -> QuerySet[Token]:
    tokens: QuerySet[Token] = Token.objects.filter(user=request.user)
    return tokens
