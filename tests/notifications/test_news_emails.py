"""Tests of news from the operator: one email to each account that wants it."""

import re
from datetime import time, timedelta
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounts import account_data
from accounts.models import Account, ModerationAction
from games import moderation
from games.announcements.notify import write_due
from notifications import deliver, deliverability, preferences, server_emails
from notifications.models import News, Notification, State
from notifications.server_emails import A_MINUTE, AlreadySent
from tests.notifications.outbox_rows import NOON
from tests.notifications.sink import Sink

pytestmark = pytest.mark.django_db
WORDS = {
    "en": {"subject": "A new game", "text": "Skulls of Sedlec is here.\n\nTry it with\ntwo friends."},
    "fa": {"subject": "یک بازی تازه", "text": "«سدلتس» آمد.\n\nبا دو دوست بازی کنید."},
}


@pytest.fixture
def readers(maryam: Account, sepideh: Account) -> list[Account]:
    """Two who want news."""
    for account in (maryam, sepideh):
        preferences.change(account, {"news": True}, NOON)
    return [maryam, sepideh]


def go_out(at: timedelta = timedelta()) -> None:
    """Compose and deliver due notifications."""
    write_due(NOON + at)
    deliver.deliver_due(NOON + at)


def test_everybody_who_wants_news_gets_it_in_their_language_and_nobody_else(sink: Sink, readers: list[Account]) -> None:
    Account.objects.create_user("bahareh@example.org", name="Bahareh")
    guest = Account.objects.create_user("guest@example.org", name="Guest", is_guest=True)
    preferences.change(guest, {"news": True}, NOON)
    assert server_emails.send_news(WORDS, NOON).readers == 2
    go_out()
    mails = {mail["To"]: mail for mail in sink.taken}
    assert {to: mail["Subject"] for to, mail in mails.items()} == {
        "maryam@example.org": "A new game", "sepideh@example.org": "یک بازی تازه"
    }  # fmt: skip
    english = mails["maryam@example.org"].get_body(("plain",)).get_content().replace("\r\n", "\n")
    assert "Skulls of Sedlec is here.\n\nTry it with two friends." in english
    assert "because you turned on news" in english
    assert "با دو دوست بازی کنید." in mails["sepideh@example.org"].get_body(("plain",)).get_content()


def test_the_same_words_are_not_sent_twice(sink: Sink, readers: list[Account]) -> None:
    news = server_emails.send_news(WORDS, NOON)
    with pytest.raises(AlreadySent) as refused:
        server_emails.send_news(WORDS, NOON)
    assert refused.value.news == news
    go_out()
    go_out()
    assert len(sink.taken) == 2


def test_one_click_in_the_email_ends_news_and_what_is_still_on_its_way(sink: Sink, readers: list[Account]) -> None:
    server_emails.send_news(WORDS, NOON)
    go_out()
    server_emails.send_news({**WORDS, "en": {"subject": "More", "text": "More."}}, NOON)
    mail = next(email for email in sink.taken if email["To"] == "maryam@example.org")
    assert mail["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = mail["List-Unsubscribe"].strip()[1:-1]
    browser = Client(enforce_csrf_checks=True)
    assert "Stop emails with news?" in browser.get(link).content.decode()
    assert browser.post(link, {"List-Unsubscribe": "One-Click"}).status_code == 200
    accounts = preferences.of(Account.objects.get(email="maryam@example.org"))
    assert (accounts.news, accounts.muted) == (False, [])
    go_out()
    assert [email["To"] for email in sink.taken[2:]] == ["sepideh@example.org"]
    page = browser.get(link).content.decode()
    assert re.search('<button name="again"', page)
    browser.post(link, {"again": "yes"})
    assert preferences.of(Account.objects.get(email="maryam@example.org")).news


def test_an_email_waits_while_the_mail_server_is_full_and_then_goes_out_once(
    sink: Sink, readers: list[Account]
) -> None:
    sink.answers["maryam@example.org"] = ["452 full", "452 full"]
    server_emails.send_news(WORDS, NOON)
    for minutes in (0, 5, 10, 15):
        go_out(timedelta(minutes=minutes))
    assert sorted(email["To"] for email in sink.taken) == ["maryam@example.org", "sepideh@example.org"]


def test_whoever_is_suspended_meanwhile_gets_none(sink: Sink, readers: list[Account]) -> None:
    dariush = Account.objects.create_superuser("dariush@example.org", name="Dariush")
    server_emails.send_news(WORDS, NOON)
    write_due(NOON)
    suspension = moderation.NewModerationAction(ModerationAction.Kind.SUSPEND, "Rude.", readers[0], None, 3)
    moderation.moderate(dariush, suspension, NOON)
    go_out()
    news = Notification.objects.get(account=readers[0], reason=preferences.NEWS)
    assert news.state == State.DROPPED
    assert "A new game" not in [email["Subject"] for email in sink.taken]
    assert server_emails.news_readers().get() == readers[1]


def test_whoever_has_deleted_their_account_or_wants_no_email_ever_gets_none(sink: Sink, readers: list[Account]) -> None:
    server_emails.send_news(WORDS, NOON)
    deliverability.suppress("maryam@example.org", NOON)
    account_data.delete_account(readers[1], NOON)
    go_out()
    assert sink.taken == []


def test_news_goes_out_outside_quiet_hours_and_in_no_digest(sink: Sink, readers: list[Account]) -> None:
    preferences.change(readers[0], {"digest": "daily", "quiet_from": time(11), "quiet_to": time(14)}, NOON)
    Account.objects.filter(pk=readers[0].pk).update(time_zone="UTC")
    server_emails.send_news(WORDS, NOON)
    go_out()
    assert [email["To"] for email in sink.taken] == ["sepideh@example.org"]
    go_out(timedelta(hours=2, minutes=1))
    assert [email["Subject"] for email in sink.taken[1:]] == ["A new game"]


def test_news_to_many_does_not_hold_up_a_question(readers: list[Account], monkeypatch: pytest.MonkeyPatch) -> None:
    assert A_MINUTE >= 1
    monkeypatch.setattr(server_emails, "A_MINUTE", 1)
    server_emails.send_news(WORDS, NOON)
    turns = Notification.objects.order_by("account").values_list("next_attempt_at", flat=True)
    assert list(turns) == [NOON, NOON + timedelta(minutes=1)]


def test_an_account_takes_the_wish_for_news_along(readers: list[Account]) -> None:
    assert account_data.export_account(readers[0], NOON)["preferences"]["news"] is True


def test_the_command_shows_the_news_and_sends_it_only_when_told_to(
    readers: list[Account], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = []
    for language, word in WORDS.items():
        files.append(tmp_path / language)
        files[-1].write_text(f"{word['subject']}\n\n{word['text']}\n")
    call_command("news", *files)
    assert "2 people want news. Nothing is sent without --send." in capsys.readouterr().out
    assert not News.objects.exists()
    call_command("news", *files, "--send")
    assert "2 emails are on their way" in capsys.readouterr().out
    assert News.objects.get().words == WORDS
    with pytest.raises(CommandError, match="sent already"):
        call_command("news", *files, "--send")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"", "needs a subject"),
        (b"Only a subject", "needs a subject"),
        (b"\xff", "UTF-8"),
        (b"x" * 101 + b"\ny", "100"),
    ],
)
def test_the_command_refuses_what_is_no_news(tmp_path: Path, text: bytes, sentence: str) -> None:
    file = tmp_path / "news.txt"
    file.write_bytes(text)
    with pytest.raises(CommandError, match=sentence):
        call_command("news", file, file, "--send")
