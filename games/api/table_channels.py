"""The chats to which games and clubs post their state."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Final
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ErrorDetail
from rest_framework.response import Response

from accounts.tokens.tokens import Scope
from accounts.web.api_view import AccountApiView, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import StrictSerializer
from games.announcements import table_channels
from games.api.shared.problems import refusals_as_problems
from games.clubs import club_games
from games.clubs.rights import get_membership
from games.models import LONGEST_HANDLE, ClubChannel, TableChannel
from games.refusals import not_found
from games.visibility.access import access_to_game
from notifications.channels.base import ForbiddenHandle, ForbiddenSecret
from notifications.channels.registry import chat_apps
from notifications.endpoints import LONGEST_SECRET, LONGEST_URL
from notifications.outgoing.address_policy import ForbiddenAddress

APPS: Final = [(name, name) for name in chat_apps()]
_DISCORD: Final = {"app": "discord", "address": "", "secret": "https://discord.com/api/webhooks/42/wnD3-v_9xQz1"}


class NewTableChannelSerializer(StrictSerializer):
    """A chat to connect to a game or a club."""

    app = serializers.ChoiceField(choices=APPS)
    address = serializers.CharField(
        max_length=LONGEST_URL,
        allow_blank=True,
        default="",
        help_text="Telegram: the number of the chat. Matrix: the homeserver, a slash and the room's ID. "
        "Otherwise blank.",
    )
    secret = serializers.CharField(
        max_length=LONGEST_SECRET,
        write_only=True,
        help_text="Discord and Slack: the URL of a webhook. Telegram: the token of a bot. Matrix: an access token. "
        "It is never shown again.",
    )


@contextmanager
def chat_errors_as_problems() -> Iterator[None]:
    """Turn refusals into problems, and a wrong address, secret or handle into a problem about that field."""
    try:
        with refusals_as_problems():
            yield
    except ForbiddenAddress as error:
        raise serializers.ValidationError({"address": ErrorDetail(str(error), code="address")}) from None
    except ForbiddenSecret as error:
        raise serializers.ValidationError({"secret": ErrorDetail(str(error), code="secret")}) from None
    except ForbiddenHandle as error:
        raise serializers.ValidationError({"handle": ErrorDetail(str(error), code="handle")}) from None


class HandleSerializer(StrictSerializer):
    """Your handle in a chat."""

    handle = serializers.CharField(
        max_length=LONGEST_HANDLE,
        allow_blank=True,
        help_text="Discord and Matrix: your user ID. Slack: your member ID. Mattermost and Telegram: your name with "
        "`@`. Blank: reminders name you as here.",
    )


class ClubChannelSerializer(serializers.Serializer[Any]):
    """The chat to which the games of a club post their state."""

    app = serializers.ChoiceField(choices=APPS)
    handle = serializers.SerializerMethodField(
        help_text="The handle by which reminders mention you there; blank: you gave none."
    )

    def get_handle(self, channel: TableChannel | ClubChannel) -> str:
        return table_channels.own_handle(channel, self.context["request"].user)


class TableChannelSerializer(ClubChannelSerializer):
    """The chat to which a game posts its state."""

    works = serializers.SerializerMethodField(help_text="False once the app has refused the messages for good.")

    def get_works(self, channel: TableChannel) -> bool:
        return channel.stopped_at is None


class TableChannelView(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ, "PUT": Scope.GAMES_PLAY, "DELETE": Scope.GAMES_PLAY}

    @extend_schema(operation_id="get_table_channel", tags=["chat"], responses=TableChannelSerializer)
    def get(self, request: AccountRequest, game: UUID) -> Response:
        """Get the chat to which this game posts its state; 404 if it has none.

        Everyone who sees the game may know that there is one. Only the host knows where.
        """
        with refusals_as_problems():
            channel = TableChannel.objects.filter(game=access_to_game(request.user, game).game).first()
            if channel is None:
                raise not_found()
        return Response(TableChannelSerializer(channel, context={"request": request}).data)

    @extend_schema(
        operation_id="connect_table_channel",
        tags=["chat"],
        request=NewTableChannelSerializer,
        responses=TableChannelSerializer,
        examples=[OpenApiExample("A channel of Discord", _DISCORD, request_only=True)],
    )
    def put(self, request: AccountRequest, game: UUID) -> Response:
        """Let the game post its state to a chat, in place of any other chat. Only the host may.

        One message there says what a spectator is shown: whose turn it is, until when, and what happened last. It is
        edited in place. Slack cannot edit messages: a new one comes at most once an hour. A reminder comes when a
        quarter of the time is left, if there are four hours or more. The messages come without the
        `spectator_delay` of the game.
        """
        data: dict[str, Any] = validated_data(NewTableChannelSerializer(data=request.data))
        with chat_errors_as_problems():
            row = access_to_game(request.user, game).game
            channel = table_channels.connect(row, request.user, **data, now=self.received_at)
        return Response(TableChannelSerializer(channel, context={"request": request}).data)

    @extend_schema(operation_id="delete_table_channel", tags=["chat"], responses={204: None})
    def delete(self, request: AccountRequest, game: UUID) -> Response:
        """Stop posting to the chat. Messages that were posted stay. Only the host may."""
        with refusals_as_problems():
            table_channels.disconnect(access_to_game(request.user, game).game, request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)


class TableHandleView(AccountApiView):
    """The account's own handle in the chat of a game."""

    required_scopes: ClassVar = {"PUT": Scope.GAMES_PLAY}

    @extend_schema(
        operation_id="set_table_handle", tags=["chat"], request=HandleSerializer, responses=TableChannelSerializer
    )
    def put(self, request: AccountRequest, game: UUID) -> Response:
        """Let reminders in the chat of this game mention you by your handle there. Players can do this for themselves
        only.

        A reminder on your turn then reaches you in that chat. All its readers see the handle.
        """
        data: dict[str, Any] = validated_data(HandleSerializer(data=request.data))
        with chat_errors_as_problems():
            access = access_to_game(request.user, game)
            access.require_seat()
            channel = TableChannel.objects.filter(game=access.game).first()
            if channel is None:
                raise not_found()
            table_channels.give_handle(channel, request.user, data["handle"])
        return Response(TableChannelSerializer(channel, context={"request": request}).data)


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
        with chat_errors_as_problems():
            channel = club_games.connect_chat(get_membership(request.user, club), **data, now=self.received_at)
        return Response(ClubChannelSerializer(channel, context={"request": request}).data)

    @extend_schema(operation_id="delete_club_channel", tags=["clubs"], responses={204: None})
    def delete(self, request: AccountRequest, club: UUID) -> Response:
        """Stop posting to the chat. Messages that were posted stay. The owner and organizers may."""
        with refusals_as_problems():
            club_games.disconnect_chat(get_membership(request.user, club))
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
        data: dict[str, Any] = validated_data(HandleSerializer(data=request.data))
        with chat_errors_as_problems():
            channel = ClubChannel.objects.filter(club=get_membership(request.user, club).club).first()
            if channel is None:
                raise not_found()
            table_channels.give_handle(channel, request.user, data["handle"])
        return Response(ClubChannelSerializer(channel, context={"request": request}).data)
