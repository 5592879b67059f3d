"""The open lobby: what everyone sees of the searches for players, and how one joins them."""

import re
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.test import Client
from django.utils.translation import override

from accounts import blocks
from accounts.models import Account, Language
from games.engine.reading import fold
from games.mail.mailbox_commands import SeekPlayers, read_titles, seek_line
from games.mail.mailbox_reader import read_command_line
from games.mail.mailbox_replies import searches
from games.models import Game, Seek
from games.refusals import Refusal
from games.tables import matching, seeks
from games.tables.seeks import NewSeek, SearchedGame, create_seek
from tests.cast import program, signed_in
from tests.games.unseen import RANDOM, world
from tests.third_game.table import NOON

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)
_TOKENS = re.compile(r'(csrfmiddlewaretoken" value="|data-csrf="|data-digest="|last-event-id=)[^"]+')


def seek(account: Account, minutes: int = 0, **fields: Any) -> Seek:
    new_seek = NewSeek(**{"rules": "coup", "least": 3, "most": 3, **fields})
    return create_seek(account, new_seek, NOON + minutes * MINUTE)


def join(account: Account, entry: int = 0) -> Any:
    listed = program(account).get("/api/v1/seeks/open/").json()["results"][entry]
    return program(account).post(f"/api/v1/seeks/open/{listed['id']}/join/", {}, "application/json")


def lists(account: Account) -> list[str]:
    """Return everything that shows the searches to an account: API, pages and email."""
    pages = [signed_in(account).get(path).content.decode() for path in ("/seeks/", "/")]
    api = program(account).get("/api/v1/seeks/open/").content.decode()
    return [RANDOM.sub("x", _TOKENS.sub("x", text)) for text in (api, *pages, repr(searches(account)))]


def test_a_search_is_seen_by_everyone_without_a_name_and_joined(
    maryam: Account, bahareh: Account, kaveh: Account
) -> None:
    seek(maryam, options={"inquisitor": True})
    (entry,) = program(bahareh).get("/api/v1/seeks/open/").json()["results"]
    assert (entry["player_count"], entry["least"], entry["names"], entry["joined"]) == (1, 3, [], False)
    assert "Maryam" not in repr(lists(bahareh))
    assert "1 of 3 players found." in Client().get("/seeks/").content.decode()
    assert join(bahareh).status_code == 201
    (entry,) = program(maryam).get("/api/v1/seeks/open/").json()["results"]
    assert (entry["player_count"], entry["joined"]) == (2, True)
    assert join(kaveh).json()["options"] == {"inquisitor": True}
    matching.sweep(NOON)
    (game,) = Game.objects.filter(state=Game.State.RUNNING)
    assert {seat.account for seat in game.seats.all()} == {maryam, bahareh, kaveh}
    assert program(maryam).get("/api/v1/seeks/open/").json()["results"] == []


def test_one_tap_joins_on_the_page_and_the_found_game_opens_by_itself(maryam: Account, bahareh: Account) -> None:
    seek_row = seek(maryam, least=2, most=2)
    entry = seeks.searched_game(seek_row).id
    browser = signed_in(bahareh)
    assert f"/seeks/join/{entry}/" in browser.get("/seeks/").content.decode()
    room = browser.post(f"/seeks/join/{entry}/").headers["Location"]
    assert "You’re looking for this game." in browser.get(room).content.decode()
    matching.sweep(NOON)
    game = Game.objects.get()
    assert browser.get(room).headers["Location"] == f"/games/{game.pk}/"
    with time_machine.travel(NOON + timedelta(seconds=20)):
        for path in ("/seeks/", "/"):
            assert f'data-opens="/games/{game.pk}/"' in signed_in(maryam).get(path).content.decode()


def test_the_home_page_of_a_new_account_has_the_searches_of_others_and_a_game_to_watch(
    maryam: Account, bahareh: Account, kaveh: Account
) -> None:
    seek(maryam, least=2, most=2)
    home = signed_in(bahareh).get("/").content.decode()
    assert "Open searches" in home
    assert 'action="/seeks/join/' in home
    assert "Open searches" not in signed_in(maryam).get("/").content.decode()
    join(bahareh)
    matching.sweep(NOON)
    game = Game.objects.get()
    home = signed_in(kaveh).get("/").content.decode()
    assert f'href="/games/{game.pk}/"' in home[home.index("Watch a game") :]
    assert "Watch a game" not in signed_in(maryam).get("/").content.decode()
    Game.objects.update(private=True)
    assert str(game.pk) not in signed_in(kaveh).get("/").content.decode()


def test_a_search_that_has_ended_cannot_be_joined(maryam: Account, bahareh: Account) -> None:
    entry = seeks.searched_game(seek(maryam)).id
    Seek.objects.update(state=Seek.State.WITHDRAWN)
    answer = signed_in(bahareh).post(f"/seeks/join/{entry}/", follow=True)
    assert "This search has ended." in answer.content.decode()
    assert Seek.objects.count() == 1


def test_nobody_joins_their_own_search(maryam: Account) -> None:
    entry = seeks.searched_game(seek(maryam)).id
    for repeat in (lambda: seeks.join_search(maryam, entry, NOON), lambda: seek(maryam)):
        with pytest.raises(Refusal) as caught:
            repeat()
        assert caught.value.code == "conflict"
    assert Seek.objects.count() == 1
    assert "/seeks/join/" not in signed_in(maryam).get("/seeks/").content.decode()


def test_only_the_followed_see_the_name_of_an_owner_who_agrees(
    maryam: Account, bahareh: Account, kaveh: Account
) -> None:
    blocks.follow(maryam, bahareh, NOON)
    search = seek(maryam)
    assert "Maryam" not in repr(lists(bahareh))
    Seek.objects.filter(pk=search.pk).update(shows_name=True)
    assert all("Maryam" in text for text in lists(bahareh))
    assert "Maryam" not in repr(lists(kaveh))


def test_a_search_for_a_game_that_is_not_installed_here_is_not_listed(maryam: Account, bahareh: Account) -> None:
    nothing = lists(bahareh)
    seek(maryam)
    Seek.objects.update(rules="gone")
    assert lists(bahareh) == nothing


def test_the_list_costs_the_same_queries_for_any_number_of_searches(
    maryam: Account, bahareh: Account, kaveh: Account, django_assert_num_queries: Any
) -> None:
    for account in (maryam, kaveh):
        for speed in ("live", "evening", "slow"):
            seek(account, speed=speed)
    with django_assert_num_queries(2):
        assert [entry.player_count for entry in seeks.list_entries(bahareh)] == [2, 2, 2]


def test_the_order_of_the_list_does_not_tell_who_came_first(maryam: Account, bahareh: Account, kaveh: Account) -> None:
    lists = []
    for people in ([maryam, bahareh], [bahareh, maryam]):
        with world():
            for account, speed in zip(
                people, ("live", "slow") if people[0] == maryam else ("slow", "live"), strict=True
            ):
                seek(account, speed=speed)
            lists.append(program(kaveh).get("/api/v1/seeks/open/").json()["results"])
    assert lists[0] == lists[1]


# Two worlds: with a block and without.


@time_machine.travel(NOON, tick=False)
@pytest.mark.parametrize("blocker", ["maryam", "bahareh"])
def test_the_list_is_the_same_with_a_block_and_without(
    maryam: Account, bahareh: Account, kaveh: Account, blocker: str
) -> None:
    worlds = []
    for is_blocked in (False, True):
        with world():
            if is_blocked:
                blocks.block(*((maryam, bahareh) if blocker == "maryam" else (bahareh, maryam)), NOON)
            seek(maryam)
            before = [lists(account) for account in (maryam, bahareh, kaveh)]
            answer = {**join(bahareh).json(), "id": ""}
            matching.sweep(NOON)
            worlds.append((before, answer, [lists(account) for account in (maryam, bahareh, kaveh)]))
    assert worlds[0] == worlds[1]


@time_machine.travel(NOON, tick=False)
@pytest.mark.parametrize("blocker", ["maryam", "bahareh"])
def test_who_joins_a_search_that_a_block_rules_out_waits_as_if_nobody_had_come(
    maryam: Account, bahareh: Account, kaveh: Account, blocker: str
) -> None:
    worlds = []
    for is_blocked in (False, True):
        with world():
            if is_blocked:
                blocks.block(*((maryam, bahareh) if blocker == "maryam" else (bahareh, maryam)), NOON)
            search = seek(maryam)
            seek(kaveh)
            join(bahareh)
            if not is_blocked:  # Maryam has left before Bahareh came.
                Seek.objects.filter(pk=search.pk).update(state=Seek.State.WITHDRAWN)
            matching.sweep(NOON)
            matching.sweep(NOON + MINUTE)
            worlds.append(lists(bahareh))
            assert not Game.objects.exists()
    assert worlds[0] == worlds[1]


@time_machine.travel(NOON, tick=False)
def test_names_stay_when_a_player_comes_whom_a_block_keeps_apart(
    maryam: Account, bahareh: Account, kaveh: Account, dariush: Account
) -> None:
    for account in (kaveh, dariush):
        blocks.follow(account, bahareh, NOON)
    blocks.block(kaveh, dariush, NOON)
    seek(bahareh)
    seek(kaveh, 1, shows_name=True)
    views = [lists(account) for account in (bahareh, maryam)]
    seek(dariush, 2, shows_name=True)
    matching.sweep(NOON + 3 * MINUTE)
    assert [lists(account) for account in (bahareh, maryam)] == views
    assert "Kaveh" in views[0][0]


@time_machine.travel(NOON, tick=False)
def test_who_joins_named_players_without_a_game_sees_the_last_of_them_leave(
    maryam: Account, bahareh: Account, kaveh: Account
) -> None:
    worlds = []
    for is_blocked in (False, True):
        with world():
            if is_blocked:
                blocks.block(bahareh, maryam, NOON)
            for account in (maryam, kaveh):
                blocks.follow(account, bahareh, NOON)
            seek(maryam, shows_name=True)
            search = seek(kaveh, 1, shows_name=True)
            before = lists(bahareh)
            join(bahareh)
            if not is_blocked:  # Kaveh has left before Bahareh came.
                Seek.objects.filter(pk=search.pk).update(state=Seek.State.WITHDRAWN)
            matching.sweep(NOON + 2 * MINUTE)
            worlds.append((before, lists(bahareh)))
            assert not Game.objects.exists()
    assert worlds[0] == worlds[1]


def test_an_owner_who_follows_a_player_after_a_block_is_not_named_to_them(maryam: Account, bahareh: Account) -> None:
    blocks.block(maryam, bahareh, NOON)
    blocks.follow(maryam, bahareh, NOON)
    seek(maryam, shows_name=True)
    assert "Maryam" not in repr(lists(bahareh))


@pytest.mark.parametrize("language", Language.values)
@pytest.mark.parametrize(
    ("least", "most", "speed", "options", "fill_after"),
    [
        (3, 6, "daily", {}, None),
        (2, 2, "live", {"inquisitor": True, "reformation": False}, timedelta(minutes=90)),
        (4, 5, "evening", {"anarchist": True}, timedelta(hours=2)),
        (3, 3, "slow", {}, timedelta(days=1)),
    ],
)
def test_the_command_that_joins_a_search_by_email_is_read_as_that_search(
    language: str, least: int, most: int, speed: str, options: dict[str, bool], fill_after: timedelta | None
) -> None:
    with override(language):
        line = seek_line(SearchedGame("coup", least, most, speed, options, fill_after))
    command = read_command_line(line, read_titles())
    expected = SeekPlayers("coup", least, most, speed, tuple(sorted(options.items())), fill_after)
    assert command == expected, fold(line)
