"""Channels to the account: devices for push messages, the deliverability of email, and the event stream."""

from typing import Any, ClassVar
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers, status
from rest_framework.exceptions import ErrorDetail, NotFound
from rest_framework.response import Response

from accounts.api.shared import description
from accounts.idempotency import Effect
from accounts.tokens import Scope
from accounts.web.api_view import (
    KEY,
    AccountApiView,
    ListApiView,
    OneForm,
    id_in_location,
    refuse_stream,
    run_idempotent,
    validated_data,
)
from accounts.web.exceptions import RateLimited
from accounts.web.requests import AccountRequest
from accounts.web.serializers import StrictSerializer
from notifications import deliverability, server_emails
from notifications.channels import push
from notifications.channels.push import can_encrypt_for
from notifications.endpoints import LONGEST_URL, Device
from notifications.models import Deliverability
from notifications.outgoing import ForbiddenAddress, place_of


class KeysSerializer(StrictSerializer):
    """The keys with which messages to a subscription are encrypted."""

    p256dh = serializers.CharField(max_length=100, help_text="A point of P-256 in base64url.")
    auth = serializers.CharField(max_length=40, help_text="16 bytes in base64url.")

    def validate(self, keys: dict[str, Any]) -> dict[str, Any]:
        if not can_encrypt_for(keys["p256dh"], keys["auth"]):
            sentence = _("These aren’t valid keys for a push subscription.")
            raise serializers.ValidationError(ErrorDetail(sentence, code="keys"))
        return keys


class SubscriptionSerializer(StrictSerializer):
    """A browser's push subscription, as its `toJSON()` returns it, and a name for it."""

    endpoint = serializers.CharField(max_length=LONGEST_URL, help_text="The https address of the push service.")
    expirationTime = serializers.IntegerField(  # noqa: N815 - the name is the browsers'
        required=False, allow_null=True, help_text="Accepted, and ignored."
    )
    keys = KeysSerializer()
    name = serializers.CharField(max_length=100, required=False, allow_blank=True, default="")

    def validate_endpoint(self, url: str) -> str:
        try:
            place_of(url, loopback=settings.OUTGOING_LOOPBACK)
        except ForbiddenAddress as error:
            raise serializers.ValidationError(ErrorDetail(str(error), code="address")) from None
        return url


class DeviceSerializer(serializers.Serializer[Any]):
    """A browser that gets pushes. The address of its push service is not shown, not even to its owner."""

    id = serializers.UUIDField()
    name = serializers.CharField()
    created_at = serializers.DateTimeField()


class Devices(ListApiView):
    """The devices of the account."""

    required_scopes: ClassVar = {"GET": Scope.ACCOUNT, "POST": Scope.ACCOUNT}

    @extend_schema(operation_id="list_devices", tags=["devices"], responses=DeviceSerializer(many=True))
    def get(self, request: AccountRequest) -> Response:
        """List your devices, the oldest first."""
        return self.page_response(request.user.devices.order_by("created_at", "id"), DeviceSerializer)

    @extend_schema(
        operation_id="create_device",
        tags=["devices"],
        request=SubscriptionSerializer,
        responses={201: DeviceSerializer, **description.GONE},
        parameters=[KEY],
    )
    def post(self, request: AccountRequest) -> Response:
        """Register a device on which you are shown what waits for you. The same subscription again changes its name.

        A browser subscribes with `push_key` of `me/` as its `applicationServerKey`.
        Pushes are encrypted for it, and hold no secrets of any game. A subscription is removed when its push service
        no longer knows it.
        """
        data = validated_data(SubscriptionSerializer(data=request.data))
        keys = data["keys"]

        def effect() -> Effect:
            device = push.add_device(
                request.user, data["endpoint"], keys["p256dh"], keys["auth"], data["name"], self.received_at
            )
            return Effect(reverse("device", args=[device.id]))

        location = run_idempotent(request, effect, self.received_at)
        device = _get_device(request, id_in_location(location))
        return Response(DeviceSerializer(device).data, status.HTTP_201_CREATED, headers={"Location": location})


class OneDevice(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.ACCOUNT, "DELETE": Scope.ACCOUNT}

    @extend_schema(operation_id="get_device", tags=["devices"], responses=DeviceSerializer)
    def get(self, request: AccountRequest, device: UUID) -> Response:
        """Get one of your devices; 404 once it is gone."""
        return Response(DeviceSerializer(_get_device(request, device)).data)

    @extend_schema(operation_id="delete_device", tags=["devices"], responses={204: None})
    def delete(self, request: AccountRequest, device: UUID) -> Response:
        """Remove a device: nothing more is shown on it."""
        deleted, _ = Device.objects.filter(account=request.user, pk=device).delete()
        if not deleted:
            raise NotFound
        return Response(status=status.HTTP_204_NO_CONTENT)


def _get_device(request: AccountRequest, device: UUID | str) -> Device:
    row = Device.objects.filter(account=request.user, pk=device).first()
    if row is None:
        raise NotFound
    return row


class UnreachableSerializer(serializers.Serializer[Any]):
    """The reason why no email goes to you, and since when."""

    why = serializers.ChoiceField(
        choices=Deliverability.Why.choices,
        help_text="`bounced`: emails came back; `complained`: one was reported as spam.",
    )
    since = serializers.DateTimeField()


@extend_schema_field(UnreachableSerializer(allow_null=True))
class UnreachableField(serializers.Field[Any, Any, Any, Any]):
    """The reason why no email goes to the account's address, or null."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(source="*", read_only=True, **kwargs)

    def to_representation(self, account: Any) -> dict[str, Any] | None:
        entry = deliverability.of(account.email)
        return None if entry is None else dict(UnreachableSerializer(entry).data)


class Confirmation(AccountApiView):
    """The email that asks the owner to confirm the address."""

    required_scopes: ClassVar = {"POST": Scope.ACCOUNT}

    @extend_schema(
        operation_id="send_confirmation",
        tags=["accounts"],
        request=None,
        responses={202: UnreachableSerializer, 204: None, **description.TOO_OFTEN},
        parameters=[KEY],
    )
    def post(self, request: AccountRequest) -> Response:
        """Send the only email that your address may get while `unreachable` is set: its link confirms the address.

        It is sent at most once an hour. If emails reach you there is nothing to confirm (204).
        """
        StrictSerializer(data=request.data).is_valid(raise_exception=True)
        now = self.received_at
        entry = deliverability.of(request.user.email)
        if entry is None:
            return Response(status=status.HTTP_204_NO_CONTENT)

        def effect() -> Effect:
            if not server_emails.ask_to_confirm(request.user, now):
                reason = _("This email is sent at most once an hour.")
                raise RateLimited(reason, deliverability.wait(entry, now).total_seconds())
            return Effect()

        run_idempotent(request, effect, now)
        return Response(UnreachableSerializer(entry).data, status.HTTP_202_ACCEPTED)


class Stream(AccountApiView):
    required_scopes: ClassVar = {"GET": Scope.GAMES_READ}
    content_negotiation_class = OneForm

    @extend_schema(
        operation_id="follow_events",
        tags=["stream"],
        parameters=[
            OpenApiParameter(
                "Last-Event-ID",
                str,
                OpenApiParameter.HEADER,
                description="The `id` of the last event that you received.",
            )
        ],
        responses={
            (200, "text/event-stream"): OpenApiResponse(OpenApiTypes.STR, "Server-sent events, without an end."),
            404: OpenApiResponse(None, "`not-found`: the stream is at another address, which `me/` names."),
        },
    )
    def get(self, request: AccountRequest) -> Response:
        """Follow everything that concerns you over one connection: server-sent events.

        Each event has an `id` (opaque, at most 100 characters), a type (`event`) and `data` in JSON: ids and `at`, the
        time. Details take a request. `ready`: from here on you are told everything; what waits already is at
        `questions/`. `question` {game, question, due_at}: you are asked. `closed` {game, question}: that question is
        closed. `event` {game, number}: events up to this number are at `games/{game}/events/`. `game` {game, state}: a
        game has started, ended or been cancelled. `chat` {game, message}: a player wrote in the chat. `presence`
        {game}: all who play are here now (`games/{game}/presence/`). `reset`: forget what you know, and read your games
        and `questions/` again; the stream goes on from here.

        After an interruption of up to seven days send the last id that you received as `Last-Event-ID`, and you miss
        nothing. An id that is older, or was sent before the server's database was restored from a backup, is answered
        with `reset`. Games and moves from after that backup may be gone then. A comment every 15 seconds shows that the
        stream is alive. It ends when the token is revoked. An account may have 20 streams.

        `stream` in `me/` is the address of the stream: if the server runs without a proxy, it has a port of its own.
        """
        refuse_stream()
