"""The cast, and one more for larger tables; and the tasks that are sent."""

from typing import Any

import pytest
from celery import current_app


@pytest.fixture
def sent_tasks(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Any, ...]]:
    """The tasks that are sent, instead of by the broker."""
    enqueued: list[tuple[Any, ...]] = []
    monkeypatch.setattr(current_app, "send_task", lambda name, ids=(), **_: enqueued.append((name, *ids)))
    return enqueued
