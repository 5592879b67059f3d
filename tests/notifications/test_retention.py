"""The time for which it is kept what notifications said."""

from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client

from accounts.models import Account
from notifications import outbox
from notifications.content import RenderedNotification, encode
from notifications.models import Notification, State

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 3, 22, 12, tzinfo=UTC)
SAID = encode(RenderedNotification("en", "Jazari claims the duke.", "Believe it?"))


def notification(reader: Account, state: str, created_at: datetime) -> Notification:
    return Notification.objects.create(
        key=f"{state} {created_at}",
        account=reader,
        reason="question",
        state=state,
        rendered=None if state == State.SCHEDULED else SAID,
        created_at=created_at,
        next_attempt_at=created_at,
        sent_at=created_at if state == State.SENT else None,
    )


def test_what_an_email_said_is_dropped_after_its_days_and_that_it_was_sent_is_kept(sepideh: Account) -> None:
    month = timedelta(days=30)
    for state in State.values:
        notification(sepideh, state, NOON - month - timedelta(seconds=1))
        notification(sepideh, state, NOON - month)
    assert outbox.drop_contents(NOON - month) == 4
    states = {row.state for row in Notification.objects.filter(created_at__lt=NOON - month, rendered__isnull=False)}
    assert states == {State.READY}, "what still has to go out is needed"
    assert Notification.objects.filter(state=State.SENT).count() == 2
    assert Notification.objects.filter(rendered=SAID, created_at=NOON - month).count() == len(State.values) - 1


def test_the_mailbox_shows_only_what_is_kept(sepideh: Account, client: Client) -> None:
    notification(sepideh, State.SENT, NOON)
    outbox.drop_contents(NOON + timedelta(seconds=1))
    later = notification(sepideh, State.SENT, NOON + timedelta(days=1))
    listed = client.get("/mailbox/", {"format": "json"}).json()["mails"]
    assert [email["id"] for email in listed] == [str(later.id)]
