"""Replies to the addresses of a seat that another account has now. The former player may have forged the From line."""

from collections.abc import Callable

import pytest

from accounts.models import Account
from games import links
from games.announcements.notify import write_due
from games.mail import game_handler
from games.models import ChatMessage, Game, Heartbeat, Move, Plan, Seat, UnreadReply
from games.play import absence
from games.tables import stand_ins
from games.tables.joining import take_over_seat
from games.visibility.words import short_code
from notifications import reply_addresses
from notifications.models import Notification
from tests.games.mail.test_absence import DAY
from tests.games.mail.test_road import email_bytes, notifications, send, text_of
from tests.games.seated import NOON, absent, agree, begin, chat_address, question_address, seat_address

pytestmark = pytest.mark.django_db

ADDRESSES = (
    question_address,
    seat_address,
    lambda game, seat, account: chat_address(game, seat, None, account),
    lambda game, seat, account: chat_address(game, seat, 2, account),
)
TEXTS = ("income", "3", "resign yes", "Hello, everyone!", "chat Hello", "plan tax", "income\nplan tax", "pause 3", "?")
FORGED = "Maryam <maryam@example.org>"


def take_over(game: Game, account: Account) -> None:
    """Let a player miss the first questions, so that this account takes the seat."""
    agree(game, absence="invite")
    absent(game, 1, NOON)
    take_over_seat(game.pk, 1, account, "api", NOON)


@pytest.fixture
def game(sepideh: Account, bahareh: Account) -> Game:
    """A game of Coup that has asked Sepideh for her first turn."""
    Heartbeat.objects.create(at=NOON)
    sepideh.language = "en"
    sepideh.save()
    game = begin([sepideh, bahareh, None])
    write_due(NOON)
    return game


@pytest.fixture
def taken_game(game: Game, maryam: Account) -> Game:
    """The game after Maryam has taken Sepideh's seat. The question is still open."""
    take_over(game, maryam)
    return game


def assert_unchanged(game: Game) -> None:
    assert not Move.objects.filter(game=game).exists()
    assert not ChatMessage.objects.exists()
    assert not Plan.objects.filter(game=game, via="mail").exists()


def assert_asked(account: Account) -> None:
    """Check that an account was asked once whether it wrote an email to an address of another account."""
    (answer,) = notifications(account, "answer", "again", "receipt")
    assert answer.content().headline == "Was this email from you?"
    assert "answers an email to another account" in text_of(answer)


@pytest.mark.parametrize("address", ADDRESSES, ids=["question", "seat", "chat", "private chat"])
def test_a_former_player_does_not_act_for_the_new_one(
    taken_game: Game, maryam: Account, sepideh: Account, address: Callable[..., str]
) -> None:
    for text in TEXTS:
        send(email_bytes(text, FORGED), address(taken_game, 1, sepideh), envelope="sepideh@example.org")
        assert_unchanged(taken_game)
        assert_asked(maryam)


def test_the_new_player_confirms_an_answer_on_a_page(taken_game: Game, maryam: Account, sepideh: Account) -> None:
    send(email_bytes("3", FORGED), question_address(taken_game, 1, sepideh))
    (answer,) = notifications(maryam, "answer")
    question = taken_game.open_questions.get(seat=1).question
    assert links.question_page(taken_game.pk, question, maryam.pk, 3) in text_of(answer)
    assert answer.content().reply_to == seat_address(taken_game, 1, maryam)


def test_the_new_player_plays_by_replying_to_emails_of_their_own(taken_game: Game, maryam: Account) -> None:
    write_due(NOON)
    (question,) = Notification.objects.filter(account=maryam).exclude(question="")
    send(email_bytes("income", FORGED), question.content().reply_to)
    assert Move.objects.get(game=taken_game, state="applied").account == maryam


def test_the_message_id_of_an_email_to_the_former_player_is_no_way_around(
    taken_game: Game, maryam: Account, sepideh: Account
) -> None:
    (question,) = notifications(sepideh, "question")
    send(email_bytes("income", FORGED, In_Reply_To=f"<{question.pk}@localhost>"), "darbar@localhost")
    assert_unchanged(taken_game)
    assert_asked(maryam)


@pytest.mark.parametrize("address", ADDRESSES, ids=["question", "seat", "chat", "private chat"])
def test_an_email_from_the_former_players_own_address_is_answered(
    taken_game: Game, maryam: Account, sepideh: Account, address: Callable[..., str]
) -> None:
    send(email_bytes("income", "sepideh@example.org"), address(taken_game, 1, sepideh), envelope="sepideh@example.org")
    assert_unchanged(taken_game)
    assert not notifications(maryam, "answer")
    (answer,) = notifications(sepideh, "answer")
    assert "You no longer answer questions in Coup" in answer.content().headline
    assert answer.content().reply_to == ""


def test_a_former_player_is_not_answered_without_end(
    taken_game: Game, sepideh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(game_handler, "HOURLY_LIMIT", 2)
    for number in range(4):
        mail = email_bytes("income", sepideh.email, id=f"late-{number}")
        send(mail, seat_address(taken_game, 1, sepideh), envelope=sepideh.email)
    assert len(notifications(sepideh, "answer")) == 2
    assert list(UnreadReply.objects.values_list("account", "game", "why")) == [(sepideh.pk, taken_game.pk, "limit")] * 2


def test_an_email_from_a_stranger_to_the_former_players_address_concerns_nobody(
    taken_game: Game, maryam: Account, sepideh: Account
) -> None:
    send(email_bytes("income", "eve@example.net"), question_address(taken_game, 1, sepideh), envelope="eve@example.net")
    assert_unchanged(taken_game)
    assert not Notification.objects.filter(reason="answer").exists()


def test_a_former_player_does_not_answer_in_a_digest(
    taken_game: Game, maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    (lead,) = notifications(sepideh, "question")
    other = begin([sepideh, bahareh, None])
    write_due(NOON)
    (second,) = Notification.objects.filter(account=sepideh, topic__endswith=str(other.pk), reason="question")
    Notification.objects.filter(pk=second.pk).update(lead=lead)
    digest = reply_addresses.address(reply_addresses.DIGEST, reply_addresses.short(lead.pk))
    answers = f"{short_code(taken_game)}: 1\n{short_code(other)}: 1"
    send(email_bytes(answers, FORGED), digest, envelope="sepideh@example.org")
    assert_unchanged(taken_game)
    assert_unchanged(other)
    assert UnreadReply.objects.values_list("account", "game", "why").get() == (maryam.pk, None, "closed")
    send(email_bytes(answers, "sepideh@example.org"), digest, envelope="sepideh@example.org")
    assert_unchanged(taken_game)
    assert Move.objects.get(game=other, state="applied").account == sepideh
    (answer,) = notifications(sepideh, "answer")
    assert "You no longer answer questions in Coup" in answer.content().headline


def test_a_former_stand_in_does_not_act_for_the_player(game: Game, sepideh: Account, kaveh: Account) -> None:
    stand_ins.name_stand_in(game.pk, sepideh, kaveh, NOON + 5 * DAY, NOON)
    write_due(NOON)
    (question,) = notifications(kaveh, "again")
    stand_ins.withdraw(game.pk, kaveh, NOON)
    for text in TEXTS:
        send(email_bytes(text, "sepideh@example.org"), question.content().reply_to, envelope="kaveh@example.org")
        assert_unchanged(game)
        assert_asked(sepideh)


def test_a_stand_in_answers_by_email_for_a_suspended_player(game: Game, sepideh: Account, kaveh: Account) -> None:
    stand_ins.name_stand_in(game.pk, sepideh, kaveh, NOON + 5 * DAY, NOON)
    Account.objects.filter(pk=sepideh.pk).update(is_active=False)
    send(email_bytes("income", kaveh.email), question_address(game, 1, kaveh), envelope=kaveh.email)
    assert Move.objects.get(game=game, state="applied").account == kaveh


def test_addresses_of_closed_questions_do_not_let_a_former_player_ask_the_new_one_again_and_again(
    taken_game: Game, maryam: Account, sepideh: Account
) -> None:
    for number in range(5, 15):
        closed = links.question_address(taken_game.pk, f"1.{number}", sepideh.pk)
        send(email_bytes("income", FORGED), closed, envelope=sepideh.email)
    assert_asked(maryam)
    assert list(UnreadReply.objects.values_list("account", "game", "why")) == [(maryam.pk, taken_game.pk, "closed")] * 9


def test_player_and_stand_in_do_not_act_for_each_other(game: Game, sepideh: Account, kaveh: Account) -> None:
    stand_ins.name_stand_in(game.pk, sepideh, kaveh, NOON + 5 * DAY, NOON)
    for writer, account in ((sepideh, kaveh), (kaveh, sepideh)):
        for text in TEXTS:
            send(email_bytes(text, writer.email), question_address(game, 1, account), envelope=account.email)
            assert_unchanged(game)
        (answer,) = notifications(writer, "answer")
        assert answer.content().headline == "Was this email from you?"


def test_a_player_who_comes_back_from_a_bot_answers_emails_of_before(game: Game, sepideh: Account) -> None:
    (question,) = notifications(sepideh, "question")
    absent(game, 1, NOON)
    absence.come_back(game.pk, sepideh, NOON)
    send(email_bytes("income", "sepideh@example.org"), question.content().reply_to, envelope="sepideh@example.org")
    assert Move.objects.get(game=game, state="applied").account == sepideh
    assert not Seat.objects.get(game=game, number=1).away
