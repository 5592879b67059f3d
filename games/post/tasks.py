"""The post's bell. The work and its truth are in the database."""

from celery import shared_task
from django.utils import timezone

from games.post import road


@shared_task(ignore_result=True)
def read_mail() -> None:
    """Read the mail that came in. Rung after each commit that stored one, and every few seconds."""
    road.read_due(timezone.now())
