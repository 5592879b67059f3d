"""Replies to a resignation, to a reaction and to small talk after the end of a game."""

import pytest

from accounts.models import Account
from games.announcements.notify import write_due
from games.models import Game, Heartbeat, Move, UnreadReply
from notifications.models import Notification
from tests.examples import read_examples
from tests.games.mail.test_road import LATER, email_bytes, notifications, send
from tests.games.seated import NOON, begin, play, question_address, seat_address

pytestmark = pytest.mark.django_db
REACTIONS = read_examples(__file__)["reactions"]


@pytest.fixture
def large_game(maryam: Account, sepideh: Account, bahareh: Account) -> Game:
    """A game of three that goes on after a resignation."""
    Heartbeat.objects.create(at=NOON)
    return begin([maryam, sepideh, bahareh])


@pytest.mark.parametrize("text", ["resign yes", "انصراف بله"])
def test_a_resignation_is_confirmed_by_an_email_at_once(large_game: Game, maryam: Account, text: str) -> None:
    send(email_bytes(text), question_address(large_game))
    assert Move.objects.get(game=large_game).state == "applied"
    write_due(LATER)
    (receipt,) = notifications(maryam, "receipt")
    assert receipt.content().headline.startswith("You’ve resigned from Coup")
    assert receipt.content().in_reply_to


def test_a_resignation_that_ends_the_game_is_told_with_the_end(maryam: Account, sepideh: Account) -> None:
    Heartbeat.objects.create(at=NOON)
    duel = begin([maryam, sepideh])
    send(email_bytes("resign yes"), question_address(duel))
    assert len(notifications(maryam, "ended")) == 1
    assert notifications(maryam, "receipt") == []


def over(game: Game) -> str:
    """End the game, and return the address of Maryam's seat."""
    play(game, "1 resign yes", "2 resign yes", at=NOON)
    game.refresh_from_db()
    assert game.state == Game.State.OVER
    return seat_address(game, 1)


@pytest.mark.parametrize("text", ["Well played! Another one?", "Good game", "بازی خوبی بود! یکی دیگه؟", "?", "income"])
def test_who_writes_after_the_end_reads_how_to_play_again(game: Game, maryam: Account, text: str) -> None:
    send(email_bytes(text), over(game))
    (answer,) = notifications(maryam, "answer")
    assert "reply “" in repr(answer.content())
    assert "rematch" in repr(answer.content())


@pytest.mark.parametrize("name", REACTIONS)
def test_a_reaction_is_not_answered_and_changes_nothing(game: Game, maryam: Account, name: str) -> None:
    head = f"From: {maryam.email}\nTo: a@localhost\nSubject: Re: Coup\nMessage-ID: <r@example.org>\nMIME-Version: 1.0\n"
    before = Notification.objects.count()
    send(f"{head}{REACTIONS[name]}".encode(), question_address(game))
    assert Notification.objects.count() == before
    assert not Move.objects.exists()
    assert UnreadReply.objects.get().why == UnreadReply.Why.AUTOMATIC


@pytest.mark.parametrize("text", ["👍", "I reacted to your message", "Nobody reacted via Gmail, so tax"])
def test_what_a_person_writes_is_no_reaction(game: Game, maryam: Account, text: str) -> None:
    send(email_bytes(text), question_address(game))
    assert notifications(maryam, "answer")


@pytest.mark.parametrize("to_server", [False, True])
def test_who_sends_only_a_winmail_reads_how_to_send_text(game: Game, maryam: Account, to_server: bool) -> None:
    raw = (
        f"From: {maryam.email}\nTo: a@localhost\nSubject: Re: Coup\nIn-Reply-To: <x@y>\nMessage-ID: <w@example.org>\n"
        "MIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\n"
        "Content-Type: application/ms-tnef; name=winmail.dat\nContent-Transfer-Encoding: base64\n\neJ8+Ig==\n--b--\n"
    )
    send(raw.encode(), "darbar@localhost" if to_server else question_address(game))
    (answer,) = notifications(maryam, "answer", "command")
    assert "choose plain text or HTML" in repr(answer.content())
