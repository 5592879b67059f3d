"""Tests of chat in emails: readers, limits, and how to stop it."""

from collections.abc import Callable
from datetime import datetime, time, timedelta
from typing import Any

import pytest
from django.db import connection

from accounts import blocks
from accounts.models import Account
from games import links
from games.announcements.notify import APART, GATHERING, ask_again, write_due
from games.engine import SeatNumber
from games.models import Game, OpenQuestion
from games.tables.chat import send_message
from notifications import preferences
from notifications.deliver import deliver_due
from notifications.email.message import message
from notifications.endpoints import StreamEvent
from notifications.models import Notification, State
from tests.games.seated import DEAL, NOON, agree, begin, chat_address, play, seat_address

pytestmark = pytest.mark.django_db

SECOND = timedelta(seconds=1)
MINUTE = timedelta(minutes=1)


@pytest.fixture
def game(maryam: Account, sepideh: Account, bahareh: Account) -> Game:
    """Maryam, Sepideh, Bahareh and a bot; the notifications of the start are out."""
    game = begin([maryam, sepideh, bahareh, None], [*DEAL, "ambassador", "captain"])
    write_due(NOON)
    send(NOON)
    return game


def send(now: datetime) -> None:
    """Take it that every notification that is ready is sent."""
    Notification.objects.filter(state=State.READY).update(state=State.SENT, sent_at=now)


def chat_texts(account: Account, now: datetime) -> list[str]:
    """The texts of the mails about chat that this person gets now."""
    write_due(now)
    notifications = Notification.objects.filter(account=account, state=State.READY, reason="chat").order_by(
        "created_at"
    )
    texts = [str(message(notification).body) for notification in notifications]
    notifications.update(state=State.SENT, sent_at=now)
    return texts


def test_several_messages_come_in_one_mail_some_time_later(
    game: Game, maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    send_message(game, maryam, None, "I have the duke", NOON)
    send_message(game, sepideh, None, "باور نمی‌کنم", NOON + MINUTE)
    assert chat_texts(bahareh, NOON + GATHERING - SECOND) == []
    (mail,) = chat_texts(bahareh, NOON + GATHERING)
    assert "* Maryam: I have the duke\n\u200e  * \u2067سپیده\u2069: \u2067باور نمی‌کنم\u2069" in mail
    assert mail.partition("\n")[0].endswith(". ##- Reply above this line -##")
    assert chat_texts(bahareh, NOON + 2 * GATHERING) == []


def test_a_notification_is_told_to_its_reader_only_and_nobody_is_told_their_own_words(
    game: Game, maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    send_message(game, maryam, 3, "Shall we?", NOON)
    (mail,) = chat_texts(bahareh, NOON + GATHERING)
    assert "* Maryam, just to you: Shall we?" in mail
    assert Notification.objects.filter(reason="chat").count() == 1
    send_message(game, bahareh, 1, "We shall", NOON + GATHERING)
    (mail,) = chat_texts(maryam, NOON + 2 * GATHERING)
    assert "* Maryam, just to Bahareh: Shall we?\n  * Bahareh, just to you: We shall" in mail


def test_however_much_is_said_there_is_one_such_mail_an_hour(game: Game, maryam: Account, bahareh: Account) -> None:
    mails = []
    for minute in range(0, 150, 5):
        if minute < 120:
            send_message(game, maryam, None, f"message {minute}", NOON + minute * MINUTE)
        mails += chat_texts(bahareh, NOON + minute * MINUTE)
    assert len(mails) == 3
    assert [mail.count("Maryam: message") for mail in mails] == [3, 12, 9]
    assert Notification.objects.filter(account=bahareh, reason="chat").count() == 3


def test_what_a_turn_mail_has_told_no_other_mail_tells_again(
    game: Game, maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    play(game, "1 tax", at=NOON)
    send_message(game, maryam, None, "I have the duke", NOON)
    write_due(NOON)
    (turn,) = Notification.objects.filter(account=bahareh, reason="question")
    assert "New in the chat\n  * Maryam: I have the duke" in str(message(turn).body)
    assert chat_texts(bahareh, NOON + GATHERING) == []
    ask_again(OpenQuestion.objects.get(game=game, seat=3), bahareh.pk, "7", NOON + MINUTE)
    write_due(NOON + MINUTE)
    assert "New in the chat" not in str(message(Notification.objects.get(reason="again")).body)


def test_what_stood_in_a_turn_mail_that_never_went_out_is_told_by_the_next(
    game: Game, maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    play(game, "1 tax", at=NOON)
    send_message(game, maryam, None, "I have the duke", NOON)
    write_due(NOON)
    play(game, "3 allow", at=NOON)
    assert Notification.objects.get(account=bahareh, reason="question").state == State.DROPPED
    (mail,) = chat_texts(bahareh, NOON + GATHERING)
    assert "I have the duke" in mail


def test_chat_waits_for_quiet_hours_and_comes_with_what_else_waits(
    game: Game, maryam: Account, bahareh: Account
) -> None:
    preferences.change(bahareh, {"quiet_from": time(12), "quiet_to": time(20)}, NOON)
    send_message(game, maryam, None, "I have the duke", NOON)
    send_message(game, maryam, None, "and a captain", NOON + 20 * MINUTE)
    assert chat_texts(bahareh, NOON + timedelta(hours=6)) == []
    (mail,) = chat_texts(bahareh, NOON + timedelta(hours=7))
    assert "I have the duke\n  * Maryam: and a captain" in mail


def test_a_digest_tells_chat_once(game: Game, maryam: Account, bahareh: Account) -> None:
    preferences.change(bahareh, {"digest": "daily", "digest_at": 20}, NOON)
    send_message(game, maryam, None, "I have the duke", NOON)
    play(game, "1 tax", at=NOON)
    write_due(NOON + timedelta(hours=8))
    (lead,) = Notification.objects.filter(account=bahareh, state=State.READY)
    assert str(message(lead).body).count("I have the duke") == 1


def test_a_digest_tells_chat_whose_question_closes_while_it_is_composed(
    game: Game, maryam: Account, bahareh: Account
) -> None:
    preferences.change(bahareh, {"digest": "daily", "digest_at": 20}, NOON)
    play(game, "1 tax", at=NOON)
    send_message(game, maryam, None, "I have the duke", NOON + MINUTE)
    write_due(NOON + MINUTE)

    def close_first(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        if 'FROM "games_openquestion"' in sql and "FOR UPDATE SKIP LOCKED" in sql:
            OpenQuestion.objects.filter(game=game).delete()
        return execute(sql, *rest)

    with connection.execute_wrapper(close_first):
        write_due(NOON + timedelta(hours=8))
    assert Notification.objects.get(account=bahareh, reason="question").state == State.DROPPED
    (mail,) = Notification.objects.filter(account=bahareh, state=State.READY)
    assert str(message(mail).body).count("I have the duke") == 1


@pytest.mark.parametrize("stopped", ["chat", "chat:{game}", "game:{game}"])
def test_who_wants_no_such_mails_gets_none(game: Game, maryam: Account, bahareh: Account, stopped: str) -> None:
    preferences.mute(bahareh.pk, [stopped.format(game=game.id)])
    send_message(game, maryam, None, "I have the duke", NOON)
    assert chat_texts(bahareh, NOON + GATHERING) == []


def test_the_stop_link_of_such_a_mail_stops_chat_and_no_questions(
    game: Game, maryam: Account, bahareh: Account, client: object
) -> None:
    send_message(game, maryam, None, "I have the duke", NOON)
    write_due(NOON + GATHERING)
    notification = Notification.objects.get(account=bahareh, reason="chat")
    mail = message(notification)
    assert mail.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    link = mail.extra_headers["List-Unsubscribe"].strip("<>")
    assert link in str(mail.body)
    assert client.post(link.removeprefix("http://localhost:8000")).status_code == 200  # type: ignore[attr-defined]
    assert preferences.of(Account.objects.get(pk=bahareh.pk)).muted == [f"chat:{game.id}"]
    play(game, "1 tax", at=NOON)
    write_due(NOON + GATHERING)
    assert Notification.objects.get(account=bahareh, reason="question").state == State.READY


def test_a_mail_about_chat_is_in_the_games_thread_and_says_nothing_in_its_subject(
    game: Game, maryam: Account, bahareh: Account
) -> None:
    send_message(game, maryam, None, "I have the duke", NOON)
    write_due(NOON + GATHERING)
    chat, start = (message(Notification.objects.get(account=bahareh, reason=reason)) for reason in ("chat", "started"))
    assert (chat.subject, chat.extra_headers["References"]) == (start.subject, start.extra_headers["References"])
    assert start.reply_to == [seat_address(game, 3)]
    assert chat.reply_to == [chat_address(game, 3, None)]


def test_who_is_blocked_or_muted_sends_nobody_mails(
    game: Game, maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    blocks.block(sepideh, maryam, NOON)
    blocks.mute(bahareh, maryam, NOON)
    send_message(game, maryam, None, "Hello", NOON)
    send_message(game, maryam, 2, "Psst", NOON)
    assert not Notification.objects.filter(reason="chat").exists()
    play(game, "1 tax", at=NOON)
    write_due(NOON)
    for account in (sepideh, bahareh):
        assert "Hello" not in str(message(Notification.objects.get(account=account, reason="question")).body)


def test_what_is_said_cannot_look_like_anything_else_in_a_mail(game: Game, maryam: Account, bahareh: Account) -> None:
    spoof = "yes\n\n##- Reply above this line -##\n<b>1. income</b>\n\u202eevil"
    send_message(game, maryam, None, spoof, NOON)
    (mail,) = chat_texts(bahareh, NOON + GATHERING)
    line = "* Maryam: yes ##- Reply above this line -## <b>1. income</b> evil"
    assert line in " ".join(mail.split())
    html = message(Notification.objects.get(account=bahareh, reason="chat")).alternatives[0][0]
    assert "&lt;b&gt;1. income&lt;/b&gt;" in html
    assert "<b>1." not in html


def test_a_persian_reader_is_told_in_persian(game: Game, maryam: Account, sepideh: Account) -> None:
    send_message(game, maryam, 2, "Shall we?", NOON)
    (mail,) = chat_texts(sepideh, NOON + GATHERING)
    assert "\u2066Maryam\u2069، فقط به شما: \u2066Shall we?\u2069" in mail


def test_private_messages_between_others_change_nothing_in_anybodys_mails(
    maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    observations = []
    for secret in (False, True):
        game = begin([maryam, sepideh, bahareh])
        if secret:
            send_message(game, maryam, 2, "Shall we?", NOON)
        send_message(game, maryam, None, "Hello", NOON)
        play(game, "1 tax", at=NOON)
        write_due(NOON)
        write_due(NOON + GATHERING)
        rows = Notification.objects.filter(account=bahareh, topic__endswith=str(game.id)).order_by("reason")
        observations.append(
            [(row.reason, row.state, row.created_at, row.next_attempt_at, bool(row.rendered)) for row in rows]
        )
        deliver_due(NOON)
    assert observations[0] == observations[1]


def test_the_programs_of_those_who_may_hear_it_are_told_that_something_was_said_and_not_what(
    game: Game, maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    blocks.mute(sepideh, maryam, NOON)
    to_one = send_message(game, maryam, 3, "Shall we?", NOON)
    to_all = send_message(game, maryam, None, "Hello", NOON)
    signals = [(row.account, row.data) for row in StreamEvent.objects.filter(kind="chat").order_by("id")]
    assert signals == [
        (bahareh, {"game": str(game.id), "message": str(message.public_id)}) for message in (to_one, to_all)
    ]


def test_a_table_without_chat_offers_none(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh])
    write_due(NOON)
    (mail,) = Notification.objects.filter(account=maryam, reason="question")
    assert "“chat …”" in str(message(mail).body)
    game = begin([maryam, sepideh])
    agree(game, chat="none")
    write_due(NOON)
    mail = Notification.objects.get(account=maryam, reason="question", topic=f"game:{game.id}")
    assert "“chat …”" not in str(message(mail).body)


def test_the_last_mail_of_a_game_can_be_answered_with_chat(game: Game, maryam: Account, bahareh: Account) -> None:
    other = begin([maryam, bahareh])
    play(other, "1 resign yes")
    write_due(NOON + timedelta(hours=1))
    mail = message(Notification.objects.get(account=bahareh, reason="ended"))
    assert "Other replies: “chat …”." in str(mail.body)
    assert mail.reply_to != []
    send_message(Game.objects.get(pk=other.pk), maryam, None, "Well played", NOON + timedelta(hours=1))
    (text,) = chat_texts(bahareh, NOON + timedelta(hours=2))
    assert "Maryam: Well played" in text


def test_apart_is_longer_than_gathering() -> None:
    assert APART > GATHERING


def reply_addresses(account: Account) -> list[object]:
    """Return the recipients of a reply to each email about chat."""
    notifications = Notification.objects.filter(account=account, reason="chat").order_by("created_at")
    return [links.parse(notification.content().reply_to) for notification in notifications if notification.rendered]


def test_a_reply_to_public_chat_goes_to_all_and_to_private_messages_of_one_player_to_them_alone(
    game: Game, maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    send_message(game, maryam, None, "Hello", NOON)
    (mail,) = chat_texts(bahareh, NOON + GATHERING)
    assert "To write to everyone in the chat, reply to this email." in " ".join(mail.split())
    send_message(game, maryam, SeatNumber(3), "Shall we?", NOON + GATHERING)
    (mail,) = chat_texts(bahareh, NOON + GATHERING + APART)
    assert "To write just to Maryam, reply to this email." in " ".join(mail.split())
    send_message(game, maryam, SeatNumber(3), "Quick!", NOON + 2 * APART)
    send_message(game, sepideh, None, "What are you up to?", NOON + 2 * APART)
    (mail,) = chat_texts(bahareh, NOON + 4 * APART)
    assert "start with “chat”, and add a name" in " ".join(mail.split())
    assert reply_addresses(bahareh) == [
        links.ChatAddress(game.id, SeatNumber(3), None, bahareh.pk),
        links.ChatAddress(game.id, SeatNumber(3), SeatNumber(1), bahareh.pk),
        links.SeatAddress(game.id, SeatNumber(3), bahareh.pk),
    ]
