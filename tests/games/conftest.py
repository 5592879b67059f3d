"""The cast, and one more for larger tables; and the bells that ring."""

from typing import Any

import pytest
from celery import current_app

from accounts.models import Account
from tests.cast import bahareh, maryam, sepideh

__all__ = ["bahareh", "maryam", "sepideh"]


@pytest.fixture
def dariush(db: None) -> Account:
    return Account.objects.create_user("dariush@example.org", name="Dariush")


@pytest.fixture
def rung(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The bells that ring, instead of the broker's."""
    bells: list[tuple[Any, ...]] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, ids=(), **_: bells.append((name, *ids)))
    return bells
