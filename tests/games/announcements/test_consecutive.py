"""Questions that follow each other within minutes are one email, and a question with one answer says so."""

from datetime import datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.conf import settings

from accounts.models import Account
from games.announcements.notify import write_due
from games.mail import tasks as mail_tasks
from games.mail.intake import receive
from games.models import Game
from notifications import preferences
from notifications.email.message import message
from notifications.models import Notification, State
from tests.games.seated import NOON, begin, play, question_address

APART = settings.QUESTION_EMAILS_APART
pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


def posted(account: Account, at: datetime) -> list[str]:
    """Return the emails with questions that are sent to an account at a time."""
    write_due(at)
    ready = Notification.objects.filter(account=account, reason="question", state=State.READY)
    texts = [str(message(notification).body) for notification in ready]
    ready.update(state=State.SENT, sent_at=at)
    return texts


@pytest.fixture
def game(maryam: Account, bahareh: Account, sepideh: Account) -> Game:
    """A game in which Bahareh's first question went out at noon, and is closed by a challenge a minute later."""
    game = begin([maryam, bahareh, sepideh], ["duke", "duke", "captain", "contessa", "assassin", "duke"])
    play(game, "1 tax", at=NOON)
    assert len(posted(bahareh, NOON)) == 1
    play(game, "3 challenge", "1 prove", "3 lose assassin", at=NOON + MINUTE)
    return game


def test_a_question_minutes_after_another_waits_and_goes_out_once(game: Game, bahareh: Account) -> None:
    assert posted(bahareh, NOON + MINUTE) == []
    assert posted(bahareh, NOON + APART - MINUTE) == []
    [text] = posted(bahareh, NOON + APART)
    assert "It’s your turn." in text


def test_a_later_question_takes_the_place_of_one_that_has_not_gone_out(
    game: Game, maryam: Account, bahareh: Account
) -> None:
    posted(bahareh, NOON + MINUTE)
    play(game, "2 income", "3 income", "1 steal 2", at=NOON + 2 * MINUTE)
    assert posted(bahareh, NOON + 3 * MINUTE) == []
    [text] = posted(bahareh, NOON + APART)
    assert "2. Challenge the claim" in text
    assert "It’s your turn." not in text


def test_who_answers_meanwhile_on_a_page_gets_no_email_of_it(game: Game, bahareh: Account) -> None:
    posted(bahareh, NOON + MINUTE)
    play(game, "2 income", at=NOON + 2 * MINUTE)
    assert posted(bahareh, NOON + 2 * APART) == []


def test_who_answers_by_email_gets_the_next_question_at_once(
    maryam: Account, bahareh: Account, sepideh: Account
) -> None:
    game = begin([maryam, bahareh, sepideh])
    play(game, "1 foreign-aid", at=NOON)
    posted(bahareh, NOON)
    to = question_address(game, 2)
    receive(f"From: {bahareh.email}\n\nallow\n".encode(), bahareh.email, [to], NOON + MINUTE)
    mail_tasks.read_due(NOON + MINUTE)
    play(game, "3 allow", at=NOON + MINUTE)
    [text] = posted(bahareh, NOON + MINUTE)
    assert "It’s your turn." in text


def test_a_question_waits_for_no_more_than_half_of_its_time(game: Game, bahareh: Account) -> None:
    waiting = Notification.objects.get(account=bahareh, reason="question", state=State.SCHEDULED)
    waiting.latest_at = NOON + 2 * MINUTE
    waiting.save()
    assert posted(bahareh, NOON + MINUTE) == []
    assert len(posted(bahareh, NOON + 2 * MINUTE)) == 1


def test_a_question_does_not_wait_into_quiet_hours(game: Game, bahareh: Account) -> None:
    """Quiet hours begin three minutes after noon: what would wait until then goes out before."""
    quiet = (NOON + 3 * MINUTE).astimezone(ZoneInfo(bahareh.time_zone)).time()
    preferences.change(bahareh, {"quiet_from": quiet, "quiet_to": time(7)}, NOON)
    assert len(posted(bahareh, NOON + MINUTE)) == 1


def test_questions_of_two_games_do_not_wait_for_each_other(game: Game, maryam: Account, bahareh: Account) -> None:
    begin([bahareh, maryam])
    assert len(posted(bahareh, NOON + MINUTE)) == 1


def test_a_question_with_one_answer_says_so_and_has_one_button(
    maryam: Account, bahareh: Account, sepideh: Account
) -> None:
    game = begin([maryam, bahareh, sepideh], ["duke", "duke", "captain", "captain", "assassin", "duke"])
    play(game, "1 tax", "2 challenge", "1 prove", at=NOON)
    write_due(NOON)
    notification = Notification.objects.get(account=bahareh, state=State.READY)
    text = str(message(notification).body)
    assert "Only one move is possible. Confirm it, or Darbar plays" in " ".join(text.split())
    assert "Your only move\n  1. Lose the captain" in text
    assert "To confirm the move, reply “1”." in text
    assert "Answer on a page" not in text
    html = str(message(notification).alternatives[0].content)
    assert html.count("/answer/") == 1
