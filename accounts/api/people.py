"""Players that an account has blocked, muted or follows. They are not notified."""

from collections.abc import Mapping
from typing import Any, ClassVar, Final
from uuid import UUID

from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ErrorDetail, NotFound
from rest_framework.response import Response

from accounts import blocks, names
from accounts.api.shared import description
from accounts.api.shared.description import translate_errors
from accounts.idempotency import Effect
from accounts.models import Account, Block, Follow, Mute
from accounts.tokens import Scope
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
            sentence = _("Nobody here is called “%(name)s”. Copy the name from the page of a game.")
            raise serializers.ValidationError(
                ErrorDetail(sentence % {"name": f"\u2068{name}\u2069"}, code="name-unknown")
            )
        if other == self.context["account"]:
            sentence = _("“%(name)s” is your own name. Write another player’s name.")
            raise serializers.ValidationError(ErrorDetail(sentence % {"name": f"\u2068{name}\u2069"}, code="name-own"))
        return other


class ListedAccountSerializer(serializers.Serializer[Any]):
    """A player you have blocked, muted or followed."""

    id = serializers.UUIDField()
    name = serializers.CharField(source="other.name", help_text="The present name.")
    created_at = serializers.DateTimeField(source="since")


_RELATIONS: Final[Mapping[str, tuple[Any, Any]]] = {
    "blocks": (Block, blocks.block),
    "follows": (Follow, blocks.follow),
    "mutes": (Mute, blocks.mute),
}
"""The rows of each list, and the function that adds one."""
_RELATION: Final = OpenApiParameter(
    "relation", str, OpenApiParameter.PATH, enum=[*_RELATIONS], description="The list of people."
)
_EXAMPLES_OF_ONE: Final = OpenApiExample("One", _EXAMPLE, response_only=True)


class People(ListApiView):
    """The players that an account has blocked or muted, or follows."""

    required_scopes: ClassVar = {"GET": Scope.ACCOUNT, "POST": Scope.ACCOUNT}

    @extend_schema(
        operation_id="list_people",
        tags=["people"],
        responses=ListedAccountSerializer(many=True),
        parameters=[_RELATION],
        examples=[_EXAMPLES_OF_ONE],
    )
    def get(self, request: AccountRequest, relation: str) -> Response:
        """List the players you have blocked or muted, or follow, in the order in which you added them."""
        return self.page_response(_entries(request, relation).order_by("since", "id"), ListedAccountSerializer)

    @extend_schema(
        operation_id="add_person",
        tags=["people"],
        request=AccountNameSerializer,
        responses={201: ListedAccountSerializer, **description.GONE},
        parameters=[_RELATION, KEY],
        examples=[
            OpenApiExample("By their name", {"name": "Kaveh"}, request_only=True),
            OpenApiExample("Added", _EXAMPLE, response_only=True, status_codes=["201"]),
        ],
    )
    def post(self, request: AccountRequest, relation: str) -> Response:
        """Block, mute or follow a player. They are not notified. Adding them again changes nothing.

        `blocks`: you read none of their messages, get no invitations from them, share no public game, and follow them
        no longer. At tables where both sit already the game goes on. `mutes`: you read none of their messages, neither
        in chats nor in emails. `follows`: `games/?followed=true` lists those of their games that you may see.
        """
        _entries(request, relation)  # a list that does not exist is refused before the key is used

        def effect() -> Effect:
            # Read here, so that a repeated request is answered even if no account has the name by then.
            other = validated_data(AccountNameSerializer(data=request.data, context={"account": request.user}))["name"]
            row = _RELATIONS[relation][1](request.user, other, self.received_at)
            return Effect(reverse("person", args=[relation, row.id]))

        with translate_errors():
            location = run_idempotent(request, effect, self.received_at)
        row = _get_entry(request, relation, id_in_location(location))
        return Response(ListedAccountSerializer(row).data, status.HTTP_201_CREATED, headers={"Location": location})


class Person(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.ACCOUNT, "DELETE": Scope.ACCOUNT}

    @extend_schema(
        operation_id="get_person",
        tags=["people"],
        responses=ListedAccountSerializer,
        parameters=[_RELATION],
        examples=[_EXAMPLES_OF_ONE],
    )
    def get(self, request: AccountRequest, relation: str, person: UUID) -> Response:
        """Get a player on a list; 404 once they are off it."""
        return Response(ListedAccountSerializer(_get_entry(request, relation, person)).data)

    @extend_schema(operation_id="delete_person", tags=["people"], responses={204: None}, parameters=[_RELATION])
    def delete(self, request: AccountRequest, relation: str, person: UUID) -> Response:
        """Unblock, unmute or unfollow a player. You can then read messages from the time of the block or mute."""
        deleted, _by_model = _entries(request, relation).filter(pk=person).delete()
        if not deleted:
            raise NotFound
        return Response(status=status.HTTP_204_NO_CONTENT)


def _entries(request: AccountRequest, relation: str) -> Any:
    """Return the rows of a list. Raises NotFound if there is no such list."""
    if relation not in _RELATIONS:
        raise NotFound
    return _RELATIONS[relation][0].objects.filter(owner=request.user).select_related("other")


def _get_entry(request: AccountRequest, relation: str, person: UUID | str) -> Any:
    row = _entries(request, relation).filter(pk=person).first()
    if row is None:
        raise NotFound
    return row
