"""Database connections of worker threads that stay open between tasks, as those of a web server do between requests.

Celery closes connections before and after each task, but opening one and preparing its statements takes longer than
resolving a move. Celery's setting ``CELERY_DB_REUSE_MAX`` would keep broken connections, too.
"""

from functools import cached_property
from typing import Any

from celery import Celery
from celery.fixups.django import DjangoFixup, DjangoWorkerFixup  # type: ignore[attr-defined]  # its stubs lack one
from django.db import close_old_connections

from config.embedded.django_setup import set_up_django


class _WorkerSupport(DjangoWorkerFixup):  # type: ignore[misc]
    """Celery's Django support in a worker."""

    def validate_models(self) -> None:
        # Celery's own method also runs all system checks, and does not show their results.
        set_up_django()

    def close_database(self, **_: Any) -> None:
        """Close connections that are broken or older than ``CONN_MAX_AGE``. Called before and after each task."""
        close_old_connections()


class _Support(DjangoFixup):
    """Celery's Django support."""

    @cached_property
    def worker_fixup(self) -> _WorkerSupport:
        return _WorkerSupport(self.app)


def fixup(app: Celery) -> DjangoFixup:
    """Install Celery's Django support, with our connections."""
    support = _Support(app)
    support.install()
    return support
