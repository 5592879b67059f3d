"""The chats to which games and clubs post their state."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any, ClassVar, Final
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ErrorDetail
from rest_framework.response import Response

from accounts.models import Account
from accounts.tokens import Scope
from accounts.web.api_view import AccountApiView, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import StrictSerializer
from games import clubs
from games.announcements import table_channels
from games.api.shared.problems import refusals_as_problems
from games.clubs import get_membership
from games.models import LONGEST_HANDLE, ClubChannel, TableChannel
from games.refusals import not_found
from games.visibility.access import access_to_game
from notifications.channels.base import ForbiddenHandle, ForbiddenSecret
from notifications.channels.registry import chat_apps
from notifications.endpoints import LONGEST_SECRET, LONGEST_URL
from notifications.outgoing import ForbiddenAddress

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


class GroupChatChangesSerializer(StrictSerializer):
    """Your handle in a chat. Without one nothing changes."""

    handle = serializers.CharField(
        max_length=LONGEST_HANDLE,
        allow_blank=True,
        required=False,
        help_text="Discord and Matrix: your user ID. Slack: your member ID. Mattermost and Telegram: your name with "
        "`@`. Blank: reminders name you as here.",
    )


class GroupChatSerializer(serializers.Serializer[Any]):
    """The chat to which a game, or every game of a club, posts its state."""

    app = serializers.ChoiceField(choices=APPS)
    handle = serializers.SerializerMethodField(
        help_text="The handle by which reminders mention you there; blank: you gave none."
    )
    works = serializers.SerializerMethodField(
        help_text="False once the app has refused the messages of a game for good. Of a club always true: ask for its "
        "games."
    )

    def get_handle(self, channel: TableChannel | ClubChannel) -> str:
        return table_channels.own_handle(channel, self.context["request"].user)

    def get_works(self, channel: TableChannel | ClubChannel) -> bool:
        return isinstance(channel, ClubChannel) or channel.stopped_at is None


class _GameChat:
    """The chat of a game that the account sees. Only the host may change it."""

    def __init__(self, account: Account, game: UUID) -> None:
        self.account, self.access = account, access_to_game(account, game)
        self.channel = TableChannel.objects.filter(game=self.access.game).first()

    def connect(self, now: datetime, **chat: str) -> TableChannel:
        return table_channels.connect(self.access.game, self.account, **chat, now=now)

    def disconnect(self) -> None:
        table_channels.disconnect(self.access.game, self.account)

    def require_handle_owner(self) -> None:
        """Raise Refusal(forbidden) for accounts that do not play, because reminders never mention them."""
        self.access.require_seat()


class _ClubChat:
    """The chat of the account's own club. The owner and organizers may change it."""

    def __init__(self, account: Account, club: UUID) -> None:
        self.membership = get_membership(account, club)
        self.channel = ClubChannel.objects.filter(club=self.membership.club).first()

    def connect(self, now: datetime, **chat: str) -> ClubChannel:
        return clubs.connect_chat(self.membership, **chat, now=now)

    def disconnect(self) -> None:
        clubs.disconnect_chat(self.membership)

    def require_handle_owner(self) -> None:
        """Every member may have a handle."""


_PLACES: Final[Mapping[str, type[_GameChat | _ClubChat]]] = {"games": _GameChat, "clubs": _ClubChat}
_PARAMETERS: Final = [
    OpenApiParameter("place", str, OpenApiParameter.PATH, enum=[*_PLACES], description="The kind of group."),
    OpenApiParameter("group", UUID, OpenApiParameter.PATH, description="The id of the game or club."),
]


class GroupChatView(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ} | dict.fromkeys(("PUT", "PATCH", "DELETE"), Scope.GAMES_PLAY)

    @extend_schema(operation_id="get_group_chat", tags=["chat"], responses=GroupChatSerializer, parameters=_PARAMETERS)
    def get(self, request: AccountRequest, place: str, group: UUID) -> Response:
        """Get the chat to which a game, or every game of a club, posts its state; 404 if it has none.

        Everyone who sees the game, and every member of the club, may know that there is one. Its address is not shown.
        """
        with refusals_as_problems():
            channel = _chat(request, place, group).channel
            if channel is None:
                raise not_found()
        return self._response(channel)

    @extend_schema(
        operation_id="connect_group_chat",
        tags=["chat"],
        request=NewTableChannelSerializer,
        responses=GroupChatSerializer,
        parameters=_PARAMETERS,
        examples=[OpenApiExample("A channel of Discord", _DISCORD, request_only=True)],
    )
    def put(self, request: AccountRequest, place: str, group: UUID) -> Response:
        """Let a game, or every game of a club, post its state to a chat, in place of any other one.

        Of a game only the host may, of a club the owner and organizers. Each game has one message there. It says what
        a spectator is shown: whose turn it is, until when, and what happened last. It is edited in place. Slack cannot
        edit messages: a new one comes at most once an hour. A reminder comes when a quarter of the time is left, if
        there are four hours or more. The messages come without the `spectator_delay` of the game; games of a club that
        have a delay post nothing. For tournaments of the club there are messages about the opening, the date, each
        round, the standings and the end.
        """
        data: dict[str, Any] = validated_data(NewTableChannelSerializer(data=request.data))
        with chat_errors_as_problems():
            return self._response(_chat(request, place, group).connect(self.received_at, **data))

    @extend_schema(
        operation_id="change_group_chat",
        tags=["chat"],
        request=GroupChatChangesSerializer,
        responses=GroupChatSerializer,
        parameters=_PARAMETERS,
    )
    def patch(self, request: AccountRequest, place: str, group: UUID) -> Response:
        """Let reminders in the chat mention you by your handle there: in a game that you play, or in all games of your
        club.

        You can do this for yourself only. A reminder on your turn then reaches you in that chat. All its readers see
        the handle.
        """
        data: dict[str, Any] = validated_data(GroupChatChangesSerializer(data=request.data))
        with chat_errors_as_problems():
            chat = _chat(request, place, group)
            chat.require_handle_owner()
            if chat.channel is None:
                raise not_found()
            if data:
                table_channels.give_handle(chat.channel, request.user, data["handle"])
        return self._response(chat.channel)

    @extend_schema(operation_id="delete_group_chat", tags=["chat"], responses={204: None}, parameters=_PARAMETERS)
    def delete(self, request: AccountRequest, place: str, group: UUID) -> Response:
        """Stop posting to the chat. Messages that were posted stay.

        Of a game only the host may, of a club the owner and organizers.
        """
        with refusals_as_problems():
            _chat(request, place, group).disconnect()
        return Response(status=status.HTTP_204_NO_CONTENT)

    def _response(self, channel: TableChannel | ClubChannel) -> Response:
        return Response(GroupChatSerializer(channel, context={"request": self.request}).data)


def _chat(request: AccountRequest, place: str, group: UUID) -> _GameChat | _ClubChat:
    """Return the chat of a game or club. Raises Refusal(not-found) for a place or group that is not there."""
    if place not in _PLACES:
        raise not_found()
    return _PLACES[place](request.user, group)
