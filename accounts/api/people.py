"""Players that an account has blocked, muted or follows. They are not notified."""

from collections.abc import Mapping
from typing import Any, ClassVar
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ErrorDetail, NotFound
from rest_framework.response import Response

from accounts.api.shared import description
from accounts.api.shared.description import translate_errors
from accounts.limits.idempotency import Effect
from accounts.models import Account, Block, Follow, Mute
from accounts.people import blocks
from accounts.profile import names
from accounts.tokens.tokens import Scope
from accounts.web.api_view import KEY, AccountApiView, ListApiView, id_in_location, run_idempotent, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import StrictSerializer

_EXAMPLE = {"id": "5b0c7a54-2f0e-4d0b-9a3e-6b1f0e1c9d42", "name": "Kaveh", "created_at": "2026-11-20T08:30:00Z"}


class AccountNameSerializer(StrictSerializer):
    """Another account, by its present name."""

    name = serializers.CharField(max_length=names.LONGEST)

    def validate_name(self, name: str) -> Account:
        other = Account.objects.filter(folded_name=names.fold(name)).first()
        if other is None:
            sentence = _("Nobody here has the name “%(name)s”. Copy the name from the page of a game.")
            raise serializers.ValidationError(
                ErrorDetail(sentence % {"name": f"\u2068{name}\u2069"}, code="name-unknown")
            )
        if other == self.context["account"]:
            sentence = _("“%(name)s” is your own name. Write the name of another player.")
            raise serializers.ValidationError(ErrorDetail(sentence % {"name": f"\u2068{name}\u2069"}, code="name-own"))
        return other


class ListedAccountSerializer(serializers.Serializer[Any]):
    """A player you have blocked, muted or followed."""

    id = serializers.UUIDField()
    name = serializers.CharField(source="other.name", help_text="The present name.")
    created_at = serializers.DateTimeField(source="since")


_EXAMPLES_OF_ONE = OpenApiExample("One", _EXAMPLE, response_only=True)
# The descriptions of the operations of all three lists.
_LIST: Mapping[str, Any] = {
    "tags": ["people"],
    "responses": ListedAccountSerializer(many=True),
    "examples": [_EXAMPLES_OF_ONE],
}
_ADD: Mapping[str, Any] = {
    "tags": ["people"],
    "request": AccountNameSerializer,
    "responses": {201: ListedAccountSerializer, **description.GONE},
    "parameters": [KEY],
    "examples": [
        OpenApiExample("By their name", {"name": "Kaveh"}, request_only=True),
        OpenApiExample("Added", _EXAMPLE, response_only=True, status_codes=["201"]),
    ],
}
_GET: Mapping[str, Any] = {"tags": ["people"], "responses": ListedAccountSerializer, "examples": [_EXAMPLES_OF_ONE]}
_REMOVE: Mapping[str, Any] = {"tags": ["people"], "responses": {204: None}}


class _PeopleList(ListApiView):
    """Base of views of a private list of people."""

    required_scopes: ClassVar = {"GET": Scope.ACCOUNT, "POST": Scope.ACCOUNT}
    model: ClassVar[Any]
    # The name of the URL of an entry.
    url_name: ClassVar[str]

    def list_response(self, request: AccountRequest) -> Response:
        rows = self.model.objects.filter(owner=request.user).select_related("other").order_by("since", "id")
        return self.page_response(rows, ListedAccountSerializer)

    def add_response(self, request: AccountRequest, add: Any) -> Response:
        def effect() -> Effect:
            # Read here, so that a repeated request is answered even if no account has the name by then.
            other = validated_data(AccountNameSerializer(data=request.data, context={"account": request.user}))["name"]
            return Effect(reverse(self.url_name, args=[add(request.user, other, self.received_at).id]))

        with translate_errors():
            location = run_idempotent(request, effect, self.received_at)
        row = _get_entry(self.model, request, id_in_location(location))
        return Response(ListedAccountSerializer(row).data, status.HTTP_201_CREATED, headers={"Location": location})


class Blocks(_PeopleList):
    model = Block
    url_name = "block"

    @extend_schema(operation_id="list_blocks", **_LIST)
    def get(self, request: AccountRequest) -> Response:
        """List the players you have blocked, in the order in which you blocked them."""
        return self.list_response(request)

    @extend_schema(operation_id="block_player", **_ADD)
    def post(self, request: AccountRequest) -> Response:
        """Block a player: you read none of their messages and get no invitations from them, and share no public
        game.

        They are not told. At tables where both sit already the game goes on. Blocking again changes nothing.
        """
        return self.add_response(request, blocks.block)


class Mutes(_PeopleList):
    model = Mute
    url_name = "mute"

    @extend_schema(operation_id="list_mutes", **_LIST)
    def get(self, request: AccountRequest) -> Response:
        """List the players you have muted, in the order in which you muted them."""
        return self.list_response(request)

    @extend_schema(operation_id="mute_player", **_ADD)
    def post(self, request: AccountRequest) -> Response:
        """Mute a player: you read none of their messages, neither in chats nor in emails. They are not told."""
        return self.add_response(request, blocks.mute)


class Follows(_PeopleList):
    model = Follow
    url_name = "follow"

    @extend_schema(operation_id="list_follows", **_LIST)
    def get(self, request: AccountRequest) -> Response:
        """List the players you follow, in the order in which you followed them."""
        return self.list_response(request)

    @extend_schema(operation_id="follow_player", **_ADD)
    def post(self, request: AccountRequest) -> Response:
        """Follow a player: `games/?followed=true` lists those of their games that you may see.

        They are not told. Blocking a player unfollows them. Following again changes nothing.
        """
        return self.add_response(request, blocks.follow)


class _PeopleListEntry(AccountApiView):
    """Base of views of an entry of such a list."""

    required_scopes: ClassVar = {"GET": Scope.ACCOUNT, "DELETE": Scope.ACCOUNT}
    model: ClassVar[Any]

    def entry_response(self, request: AccountRequest, id: UUID) -> Response:
        return Response(ListedAccountSerializer(_get_entry(self.model, request, id)).data)

    def remove_response(self, request: AccountRequest, id: UUID) -> Response:
        deleted, _by_model = self.model.objects.filter(owner=request.user, pk=id).delete()
        if not deleted:
            raise NotFound
        return Response(status=status.HTTP_204_NO_CONTENT)


class OneBlock(_PeopleListEntry):
    model = Block

    @extend_schema(operation_id="get_block", **_GET)
    def get(self, request: AccountRequest, block: UUID) -> Response:
        """Get a player you have blocked; 404 once you have unblocked them."""
        return self.entry_response(request, block)

    @extend_schema(operation_id="unblock_player", **_REMOVE)
    def delete(self, request: AccountRequest, block: UUID) -> Response:
        """Unblock a player. You can then read the messages that they wrote in the meantime."""
        return self.remove_response(request, block)


class OneMute(_PeopleListEntry):
    model = Mute

    @extend_schema(operation_id="get_mute", **_GET)
    def get(self, request: AccountRequest, mute: UUID) -> Response:
        """Get a player you have muted; 404 once you have unmuted them."""
        return self.entry_response(request, mute)

    @extend_schema(operation_id="unmute_player", **_REMOVE)
    def delete(self, request: AccountRequest, mute: UUID) -> Response:
        """Unmute a player. You can then read the messages that they wrote in the meantime."""
        return self.remove_response(request, mute)


class OneFollow(_PeopleListEntry):
    model = Follow

    @extend_schema(operation_id="get_follow", **_GET)
    def get(self, request: AccountRequest, follow: UUID) -> Response:
        """Get a player you follow; 404 once you have unfollowed them."""
        return self.entry_response(request, follow)

    @extend_schema(operation_id="unfollow_player", **_REMOVE)
    def delete(self, request: AccountRequest, follow: UUID) -> Response:
        """Unfollow a player."""
        return self.remove_response(request, follow)


def _get_entry(model: Any, request: AccountRequest, id: UUID | str) -> Any:
    row = model.objects.filter(owner=request.user, pk=id).select_related("other").first()
    if row is None:
        raise NotFound
    return row
