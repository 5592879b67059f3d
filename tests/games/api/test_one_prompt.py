"""Ruling Coup C6 in all entry points: a player who could also block gets one question: challenge, block or allow."""

import pytest

from accounts.models import Account
from games.announcements.notify import write_due
from games.models import Game, Heartbeat, OpenQuestion
from notifications.content import Answers
from notifications.models import Notification
from tests.games.api.conftest import client
from tests.games.mail.test_road import LATER, email_bytes, send
from tests.games.pages.at_home import Visitor
from tests.games.seated import NOON, begin, play, question_address

pytestmark = pytest.mark.django_db

ANSWERS = ["allow", "block ambassador", "block captain", "challenge"]
ONE_PROMPT = "Do you believe it? If so, you can block right away: your block is played if nobody challenges."


@pytest.fixture
def robbed(maryam: Account, bahareh: Account, kaveh: Account) -> Game:
    """A game in which Maryam steals from Bahareh, and Kaveh looks on from the third seat."""
    Heartbeat.objects.create(at=NOON)
    game = begin([maryam, bahareh, kaveh])
    play(game, "1 steal 2", at=NOON)
    return game


def kinds(game: Game) -> set[tuple[int, str]]:
    return set(OpenQuestion.objects.filter(game=game).values_list("seat", "kind"))


def test_the_api_asks_once(robbed: Game, bahareh: Account) -> None:
    (question,) = client(bahareh).get(f"/api/v1/games/{robbed.pk}/questions/").json()["results"]
    assert sorted(move["text"] for move in question["moves"]) == ANSWERS
    play(robbed, "3 allow", "2 block captain", at=NOON)
    assert kinds(robbed) == {(1, "challenge-block"), (3, "challenge-block")}, (
        "the block counts, and nobody was asked again"
    )


def test_the_mail_asks_once(robbed: Game, bahareh: Account) -> None:
    write_due(NOON)
    notification = Notification.objects.get(account=bahareh, reason="question", rendered__isnull=False)
    text = repr(notification.content())
    assert ONE_PROMPT in text
    answers, _next_turn = (block.answers for block in notification.content().blocks if isinstance(block, Answers))
    assert len(answers) == len(ANSWERS)
    play(robbed, "3 allow", at=NOON)
    address = question_address(robbed, 2)
    send(email_bytes("block captain", "bahareh@example.org"), address, at=LATER, envelope="bahareh@example.org")
    assert kinds(robbed) == {(1, "challenge-block"), (3, "challenge-block")}


def test_the_page_asks_once(robbed: Game, bahareh: Account) -> None:
    visitor = Visitor(bahareh)
    page = visitor.go(f"/games/{robbed.pk}/")
    assert ONE_PROMPT in page.text
    assert [button["value"] for button in page.all("button") if button.get("name") == "answer"] == ["1", "2", "3", "4"]
    play(robbed, "2 allow", "3 allow", at=NOON)
    assert kinds(robbed) == {(2, "turn")}, "who allows is not asked about a block"


def test_who_cannot_block_is_not_told_of_blocking(robbed: Game, kaveh: Account) -> None:
    (question,) = client(kaveh).get(f"/api/v1/games/{robbed.pk}/questions/").json()["results"]
    assert [move["text"] for move in question["moves"]] == ["allow", "challenge"]
    assert "block" not in Visitor(kaveh).go(f"/games/{robbed.pk}/").form(f"/games/{robbed.pk}/answer/")
    assert ONE_PROMPT not in Visitor(kaveh).go(f"/games/{robbed.pk}/").text


def test_only_after_a_challenge_that_failed_is_who_could_block_asked_anew(maryam: Account, bahareh: Account) -> None:
    kaveh = Account.objects.create_user("kaveh@example.org", name="Kaveh")
    game = begin([maryam, bahareh, kaveh], ["captain", "duke", "contessa", "contessa", "assassin", "duke"])
    play(game, "1 steal 2", "2 block captain", "3 challenge", "1 prove", "3 lose duke", at=NOON)
    assert kinds(game) == {(2, "block")}
