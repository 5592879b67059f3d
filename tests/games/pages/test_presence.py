"""Everybody is here now: told to those who play, where all of them agreed to be seen as here, and to nobody else."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Account
from games.announcements.notify import write_due
from games.models import Game, Presence
from games.visibility import presence
from notifications.models import Notification, State
from tests.games.pages.at_home import Visitor
from tests.games.pages.conftest import opened

pytestmark = pytest.mark.django_db
SAID = "Everybody is here now."
RANDOM = re.compile(
    r'name="(csrfmiddlewaretoken|key)" value="[^"]*"|data-csrf="[^"]*"|nonce="[^"]*"|data-digest="[^"]*"'
)


@pytest.fixture
def cast(maryam: Account, sepideh: Account, bahareh: Account) -> list[Account]:
    """Three who agreed to be seen as here."""
    Account.objects.update(shows_presence=True, language="en")
    return list(Account.objects.order_by("pk"))


def look(game: Game, *accounts: Account) -> bool:
    """Let these people open the page one after the other; return whether the last was told that all are here."""
    pages = [Visitor(account, "en").go(f"/games/{game.pk}/").text for account in accounts]
    return SAID in pages[-1]


def test_all_who_play_are_told_when_the_last_of_them_comes(cast: list[Account]) -> None:
    game = opened(cast[0], *cast[1:], seat_count=3)
    assert not look(game, cast[0])
    assert not look(game, cast[1])
    assert look(game, cast[2])
    assert look(game, cast[0])


def test_after_a_while_without_a_look_nobody_is_here(cast: list[Account]) -> None:
    game = opened(cast[0], *cast[1:], seat_count=3)
    assert look(game, *cast)
    Presence.objects.filter(account=cast[1]).update(until=timezone.now())
    assert not look(game, cast[0])
    presence.forget(timezone.now())
    assert set(Presence.objects.values_list("account", flat=True)) == {cast[0].pk, cast[2].pk}


def test_one_who_is_out_of_the_game_and_a_bot_are_not_waited_for(cast: list[Account]) -> None:
    game = opened(cast[0], *cast[1:], seat_count=4, bots=1)
    visitor = Visitor(cast[2], "en")
    visitor.go(f"/games/{game.pk}/resign/")
    visitor.send()
    assert look(game, *cast[:2])
    assert not look(game, cast[2])


def test_a_spectator_is_told_nothing(cast: list[Account], dariush: Account) -> None:
    game = opened(cast[0], *cast[1:], seat_count=3)
    Account.objects.filter(pk=dariush.pk).update(shows_presence=True)
    assert not look(game, *cast, dariush)
    assert not Presence.objects.filter(account=dariush).exists()


def test_nobody_can_tell_whether_somebody_is_here_who_did_not_agree(cast: list[Account]) -> None:
    Account.objects.filter(pk=cast[2].pk).update(shows_presence=False)
    game = opened(cast[0], *cast[1:], seat_count=3)
    look(game, *cast[:2])
    worlds = []
    for is_here in (False, True):
        if is_here:
            look(game, cast[2])
        visitor = Visitor(cast[0], "en")
        visitor.go(f"/games/{game.pk}/")
        worlds.append(RANDOM.sub("", visitor.answer.content.decode()))
    assert worlds[0] == worlds[1]
    assert SAID not in worlds[1]


def test_emails_of_a_game_that_goes_on_live_wait_until_its_player_is_gone(cast: list[Account]) -> None:
    game = opened(cast[0], *cast[1:], seat_count=3)
    look(game, *cast)
    now = timezone.now()
    write_due(now)
    question = Notification.objects.get(account=cast[0], reason="question")
    until = Presence.objects.get(account=cast[0]).until
    assert (question.state, question.next_attempt_at <= until) == (State.SCHEDULED, True)
    assert question.next_attempt_at > now
    write_due(now + presence.KEPT + timedelta(seconds=1))
    question.refresh_from_db()
    assert question.state == State.READY
