"""The account of the caller: sign-up, profile, the export of its data, and its deletion."""

from typing import Any, ClassVar

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from accounts import account_data
from accounts.api.shared import description
from accounts.api.shared.description import OTP, translate_errors
from accounts.api.shared.serializers import (
    AccountSerializer,
    ConfirmSerializer,
    IdentitySerializer,
    PasswordField,
    SignedUpSerializer,
    SignUpSerializer,
)
from accounts.authentication import flows, sign_up
from accounts.idempotency import Effect
from accounts.tokens import ANY_SCOPE, Scope, has_scope
from accounts.web.api_view import KEY, AccountApiView, PublicApiView, run_idempotent, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import StrictSerializer
from config.core.email_spellings import canonical
from notifications import preferences


class Me(AccountApiView):
    required_scopes: ClassVar = {"GET": ANY_SCOPE, "PATCH": Scope.ACCOUNT}

    @extend_schema(operation_id="get_me", tags=["me"], responses=AccountSerializer, examples=description.ME)
    def get(self, request: AccountRequest) -> Response:
        """Get the account whose token this is.

        Every token gets `name`, `language`, `is_bot` and `stream`. The other members are there only with the scope
        `account`.
        """
        serializer = AccountSerializer if has_scope(request, Scope.ACCOUNT) else IdentitySerializer
        return Response(serializer(request.user).data)

    @extend_schema(
        operation_id="change_me",
        tags=["accounts"],
        request=AccountSerializer,
        responses=AccountSerializer,
        examples=description.CHANGE_ME,
    )
    def patch(self, request: AccountRequest) -> Response:
        """Change your name, language, time zone or preferences. A new name is shown in all your games."""
        serializer = AccountSerializer(request.user, data=request.data, partial=True)
        changes = validated_data(serializer)
        new_preferences = changes.pop("preferences", None)
        with translate_errors(), transaction.atomic():
            flows.update_account(request.user, changes)
            if new_preferences:
                request.user.preferences = preferences.change(request.user, new_preferences, timezone.now())
        return Response(AccountSerializer(request.user).data)


def _list_of_objects(help_text: str) -> serializers.ListField:
    return serializers.ListField(child=serializers.DictField(), help_text=help_text)


class AccountDataSerializer(serializers.Serializer[Any]):
    """The data that is kept about you."""

    account = serializers.DictField(help_text="Your account.")
    addresses = _list_of_objects("Your addresses.")
    preferences = serializers.DictField(help_text="Your preferences for notifications.")
    tokens = _list_of_objects("Your tokens, without the tokens themselves.")
    second_factors = _list_of_objects("Your second factors, without their secrets.")
    sessions = _list_of_objects("The browsers in which you are logged in, and their addresses.")
    blocks = _list_of_objects("The people you have blocked.")
    mutes = _list_of_objects("The people you have muted.")
    reports = _list_of_objects("The reports that you made.")
    seats = _list_of_objects("The seats that you have, and had.")
    moves = _list_of_objects("Your moves.")
    chat_messages = _list_of_objects("The messages that you wrote in chats, and the private ones to you.")
    invitations = _list_of_objects("The people you invited.")
    player_stats = _list_of_objects("Your results and ratings.")
    notifications = _list_of_objects("The emails that went to you, when and why.")
    webhooks = _list_of_objects("Your webhooks.")
    devices = _list_of_objects("Your browsers that show pushes.")


class Export(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.ACCOUNT}

    @extend_schema(operation_id="export_me", tags=["accounts"], responses=AccountDataSerializer)
    def get(self, request: AccountRequest) -> Response:
        """Export everything that is kept about you, in one document."""
        headers = {"Cache-Control": "no-store", "Content-Disposition": 'attachment; filename="darbar.json"'}
        with translate_errors():
            return Response(account_data.export_account(request.user, timezone.now()), headers=headers)


class DeletionSerializer(StrictSerializer):
    """The proof that the owner asks: one of the first two fields, and `otp` with a second factor."""

    password = PasswordField(required=False)
    code = serializers.CharField(
        max_length=40, required=False, help_text="From the email that `me/deletion/code/` sends, in any case."
    )
    otp = serializers.CharField(
        max_length=40,
        required=False,
        help_text="If the account has a second factor: a code of its authenticator app, or a recovery code.",
    )

    def validate(self, data: dict[str, Any]) -> dict[str, Any]:
        if len(data.keys() - {"otp"}) != 1:
            sentence = _("Send either your password or the code from the email that me/deletion/code/ sends.")
            raise serializers.ValidationError(ErrorDetail(sentence, code="proof"))
        return data


class Deletion(AccountApiView):
    takes_key = False  # idempotency keys are deleted with their account
    required_scopes: ClassVar = {"POST": Scope.ACCOUNT}

    @extend_schema(
        operation_id="delete_me",
        tags=["accounts"],
        request=DeletionSerializer,
        responses={204: None, **OTP},
        examples=[
            OpenApiExample("With the password", {"password": "seven goats on a roof"}, request_only=True),
            OpenApiExample("With the code from the email", {"code": "k3wq-7fzn"}, request_only=True),
        ],
    )
    def post(self, request: AccountRequest) -> Response:
        """Delete your account, immediately and for good.

        You leave games that have not started; in running games a bot takes your seat. The games that you played stay,
        without your name. Your chat messages are deleted; copies stay of those that others have reported.

        If the account has a second factor the request needs `otp` too: `otp-required` without it, `otp-wrong` for a
        wrong one.
        """
        serializer = DeletionSerializer(data=request.data)
        serializer.is_valid(raise_exception=True)
        now = timezone.now()
        with translate_errors():
            otp = serializer.validated_data.pop("otp", "")
            try:
                account_data.verify_owner(request._request, request.user, now, **serializer.validated_data)
            except flows.WrongPassword:
                sentence = _("This isn’t the password of this account.")
                raise ValidationError({"password": [ErrorDetail(sentence, code="wrong-password")]}) from None
            flows.verify_second_factor(request._request, request.user, otp)
        account_data.delete_account(request.user, now)
        return Response(status=status.HTTP_204_NO_CONTENT)


class DeletionCode(AccountApiView):
    """The code that replaces the password when an account is deleted."""

    required_scopes: ClassVar = {"POST": Scope.ACCOUNT}

    @extend_schema(
        operation_id="send_deletion_code",
        tags=["accounts"],
        request=None,
        responses={202: SignedUpSerializer},
        parameters=[KEY],
    )
    def post(self, request: AccountRequest) -> Response:
        """Send yourself a code with which you can delete your account, if you have no password."""
        StrictSerializer(data=request.data).is_valid(raise_exception=True)

        def effect() -> Effect:
            account_data.send_deletion_code(request._request, request.user, self.received_at)
            return Effect()

        with translate_errors():
            run_idempotent(request, effect, self.received_at)
        return Response({"email": request.user.email}, status.HTTP_202_ACCEPTED)


class SignUp(PublicApiView):
    takes_key = False  # a stored answer would have to be kept apart by what only a password proves

    @extend_schema(
        operation_id="create_account",
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

        The answer is the same if the address has an account already. Then its owner gets an email that says so. Each
        sign-up has a code of its own: a later sign-up does not change earlier ones.
        """
        data = validated_data(SignUpSerializer(data=request.data))
        with translate_errors():
            sign_up.sign_up(request._request, data)
        return Response({"email": canonical(data["email"])}, status.HTTP_202_ACCEPTED)


class Confirm(PublicApiView):
    takes_key = False  # as above

    @extend_schema(
        operation_id="confirm_account",
        tags=["accounts"],
        request=ConfirmSerializer,
        responses={200: AccountSerializer, **description.MALFORMED, **description.TOO_OFTEN},
        examples=description.CONFIRM,
    )
    def post(self, request: Request) -> Response:
        """Confirm a sign-up with the code that was sent for it, and its password. After that the account can create
        tokens.

        A code is valid for an hour; a new sign-up sends a new one. If another account has taken the name in the
        meantime, the request is refused (`name-taken`), and the code stays valid: sign up again with another name.
        """
        data = validated_data(ConfirmSerializer(data=request.data))
        with translate_errors():
            account = sign_up.confirm(request._request, data["email"], data["code"], password=data["password"])
        return Response(AccountSerializer(account).data)
