"""The members of a club, and the account's own settings in it."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response

from accounts.tokens.scopes import Scope
from accounts.web.api_view import AccountApiView, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import StrictSerializer
from games.api.clubs.clubs import ClubSerializer
from games.api.shared.problems import refusals_as_problems
from games.clubs import members
from games.clubs.rights import get_membership
from games.lobby.vacate import remove_from_club
from games.models import Membership


class MemberSerializer(serializers.Serializer[Any]):
    """A member of a club."""

    id = serializers.UUIDField()
    name = serializers.CharField(source="account.name")
    is_bot = serializers.BooleanField(source="account.is_bot", help_text="True if a program plays.")
    role = serializers.ChoiceField(choices=Membership.Role.choices)
    joined_at = serializers.DateTimeField()


class RoleSerializer(StrictSerializer):
    """The changes of a member. Without a role nothing changes."""

    role = serializers.ChoiceField(
        choices=Membership.Role.choices,
        required=False,
        help_text="`owner` hands the club over: you become an organizer.",
    )


class ClubNotificationsSerializer(StrictSerializer):
    """Your choice of notifications."""

    notify = serializers.BooleanField(help_text="True: you get a notification of each new game.")


class MemberList(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(operation_id="list_members", tags=["clubs"], responses=MemberSerializer(many=True))
    def get(self, request: AccountRequest, club: UUID) -> Response:
        """List the owner, the organizers and the other members of a club, each by the time of joining."""
        with refusals_as_problems():
            rows = members.list_members(get_membership(request.user, club))
        return Response(MemberSerializer(rows, many=True).data)


class MemberDetail(AccountApiView):
    required_scopes: ClassVar = {"PATCH": Scope.GAMES_PLAY, "DELETE": Scope.GAMES_PLAY}

    @extend_schema(operation_id="change_role", tags=["clubs"], request=RoleSerializer, responses=MemberSerializer)
    def patch(self, request: AccountRequest, club: UUID, member: UUID) -> Response:
        """Give a member another role. Only the owner may."""
        data: dict[str, Any] = validated_data(RoleSerializer(data=request.data))
        with refusals_as_problems():
            caller = get_membership(request.user, club)
            row = members.get_member(caller, member)
            if data:
                row = members.appoint(caller, member, data["role"], self.received_at)
        return Response(MemberSerializer(row).data)

    @extend_schema(operation_id="remove_member", tags=["clubs"], responses={204: None})
    def delete(self, request: AccountRequest, club: UUID, member: UUID) -> Response:
        """Leave a club, or remove a member. They stay in the games that have started.

        Organizers may remove members, and the owner may remove everyone else. A member who is removed loses their seats
        in open games of the club, and the club gets a new code, so that they cannot come back by the old one. A member
        who leaves keeps their seats. The owner cannot leave.
        """
        with refusals_as_problems():
            remove_from_club(get_membership(request.user, club), member, self.received_at)
        return Response(status=status.HTTP_204_NO_CONTENT)


class ClubNotifications(AccountApiView):
    """The account's own choice of notifications."""

    required_scopes: ClassVar = {"PUT": Scope.GAMES_PLAY}

    @extend_schema(
        operation_id="change_club_notifications",
        tags=["clubs"],
        request=ClubNotificationsSerializer,
        responses=ClubSerializer,
    )
    def put(self, request: AccountRequest, club: UUID) -> Response:
        """Choose whether you get a notification of each new game of a club."""
        data: dict[str, Any] = validated_data(ClubNotificationsSerializer(data=request.data))
        with refusals_as_problems():
            member = members.set_notifications(get_membership(request.user, club), hears=data["notify"])
        return Response(ClubSerializer(member).data)
