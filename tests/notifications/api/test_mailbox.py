"""Tests of the mailbox page: it shows sent emails, and exists only on a local server."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import Account
from notifications import deliver, outbox
from tests.notifications.outbox_rows import NOON, PERSIAN, posted

pytestmark = pytest.mark.django_db
BROWSER = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}


@pytest.fixture
def browser() -> Client:
    return Client(headers=BROWSER)


def test_a_program_reads_the_mails_to_one_address_the_latest_first(
    client: Client, maryam: Account, sepideh: Account
) -> None:
    posted(maryam, "a")
    deliver.deliver_due(NOON)
    posted(maryam, "b")
    posted(sepideh, "c", rendered=PERSIAN)
    deliver.deliver_due(NOON.replace(hour=13))
    mails = client.get("/mailbox/", {"to": "Maryam@Example.org"}).json()["mails"]
    assert [mail["to"] for mail in mails] == ["maryam@example.org"] * 2
    assert mails[0]["sent_at"] > mails[1]["sent_at"]
    assert "2. steal 2 - Steal from Sepideh" in mails[0]["text"]
    assert "<h1" in mails[0]["html"]
    assert mails[0]["headers"]["Auto-Submitted"] == "auto-generated"


def test_a_persian_subject_is_shown_as_it_is(client: Client, browser: Client, sepideh: Account) -> None:
    posted(sepideh, rendered=PERSIAN)
    deliver.deliver_due(NOON)
    assert client.get("/mailbox/", {"to": "\0maryam"}).json()["mails"] == []
    answer = client.get("/mailbox/", {"to": "sepideh@example.org"})
    assert "کودتا xk42" in answer.content.decode()
    assert answer.json()["mails"][0]["subject"] == "کودتا xk42"
    assert "کودتا xk42" in browser.get("/mailbox/").content.decode()


def test_a_browser_sees_the_list_one_mail_and_its_html_apart(browser: Client, maryam: Account) -> None:
    notification = posted(maryam)
    deliver.deliver_due(NOON)
    listed = browser.get("/mailbox/")
    assert f"/mailbox/{notification.id}/" in listed.content.decode()
    page = browser.get(f"/mailbox/{notification.id}/")
    assert f'<iframe title="The email as HTML" sandbox src="/mailbox/{notification.id}/html/">' in page.content.decode()
    assert "takes tax &lt;as&gt; duke" in page.content.decode()
    framed = browser.get(f"/mailbox/{notification.id}/html/")
    assert framed.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert "sandbox" in framed.headers["Content-Security-Policy"]


def test_the_pages_need_no_inline_style_and_no_script(browser: Client, maryam: Account) -> None:
    notification = posted(maryam)
    deliver.deliver_due(NOON)
    for path in ("/mailbox/", f"/mailbox/{notification.id}/"):
        answer = browser.get(path)
        assert answer.headers["Content-Security-Policy"].startswith("default-src 'none'; style-src 'self'")
        assert not any(piece in answer.content.decode() for piece in ("<script", "<style", "style="))


def test_what_was_not_sent_is_not_there(client: Client, maryam: Account) -> None:
    waiting = posted(maryam)
    outbox.schedule([outbox.NewNotification(key="ended:7", reason="ended", account=maryam.pk)], NOON)
    assert client.get("/mailbox/").json() == {"mails": []}
    assert client.get(f"/mailbox/{waiting.id}/").status_code == 404


def test_looking_changes_nothing_and_nothing_can_be_posted(client: Client, maryam: Account) -> None:
    notification = posted(maryam)
    deliver.deliver_due(NOON)
    for path in ("/mailbox/", f"/mailbox/{notification.id}/", f"/mailbox/{notification.id}/html/"):
        assert client.post(path).status_code == 405
        assert client.head(path).status_code == 200


def test_there_is_no_mailbox_where_mails_leave_or_others_come_in(
    client: Client, settings: Any, maryam: Account
) -> None:
    notification = posted(maryam)
    deliver.deliver_due(NOON)
    settings.MAILBOX = False
    for path in (
        "/mailbox/",
        "/mailbox/?to=maryam@example.org",
        f"/mailbox/{notification.id}/",
        f"/mailbox/{notification.id}/html/",
    ):
        assert client.get(path).status_code == 404
        assert client.post(path).status_code == 404
