"""The deliverability of emails to the account, and the email with which its owner confirms the address."""

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.exceptions import Throttled
from rest_framework.response import Response

from accounts.api.shared import description
from accounts.limits.idempotency import Effect
from accounts.tokens.scopes import Scope
from accounts.web.api_view import KEY, AccountApiView, run_idempotent
from accounts.web.requests import AccountRequest
from accounts.web.serializers import StrictSerializer
from notifications.delivery import server_emails
from notifications.models import Deliverability
from notifications.recipients import deliverability


class UnreachableSerializer(serializers.Serializer[Any]):
    """The reason why no email goes to you, and since when."""

    why = serializers.ChoiceField(
        choices=Deliverability.Why.choices,
        help_text="`bounced`: emails came back; `complained`: one was reported as spam.",
    )
    since = serializers.DateTimeField()


@extend_schema_field(UnreachableSerializer(allow_null=True))
class UnreachableField(serializers.Field[Any, Any, Any, Any]):
    """The reason why no email goes to the account's address, or null."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(source="*", read_only=True, **kwargs)

    def to_representation(self, account: Any) -> dict[str, Any] | None:
        entry = deliverability.of(account.email)
        return None if entry is None else dict(UnreachableSerializer(entry).data)


class Confirmation(AccountApiView):
    """The email that asks the owner to confirm the address."""

    required_scopes: ClassVar = {"POST": Scope.ACCOUNT}

    @extend_schema(
        operation_id="ask_for_confirmation",
        tags=["accounts"],
        request=None,
        responses={202: UnreachableSerializer, 204: None, **description.TOO_OFTEN},
        parameters=[KEY],
    )
    def post(self, request: AccountRequest) -> Response:
        """Send the only email that your address may get while `unreachable` is set: its link confirms the address.

        It is sent at most once an hour. If emails reach you there is nothing to confirm (204).
        """
        StrictSerializer(data=request.data).is_valid(raise_exception=True)
        now = self.received_at
        entry = deliverability.of(request.user.email)
        if entry is None:
            return Response(status=status.HTTP_204_NO_CONTENT)

        def effect() -> Effect:
            if not server_emails.ask_to_confirm(request.user, now):
                raise Throttled(wait=deliverability.wait(entry, now).total_seconds())
            return Effect()

        run_idempotent(request, effect, now)
        return Response(UnreachableSerializer(entry).data, status.HTTP_202_ACCEPTED)
