"""Tests of preferences: held notifications, digests, muted games, and stale notifications that are not sent."""

from datetime import UTC, datetime, time, timedelta
from typing import Any

import pytest

from accounts.models import Account
from games import links
from games.announcements import notify
from games.announcements.notify import write_due
from games.models import Heartbeat, Move, OpenQuestion
from games.play import timeouts
from games.tables import stand_ins
from games.visibility import seats
from notifications import deliver, preferences, reply_addresses
from notifications.content import Heading, Link
from notifications.email.message import message
from notifications.models import Notification, State
from tests.games.seated import NOON, begin, play
from tests.notifications.conftest import sink
from tests.notifications.sink import Sink

pytestmark = pytest.mark.django_db
__all__ = ["sink"]
HOUR = timedelta(hours=1)
NIGHT = {"quiet_from": time(15), "quiet_to": time(7)}
"""NOON is 15:30 in Tehran."""
MORNING = datetime(2026, 3, 23, 3, 30, tzinfo=UTC)


def mails(sink: Sink, account: Account) -> list[Any]:
    return [mail for mail in sink.taken if mail["To"] == account.email]


def tick(now: datetime) -> None:
    """Do the periodic work of the workers, and return the sent emails."""
    write_due(now)
    deliver.deliver_due(now)


def test_a_question_waits_for_the_end_of_quiet_hours(sink: Sink, maryam: Account, bahareh: Account) -> None:
    preferences.change(maryam, NIGHT, NOON)
    begin([maryam, bahareh, None])
    tick(NOON)
    tick(MORNING - timedelta(seconds=1))
    assert mails(sink, maryam) == []
    tick(MORNING)
    assert len(mails(sink, maryam)) == 1
    assert mails(sink, maryam)[0]["Reply-To"].startswith("q-")


def test_a_receipt_that_is_due_in_quiet_hours_waits_for_their_end(maryam: Account, bahareh: Account) -> None:
    preferences.change(maryam, {"quiet_from": time(16), "quiet_to": time(7)}, NOON)
    game = begin([maryam, bahareh, None])
    play(game, "1 income", at=NOON)
    move = Move.objects.latest("pk")
    move.account = maryam
    notify.order_receipt(move, NOON)
    assert Notification.objects.get(reason="receipt").next_attempt_at == MORNING


def test_no_question_waits_longer_than_there_is_time_to_answer(sink: Sink, maryam: Account, bahareh: Account) -> None:
    preferences.change(maryam, {"digest": "daily", "digest_at": 15}, NOON)
    row = OpenQuestion.objects.get(game=begin([maryam, bahareh, None]))
    row.due_at = NOON + 23 * HOUR
    Notification.objects.all().delete()
    notify.notify_players([notify.GameUpdate(row.game_id, [*seats.seats_of([row.game_id])], questions=[row])], NOON)
    tick(NOON + 21 * HOUR - timedelta(seconds=1))
    assert mails(sink, maryam) == []
    tick(NOON + 21 * HOUR)
    assert len(mails(sink, maryam)) == 1


def test_half_of_a_short_time_is_left_to_answer(maryam: Account, bahareh: Account) -> None:
    preferences.change(maryam, {"digest": "daily", "digest_at": 15}, NOON)
    game = begin([maryam, bahareh, None])
    row = OpenQuestion.objects.get(game=game)
    row.due_at = NOON + HOUR
    Notification.objects.all().delete()
    notify.notify_players([notify.GameUpdate(game.id, [*seats.seats_of([game.id])], questions=[row])], NOON)
    assert Notification.objects.get().next_attempt_at == NOON + HOUR / 2


def test_questions_that_waited_come_as_one_mail_with_a_reply_address_of_its_own(
    sink: Sink, maryam: Account, bahareh: Account, sepideh: Account
) -> None:
    preferences.change(maryam, NIGHT, NOON)
    games = [begin([maryam, bahareh, None]), begin([maryam, sepideh, None])]
    tick(MORNING)
    [mail] = mails(sink, maryam)
    kind, subject = reply_addresses.read(mail["Reply-To"]) or ("", "")
    assert kind == reply_addresses.DIGEST
    assert Notification.objects.get(id=reply_addresses.long(subject)).state == State.SENT
    text = mail.get_body(("plain",)).get_content()
    assert "##- Reply above this line -##" in text
    html = mail.get_body(("html",)).get_content()
    for game in games:
        assert f"mailto:{links.question_address(game.id, '1.1', maryam.pk)}?" in text
        assert f"Coup {game.code[:4].upper()}: It’s your turn." in text
        assert links.question_page(game.id, "1.1", maryam.pk, 3) in html
    assert "Questions waiting for your answer: 2." in text
    assert mail["Subject"] == "Your games at Darbar"
    assert Notification.objects.filter(account=maryam, state=State.MERGED).count() == 1
    tick(MORNING + HOUR)
    assert len(mails(sink, maryam)) == 1


def test_a_question_and_its_reminder_that_waited_are_one(sink: Sink, maryam: Account, bahareh: Account) -> None:
    preferences.change(maryam, NIGHT, NOON)
    begin([maryam, bahareh, None])
    notify.remind(OpenQuestion.objects.all(), NOON + HOUR)
    tick(MORNING)
    assert len(mails(sink, maryam)) == 1
    assert mails(sink, maryam)[0]["Reply-To"].startswith("q-")


def test_at_most_one_mail_in_so_many_hours(sink: Sink, maryam: Account, bahareh: Account, sepideh: Account) -> None:
    preferences.change(maryam, {"digest": "hours", "digest_every": 4}, NOON)
    begin([maryam, bahareh, None])
    tick(NOON)
    assert len(mails(sink, maryam)) == 1
    for _ in range(2):
        begin([maryam, sepideh, None])
    tick(NOON + 4 * HOUR - timedelta(seconds=1))
    assert len(mails(sink, maryam)) == 1
    tick(NOON + 4 * HOUR)
    assert len(mails(sink, maryam)) == 2
    assert mails(sink, maryam)[1]["Subject"] == "Your games at Darbar"


def test_a_held_notification_says_how_things_stand_when_it_goes_out(
    sink: Sink, maryam: Account, bahareh: Account
) -> None:
    preferences.change(maryam, NIGHT, NOON)
    play(begin([maryam, bahareh, None]), "1 tax")
    tick(MORNING)
    assert mails(sink, maryam) == []


def test_new_wishes_hold_for_what_waits_already(sink: Sink, maryam: Account, bahareh: Account) -> None:
    preferences.change(maryam, NIGHT, NOON)
    begin([maryam, bahareh, None])
    preferences.change(maryam, {"quiet_from": None, "quiet_to": None}, NOON + HOUR)
    tick(NOON + HOUR)
    assert len(mails(sink, maryam)) == 1


def test_a_muted_game_sends_nothing_and_others_do(sink: Sink, maryam: Account, bahareh: Account) -> None:
    muted, other = begin([maryam, bahareh, None]), begin([maryam, bahareh, None])
    preferences.mute(maryam.pk, [f"game:{muted.id}"])
    tick(NOON)
    assert [mail["Subject"] for mail in mails(sink, maryam)] == [
        f"It’s your turn. What do you do? (Coup {other.code[:4].upper()})"
    ]


def test_who_wants_other_reminders_gets_those(maryam: Account, bahareh: Account) -> None:
    preferences.change(maryam, {"reminders": ["25%", "PT3H"]}, NOON)
    preferences.change(bahareh, {"reminders": []}, NOON)
    game = begin([maryam, bahareh, None])
    assert OpenQuestion.objects.get(game=game).remind_at == NOON + 12 * HOUR
    play(game, "1 income", at=NOON)
    assert OpenQuestion.objects.get(game=game, seat=2).remind_at is None


def test_reminders_of_a_seat_with_a_stand_in_follow_no_habits_even_where_nobody_reaches_the_stand_in(
    maryam: Account, bahareh: Account
) -> None:
    kaveh = Account.objects.create_user("kaveh@example.org", name="Kaveh")
    preferences.change(kaveh, {"mails": False}, NOON)
    preferences.change(maryam, {"reminders": ["50%", "80%"], "usual_hours": [4]}, NOON)
    game = begin([maryam, bahareh, None])
    stand_ins.name_stand_in(game.pk, maryam, kaveh, NOON + 240 * HOUR, NOON + HOUR)
    Heartbeat.objects.update_or_create(defaults={"at": NOON + 24 * HOUR})
    timeouts.sweep(NOON + 24 * HOUR)
    assert Notification.objects.filter(account=maryam, reason="reminder").count() == 1
    assert OpenQuestion.objects.get(game=game).remind_at == NOON + 38.4 * HOUR


def test_a_notification_whose_question_closes_before_it_is_sent_is_not_sent(
    sink: Sink, maryam: Account, bahareh: Account
) -> None:
    game = begin([maryam, bahareh, None])
    write_due(NOON)
    play(game, "1 income", at=NOON)
    tick(NOON)
    assert [notification.state for notification in Notification.objects.filter(account=maryam, reason="question")] == [
        State.DROPPED
    ]
    assert mails(sink, maryam) == []
    assert links.question_address(game.id, "2.1", bahareh.pk) in [mail["Reply-To"] for mail in mails(sink, bahareh)]


def test_a_digest_that_was_written_is_written_anew_without_what_closed(
    sink: Sink, maryam: Account, bahareh: Account, sepideh: Account
) -> None:
    preferences.change(maryam, NIGHT, NOON)
    games = [begin([maryam, bahareh, None]), begin([maryam, sepideh, None]), begin([maryam, bahareh, None])]
    write_due(MORNING)
    assert Notification.objects.filter(account=maryam, state=State.MERGED).count() == 2
    play(games[0], "1 income", at=MORNING)
    tick(MORNING)
    [mail] = mails(sink, maryam)
    text = mail.get_body(("plain",)).get_content()
    assert games[0].code[:4].upper() not in text
    assert "Questions waiting for your answer: 2." in text


def test_a_question_is_put_once_more_as_often_as_it_is_asked_for(sink: Sink, maryam: Account, bahareh: Account) -> None:
    preferences.change(maryam, NIGHT, NOON)
    row = OpenQuestion.objects.get(game=begin([maryam, bahareh, None]))
    for request in ("one", "one", "two"):
        notify.ask_again(row, maryam.pk, request, NOON)
    tick(NOON)
    first, second = mails(sink, maryam)
    assert first["Reply-To"] == second["Reply-To"] == links.question_address(row.game_id, row.question, maryam.pk)
    assert first["References"] == second["References"]


def test_whoever_asks_is_answered_though_they_want_no_mails_of_the_game(
    sink: Sink, maryam: Account, bahareh: Account
) -> None:
    row = OpenQuestion.objects.get(game=begin([maryam, bahareh, None]))
    preferences.mute(maryam.pk, [f"game:{row.game_id}"])
    notify.ask_again(row, maryam.pk, "one", NOON)
    tick(NOON)
    (mail,) = mails(sink, maryam)
    assert mail["Reply-To"] == links.question_address(row.game_id, row.question, maryam.pk)


def test_each_part_of_a_digest_keeps_the_links_of_its_game(maryam: Account, bahareh: Account) -> None:
    preferences.change(maryam, NIGHT, NOON)
    for _ in range(2):
        begin([maryam, bahareh, None])
    write_due(MORNING)
    lead = Notification.objects.get(account=maryam, state=State.READY)
    blocks = lead.content().blocks
    assert sum(isinstance(block, Heading) for block in blocks) == 2
    assert sum(isinstance(block, Link) and block.url.startswith("mailto:") for block in blocks) == 2
    assert len(lead.topics()) == 2
    assert "List-Unsubscribe" in message(lead).extra_headers
