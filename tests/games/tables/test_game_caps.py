"""Tests of how many games one account may host, sit in and create."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from accounts.models import Account
from games.models import Game, Invitation
from games.refusals import Refusal
from games.tables import invitations, joining
from games.tables.joining import join_game, leave_game
from games.tables.rematch import accept_rematch
from notifications import deliverability
from tests.games.api.conftest import client
from tests.games.play.test_at_once import at_once
from tests.games.seated import refused
from tests.third_game.table import LATER, NOON, create_fist, play, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]


@pytest.fixture(autouse=True)
def fresh_allowances(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM accounts_allowance")


def test_of_25_tables_for_ten_with_bots_20_are_opened_and_then_one_a_minute(maryam: Account) -> None:
    for _ in range(20):
        create_fist(maryam, seat_count=3, bots=2)
    refusal = refused("rate-limited", create_fist, maryam, seat_count=3, bots=2)
    assert refusal.wait == 60
    assert refusal.phrase.values == {"most": 20}
    assert Game.objects.count() == 20
    create_fist(maryam, seat_count=3, bots=2, now=NOON + timedelta(minutes=1))
    refused("rate-limited", create_fist, maryam, seat_count=3, bots=2, now=NOON + timedelta(minutes=1))


def test_nobody_creates_more_than_so_many_in_a_day(maryam: Account, settings: Any) -> None:
    settings.GAMES_PER_DAY = 2
    create_fist(maryam, seat_count=3, bots=2)
    create_fist(maryam, seat_count=3, bots=2, now=LATER)
    refusal = refused("rate-limited", create_fist, maryam, seat_count=3, bots=2, now=LATER)
    assert refusal.phrase.values == {"most": 2}
    assert refusal.wait == 11 * 3600
    create_fist(maryam, seat_count=3, bots=2, now=LATER + timedelta(hours=11))


def test_creating_and_leaving_does_not_get_round_the_pace(maryam: Account) -> None:
    for _ in range(20):
        leave_game(create_fist(maryam, seat_count=3).id, maryam, "api", NOON)
    refused("rate-limited", create_fist, maryam, seat_count=3)


def test_what_cannot_be_chosen_costs_nothing(maryam: Account) -> None:
    for _ in range(30):
        refused("malformed", create_fist, maryam, seat_count=99)
    create_fist(maryam, seat_count=3)


def test_a_host_has_so_many_games_that_have_not_begun(maryam: Account, bahareh: Account, settings: Any) -> None:
    settings.OPEN_GAMES_HOSTED = 2
    first, _ = create_fist(maryam, seat_count=3), create_fist(maryam, seat_count=3)
    refusal = refused("limit-reached", create_fist, maryam, seat_count=3)
    assert refusal.phrase.values == {"most": 2}
    create_fist(maryam, seat_count=3, bots=2)
    join_game(create_fist(bahareh, seat_count=3).id, maryam, "", "api", NOON)
    leave_game(first.id, maryam, "api", NOON)
    create_fist(maryam, seat_count=3)


def test_somebody_sits_in_so_many_games_that_have_not_begun(maryam: Account, bahareh: Account, settings: Any) -> None:
    settings.OPEN_GAMES = 2
    waiting = [create_fist(bahareh, seat_count=3) for _ in range(2)]
    refused("limit-reached", create_fist, bahareh, seat_count=3)
    for game in waiting:
        join_game(game.id, maryam, "", "api", NOON)
    settings.OPEN_GAMES = 3
    another = create_fist(bahareh, seat_count=3)
    settings.OPEN_GAMES = 2
    refused("limit-reached", join_game, another.id, maryam, "", "api", NOON)
    leave_game(waiting[0].id, maryam, "api", NOON)
    join_game(another.id, maryam, "", "api", NOON)


def test_games_that_run_count_wherever_they_come_from(maryam: Account, bahareh: Account, settings: Any) -> None:
    over = create_fist(maryam, bahareh)
    play(over, 1, "resign yes")
    assert Game.objects.get(pk=over.pk).state == Game.State.OVER
    waiting = create_fist(bahareh, seat_count=3)
    settings.GAMES_AT_ONCE = 1
    create_fist(maryam, seat_count=3, bots=2)
    refused("limit-reached", create_fist, maryam, seat_count=3, bots=2)
    refused("limit-reached", join_game, waiting.id, maryam, "", "api", NOON)
    refused("limit-reached", accept_rematch, over.id, maryam, {}, "api", LATER)
    refused("limit-reached", invitations.join, invited(waiting, bahareh, maryam), "", "mail", LATER)
    settings.GAMES_AT_ONCE = 2
    offer = accept_rematch(over.id, maryam, {}, "api", LATER).offer
    assert accept_rematch(over.id, maryam, {}, "api", LATER).offer == offer, "asked again, it is the same"


def invited(game: Game, inviter: Account, guest: Account) -> Invitation:
    return Invitation.objects.create(
        game=game,
        inviter=inviter,
        address=guest.email,
        mailbox=deliverability.suppression_digest(guest.email),
        domain=b"domain",
        language="en",
        created_at=NOON,
    )


def test_a_seat_that_is_taken_over_counts(maryam: Account, bahareh: Account, sepideh: Account, settings: Any) -> None:
    offered = create_fist(maryam, bahareh, absence="invite", misses=1)
    offered.seats.filter(number=1).update(away=True)
    settings.GAMES_AT_ONCE = 1
    create_fist(sepideh, seat_count=3, bots=2)
    refused("limit-reached", joining.take_over_seat, offered.id, 1, sepideh, "api", LATER)
    settings.GAMES_AT_ONCE = 2
    joining.take_over_seat(offered.id, 1, sepideh, "api", LATER)


def test_a_program_is_told_the_cap_and_when_to_try_again(maryam: Account, settings: Any) -> None:
    settings.OPEN_GAMES_HOSTED = 1
    settings.GAMES_PER_HOUR = 6
    program = client(maryam)
    body = {"rules": "fist", "seat_count": 3}
    assert program.post("/api/v1/games/", body, format="json").status_code == 201
    reached = program.post("/api/v1/games/", body, format="json")
    assert (reached.status_code, reached.json()["code"]) == (409, "limit-reached")
    assert "You host 1 games that haven’t started" in reached.json()["detail"]
    settings.OPEN_GAMES_HOSTED = 9
    assert program.post("/api/v1/games/", body, format="json").status_code == 201
    paced = program.post("/api/v1/games/", body, format="json")
    assert (paced.status_code, paced.json()["code"]) == (429, "rate-limited")
    assert 590 <= int(paced.headers["Retry-After"]) <= 600


def test_the_pages_say_it_too(maryam: Account, settings: Any) -> None:
    settings.GAMES_PER_HOUR = 3
    visitor = Client()
    visitor.force_login(maryam)
    assert visitor.post("/play/", {"rules": "coup"}).headers["Location"].startswith("/games/")
    refusal = visitor.post("/play/", {"rules": "coup"}, follow=True)
    assert "You can create at most 1 games in 20 minutes." in refusal.content.decode()
    form = visitor.post("/games/new/sedlec/", {"seat_count": "2", "who": "anybody", "speed": "daily"})
    assert form.status_code == 422
    assert Game.objects.count() == 1


@pytest.mark.django_db(transaction=True)
def test_25_requests_at_the_same_moment_do_not_pass_a_cap(
    maryam: Account, bahareh: Account, sepideh: Account, settings: Any
) -> None:
    settings.GAMES_PER_HOUR = 1000
    settings.OPEN_GAMES_HOSTED = 8
    results = at_once(*[partial(create_fist, maryam, seat_count=3)] * 25)
    refusals = [result for result in results if isinstance(result, Refusal)]
    assert [refusal.code for refusal in refusals] == ["limit-reached"] * 17
    assert Game.objects.filter(host=maryam, state=Game.State.OPEN).count() == 8


@pytest.mark.django_db(transaction=True)
def test_joining_and_creating_at_the_same_moment_do_not_pass_a_cap_nor_wait_for_each_other(
    maryam: Account, bahareh: Account, settings: Any
) -> None:
    waiting = [create_fist(bahareh, seat_count=3) for _ in range(6)]
    settings.GAMES_AT_ONCE = 5
    joining = [partial(join_game, game.id, maryam, "", "api", NOON) for game in waiting]
    results = at_once(*joining, *[partial(create_fist, maryam, seat_count=3)] * 6)
    assert sum(isinstance(result, Game) for result in results) == 5
    assert {result.code for result in results if not isinstance(result, Game)} == {"limit-reached"}
