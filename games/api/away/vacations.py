"""The vacations of an account: days on which its time does not run."""

from typing import Any, ClassVar
from uuid import UUID

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response

from accounts.limits.idempotency import Effect
from accounts.tokens.scopes import Scope
from accounts.web.api_view import KEY, AccountApiView, id_in_location, run_idempotent, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import StrictSerializer
from games.api.shared.problems import refusals_as_problems
from games.away import vacations
from games.refusals import not_found


class NewVacationSerializer(StrictSerializer):
    """A vacation to plan."""

    first = serializers.DateField(help_text="Its first day, in your time zone: it begins in a day from now or later.")
    last = serializers.DateField(
        help_text="Its last day. You have 30 days in a calendar year: of the Jalali calendar if your language "
        "is Persian."
    )


class VacationSerializer(serializers.Serializer[Any]):
    """A vacation of your own."""

    id = serializers.UUIDField()
    first = serializers.DateField()
    last = serializers.DateField()


class VacationList(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.ACCOUNT, "POST": Scope.ACCOUNT}

    @extend_schema(operation_id="list_vacations", tags=["accounts"], responses=VacationSerializer(many=True))
    def get(self, request: AccountRequest) -> Response:
        """List your vacations of this year and later, the earliest first."""
        return Response(VacationSerializer(vacations.list_vacations(request.user), many=True).data)

    @extend_schema(
        operation_id="announce_vacation",
        tags=["accounts"],
        request=NewVacationSerializer,
        responses={201: VacationSerializer},
        parameters=[KEY],
    )
    def post(self, request: AccountRequest) -> Response:
        """Plan a vacation: days on which your time does not run, in every game as far as its schedule allows.

        Deadlines that are open are moved too, and never nearer. Others are not told, but see the latest moment until
        which they may have to wait.
        """
        days = validated_data(NewVacationSerializer(data=request.data))

        def effect() -> Effect:
            vacation = vacations.announce(request.user, **days, now=self.received_at)
            return Effect(reverse("vacation", args=[vacation.id]))

        with refusals_as_problems():
            location = run_idempotent(request, effect, self.received_at)
            vacation = _get_own_vacation(request, UUID(id_in_location(location)))
        return Response(VacationSerializer(vacation).data, status.HTTP_201_CREATED, headers={"Location": location})


class VacationDetail(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.ACCOUNT, "DELETE": Scope.ACCOUNT}

    @extend_schema(operation_id="get_vacation", tags=["accounts"], responses=VacationSerializer)
    def get(self, request: AccountRequest, id: UUID) -> Response:
        """Get one of your vacations."""
        with refusals_as_problems():
            return Response(VacationSerializer(_get_own_vacation(request, id)).data)

    @extend_schema(operation_id="withdraw_vacation", tags=["accounts"], responses={204: None})
    def delete(self, request: AccountRequest, id: UUID) -> Response:
        """Cancel a vacation that has not begun, unless a deadline was moved for it."""
        with refusals_as_problems():
            vacations.withdraw(request.user, id, self.received_at)
        return Response(status=status.HTTP_204_NO_CONTENT)


def _get_own_vacation(request: AccountRequest, id: UUID) -> vacations.Vacation:
    own_vacation = next((vacation for vacation in vacations.list_vacations(request.user) if vacation.id == id), None)
    if own_vacation is None:
        raise not_found()
    return own_vacation
