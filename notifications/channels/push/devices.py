"""The devices that get pushes."""

from datetime import datetime
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.db import transaction

from notifications.endpoints import Device

MOST: Final = 10
"""The most devices of an account. A further one replaces the oldest."""


def add(account: Any, endpoint: str, p256dh: str, auth: str, name: str, now: datetime) -> Device:
    """Register a subscription. A known subscription moves to the account that registered it last."""
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
