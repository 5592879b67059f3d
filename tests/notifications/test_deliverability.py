"""Mail servers that refuse an address for good close it; its owner opens it again, and nothing goes there till then."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import Account
from notifications import deliver, deliverability, preferences
from notifications.endpoints import Device
from notifications.models import TRIES, Deliverability, Notification, State
from tests.cast import program
from tests.notifications.outbox_rows import NOON, posted
from tests.notifications.sink import Sink

pytestmark = pytest.mark.django_db
HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("answer", "closed"),
    [
        ("550 5.1.1 No Maryam here", True),
        ("550 5.1.3 Not an address", True),
        ("550 No", False),
        ("553 No", False),
        ("550 5.4.7 Expired", False),
        ("550 5.2.1 Disabled", False),
        ("552 Full", False),
        ("554 Go away", False),
        ("550 5.7.1 You are on a list", False),
        ("550 5.1.8 Your own address is wrong", False),
        ("451 4.7.1 Come back later", False),
    ],
)
def test_a_permanent_refusal_of_the_address_closes_it(sink: Sink, maryam: Account, answer: str, closed: bool) -> None:
    sink.answers[maryam.email] = [answer]
    posted(maryam)
    deliver.deliver_due(NOON)
    assert (deliverability.of(maryam.email) is not None) == closed


def test_temporary_refusals_count_once_when_the_notification_is_given_up(sink: Sink, maryam: Account) -> None:
    sink.answers[maryam.email] = ["450 4.2.1 Busy"] * TRIES
    notification, now = posted(maryam), NOON
    while notification.state == State.READY:
        deliver.deliver_due(now)
        notification.refresh_from_db()
        now = notification.next_attempt_at
    assert len(Deliverability.objects.get().failed_at or []) == 1
    assert deliverability.of(maryam.email) is None


def test_nothing_is_sent_to_a_closed_address_and_others_get_their_mail(
    sink: Sink, maryam: Account, sepideh: Account
) -> None:
    deliverability.note(maryam.email, deliverability.Failure.FOR_GOOD, None, NOON)
    posted(maryam, "a")
    posted(sepideh, "b")
    deliver.deliver_due(NOON)
    assert sink.tried == [sepideh.email]


def test_the_same_address_in_any_case_is_closed_and_nobody_elses(maryam: Account) -> None:
    deliverability.note("Maryam@Example.org ", deliverability.Failure.FOR_GOOD, None, NOON)
    assert deliverability.of("maryam@example.org") is not None
    assert deliverability.of("maryam+other@example.org") is None
    assert "maryam" not in str(list(Deliverability.objects.values()))


def test_the_owner_of_a_closed_address_sees_why_and_confirms_it_with_one_email(sink: Sink, maryam: Account) -> None:
    client = program(maryam)
    assert client.get("/api/v1/me/").json()["unreachable"] is None
    assert client.post("/api/v1/me/confirmation/", content_type="application/json").status_code == 204
    deliverability.note(maryam.email, deliverability.Failure.FOR_GOOD, None, NOON)
    assert client.get("/api/v1/me/").json()["unreachable"] == {"why": "bounced", "since": "2026-03-22T12:00:00Z"}
    assert client.post("/api/v1/me/confirmation/", content_type="application/json").status_code == 202
    again = client.post("/api/v1/me/confirmation/", content_type="application/json")
    assert (again.status_code, again.json()["code"]) == (429, "rate-limited")
    assert 3500 < int(again.headers["Retry-After"]) <= 3600
    deliver.deliver_due(Notification.objects.get(reason="confirmation").next_attempt_at)
    assert sink.to == [maryam.email]

    link = confirming(sink)
    for look in (Client().get, Client().head, Client().options):
        look(link)
    assert deliverability.of(maryam.email) is not None
    assert Client().post(link).status_code == 200
    assert deliverability.of(maryam.email) is None
    assert client.get("/api/v1/me/").json()["unreachable"] is None


def confirming(sink: Sink) -> str:
    """The path of the link in the last mail."""
    match = re.search(r"http://localhost:8000(/emails/confirm/\S+/)", sink.taken[-1].get_body(("plain",)).get_content())
    assert match
    return match[1]


def test_the_page_speaks_the_language_of_its_reader(sink: Sink, sepideh: Account) -> None:
    deliverability.note(sepideh.email, deliverability.Failure.COMPLAINT, None, NOON)
    assert program(sepideh).post("/api/v1/me/confirmation/", content_type="application/json").status_code == 202
    deliver.deliver_due(Notification.objects.get(reason="confirmation").next_attempt_at)
    page = Client().get(confirming(sink))
    assert 'lang="fa" dir="rtl"' in page.content.decode()


def test_a_link_is_good_for_the_address_it_came_to_only(sink: Sink, maryam: Account, sepideh: Account) -> None:
    deliverability.note(maryam.email, deliverability.Failure.FOR_GOOD, None, NOON)
    program(maryam).post("/api/v1/me/confirmation/", content_type="application/json")
    deliver.deliver_due(Notification.objects.get(reason="confirmation").next_attempt_at)
    link = confirming(sink)
    Account.objects.filter(pk=maryam.pk).update(email="new@example.org")
    assert Client().post(link).status_code == 404
    forged = link.replace(f"c-{maryam.pk}-", f"c-{sepideh.pk}-")
    assert Client().post(forged).status_code == 404


def test_a_code_is_sent_to_a_closed_address_once_an_hour_and_confirms_it_too(
    sink: Sink, maryam: Account, settings: Any
) -> None:
    deliverability.note(maryam.email, deliverability.Failure.FOR_GOOD, None, NOON)
    for number, at in enumerate([NOON, NOON + HOUR / 2, NOON + HOUR]):
        notification = posted(maryam, f"account:{number}", topic="")
        Notification.objects.filter(pk=notification.pk).update(reason="account", question="", next_attempt_at=at)
        deliver.deliver_due(at)
    assert len(sink.taken) == 2


def test_a_question_takes_another_way_where_there_is_one(maryam: Account, sepideh: Account) -> None:
    everyone = [maryam.pk, sepideh.pk]
    Device.objects.create(account=maryam, endpoint="https://push.example/1", p256dh="k", auth="a", created_at=NOON)
    deliverability.note(maryam.email, deliverability.Failure.FOR_GOOD, None, NOON)
    deliverability.note(sepideh.email, deliverability.Failure.FOR_GOOD, None, NOON)
    opened = preferences.working_channels(everyone, {})
    assert preferences.choose_channels("question", None, opened[maryam.pk]).channels == ("push",)
    assert preferences.choose_channels("question", None, opened[sepideh.pk]).channels == ("mail",), (
        "it waits for her to confirm her address"
    )
    deliverability.confirm(maryam.email, NOON)
    assert (
        "mail"
        in preferences.choose_channels("question", None, preferences.working_channels(everyone, {})[maryam.pk]).channels
    )
