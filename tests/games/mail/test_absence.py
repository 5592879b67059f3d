"""Coming back by mail, and what stand-ins may do by mail."""

from datetime import timedelta

import pytest

from accounts.models import Account
from games.announcements import notify
from games.engine import SeatNumber
from games.models import Game, Move, RematchOffer, Seat
from games.tables import rematch, stand_ins
from games.tables.chat import send_message
from games.visibility.player_view import PlayerView
from notifications.models import Notification
from tests.games.mail.test_road import LATER, email_bytes, send
from tests.games.seated import NOON, absent, begin, play, question_address, seat_address

pytestmark = pytest.mark.django_db
DAY = timedelta(days=1)


def latest(account: Account, reason: str) -> str:
    return repr(Notification.objects.filter(account=account, reason=reason).latest("created_at").content())


def test_a_player_for_whom_a_bot_sits_in_is_told_how_to_come_back_and_does(maryam: Account, game: Game) -> None:
    absent(game, 1, NOON)
    email = latest(maryam, "absent")
    assert "You missed 3 questions in a row" in email
    assert "reply “back”" in email
    send(email_bytes("back"), seat_address(game, 1))
    assert not Seat.objects.get(game=game, number=1).away
    assert "You’re answering for yourself again." in latest(maryam, "answer")
    notify.write_due(LATER)
    assert "Your move in Coup" in latest(maryam, "question")


def test_persian_words_bring_one_back_too(sepideh: Account, game: Game) -> None:
    play(game, "1 income")
    absent(game, 2, LATER)
    assert "برای بازگشت" in latest(sepideh, "absent") or "برگشتم" in latest(sepideh, "absent")
    send(email_bytes("برگشتم", "sepideh@example.org"), seat_address(game, 2), envelope="sepideh@example.org")
    assert not Seat.objects.get(game=game, number=2).away


def test_notifications_to_who_is_away_say_how_to_come_back(maryam: Account, game: Game) -> None:
    absent(game, 1, NOON)
    send_message(game, game.seats.get(number=2).account, None, "Where are you?", LATER)
    notify.write_due(LATER + timedelta(hours=1))
    assert "reply “back”" in latest(maryam, "chat")


def test_a_stand_in_answers_by_mail_and_the_players_mails_count_as_ever(
    maryam: Account, kaveh: Account, game: Game
) -> None:
    stand_ins.name_stand_in(game.id, maryam, kaveh, NOON + 5 * DAY, NOON)
    notify.write_due(NOON)
    notification = latest(kaveh, "again")
    assert "For Maryam: It’s your turn." in notification
    assert "Other replies: “?” (ask again)." in notification
    assert "Write in the chat" not in notification
    send(email_bytes("income", "kaveh@example.org"), question_address(game, 1, kaveh), envelope="kaveh@example.org")
    move = Move.objects.get(game=game, state="applied")
    assert (move.account, move.via) == (kaveh, "mail")
    notify.write_due(LATER)


def test_a_stand_in_cannot_give_up_or_chat_by_mail(maryam: Account, kaveh: Account, game: Game) -> None:
    stand_ins.name_stand_in(game.id, maryam, kaveh, NOON + 5 * DAY, NOON)
    for text in ("resign yes", "chat Hello", "pause", "back"):
        send(email_bytes(text, "kaveh@example.org"), question_address(game, 1, kaveh), envelope="kaveh@example.org")
    assert not Move.objects.filter(game=game, state="applied").exists()
    assert Notification.objects.filter(account=kaveh, reason="answer").count() == 4


def test_who_is_a_stand_in_no_more_is_told_so(maryam: Account, kaveh: Account, game: Game) -> None:
    stand_ins.name_stand_in(game.id, maryam, kaveh, NOON + 5 * DAY, NOON)
    stand_ins.withdraw(game.id, kaveh, NOON)
    send(email_bytes("income", "kaveh@example.org"), question_address(game, 1, kaveh), envelope="kaveh@example.org")
    assert not Move.objects.filter(game=game, state="applied").exists()
    assert not Notification.objects.filter(account=maryam, reason="answer").exists()
    assert "You no longer answer questions in Coup" in latest(kaveh, "answer")


def test_the_owner_reads_who_answered_for_them(maryam: Account, kaveh: Account, game: Game) -> None:
    stand_ins.name_stand_in(game.id, maryam, kaveh, NOON + 5 * DAY, NOON)
    send(email_bytes("income", "kaveh@example.org"), question_address(game, 1, kaveh), envelope="kaveh@example.org")
    play(game, "2 income", at=LATER)
    story = PlayerView(Game.objects.get(pk=game.pk), SeatNumber(1), maryam).story().lines
    assert any("(Answered by Kaveh.)" in line for line in story), story


@pytest.mark.parametrize("sentence", ["rematch", "Play again!", "بازی دوباره", "دوباره"])
def test_the_email_about_the_end_is_answered_with_a_rematch(maryam: Account, sepideh: Account, sentence: str) -> None:
    game = begin([maryam, sepideh])
    play(game, "1 resign yes")
    send(email_bytes(sentence), seat_address(game, 1))
    assert Game.objects.count() == 1
    assert "We have your answer about a rematch" in latest(maryam, "answer")
    notify.write_due(LATER)
    assert "قبول" in latest(sepideh, "rematch-offered")
    send(email_bytes("دوباره", "sepideh@example.org"), seat_address(game, 2), envelope="sepideh@example.org")
    again = Game.objects.get(pk=game.pk).rematch
    assert again is not None
    assert {seat.account for seat in again.seats.all()} == {maryam, sepideh}


@pytest.mark.parametrize("sentence", ["decline", "مخالفم"])
def test_an_offer_of_a_rematch_is_declined_by_mail(maryam: Account, sepideh: Account, sentence: str) -> None:
    game = begin([maryam, sepideh])
    play(game, "1 resign yes")
    send(email_bytes("rematch"), seat_address(game, 1))
    send(email_bytes(sentence, "sepideh@example.org"), seat_address(game, 2), envelope="sepideh@example.org")
    assert Game.objects.count() == 1
    assert "Not enough players can take part." in latest(maryam, "rematch-lapsed")


def test_a_late_yes_to_a_pause_offers_no_rematch(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh])
    play(game, "1 resign yes")
    send(email_bytes("agree"), seat_address(game, 1))
    assert not RematchOffer.objects.exists()
    assert "Nobody has offered a rematch of this game." in latest(maryam, "answer")


@pytest.mark.parametrize("sentence", ["agree", "rematch"])
def test_a_late_yes_to_a_rematch_is_answered_that_the_offer_is_over(
    maryam: Account, sepideh: Account, sentence: str
) -> None:
    game = begin([maryam, sepideh])
    play(game, "1 resign yes")
    send(email_bytes("rematch"), seat_address(game, 1))
    rematch.sweep(LATER + 2 * DAY)
    send(email_bytes(sentence, "sepideh@example.org"), seat_address(game, 2), envelope="sepideh@example.org")
    assert Game.objects.count() == 1
    assert "مهلت پیشنهاد بازی دوباره تمام شده است" in latest(sepideh, "answer")
    assert not RematchOffer.objects.get().open


def test_who_has_no_offer_of_a_rematch_cannot_decline_it(maryam: Account, sepideh: Account) -> None:
    game = begin([maryam, sepideh])
    play(game, "1 resign yes")
    send(email_bytes("decline"), seat_address(game, 1))
    assert "Nobody has offered a rematch of this game." in latest(maryam, "answer")


def test_a_game_that_is_not_over_has_no_rematch(maryam: Account, game: Game) -> None:
    send(email_bytes("rematch"), seat_address(game, 1))
    assert "over yet" in latest(maryam, "answer")
    assert Game.objects.count() == 1
