"""Bells: the work and its truth are in the database, a lost or doubled bell changes nothing."""

from celery import shared_task
from django.utils import timezone

from notifications import deliver


@shared_task(ignore_result=True)
def deliver_letters() -> None:
    """Deliver what is ready. Rung after each commit that made a letter ready, and every few seconds."""
    deliver.deliver_due(timezone.now())
