"""Enqueue tasks by name after a commit, so that modules below a task can enqueue it."""

from celery import current_app
from django.db import transaction


def enqueue(task: str, *ids: str, expires: float | None = None) -> None:
    """Enqueue ``task`` after the commit. It expires after this number of seconds.

    A lost task does no harm, because the next tick finds the work.
    """

    def send() -> None:
        current_app.send_task(task, ids, expires=expires)

    transaction.on_commit(send, robust=True)
