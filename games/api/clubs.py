"""Clubs, and their members."""

from typing import Any, ClassVar
from uuid import UUID

from django.db import transaction
from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response

from accounts.idempotency import Effect
from accounts.tokens import Scope
from accounts.web.api_view import KEY, AccountApiView, ListApiView, id_in_location, run_idempotent, validated_data
from accounts.web.pagination import PageSerializer
from accounts.web.requests import AccountRequest
from accounts.web.serializers import NothingSerializer, StrictSerializer
from games import clubs
from games.api.shared.problems import refusals_as_problems
from games.clubs import Right, get_membership, may
from games.models import LONGEST_ABOUT, LONGEST_NAME, Membership
from games.tables.joining import remove_from_club

LONGEST_DAYS = 3650


class NewClubSerializer(StrictSerializer):
    """A club to create."""

    name = serializers.CharField(max_length=LONGEST_NAME)
    about = serializers.CharField(
        max_length=LONGEST_ABOUT, allow_blank=True, default="", help_text="A line about the club, without links."
    )


class ClubChangesSerializer(StrictSerializer):
    """The changes of a club. Fields that are left out do not change."""

    name = serializers.CharField(max_length=LONGEST_NAME, required=False)
    about = serializers.CharField(max_length=LONGEST_ABOUT, allow_blank=True, required=False)
    notify = serializers.BooleanField(required=False, help_text="True: you get a notification of each new game.")


class JoinClubSerializer(StrictSerializer):
    """The club that you want to join."""

    code = serializers.CharField(max_length=40, help_text="The code in the link of the club: `clubs/join/{code}/`.")


class ClubSerializer(serializers.Serializer[Any]):
    """A club that you are in."""

    id = serializers.UUIDField(source="club_id")
    name = serializers.CharField(source="club.name")
    about = serializers.CharField(source="club.about")
    role = serializers.ChoiceField(choices=Membership.Role.choices, help_text="Your role.")
    member = serializers.UUIDField(source="pk", help_text="Your id among its members.")
    notify = serializers.BooleanField(source="hears", help_text="You’re notified of each new game.")
    code = serializers.SerializerMethodField(
        help_text="The code with which others join. Only the owner and organizers see it."
    )
    created_at = serializers.DateTimeField(source="club.created_at")
    joined_at = serializers.DateTimeField(help_text="The time at which you joined.")

    def get_code(self, member: Membership) -> str | None:
        return member.club.code if may(member, Right.INVITE) else None


class LeadersFilterSerializer(PageSerializer):
    """The games that count."""

    days = serializers.IntegerField(
        min_value=1, max_value=LONGEST_DAYS, required=False, help_text="Only games that ended in these last days."
    )


class ClubLeaderSerializer(serializers.Serializer[Any]):
    """A place on the leaderboard of a club."""

    place = serializers.IntegerField(help_text="From 1; equals share it.")
    name = serializers.CharField(source="account.name")
    games = serializers.IntegerField()
    wins = serializers.IntegerField()
    points = serializers.IntegerField(
        help_text="2 for each person who finished behind you in a game, and 1 for each who shared your place."
    )


class ClubList(ListApiView):
    """The clubs of the account."""

    required_scopes: ClassVar = {"GET": Scope.GAMES_READ, "POST": Scope.GAMES_PLAY}

    @extend_schema(operation_id="list_clubs", tags=["clubs"], responses=ClubSerializer(many=True))
    def get(self, request: AccountRequest) -> Response:
        """List the clubs that you are in, by name."""
        return self.page_response(clubs.list_clubs(request.user), ClubSerializer)

    @extend_schema(
        operation_id="create_club",
        tags=["clubs"],
        request=NewClubSerializer,
        responses={201: ClubSerializer},
        parameters=[KEY],
    )
    def post(self, request: AccountRequest) -> Response:
        """Create a club, which you own. Only people with its link can see that it exists.

        A bot account may join a club, but not create one.
        """
        data: dict[str, Any] = validated_data(NewClubSerializer(data=request.data))

        def effect() -> Effect:
            member = clubs.create_club(request.user, **data, now=self.received_at)
            return Effect(reverse("club", args=[member.club_id]))

        return club_response(self, request, effect, status.HTTP_201_CREATED)


class ClubDetail(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ, "PATCH": Scope.GAMES_PLAY, "DELETE": Scope.GAMES_PLAY}

    @extend_schema(operation_id="get_club", tags=["clubs"], responses=ClubSerializer)
    def get(self, request: AccountRequest, club: UUID) -> Response:
        """Get a club that you are in. `games/?club=` lists its games."""
        with refusals_as_problems():
            return Response(ClubSerializer(get_membership(request.user, club)).data)

    @extend_schema(operation_id="change_club", tags=["clubs"], request=ClubChangesSerializer, responses=ClubSerializer)
    def patch(self, request: AccountRequest, club: UUID) -> Response:
        """Change the name or the description of a club, or your own notifications of its games.

        The owner and organizers may change the name and the description.
        """
        data: dict[str, Any] = validated_data(ClubChangesSerializer(data=request.data))
        notify = data.pop("notify", None)
        with refusals_as_problems(), transaction.atomic():
            member = get_membership(request.user, club)
            if data or notify is None:
                member = clubs.change_club(member, **data)
            if notify is not None:
                member = clubs.set_notifications(member, hears=notify)
        return Response(ClubSerializer(member).data)

    @extend_schema(operation_id="delete_club", tags=["clubs"], responses={204: None})
    def delete(self, request: AccountRequest, club: UUID) -> Response:
        """Close a club. Its games go on among those who play in them. Only the owner may."""
        with refusals_as_problems():
            clubs.close_club(get_membership(request.user, club))
        return Response(status=status.HTTP_204_NO_CONTENT)


class JoinClub(AccountApiView):
    required_scopes: ClassVar = {"POST": Scope.GAMES_PLAY}

    @extend_schema(
        operation_id="join_club", tags=["clubs"], request=JoinClubSerializer, responses=ClubSerializer, parameters=[KEY]
    )
    def post(self, request: AccountRequest) -> Response:
        """Join a club by the code in its link. If you are in it, nothing changes."""
        data: dict[str, Any] = validated_data(JoinClubSerializer(data=request.data))

        def effect() -> Effect:
            member = clubs.join_club(request.user, data["code"], self.received_at)
            return Effect(reverse("club", args=[member.club_id]))

        return club_response(self, request, effect, status.HTTP_200_OK)


class ClubLink(AccountApiView):
    required_scopes: ClassVar = {"POST": Scope.GAMES_PLAY}

    @extend_schema(
        operation_id="renew_club_link",
        tags=["clubs"],
        request=NothingSerializer,
        responses=ClubSerializer,
        parameters=[KEY],
    )
    def post(self, request: AccountRequest, club: UUID) -> Response:
        """Give a club a new code. The old one becomes useless. The owner and organizers may."""
        validated_data(NothingSerializer(data=request.data))

        def effect() -> Effect:
            clubs.renew_link(get_membership(request.user, club))
            return Effect(reverse("club", args=[club]))

        return club_response(self, request, effect, status.HTTP_200_OK)


class ClubLeaders(ListApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}
    query_serializer = LeadersFilterSerializer

    @extend_schema(
        operation_id="list_club_leaders",
        tags=["clubs"],
        responses=ClubLeaderSerializer(many=True),
    )
    def get(self, request: AccountRequest, club: UUID) -> Response:
        """List the members who have finished games of the club with other people, the best first."""
        with refusals_as_problems():
            member = get_membership(request.user, club)
        return self.page_response(clubs.leaders(member.club_id, self.received_at, **self.filters), ClubLeaderSerializer)


def club_response(view: AccountApiView, request: AccountRequest, effect: Any, code: int) -> Response:
    """Run the effect once for the request's idempotency key, and return the club that it created or changed."""
    with refusals_as_problems():
        location = run_idempotent(request, effect, view.received_at)
        member = get_membership(request.user, UUID(id_in_location(location)))
    return Response(ClubSerializer(member).data, code, headers={"Location": location})


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


class MemberList(ListApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}

    @extend_schema(operation_id="list_members", tags=["clubs"], responses=MemberSerializer(many=True))
    def get(self, request: AccountRequest, club: UUID) -> Response:
        """List the owner, the organizers and the other members of a club, each by the time of joining."""
        with refusals_as_problems():
            rows = clubs.list_members(get_membership(request.user, club))
        return self.page_response(rows, MemberSerializer)


class MemberDetail(AccountApiView):
    required_scopes: ClassVar = {"PATCH": Scope.GAMES_PLAY, "DELETE": Scope.GAMES_PLAY}

    @extend_schema(operation_id="change_role", tags=["clubs"], request=RoleSerializer, responses=MemberSerializer)
    def patch(self, request: AccountRequest, club: UUID, member: UUID) -> Response:
        """Give a member another role. Only the owner may."""
        data: dict[str, Any] = validated_data(RoleSerializer(data=request.data))
        with refusals_as_problems():
            caller = get_membership(request.user, club)
            row = clubs.get_member(caller, member)
            if data:
                row = clubs.appoint(caller, member, data["role"], self.received_at)
        return Response(MemberSerializer(row).data)

    @extend_schema(operation_id="delete_member", tags=["clubs"], responses={204: None})
    def delete(self, request: AccountRequest, club: UUID, member: UUID) -> Response:
        """Leave a club, or remove a member. They stay in the games that have started.

        Organizers may remove members, and the owner may remove everyone else. A member who is removed loses their seats
        in open games of the club, and the club gets a new code, so that they cannot come back by the old one. A member
        who leaves keeps their seats. The owner cannot leave.
        """
        with refusals_as_problems():
            remove_from_club(get_membership(request.user, club), member, self.received_at)
        return Response(status=status.HTTP_204_NO_CONTENT)
