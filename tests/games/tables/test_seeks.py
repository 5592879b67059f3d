"""Looking for players: what may be wanted, and the sweep that makes games of it."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction

from accounts import blocks
from accounts.account_data import delete_account
from accounts.models import Account
from games import account_data, tasks
from games.models import Game, Seat, Seek
from games.tables import matching, seeks, vacations
from games.tables.new_game import NewGame
from games.tables.seeks import LIFETIMES, MOST_OPEN, NewSeek, create_seek, open_seeks
from games.tables.starting import create_game
from notifications.email.message import message
from notifications.models import Notification
from tests.cast import program, signed_in
from tests.games.seated import refused
from tests.third_game.table import NOON

pytestmark = pytest.mark.django_db
MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)


def seek(account: Account, at: Any = NOON, **fields: Any) -> Seek:
    return create_seek(account, NewSeek(**{"rules": "coup", "least": 3, "most": 3, **fields}), at)


def table_of(*accounts: Account) -> Game:
    """The one game that began with these."""
    (game,) = Game.objects.filter(state=Game.State.RUNNING, host__in=accounts)
    assert {seat.account for seat in game.seats.filter(bot=False)} == {*accounts}
    return game


def test_three_strangers_are_brought_to_one_table_and_it_begins(
    maryam: Account, bahareh: Account, kaveh: Account
) -> None:
    seeks = [seek(maryam), seek(bahareh, NOON + MINUTE), seek(kaveh, NOON + 2 * MINUTE)]
    matching.sweep(NOON + 3 * MINUTE)
    game = table_of(maryam, bahareh, kaveh)
    assert (game.host, game.private, game.seat_count, game.bot_count) == (maryam, False, 3, 0)
    assert list(game.names().values()) == ["Maryam", "Bahareh", "Kaveh"]
    for seek_row in seeks:
        seek_row.refresh_from_db()
        assert (seek_row.state, seek_row.game, seek_row.ended_at) == (Seek.State.MATCHED, game, NOON + 3 * MINUTE)
    assert {notification.account for notification in Notification.objects.filter(reason="started")} == {
        maryam,
        bahareh,
        kaveh,
    }


def test_nothing_more_comes_of_a_seek_that_was_matched(maryam: Account, bahareh: Account, kaveh: Account) -> None:
    for account in (maryam, bahareh, kaveh):
        seek(account)
    for minutes in (1, 2, 20):
        matching.sweep(NOON + minutes * MINUTE)
    assert Game.objects.count() == 1


def test_the_game_has_the_speed_and_the_options_that_all_of_them_want(maryam: Account, bahareh: Account) -> None:
    seek(maryam, least=2, most=2, speed="evening", options={"inquisitor": True})
    seek(bahareh, least=2, most=4, speed="evening", options={"reformation": False})
    seek(maryam, least=2, most=2, speed="slow")
    matching.sweep(NOON + MINUTE)
    game = table_of(maryam, bahareh)
    assert game.options["inquisitor"] is True
    assert game.options["reformation"] is False
    assert game.options["anarchist"] is False
    assert (game.terms.turn_limit, game.terms.schedule.sleep) == (30 * MINUTE, 0)


def test_players_who_are_enough_wait_half_a_minute_for_more(maryam: Account, bahareh: Account, kaveh: Account) -> None:
    seek(maryam, least=2, most=4)
    seek(bahareh, least=2, most=4)
    matching.sweep(NOON + MINUTE / 3)
    assert not Game.objects.exists()
    seek(kaveh, NOON + MINUTE / 3, least=2, most=4)
    matching.sweep(NOON + MINUTE)
    table_of(maryam, bahareh, kaveh)


def test_bots_take_the_free_seats_after_the_hours_that_were_chosen(maryam: Account, bahareh: Account) -> None:
    seek(maryam, least=4, most=6, fill_after=6 * HOUR)
    seek(bahareh, least=4, most=6)
    matching.sweep(NOON + 6 * HOUR - MINUTE)
    assert not Game.objects.exists()
    matching.sweep(NOON + 6 * HOUR)
    game = table_of(maryam)
    assert (game.seat_count, game.bot_count) == (4, 3)
    assert Seek.objects.get(account=bahareh).state == Seek.State.OPEN


def test_players_who_block_each_other_never_meet(maryam: Account, bahareh: Account) -> None:
    blocks.block(bahareh, maryam, NOON)
    seek(maryam, least=2, most=2)
    seek(bahareh, least=2, most=2)
    matching.sweep(NOON + HOUR)
    assert not Game.objects.exists()


def test_whose_narrow_search_fits_only_somebody_who_blocks_them_sees_what_they_would_see_without_anybody(
    maryam: Account, bahareh: Account
) -> None:
    blocks.block(bahareh, maryam, NOON)
    narrow: dict[str, Any] = {"least": 2, "most": 2, "speed": "slow", "options": {"anarchist": True}}
    searches = []
    for blocker in (bahareh, None):
        Seek.objects.all().delete()
        Notification.objects.all().delete()
        own_seek = seek(maryam, **narrow)
        if blocker:
            seek(blocker, **narrow)
        world: list[Any] = []
        for at in (NOON + MINUTE, NOON + HOUR, NOON + LIFETIMES["slow"]):
            matching.sweep(at)
            own_seek_fields = {**program(maryam).get(f"/api/v1/seeks/{own_seek.pk}/").json(), "id": ""}
            page = signed_in(maryam).get("/seeks/").content.decode().replace(str(own_seek.pk), "")
            world += [
                own_seek_fields,
                [seek_row.players for seek_row in open_seeks(maryam)],
                page.count("<li"),
                page.count("<form"),
            ]
        world += [notification.content() for notification in Notification.objects.filter(account=maryam)]
        searches.append(world)
    assert searches[0] == searches[1]
    assert searches[0][-1].headline == "Your search for players of Coup has ended."
    assert not Game.objects.exists()


def close(account: Account) -> None:
    Account.objects.filter(pk=account.pk).update(is_active=False)


def go_on_vacation(account: Account) -> None:
    vacations.announce(account, NOON.date() + 2 * DAY, NOON.date() + 3 * DAY, NOON)


def be_away(account: Account) -> None:
    game = create_game(account, NewGame(rules="coup", seat_count=2, bots=()), "api", NOON)
    Seat.objects.filter(game=game).update(away=True)
    Game.objects.filter(pk=game.pk).update(state=Game.State.RUNNING, host=None)


@pytest.mark.parametrize("leave", [close, go_on_vacation, be_away])
def test_who_is_absent_is_put_into_no_game_and_keeps_looking(
    maryam: Account, bahareh: Account, leave: Callable[[Account], None]
) -> None:
    seek(maryam, least=2, most=2)
    waits = seek(bahareh, least=2, most=2)
    leave(bahareh)
    matching.sweep(NOON + 2 * DAY)
    assert Seek.objects.get(account=maryam).state == Seek.State.OPEN
    assert Seek.objects.get(pk=waits.pk).state == Seek.State.OPEN


def test_who_is_in_as_many_games_as_possible_waits(
    maryam: Account, bahareh: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    seek(maryam, least=2, most=2)
    seek(bahareh, least=2, most=2)
    create_game(bahareh, NewGame(rules="coup", seat_count=2), "api", NOON)
    monkeypatch.setattr(settings, "GAMES_AT_ONCE", 1)
    matching.sweep(NOON + MINUTE)
    assert Seek.objects.get(account=maryam).state == Seek.State.OPEN
    monkeypatch.setattr(settings, "GAMES_AT_ONCE", 2)
    matching.sweep(NOON + MINUTE + matching.EVERY)
    table_of(maryam, bahareh)


def test_a_seek_lapses_when_its_time_is_over(maryam: Account, bahareh: Account) -> None:
    old = seek(maryam, least=2, most=2)
    at = NOON + LIFETIMES["daily"]
    seek(bahareh, at, least=2, most=2)
    matching.sweep(at)
    old.refresh_from_db()
    assert (old.state, old.ended_at) == (Seek.State.LAPSED, at)
    assert not Game.objects.exists()


def test_the_owner_of_a_seek_that_lapses_is_told_once_in_their_language(maryam: Account, sepideh: Account) -> None:
    for account in (maryam, sepideh):
        seek(account, least=9, most=10)
    seek(maryam, least=2, most=2, speed="slow")
    seeks.withdraw(maryam, seek(maryam, least=2, most=2).pk, NOON)
    for days in (7, 8):
        matching.sweep(NOON + days * DAY)
    rows = Notification.objects.filter(reason="seek-lapsed")
    contents = {row.account: row.content() for row in rows}
    assert contents[maryam].headline == "Your search for players of Coup has ended."
    assert "/seeks/" in str(contents[maryam].blocks)
    assert contents[sepideh].headline == "جست‌وجوی هم‌بازی شما برای کودتا تمام شد."
    assert (contents[sepideh].language, len(contents)) == ("fa", 2)
    assert rows.count() == 2
    assert not [row for row in rows if "List-Unsubscribe" in message(row).extra_headers], "it is the only one"


def test_a_seek_that_was_withdrawn_between_the_look_and_the_start_makes_no_game(
    maryam: Account, bahareh: Account
) -> None:
    seek(maryam, least=2, most=2)
    withdrawn_seek = seek(bahareh, least=2, most=2)
    (match,) = matching._find_matches("coup", "daily", NOON + MINUTE)
    seeks.withdraw(bahareh, withdrawn_seek.pk, NOON + MINUTE)
    assert not matching.start_match(match, NOON + MINUTE)
    assert not Game.objects.exists()


def test_a_match_that_cannot_be_started_stops_no_other(
    maryam: Account, bahareh: Account, kaveh: Account, dariush: Account
) -> None:
    """The first two seeks have a speed that the server no longer offers."""
    for account in (maryam, bahareh, kaveh, dariush):
        seek(account, least=2, most=2)
    Seek.objects.filter(account__in=(maryam, bahareh)).update(speed="always")
    matching.sweep(NOON + MINUTE)
    table_of(kaveh, dariush)
    assert {row.state for row in Seek.objects.filter(speed="always")} == {Seek.State.OPEN}
    assert not any(queryset.exists() for queryset in matching.waiting(NOON + MINUTE))


def test_the_tick_finds_seeks_and_leaves_those_alone_that_were_just_looked_at(maryam: Account) -> None:
    seek(maryam)
    assert any(queryset.exists() for queryset in matching.waiting(NOON))
    matching.sweep(NOON)
    assert not any(queryset.exists() for queryset in matching.waiting(NOON + MINUTE / 3))
    matching.sweep(NOON + MINUTE)
    assert not any(queryset.exists() for queryset in matching.waiting(NOON + 2 * MINUTE))
    assert any(queryset.exists() for queryset in matching.waiting(NOON + MINUTE + matching.EVERY))


def test_a_new_seek_wakes_the_sweep(
    maryam: Account, sent_tasks: list[tuple[Any, ...]], django_capture_on_commit_callbacks: Any
) -> None:
    with django_capture_on_commit_callbacks(execute=True):
        seek(maryam)
    assert sent_tasks == [(tasks.match_seeks.name,)]


@pytest.mark.parametrize(
    ("terms", "field"),
    [
        ({"rules": "chess"}, "rules"),
        ({"least": 1}, "least"),
        ({"most": 11}, "most"),
        ({"least": 5, "most": 4}, "most"),
        ({"speed": "hasty"}, "speed"),
        ({"options": {"bomb": True}}, "options"),
        ({"fill_after": timedelta(seconds=59)}, "fill_after"),
        ({"fill_after": LIFETIMES["daily"]}, "fill_after"),
    ],
)
def test_what_cannot_be_wanted_is_named(maryam: Account, terms: dict[str, Any], field: str) -> None:
    assert refused("malformed", seek, maryam, **terms).field == field
    assert not Seek.objects.exists()


def test_an_account_looks_in_a_few_ways_at_once_and_so_often_in_an_hour(
    maryam: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "GAMES_PER_HOUR", MOST_OPEN)
    searches = [seek(maryam, most=3 + number) for number in range(MOST_OPEN)]
    refused("limit-reached", seek, maryam, least=2)
    seeks.withdraw(maryam, searches[0].pk, NOON)
    assert refused("rate-limited", seek, maryam, least=2).wait > 0


def test_a_bot_account_looks_for_nobody(maryam: Account) -> None:
    maryam.is_bot = True
    refused("forbidden", seek, maryam)


def test_a_seek_is_withdrawn_by_its_owner_alone_and_not_once_it_is_a_game(maryam: Account, bahareh: Account) -> None:
    own_seek = seek(maryam, least=2, most=2)
    refused("not-found", seeks.withdraw, bahareh, own_seek.pk, NOON)
    seeks.withdraw(maryam, own_seek.pk, NOON)
    seeks.withdraw(maryam, own_seek.pk, NOON + HOUR)
    own_seek.refresh_from_db()
    assert (own_seek.state, own_seek.ended_at) == (Seek.State.WITHDRAWN, NOON)
    again, other = seek(maryam, least=2, most=2), seek(bahareh, least=2, most=2)
    matching.sweep(NOON + MINUTE)
    refused("conflict", seeks.withdraw, maryam, again.pk, NOON + MINUTE)
    assert {seek_row.state for seek_row in seeks.list_seeks(bahareh)} == {Seek.State.MATCHED}
    assert other.pk == seeks.get_seek(bahareh, other.pk).pk


def test_seeks_are_exported_and_go_with_their_account(maryam: Account, bahareh: Account) -> None:
    seek(maryam, least=2, most=2)
    (exported,) = account_data.export_data(maryam)["seeks"]
    assert (exported["rules"], exported["least"], exported["state"]) == ("coup", 2, "open")
    with transaction.atomic():
        account_data.delete_data(maryam, NOON)
    seek(bahareh, least=2, most=2)
    matching.sweep(NOON + MINUTE)
    assert not Game.objects.exists()
    delete_account(maryam, NOON)
    assert not Seek.objects.exclude(account=bahareh).exists()


def test_seeks_are_forgotten_thirty_days_after_they_were_over(maryam: Account) -> None:
    seeks.withdraw(maryam, seek(maryam).pk, NOON)
    seek(maryam)
    seeks.forget_old(NOON + 30 * DAY)
    assert Seek.objects.count() == 2
    seeks.forget_old(NOON + 30 * DAY + MINUTE)
    assert [row.state for row in Seek.objects.all()] == [Seek.State.OPEN]
