"""The chat of a game."""

from typing import Any, ClassVar
from uuid import UUID

from django.urls import reverse
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction, extend_schema
from rest_framework import serializers, status
from rest_framework.response import Response

from accounts.idempotency import Effect
from accounts.tokens import Scope
from accounts.web.api_view import KEY, AccountApiView, run_idempotent, validated_data
from accounts.web.pagination import KeysetPagination, following, page_body
from accounts.web.requests import AccountRequest
from accounts.web.serializers import QuerySerializer, StrictSerializer
from games.api.shared.problems import refusals_as_problems
from games.engine import Phrase, SeatNumber, gettext_noop
from games.refusals import Refusal, not_found
from games.tables import chat
from games.visibility import table
from games.visibility.access import GameAccess, access_to_game

# The recipient of a message to all players.
ALL = "all"


class ToField(serializers.Field[Any, Any, Any, Any]):
    """The recipient of a message."""

    default_error_messages: ClassVar = {"invalid": gettext_noop("Write “all”, or the number of a seat.")}

    def to_internal_value(self, data: Any) -> SeatNumber | None:
        if data == ALL:
            return None
        if not isinstance(data, int) or isinstance(data, bool) or not 0 < data <= 100:
            self.fail("invalid")
        return SeatNumber(data)

    def to_representation(self, value: Any) -> Any:
        return value


class ToFieldSchema(OpenApiSerializerFieldExtension):
    """Describes the recipient as ``all`` or the number of a seat."""

    target_class = ToField

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        return {"oneOf": [{"type": "string", "enum": [ALL]}, {"type": "integer", "minimum": 1, "maximum": 100}]}


class NewChatMessageSerializer(StrictSerializer):
    """A message to send."""

    to = ToField(help_text="`all`, or the seat to which a private message goes.")
    text = serializers.CharField(
        max_length=2 * chat.MAX_LENGTH,
        help_text=f"Plain text of at most {chat.MAX_LENGTH} characters; markup means nothing.",
    )


class ChatMessageSerializer(serializers.Serializer[Any]):
    """A chat message, to you or by you."""

    id = serializers.UUIDField()
    at = serializers.DateTimeField()
    seat = serializers.IntegerField(help_text="The seat of the sender.")
    to = ToField(help_text="`all`, or the seat that a private message went to.")
    text = serializers.CharField(
        allow_null=True, help_text="Plain text, to be escaped. Null: removed, by a moderator or with an account."
    )


class ChatMessagesFilterSerializer(QuerySerializer):
    """A filter of messages."""

    after = serializers.UUIDField(required=False, help_text="Only messages after the one with this id.")
    limit = serializers.IntegerField(
        min_value=1, max_value=500, default=500, help_text="The most messages in the answer."
    )


class ChatMessageList(AccountApiView):
    pagination_class = KeysetPagination
    required_scopes: ClassVar = {"GET": Scope.CHAT, "POST": Scope.CHAT}
    query_serializer = ChatMessagesFilterSerializer

    @extend_schema(
        operation_id="list_chat_messages",
        tags=["chat"],
        responses=ChatMessageSerializer(many=True),
    )
    def get(self, request: AccountRequest, game: UUID) -> Response:
        """List the messages that you may read, the oldest first: those to all, and private ones from you or to you.

        Players of the game may read it, also when they are out and after the end; others get `forbidden`. Messages
        of players you have blocked or muted are left out. To read on later, send the id of the last message that you
        have as `after`.
        """
        query = self.query
        with refusals_as_problems():
            access = _require_seat(request, game)
            messages = table.visible_messages(access.game, access.account)
            if "after" in query:
                messages = _messages_after(access, query["after"])
            page = list(messages[: query["limit"] + 1])
        results = [_serialize_message(message) for message in page[: query["limit"]]]
        has_more = len(page) > query["limit"]
        return Response(page_body(results, following(request, results[-1]["id"]) if has_more else None))

    @extend_schema(
        operation_id="send_chat_message",
        tags=["chat"],
        request=NewChatMessageSerializer,
        responses={201: ChatMessageSerializer},
        parameters=[KEY],
    )
    def post(self, request: AccountRequest, game: UUID) -> Response:
        """Send a message to all players of your game, or a private one to one seat, as the game's `chat` allows."""
        data = validated_data(NewChatMessageSerializer(data=request.data))

        def effect() -> Effect:
            chat_message = chat.send_message(access.game, request.user, data["to"], data["text"], self.received_at)
            return Effect(reverse("chat-message", args=[game, chat_message.public_id]), game)

        with refusals_as_problems():
            access = access_to_game(request.user, game)
            location = run_idempotent(request, effect, self.received_at)
            chat_message = _get_message(access, UUID(location.rstrip("/").rpartition("/")[2]))
        return Response(chat_message, status.HTTP_201_CREATED, headers={"Location": location})


class ChatMessageDetail(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.CHAT}

    @extend_schema(operation_id="get_chat_message", tags=["chat"], responses=ChatMessageSerializer)
    def get(self, request: AccountRequest, game: UUID, message: UUID) -> Response:
        """Get a message that you may read."""
        with refusals_as_problems():
            return Response(_get_message(access_to_game(request.user, game), message))


def _require_seat(request: AccountRequest, game: UUID) -> GameAccess:
    """Return the access of a player. Raises Refusal(forbidden) for spectators."""
    access = access_to_game(request.user, game)
    if access.seat is None:
        raise Refusal("forbidden", Phrase(gettext_noop("The chat is for the players of this game.")))
    return access


def _messages_after(access: GameAccess, last: UUID) -> Any:
    messages = table.messages_after(
        table.visible_messages(access.game, access.account), access.game, access.account, last
    )
    if messages is None:
        raise Refusal("malformed", Phrase(gettext_noop("There’s no message with this id that you can read.")), "after")
    return messages


def _get_message(access: GameAccess, chat_message: UUID) -> Any:
    message = table.readable_messages(access.game, access.account).filter(public_id=chat_message).first()
    if message is None:
        raise not_found()
    return _serialize_message(message)


def _serialize_message(chat_message: Any) -> Any:
    visible = table.visible_message(chat_message)
    return ChatMessageSerializer({**vars(visible), "to": visible.to or ALL}).data
