"""Connections of a worker's threads, which outlast a task as those of a web server outlast a request.

Celery closes them before and after each task. To open one, and to do on it what no other has prepared, takes longer
than to resolve a move. Its setting ``CELERY_DB_REUSE_MAX`` would keep broken connections, too.
"""

from functools import cached_property
from typing import Any

from celery import Celery
from celery.fixups.django import DjangoFixup, DjangoWorkerFixup  # type: ignore[attr-defined]  # its stubs lack one
from django.db import close_old_connections

from config.embedded.django_setup import set_up_django


class _WorkerSupport(DjangoWorkerFixup):  # type: ignore[misc]
    """Celery's support of Django in a worker."""

    def validate_models(self) -> None:
        """Set Django up. Celery would also run all checks of it, and tell nobody what they find."""
        set_up_django()

    def close_database(self, **_: Any) -> None:
        """Close connections that are too old or broken (``CONN_MAX_AGE``); called before and after each task."""
        close_old_connections()


class _Support(DjangoFixup):
    """Celery's support of Django."""

    @cached_property
    def worker_fixup(self) -> _WorkerSupport:
        """The part for a worker, once there are settings."""
        return _WorkerSupport(self.app)


def fixup(app: Celery) -> DjangoFixup:
    """Install Celery's support of Django. ``config.celery`` asks for it by this name."""
    support = _Support(app)
    support.install()
    return support
