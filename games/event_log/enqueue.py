"""Ringing for the workers: by name, so that what is below a task can ring it, and only once the work is committed."""

from celery import current_app
from django.db import transaction


def ring(task: str, *ids: str, expires: float | None = None) -> None:
    """Have ``task`` run after the commit, if it is heard before so many seconds are over.

    A bell that gets lost is no harm: the next tick finds the work.
    """

    def send() -> None:
        current_app.send_task(task, ids, expires=expires)

    transaction.on_commit(send, robust=True)
