"""The mapper of rows: rows that it reads and writes are like all others."""

from typing import Any

import pytest
from django.db import models
from django.utils import timezone

from accounts.models import Account
from config.core.database.rows import fetch, insert
from notifications.models import Notification

pytestmark = pytest.mark.django_db
NOON = timezone.now()


def notification(maryam: Account, reason: str) -> Notification:
    return Notification(key="a", account=maryam, reason=reason, created_at=NOON, next_attempt_at=NOON)


def column_values(instance: models.Model) -> dict[str, Any]:
    return {field.attname: getattr(instance, field.attname) for field in instance._meta.concrete_fields}


def test_a_row_is_read_as_django_reads_it(maryam: Account) -> None:
    insert([notification(maryam, "question")])
    (row,) = fetch(Notification, "SELECT {} FROM notifications_notification AS row WHERE row.key = %s", ["a"])
    assert column_values(row) == column_values(Notification.objects.get())
    assert (row._state.adding, row._state.db) == (False, "default")


def test_a_row_whose_key_exists_is_skipped(maryam: Account) -> None:
    for reason in ("question", "game"):
        insert([notification(maryam, reason)], ignore_conflicts=True)
    assert [row.reason for row in Notification.objects.all()] == ["question"]
