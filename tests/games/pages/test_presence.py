"""Presence on pages, in the API and on the event stream: only players learn that all players are here, and only if
all have agreed to show it.
"""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import Account
from games.announcements.notify import write_due
from games.models import Game, OpenQuestion, Presence
from games.visibility import table
from notifications.endpoints import StreamEvent
from notifications.models import Notification, State
from tests.games.api.conftest import client
from tests.games.pages.at_home import Visitor
from tests.games.pages.conftest import opened
from tests.games.seated import hear
from tests.games.unseen import world

pytestmark = pytest.mark.django_db
SAID = "Everyone is here now."
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
    table.delete_expired_presences(timezone.now())
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


def test_a_tab_that_its_reader_has_forgotten_does_not_count(cast: list[Account]) -> None:
    game = opened(cast[0], *cast[1:], seat_count=3)
    question = OpenQuestion.objects.get(game=game)
    reader = game.seats.get(number=question.seat).account
    assert reader is not None
    assert look(game, *cast)
    Presence.objects.filter(account=reader).update(until=timezone.now())
    OpenQuestion.objects.update(seen_at=None)
    visitor, page = Visitor(reader, "en"), f"/games/{game.pk}/"

    def update(path: str, **headers: str) -> str:
        text: str = visitor.client.get(path, headers={"X-Live": "chat=x", **headers}).content.decode()
        return text

    for headers in ({}, {"X-Attended": "no"}):
        assert SAID not in update(page, **headers)
        update("/", **headers)
    assert not Presence.objects.filter(account=reader, until__gt=timezone.now()).exists()
    assert OpenQuestion.objects.get().seen_at is None
    assert SAID in update(page, **{"X-Attended": "yes"})
    assert OpenQuestion.objects.get().seen_at is not None
    assert SAID in update(page, **{"X-Attended": "no"}), "all were here a moment ago"


def test_a_tab_without_scripts_that_loads_itself_again_does_not_count(cast: list[Account]) -> None:
    game = opened(cast[0], *cast[1:], seat_count=3)
    asked_seat = OpenQuestion.objects.get(game=game).seat
    reader = game.seats.exclude(number=asked_seat)[0].account
    assert reader is not None
    visitor, page = Visitor(reader, "en"), f"/games/{game.pk}/?story=whole"
    for _ in range(2):
        text = visitor.client.get(page).content.decode()
        Presence.objects.all().delete()
        [query] = re.findall(r'<meta http-equiv="refresh" content="\d+; url=([^"]+)">', text)
        page = f"/games/{game.pk}/{unescape(query)}"
        visitor.client.get(page)
        assert not Presence.objects.exists()
    assert "story=whole" in page
    look(game, reader)
    assert Presence.objects.get().account == reader


def ask(account: Account, game: Game, method: str = "put") -> Any:
    """Return the answer to a program that says that its player is here, or that only asks for the presence."""
    answer = getattr(client(account), method)(f"/api/v1/games/{game.pk}/presence/", {}, format="json")
    return answer.json()["all_here"] if answer.status_code == 200 else (answer.status_code, answer.json()["code"])


def notified_accounts() -> list[int]:
    """Return the accounts whose programs were told that all are here."""
    events = StreamEvent.objects.filter(kind="presence").order_by("account")
    return list(events.values_list("account", flat=True))


def test_programs_say_that_their_owners_are_here_and_hear_when_the_last_has_come(
    cast: list[Account], dariush: Account
) -> None:
    game = opened(cast[0], *cast[1:], seat_count=3)
    hear([*cast, dariush])
    assert [ask(cast[0], game), ask(cast[1], game), look(game, cast[0])] == [False, False, False]
    assert notified_accounts() == []
    assert ask(cast[2], game)
    assert notified_accounts() == [account.pk for account in cast]
    assert [ask(account, game) for account in cast] == [True] * 3
    assert [ask(account, game, "get") for account in cast] == [True] * 3
    assert look(game, cast[1])
    assert notified_accounts() == [account.pk for account in cast], "it is told once"
    Presence.objects.update(until=timezone.now())
    assert not ask(cast[0], game, "get")
    assert ask(dariush, game) == ask(dariush, game, "get") == (403, "forbidden")


def test_programs_cannot_tell_whether_somebody_is_here_who_did_not_agree(cast: list[Account]) -> None:
    Account.objects.filter(pk=cast[2].pk).update(shows_presence=False)
    game = opened(cast[0], *cast[1:], seat_count=3)
    hear(cast)
    worlds = []
    for is_here in (False, True):
        with world():
            answers = [ask(account, game) for account in cast[:2]]
            if is_here:
                look(game, cast[2])
                assert ask(cast[2], game) == (409, "conflict")
            answers += [ask(account, game, "get") for account in cast]
            events = list(StreamEvent.objects.order_by("account", "id").values_list("account", "kind", "data"))
            worlds.append((answers, events, list(Presence.objects.order_by("account").values_list("account"))))
    assert worlds[0] == worlds[1]
    assert worlds[0][0] == [False] * 5


def test_emails_of_a_game_that_goes_on_live_wait_until_its_player_is_gone(cast: list[Account]) -> None:
    game = opened(cast[0], *cast[1:], seat_count=3)
    look(game, *cast)
    now = timezone.now()
    write_due(now)
    notification = Notification.objects.get(account=cast[0], reason="question")
    until = Presence.objects.get(account=cast[0]).until
    assert (notification.state, notification.next_attempt_at <= until) == (State.SCHEDULED, True)
    assert notification.next_attempt_at > now
    write_due(now + table.PRESENCE_KEPT + timedelta(seconds=1))
    notification.refresh_from_db()
    assert notification.state == State.READY
