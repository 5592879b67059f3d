"""Bells: the work and its truth are in the database, a lost or doubled bell changes nothing."""

from celery import shared_task
from django.db import transaction
from django.utils import timezone

from notifications import deliver


@shared_task(ignore_result=True)
def deliver_letters() -> None:
    """Deliver what is ready. Rung after each commit that made a letter ready, and every few seconds."""
    deliver.deliver_due(timezone.now())


def ring() -> None:
    """Have letters delivered once the transaction is committed. A broker that is down harms nothing."""
    transaction.on_commit(deliver_letters.delay, robust=True)
