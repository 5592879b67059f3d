"""Connections of a worker: a thread keeps its own from task to task, until it is too old or broken."""

from typing import Any

import pytest
from django.db import connection

from config.core.tasks import app
from games.tasks import resolve_moves

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def support() -> Any:
    """Return Celery's support of Django around each task of this server."""
    (installed,) = app._fixups
    return installed.worker_fixup


def test_a_connection_outlasts_a_task(support: Any) -> None:
    connection.ensure_connection()
    connection.close_at = None  # it may be an earlier test's, and as old as that
    before = connection.connection
    support.on_task_postrun(resolve_moves)
    support.on_task_prerun(resolve_moves)
    assert connection.connection is before
    assert not before.closed


def test_a_connection_that_is_too_old_or_broken_is_closed_before_the_next_task(support: Any) -> None:
    connection.ensure_connection()
    connection.close_at = 0
    support.on_task_prerun(resolve_moves)
    assert connection.connection is None
    connection.ensure_connection()
    connection.errors_occurred = True
    connection.connection.close()
    support.on_task_prerun(resolve_moves)
    assert connection.connection is None
