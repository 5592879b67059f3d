"""Devices: browsers that get push messages (Web Push)."""

from typing import Any, ClassVar
from uuid import UUID

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.exceptions import ErrorDetail, NotFound
from rest_framework.response import Response

from accounts.api.shared import description
from accounts.limits.idempotency import Effect
from accounts.tokens.scopes import Scope
from accounts.web.api_view import KEY, AccountApiView, id_in_location, run_idempotent, validated_data
from accounts.web.requests import AccountRequest
from accounts.web.serializers import StrictSerializer
from notifications.channels import push
from notifications.channels.push import can_encrypt_for, public_key
from notifications.endpoints import LONGEST_URL, Device
from notifications.outgoing.address_policy import ForbiddenAddress, place_of


class KeysSerializer(StrictSerializer):
    """The keys with which messages to a subscription are encrypted."""

    p256dh = serializers.CharField(max_length=100, help_text="A point of P-256 in base64url.")
    auth = serializers.CharField(max_length=40, help_text="16 bytes in base64url.")

    def validate(self, keys: dict[str, Any]) -> dict[str, Any]:
        if not can_encrypt_for(keys["p256dh"], keys["auth"]):
            sentence = _("These are not the keys of a push subscription.")
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


class DeviceListSerializer(serializers.Serializer[Any]):
    """Your devices, and the key that a browser subscribes with."""

    public_key = serializers.CharField(help_text="The `applicationServerKey` of a subscription (VAPID), in base64url.")
    devices = DeviceSerializer(many=True)


class Devices(AccountApiView):
    """The devices of the account."""

    required_scopes: ClassVar = {"GET": Scope.ACCOUNT, "POST": Scope.ACCOUNT}

    @extend_schema(operation_id="list_devices", tags=["devices"], responses=DeviceListSerializer)
    def get(self, request: AccountRequest) -> Response:
        """List your devices, the oldest first, with the public key that a browser subscribes with."""
        rows = request.user.devices.order_by("created_at", "id")
        return Response({"public_key": public_key(), "devices": DeviceSerializer(rows, many=True).data})

    @extend_schema(
        operation_id="add_device",
        tags=["devices"],
        request=SubscriptionSerializer,
        responses={201: DeviceSerializer, **description.GONE},
        parameters=[KEY],
    )
    def post(self, request: AccountRequest) -> Response:
        """Register a device on which you are shown what waits for you. The same subscription again changes its name.

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
    def get(self, request: AccountRequest, id: UUID) -> Response:
        """Get one of your devices; 404 once it is gone."""
        return Response(DeviceSerializer(_get_device(request, id)).data)

    @extend_schema(operation_id="delete_device", tags=["devices"], responses={204: None})
    def delete(self, request: AccountRequest, id: UUID) -> Response:
        """Remove a device: nothing more is shown on it."""
        deleted, _ = Device.objects.filter(account=request.user, pk=id).delete()
        if not deleted:
            raise NotFound
        return Response(status=status.HTTP_204_NO_CONTENT)


def _get_device(request: AccountRequest, id: UUID | str) -> Device:
    device = Device.objects.filter(account=request.user, pk=id).first()
    if device is None:
        raise NotFound
    return device
