"""Talk: what is said at a table."""

from typing import Any, ClassVar
from uuid import UUID

from django.urls import reverse
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import Direction, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.limits.idempotency import Effect
from accounts.tokens.scopes import Scope
from accounts.web.api_view import KEY, AccountApiView, checked, effect_of
from accounts.web.serializers import StrictSerializer
from games.api.shared.problems import told
from games.engine import Phrase, SeatNumber, gettext_noop
from games.refusals import Refusal, not_found
from games.social import chat
from games.visibility import visible_chat as remarks
from games.visibility.access import Sight, sight

ALL = "all"
"""To everybody at the table."""


class ToField(serializers.Field[Any, Any, Any, Any]):
    """Whom something is said to."""

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
    """``all`` or a seat."""

    target_class = ToField

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        return {"oneOf": [{"type": "string", "enum": [ALL]}, {"type": "integer", "minimum": 1, "maximum": 100}]}


class SayingSerializer(StrictSerializer):
    """Something to say."""

    to = ToField(help_text="`all`, or the seat to which a private letter goes.")
    text = serializers.CharField(
        max_length=2 * chat.LONGEST, help_text=f"Plain text of at most {chat.LONGEST} characters; markup means nothing."
    )


class RemarkSerializer(serializers.Serializer[Any]):
    """Something that was said, to me or by me."""

    id = serializers.UUIDField()
    at = serializers.DateTimeField()
    seat = serializers.IntegerField(help_text="Who said it.")
    to = ToField(help_text="`all`, or the seat that a private letter went to.")
    text = serializers.CharField(
        allow_null=True, help_text="Plain text, to be escaped. Null: taken away, by a moderator or with an account."
    )


class RemarksFilterSerializer(StrictSerializer):
    """Which remarks to list."""

    after = serializers.UUIDField(required=False, help_text="Only what was said after the remark of this id.")
    limit = serializers.IntegerField(min_value=1, max_value=500, default=500, help_text="At most so many.")


class RemarksSerializer(serializers.Serializer[Any]):
    """A part of the talk."""

    remarks = RemarkSerializer(many=True)
    more = serializers.BooleanField(help_text="There are later ones.")


class Talk(AccountApiView):
    """What is said at a table."""

    required_scopes: ClassVar = {"GET": Scope.TALK, "POST": Scope.TALK}

    @extend_schema(
        operation_id="list_talk", tags=["talk"], parameters=[RemarksFilterSerializer], responses=RemarksSerializer
    )
    def get(self, request: Request, game: UUID) -> Response:
        """What I may hear, in the order in which it was said: table talk, and the letters that I wrote or got.

        It is there for those who sit at the table, also when they are out and after the end; others are told
        `forbidden`. What is said by people whom I have blocked or muted is left out.
        """
        wanted = checked(RemarksFilterSerializer(data=request.query_params.dict()))
        with told():
            seen = _seated(request, game)
            found = remarks.audible(seen.game, seen.account)
            if "after" in wanted:
                found = _after(seen, wanted["after"])
            page = list(found[: wanted["limit"] + 1])
        more = len(page) > wanted["limit"]
        return Response({"remarks": [_told(each) for each in page[: wanted["limit"]]], "more": more})

    @extend_schema(
        operation_id="say", tags=["talk"], request=SayingSerializer, responses={201: RemarkSerializer}, parameters=[KEY]
    )
    def post(self, request: Request, game: UUID) -> Response:
        """Say something to everybody at my table, or to one seat in a private letter, as its `talk` allows."""
        saying = checked(SayingSerializer(data=request.data))

        def effect() -> Effect:
            remark = chat.say(seen.game, request.user, saying["to"], saying["text"], self.received_at)
            return Effect(reverse("remark", args=[game, remark.public_id]), game)

        with told():
            seen = sight(request.user, game)
            location = effect_of(request, effect, self.received_at)
            remark = _found(seen, UUID(location.rstrip("/").rpartition("/")[2]))
        return Response(remark, status.HTTP_201_CREATED, headers={"Location": location})


class OneRemark(AccountApiView):
    """Something that was said."""

    required_scopes: ClassVar = {"GET": Scope.TALK}

    @extend_schema(operation_id="get_remark", tags=["talk"], responses=RemarkSerializer)
    def get(self, request: Request, game: UUID, remark: UUID) -> Response:
        """One remark that I may hear."""
        with told():
            return Response(_found(sight(request.user, game), remark))


def _seated(request: Request, game: UUID) -> Sight:
    """The table as somebody at it sees it. Refusal ``forbidden`` for whoever looks on."""
    seen = sight(request.user, game)
    if seen.seat is None:
        raise Refusal("forbidden", Phrase(gettext_noop("What is said at a table is for those who sit at it.")))
    return seen


def _after(seen: Sight, last: UUID) -> Any:
    found = remarks.after(remarks.audible(seen.game, seen.account), seen.game, seen.account, last)
    if found is None:
        raise Refusal("malformed", Phrase(gettext_noop("You have heard no remark of this id here.")), "after")
    return found


def _found(seen: Sight, remark: UUID) -> Any:
    found = remarks.said_to(seen.game, seen.account).filter(public_id=remark).first()
    if found is None:
        raise not_found()
    return _told(found)


def _told(remark: Any) -> Any:
    heard = remarks.heard(remark)
    return RemarkSerializer({**vars(heard), "to": heard.to or ALL}).data
