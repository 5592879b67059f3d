"""Tests of stopping the emails of a game: a click stops them, opening the page does not."""

import re

import pytest
from django.test import Client

from accounts.models import Account
from notifications import deliver, preferences, reply_addresses
from notifications.email.message import message, stop_link
from notifications.models import Notification
from tests.notifications.outbox_rows import NOON, posted
from tests.notifications.sink import Sink

pytestmark = pytest.mark.django_db
GAME = "game:7"


@pytest.fixture
def strict() -> Client:
    """A browser whose forms must be our own."""
    return Client(enforce_csrf_checks=True)


def muted(account: Account) -> list[str]:
    return preferences.of(Account.objects.get(pk=account.pk)).muted


def test_every_notification_that_one_can_do_without_names_the_one_click(sink: Sink, maryam: Account) -> None:
    notification = posted(maryam)
    deliver.deliver_due(NOON)
    [mail] = sink.taken
    assert mail["List-Unsubscribe"].strip() == f"<{stop_link(notification)}>"
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"


def test_a_code_cannot_be_done_without(maryam: Account) -> None:
    assert "List-Unsubscribe" not in message(posted(maryam, topic="")).extra_headers


def test_the_mail_programs_post_needs_nobody_to_be_signed_in(strict: Client, maryam: Account) -> None:
    answer = strict.post(stop_link(posted(maryam)), {"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert muted(maryam) == [GAME]
    strict.post(stop_link(posted(maryam)), {"List-Unsubscribe": "One-Click"})
    assert muted(maryam) == [GAME]


def test_looking_at_the_page_changes_nothing(strict: Client, maryam: Account) -> None:
    link = stop_link(posted(maryam))
    for method in (strict.get, strict.head):
        answer = method(link)
        assert answer.status_code == 200
        assert "no-store" in answer.headers["Cache-Control"]
        assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert muted(maryam) == []
    assert "<button" in strict.get(link).content.decode()


def test_the_page_is_in_the_readers_language(client: Client, sepideh: Account) -> None:
    page = client.get(stop_link(posted(sepideh))).content.decode()
    assert 'lang="fa" dir="rtl"' in page
    assert "این ایمیل‌ها قطع شود" in page


def test_who_changes_their_mind_takes_it_back(strict: Client, maryam: Account) -> None:
    link = stop_link(posted(maryam))
    page = strict.post(link, {"stop": "yes"}).content.decode()
    assert re.search(r'<button name="again"', page)
    strict.post(link, {"again": "yes"})
    assert muted(maryam) == []


def test_a_link_that_was_not_given_to_anybody_finds_nothing(client: Client, maryam: Account) -> None:
    notification = posted(maryam)
    token = reply_addresses.token(reply_addresses.BOUNCE, reply_addresses.short(notification.id))
    right = stop_link(notification).rstrip("/").rpartition("/")[2]
    for wrong in (token, "x", right[:-1] + ("x" if right[-1] != "x" else "y")):
        assert client.post(f"/emails/stop/{wrong}/").status_code == 404
    assert client.put(stop_link(notification)).status_code == 405
    link = stop_link(notification)
    notification.delete()
    assert client.get(link).status_code == 404
    assert not Notification.objects.exists()
