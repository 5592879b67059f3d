"""Sign-up, and its confirmation."""

from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.api.shared import description
from accounts.api.shared.problems import translate_errors
from accounts.api.shared.serializers import AccountSerializer, ConfirmSerializer, SignedUpSerializer, SignUpSerializer
from accounts.authentication import sign_up
from accounts.web.api_view import PublicApiView, validated_data


class SignUp(PublicApiView):
    takes_key = False  # a stored answer would have to be kept apart by what only a password proves

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

        The answer is the same if the address has an account already. Then its owner gets an email that says so. Each
        sign-up has a code of its own: a later sign-up does not change earlier ones.
        """
        data = validated_data(SignUpSerializer(data=request.data))
        with translate_errors():
            sign_up.sign_up(request._request, data)
        return Response({"email": data["email"].lower()}, status.HTTP_202_ACCEPTED)


class Confirm(PublicApiView):
    takes_key = False  # as above

    @extend_schema(
        operation_id="confirm",
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
