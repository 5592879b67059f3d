"""The account of the caller."""

from typing import ClassVar

from django.db import transaction
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.api.shared import description
from accounts.api.shared.problems import translate_errors
from accounts.api.shared.serializers import AccountSerializer
from accounts.authentication import flows
from accounts.tokens.permissions import HasScope
from accounts.tokens.scopes import Scope
from accounts.web.api_view import validated_data
from accounts.web.requests import AccountRequest
from notifications.recipients import preferences


class Me(APIView):
    permission_classes = (HasScope,)
    required_scopes: ClassVar = {"GET": Scope.ACCOUNT, "PATCH": Scope.ACCOUNT}

    @extend_schema(operation_id="get_me", tags=["accounts"], responses=AccountSerializer, examples=description.ME)
    def get(self, request: AccountRequest) -> Response:
        """Get the account whose token this is."""
        return Response(AccountSerializer(request.user).data)

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
