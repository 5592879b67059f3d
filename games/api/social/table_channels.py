"""The channel of a table: a chat in which a game tells how it stands. Below ``/api/v1/``."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar, Final
from uuid import UUID

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ErrorDetail
from rest_framework.response import Response

from accounts.tokens.scopes import Scope
from accounts.web.api_view import AccountApiView, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import StrictSerializer
from games.announcements.table_channels import connection
from games.api.shared.problems import refusals_as_problems
from games.models import TableChannel
from games.refusals import not_found
from games.visibility.access import sight
from notifications.channels.base import ForbiddenSecret
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
def forbidden_chats_as_problems() -> Iterator[None]:
    """Inside, a chat that cannot be one of its app becomes a problem with the field that is wrong."""
    try:
        yield
    except ForbiddenAddress as error:
        raise serializers.ValidationError({"address": ErrorDetail(str(error), code="address")}) from None
    except ForbiddenSecret as error:
        raise serializers.ValidationError({"secret": ErrorDetail(str(error), code="secret")}) from None


class TableChannelSerializer(serializers.Serializer[TableChannel]):
    """The chat to which a game posts its state."""

    app = serializers.ChoiceField(choices=APPS)
    works = serializers.SerializerMethodField(help_text="False once the app has refused the messages for good.")

    def get_works(self, channel: TableChannel) -> bool:
        return channel.next_attempt_at is not None


class TableChannelView(AccountApiView):
    """The channel of a table."""

    required_scopes: ClassVar = {"GET": Scope.GAMES_READ, "PUT": Scope.GAMES_PLAY, "DELETE": Scope.GAMES_PLAY}

    @extend_schema(operation_id="get_table_channel", tags=["chat"], responses=TableChannelSerializer)
    def get(self, request: AccountRequest, game: UUID) -> Response:
        """Get the chat to which this game posts its state; 404 if it has none.

        Everybody who sees the game may know that there is one. Only the host knows where.
        """
        with refusals_as_problems():
            channel = TableChannel.objects.filter(game=sight(request.user, game).game).first()
            if channel is None:
                raise not_found()
        return Response(TableChannelSerializer(channel).data)

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
        edited in place. Slack cannot edit messages: a new one comes at most once an hour. The messages come without
        the `spectator_delay` of the game.
        """
        said: dict[str, Any] = validated_data(NewTableChannelSerializer(data=request.data))
        with refusals_as_problems(), forbidden_chats_as_problems():
            found = sight(request.user, game).game
            channel = connection.connect(found, request.user, **said, now=self.received_at)
        return Response(TableChannelSerializer(channel).data)

    @extend_schema(operation_id="disconnect_table_channel", tags=["chat"], responses={204: None})
    def delete(self, request: AccountRequest, game: UUID) -> Response:
        """Stop posting to the chat. Messages that were posted stay. Only the host may."""
        with refusals_as_problems():
            connection.disconnect(sight(request.user, game).game, request.user)
        return Response(status=status.HTTP_204_NO_CONTENT)
