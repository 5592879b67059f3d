"""Tests of the way from an event in a game's log to a player's mail server."""

import pytest

from accounts.models import Account
from games.announcements.notify import remind
from games.models import OpenQuestion
from games.tasks import compose_notifications
from notifications.models import Notification, State
from notifications.tasks import deliver_notifications
from tests.games.seated import NOON, begin, play
from tests.notifications.sink import Sink

pytestmark = pytest.mark.django_db


def run_tasks() -> None:
    """Both tasks, each of them doubled."""
    for task in (compose_notifications, compose_notifications, deliver_notifications, deliver_notifications):
        task()


def test_a_move_brings_each_person_asked_one_mail(sink: Sink, maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh, None])
    run_tasks()
    assert sorted(sink.to) == ["maryam@example.org", "sepideh@example.org"]
    play(game, "1 tax", at=NOON)
    run_tasks()
    assert sorted(sink.to) == ["maryam@example.org", "sepideh@example.org", "sepideh@example.org"]
    run_tasks()
    assert len(sink.taken) == 3


def test_a_persian_readers_mails_are_persian_and_one_thread(sink: Sink, maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh, None])
    play(game, "1 tax", at=NOON)
    run_tasks()
    row = OpenQuestion.objects.get(game=game, seat=2)
    remind([row], NOON)
    run_tasks()
    question, reminded = (mail for mail in sink.taken if mail["To"] == "sepideh@example.org")
    sentence = "Maryam ادعا می‌کند بزرگ‌زاده دارد و مالیات می‌خواهد. باور می‌کنید؟"
    assert question["Subject"] == reminded["Subject"] == f"{sentence} (کودتا {game.code[:4].upper()})"
    assert question["References"] == reminded["References"]
    assert question["Message-ID"] != reminded["Message-ID"]
    text = question.get_body(("plain",)).get_content()
    assert "ادعا می‌کند بزرگ‌زاده دارد و مالیات می‌خواهد. باور" in text
    assert "\u200f  ۲. به چالش کشیدن ادعا" in text


def test_a_notification_is_written_before_it_is_sent_and_only_if_there_is_something_to_say(
    sink: Sink, maryam: Account, sepideh: Account
) -> None:
    game = begin([maryam, sepideh, None])
    deliver_notifications()
    assert sink.taken == []
    play(game, "1 income", at=NOON)
    run_tasks()
    assert "maryam@example.org" not in sink.to
    assert Notification.objects.get(account=maryam, reason="question").state == State.DROPPED


def test_nothing_in_the_mail_is_known_to_another_seat_only(sink: Sink, maryam: Account, sepideh: Account) -> None:
    deal = ["contessa", "contessa", "duke", "ambassador", "assassin", "captain"]
    play(begin([maryam, sepideh, None], deal), "1 income", at=NOON)
    run_tasks()
    [mail] = (mail for mail in sink.taken if mail["To"] == "sepideh@example.org")
    for kind in ("plain", "html"):
        text = mail.get_body((kind,)).get_content()
        assert "بزرگ‌زاده" in text
        assert "شاهدخت" not in text
        assert "contessa" not in text
