"""The chat to which the games of a club post their state."""

from typing import Any, ClassVar
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response

from accounts.tokens.scopes import Scope
from accounts.web.api_view import AccountApiView, validated_data
from accounts.web.requests import AccountRequest
from games.announcements.table_channels import handles
from games.api.shared.problems import refusals_as_problems
from games.api.social.table_channels import (
    APPS,
    HandleSerializer,
    NewTableChannelSerializer,
    forbidden_chats_as_problems,
)
from games.clubs import club_channel
from games.clubs.rights import get_membership
from games.models import ClubChannel
from games.refusals import not_found


class ClubChannelSerializer(serializers.Serializer[ClubChannel]):
    """The chat to which the games of a club post their state."""

    app = serializers.ChoiceField(choices=APPS)
    handle = serializers.SerializerMethodField(
        help_text="The handle by which reminders mention you there; blank: you gave none."
    )

    def get_handle(self, channel: ClubChannel) -> str:
        return handles.own_handle(channel, self.context["request"].user)


class ClubChannelView(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ, "PUT": Scope.GAMES_PLAY, "DELETE": Scope.GAMES_PLAY}

    @extend_schema(operation_id="get_club_channel", tags=["clubs"], responses=ClubChannelSerializer)
    def get(self, request: AccountRequest, club: UUID) -> Response:
        """Get the chat to which the games of a club post their state; 404 if it has none."""
        with refusals_as_problems():
            channel = ClubChannel.objects.filter(club=get_membership(request.user, club).club).first()
            if channel is None:
                raise not_found()
        return Response(ClubChannelSerializer(channel, context={"request": request}).data)

    @extend_schema(
        operation_id="connect_club_channel",
        tags=["clubs"],
        request=NewTableChannelSerializer,
        responses=ClubChannelSerializer,
    )
    def put(self, request: AccountRequest, club: UUID) -> Response:
        """Let every game of a club post its state to a chat, in place of any other chat of the club.

        Each game has one message there, as with `games/{game}/channel/`, but not a game with a `spectator_delay`. For
        tournaments of the club there are messages about the opening, the date, each round, the standings and the end.
        The owner and organizers may.
        """
        data: dict[str, Any] = validated_data(NewTableChannelSerializer(data=request.data))
        with refusals_as_problems(), forbidden_chats_as_problems():
            channel = club_channel.connect(get_membership(request.user, club), **data, now=self.received_at)
        return Response(ClubChannelSerializer(channel, context={"request": request}).data)

    @extend_schema(operation_id="disconnect_club_channel", tags=["clubs"], responses={204: None})
    def delete(self, request: AccountRequest, club: UUID) -> Response:
        """Stop posting to the chat. Messages that were posted stay. The owner and organizers may."""
        with refusals_as_problems():
            club_channel.disconnect(get_membership(request.user, club))
        return Response(status=status.HTTP_204_NO_CONTENT)


class ClubHandleView(AccountApiView):
    """The account's own handle in the chat of a club."""

    required_scopes: ClassVar = {"PUT": Scope.GAMES_PLAY}

    @extend_schema(
        operation_id="set_club_handle", tags=["clubs"], request=HandleSerializer, responses=ClubChannelSerializer
    )
    def put(self, request: AccountRequest, club: UUID) -> Response:
        """Let reminders in the chat of the club mention you by your handle there, in all its games.

        Members can do this for themselves only. All readers of the chat see the handle.
        """
        form = HandleSerializer(data=request.data)
        data: dict[str, Any] = validated_data(form)
        with refusals_as_problems(), form.forbidden_as_problem():
            channel = ClubChannel.objects.filter(club=get_membership(request.user, club).club).first()
            if channel is None:
                raise not_found()
            handles.give_handle(channel, request.user, data["handle"])
        return Response(ClubChannelSerializer(channel, context={"request": request}).data)
