"""The devices to which pushes are sent."""

from datetime import datetime
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db import transaction

from notifications.endpoints import Device

MOST: Final = 10
"""The number of devices an account may have: the one that was added first gives way."""


def add(account: Any, endpoint: str, p256dh: str, auth: str, name: str, now: datetime) -> Device:
    """Register a subscription. A known subscription is stored once and belongs to the last account that registered
    it.
    """
    with transaction.atomic():
        get_user_model().objects.select_for_update(no_key=True).only("pk").get(pk=account.pk)
        device, _ = Device.objects.update_or_create(
            endpoint=endpoint,
            defaults={"account": account, "p256dh": p256dh, "auth": auth, "name": name},
            create_defaults={"account": account, "p256dh": p256dh, "auth": auth, "name": name, "created_at": now},
        )
        others = account.devices.exclude(pk=device.pk).order_by("-created_at", "-id")
        Device.objects.filter(pk__in=list(others.values_list("pk", flat=True)[MOST - 1 :])).delete()
    return device
