"""Tests of who at a table is told what, once, and nothing that they may not know."""

import logging
import re
import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from accounts.models import Account
from games.announcements import emails
from games.announcements.batches import Tables, question_of, topic_of
from games.announcements.notify import GATHERING, remind, write_due
from games.engine import EVERYONE, SeatNumber
from games.models import Event, Game, Move, OpenQuestion
from games.play.resolve import resolve
from games.play.submit import WrittenMove, store_move
from games.play.timeouts import time_out_game
from games.tables.chat import send_message
from games.visibility.player_view import PlayerView
from notifications import outbox
from notifications.email.message import message
from notifications.models import Notification, State
from tests.games.seated import NOON, begin, play

pytestmark = pytest.mark.django_db
LATER = NOON + timedelta(hours=1)


def notifications(account: Account, reason: str = "question") -> list[Notification]:
    """Return all notifications to an account in the outbox, the earliest first."""
    return list(Notification.objects.filter(account=account, reason=reason).order_by("created_at", "question"))


def read(notification: Notification) -> str:
    """The text of a written notification."""
    assert notification.state == State.READY, notification
    return str(message(notification).body)


def latest(account: Account, reason: str = "question") -> str:
    """Compose due notifications and return the last one to this account."""
    write_due(LATER)
    return read(notifications(account, reason)[-1])


def without(code: bytes, part: bytes) -> bytes:
    """A part of a stored notice without the code of its game: in a picture, four letters may stand by chance."""
    return part if re.fullmatch(PICTURE, part) else part.replace(code, b"CODE")


PICTURE = rb'("png":"[^"]*")'


def everything(account: Account) -> list[bytes]:
    """Return all stored notifications to an account, without ids, codes and digests of the game."""
    observations = []
    for notification in Notification.objects.filter(account=account, rendered__isnull=False).order_by(
        "reason", "question"
    ):
        game = Game.objects.get(id=notification.topic.removeprefix("game:"))
        ids = [(str(game.id).encode(), b"GAME"), (game.commitment.encode(), b"COMMITMENT")]
        text = re.sub(
            rb"\b([qsau])-[a-z2-7]{26}-([\d.-]*)[a-z2-7]{26}", rb"\1-GAME-\2MAC", bytes(notification.rendered)
        )
        for own_id, placeholder in ids:
            text = text.replace(own_id, placeholder)
        text = re.sub(rb"\b[0-9a-f]{64}\b", b"HEAD", text)
        observations.append(b"".join(without(game.code[:4].upper().encode(), part) for part in re.split(PICTURE, text)))
    return observations


@pytest.fixture
def game(maryam: Account, sepideh: Account, bahareh: Account) -> Game:
    return begin([maryam, sepideh, bahareh])


def test_whoever_is_asked_gets_one_notification_and_the_others_hear_of_the_start(
    maryam: Account, sepideh: Account, bahareh: Account, game: Game
) -> None:
    write_due(NOON)
    assert [notification.key for notification in notifications(maryam)] == [f"question:{game.id}:1.1:{maryam.pk}"]
    assert [notification.state for notification in notifications(maryam, "started")] == [State.DROPPED]
    for other in (sepideh, bahareh):
        assert notifications(other) == []
        assert [notification.state for notification in notifications(other, "started")] == [State.READY]


@pytest.mark.parametrize(("text", "state"), [("tax", State.DROPPED), ("challenge", State.READY)])
def test_what_has_been_answered_is_not_put_by_notification_unless_the_answer_is_refused(
    maryam: Account, text: str, state: State, game: Game
) -> None:
    store_move(game, maryam, WrittenMove("1.1", text), Move.Via.API, NOON)
    write_due(NOON)
    assert [notification.state for notification in notifications(maryam)] == [State.SCHEDULED], (
        "nobody has resolved the answer yet"
    )
    resolve(game.id, NOON)
    write_due(LATER)
    assert [notification.state for notification in notifications(maryam)] == [state]


def test_a_resignation_that_waits_to_be_resolved_holds_up_no_news(
    maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    store_move(begin([maryam, sepideh, bahareh]), maryam, WrittenMove("", "resign yes"), Move.Via.PAGE, NOON)
    write_due(NOON)
    assert [notification.state for notification in notifications(bahareh, "started")] == [State.READY]


def test_bots_and_deleted_accounts_get_no_notifications(maryam: Account, bahareh: Account) -> None:
    game = begin([maryam, None, bahareh])
    bahareh.delete()
    play(game, "1 tax")
    assert set(Notification.objects.values_list("account", flat=True)) == {maryam.pk}


def test_an_account_that_is_switched_off_gets_no_notifications(
    maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    Account.objects.filter(pk=bahareh.pk).update(is_active=False)
    play(begin([maryam, sepideh, bahareh]), "1 tax")
    assert not Notification.objects.filter(account=bahareh).exists()


def test_a_turn_mail_says_all_that_is_needed_to_answer(maryam: Account, game: Game) -> None:
    text = latest(maryam)
    code = game.code[:4].upper()
    assert message(notifications(maryam)[0]).subject == f"It’s your turn. What do you do? (Coup {code})"
    assert text.startswith("It’s your turn. What do you do? ##- Reply above this line -##\n\n")
    for piece in (
        "Reply by Tuesday 24 March",
        "15:30 (in 1 day 23 hours).",
        "plays “Take income: 1 coin” for you.",
        "* The game started. You go first. Your cards: contessa, duke.",
        "* You: 2 coins; hand: contessa, duke",
        "* Bahareh: 2 coins, 2 face-down cards",
        "3. Collect tax with the duke: 3 coins",
        "5. Steal from Bahareh with the captain",
        "Reply with the number of your move\n  1. Take income: 1 coin\n",
    ):
        assert piece in text


def test_only_the_first_mail_of_a_game_has_a_link_to_the_rules_and_the_commitment(
    maryam: Account, bahareh: Account, game: Game
) -> None:
    write_due(NOON)
    first = [notifications(maryam)[0], notifications(bahareh, "started")[0]]
    for text in map(read, first):
        assert "\nThe rules: http://localhost:8000/rules/coup/\n" in text
        assert game.commitment in text.replace("\n", "")
        assert len(text.splitlines()) <= 40
    play(game, "1 income", "2 income")
    later = [latest(bahareh)]
    play(game, "3 income")
    for text in (*later, latest(maryam)):
        assert "The rules" not in text
        assert game.commitment not in text.replace("\n", "")


def test_the_story_begins_with_the_readers_last_answer(maryam: Account, game: Game) -> None:
    play(game, "1 tax", "2 allow", "3 allow", "2 income", "3 income")
    text = latest(maryam)
    assert "Since your last answer\n  * You collected tax with the duke: 3 coins.\n" in text
    assert "\n\u200e  * \u2067سپیده\u2069 took income: 1 coin.\n  * Bahareh took income: 1 coin.\n" in text
    assert "The game started" not in text


def test_the_first_story_is_the_whole_one(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    play(begin([maryam, sepideh, bahareh]), "1 income", "2 income")
    text = latest(bahareh)
    assert "What happened\n  * The game started. Maryam goes first. Your cards: " in text
    assert "* Maryam took income: 1 coin.\n" in text


def test_a_persian_reader_gets_persian_digits_and_dates(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    play(begin([maryam, sepideh, bahareh]), "1 tax")
    text = latest(sepideh)
    assert "دوشنبه ۳ فروردین" in text
    assert "\u200f  ۱. اجازه دادن" in text
    headline = "\u200f\u2066Maryam\u2069 ادعا می‌کند بزرگ‌زاده دارد و مالیات می‌خواهد. باور می‌کنید؟"
    assert text.splitlines()[0] == f"{headline} ##- بالای این خط پاسخ دهید -##"


def test_a_question_that_was_answered_meanwhile_is_not_put_any_more(
    maryam: Account, sepideh: Account, game: Game
) -> None:
    play(game, "1 income")
    write_due(LATER)
    assert [notification.state for notification in notifications(maryam)] == [State.DROPPED]
    assert [notification.state for notification in notifications(sepideh)] == [State.READY]


def test_nothing_is_said_to_one_who_sits_there_no_more(maryam: Account, game: Game) -> None:
    game.seats.filter(account=maryam).update(account=None)
    write_due(NOON)
    assert [notification.state for notification in notifications(maryam)] == [State.DROPPED]


def test_a_question_is_reminded_of_once_a_step(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    begin([maryam, sepideh, bahareh])
    for _ in range(2):
        remind(OpenQuestion.objects.all(), NOON + timedelta(days=1))
    assert len(notifications(maryam, "reminder")) == 1
    write_due(NOON + timedelta(days=1))
    text = read(notifications(maryam, "reminder")[0])
    assert "-##\n\nYou haven’t answered yet, and everyone is waiting just for you.\nReply by " in text
    assert "3. Collect tax with the duke: 3 coins" in text


def test_everybody_hears_how_it_ended(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    game = begin([maryam, sepideh])
    play(game, "1 resign yes")
    for account in (maryam, sepideh):
        assert len(notifications(account, "ended")) == 1
    assert latest(maryam, "ended").startswith("\u200e\u2067سپیده\u2069 won Coup, game ")
    assert latest(sepideh, "ended").startswith("\u200fشما برندهٔ کودتا (بازی ")
    assert "reply “rematch”" in latest(maryam, "ended")
    assert f"/games/{game.pk}/record/" in latest(maryam, "ended")
    assert "won the game" not in latest(maryam, "ended"), "the headline says it"


def test_an_email_shows_everything_only_after_the_end(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh])
    assert PlayerView(game, SeatNumber(1), maryam).viewer == 1
    play(game, "1 resign yes")
    assert PlayerView(Game.objects.get(pk=game.pk), SeatNumber(1), maryam).viewer == EVERYONE


def test_each_subject_asks_the_question_and_all_are_in_one_thread(bahareh: Account, game: Game) -> None:
    write_due(NOON)
    play(game, "1 tax")
    write_due(LATER)
    mails = [message(notification) for notification in Notification.objects.filter(account=bahareh, state=State.READY)]
    assert len(mails) == 2
    code = game.code[:4].upper()
    question = "Maryam claims the duke to collect tax. Do you believe it?"
    assert {mail.subject for mail in mails} == {f"Coup {code}", f"{question} (Coup {code})"}
    assert len({mail.extra_headers["References"] for mail in mails}) == 1


@pytest.mark.parametrize("own_cards", ["contessa duke", "contessa captain", "captain captain"])
def test_a_subject_does_not_depend_on_the_cards_of_its_reader(
    maryam: Account, sepideh: Account, bahareh: Account, own_cards: str
) -> None:
    game = begin([maryam, sepideh, bahareh], [*own_cards.split(), "captain", "contessa", "assassin", "duke"])
    play(game, "1 tax", "2 challenge")
    write_due(LATER)
    subject = message(notifications(maryam)[-1]).subject
    assert subject == f"سپیده doesn’t believe that you hold the duke. (Coup {game.code[:4].upper()})"


def test_two_games_that_differ_only_in_what_is_hidden_give_the_same_notifications(
    maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    observations = []
    for others in ("captain contessa assassin duke", "duke ambassador ambassador captain"):
        game = begin([maryam, sepideh, bahareh], ["contessa", "duke", *others.split()])
        write_due(NOON)
        play(game, "1 tax")
        write_due(LATER)
        play(game, "2 allow", "3 challenge")
        write_due(LATER)
        observations.append(everything(maryam))
        Notification.objects.all().delete()
    assert len(observations[0]) == 2
    assert observations[0] == observations[1]


def test_the_story_says_where_the_clock_played_but_not_in_a_window(
    maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    game = begin([maryam, bahareh, sepideh])
    time_out_game(game.id, NOON + timedelta(days=3))
    play(game, "2 income", "3 tax", "1 allow", at=NOON + timedelta(days=3))
    time_out_game(game.id, NOON + timedelta(days=5))
    write_due(NOON + timedelta(days=6))
    text = read(notifications(maryam)[-1])
    assert "You allowed it." in text
    assert "(Time was up.)" not in text
    time_out_game(game.id, NOON + timedelta(days=9))
    write_due(NOON + timedelta(days=9))
    assert "* Maryam took income: 1 coin. (Time was up.)\n" in read(notifications(bahareh)[-1])


def no_such_rules(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(rules_version=99)


def a_line_of_a_newer_server(game: Game) -> None:
    Event.objects.create(game_id=game.pk, number=99, body='{"type":"table.unheard_of"}', at=NOON, via="server")


@pytest.mark.parametrize(
    ("spoil", "error"), [(no_such_rules, "UnknownRules"), (a_line_of_a_newer_server, "ValidationError")]
)
def test_one_notification_that_cannot_be_written_stops_no_other(
    maryam: Account,
    sepideh: Account,
    bahareh: Account,
    spoil: Callable[[Game], None],
    error: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    spoilt = begin([maryam, sepideh])
    begin([maryam, bahareh])
    spoil(spoilt)
    with caplog.at_level(logging.WARNING):
        write_due(NOON)
    assert error in caplog.text
    of_spoilt = Notification.objects.filter(topic=topic_of(spoilt.id))
    assert {(notification.state, notification.attempts) for notification in of_spoilt} == {(State.SCHEDULED, 1)}
    assert not Notification.objects.exclude(pk__in=of_spoilt).filter(state=State.SCHEDULED).exists()


def test_one_notification_for_which_a_statement_fails_stops_no_other(
    maryam: Account, sepideh: Account, bahareh: Account, caplog: pytest.LogCaptureFixture
) -> None:
    begin([maryam, sepideh])
    spoilt = begin([maryam, bahareh])
    send_message(spoilt, maryam, None, "Good luck", NOON)

    def failing(execute: Callable[..., Any], sql: str, params: Any, *rest: Any) -> Any:
        if sql.startswith('SELECT "games_chatmessage"'):
            return execute("SELECT 1 / 0", None, *rest)
        return execute(sql, params, *rest)

    with connection.execute_wrapper(failing), caplog.at_level(logging.WARNING):
        write_due(NOON)
    assert "DataError" in caplog.text
    failed = Notification.objects.filter(state=State.SCHEDULED, next_attempt_at__lte=NOON + timedelta(minutes=1))
    assert {(notification.topic, notification.attempts) for notification in failed} == {(topic_of(spoilt.id), 1)}
    assert Notification.objects.exclude(topic__endswith=str(spoilt.id)).filter(state=State.READY).exists()


def test_the_log_says_nothing_of_what_a_notification_would_have_said(
    maryam: Account, sepideh: Account, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin([maryam, sepideh])

    def spoilt(notification: Notification, now: datetime, tables: Tables) -> None:
        raise ValueError("Maryam holds the contessa")

    monkeypatch.setattr(emails, "compose", spoilt)
    with caplog.at_level(logging.WARNING):
        write_due(NOON)
    assert "ValueError in spoilt" in caplog.text
    assert "contessa" not in caplog.text


def test_no_two_notifications_of_one_game_to_one_reader_are_composed_together(
    maryam: Account, sepideh: Account
) -> None:
    begin([maryam, sepideh])
    send_message(begin([maryam, sepideh]), maryam, None, "Good luck", NOON)
    now = NOON + GATHERING
    assert Notification.objects.filter(state=State.SCHEDULED).count() > 5
    with transaction.atomic():
        together = outbox.next_unwritten(now, 100)
    questions_and_accounts = [(question_of(notification)[0], notification.account_id) for notification in together]
    assert len(questions_and_accounts) == len({*questions_and_accounts}) == 4
    assert write_due(now) > len(together)
    assert not Notification.objects.filter(state=State.SCHEDULED).exists()


@pytest.mark.django_db(transaction=True)
def test_two_workers_at_once_write_each_notification_once(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    for _ in range(5):
        begin([maryam, sepideh, bahareh])
    meet, accepted = threading.Barrier(2), []

    def work() -> None:
        meet.wait()
        accepted.append(write_due(NOON))
        connection.close()

    workers = [threading.Thread(target=work) for _ in range(2)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert sum(accepted) == Notification.objects.count() == 20
    assert not Notification.objects.filter(state=State.SCHEDULED).exists()
