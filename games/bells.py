"""Ringing for the workers: by name, so that what is below a task can ring it, and only once the work is committed."""

from celery import current_app
from django.db import transaction


def ring(task: str, *ids: str) -> None:
    """Have ``task`` run after the commit. A bell that gets lost is no harm: the next tick finds the work."""

    def send() -> None:
        current_app.send_task(task, ids)

    transaction.on_commit(send, robust=True)
