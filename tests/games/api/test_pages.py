"""Reading a long list page by page while it grows."""

import json
from base64 import urlsafe_b64decode
from collections.abc import Callable
from copy import copy
from datetime import datetime, timedelta
from itertools import count
from typing import Any
from urllib.parse import parse_qs, urlsplit
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import Client
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts import blocks
from accounts.models import Account
from games.models import Game, Tournament
from games.tables.joining import join_game
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from tests.games.api.conftest import client
from tests.games.tournaments.tournament_cast import create_cup
from tests.third_game.table import NOON

pytestmark = pytest.mark.django_db
SIZE = 3


def opened(host: Account, minutes: int) -> str:
    """Return a game that was created this long after noon. Several games may have the same time."""
    new_game = NewGame(rules="fist", seat_count=2)
    return str(create_game(host, new_game, "api", NOON + timedelta(minutes=minutes)).id)


def read(program: Any, between: Callable[[], object]) -> list[str]:
    """Every table that the pages show, with something happening between each and the next."""
    game_ids: list[str] = []
    address = f"/api/v1/games/?limit={SIZE}"
    for _ in range(50):
        page = program.get(address).json()
        game_ids += [game["id"] for game in page["results"]]
        if page["next"] is None:
            return game_ids
        address = page["next"]
        between()
    raise AssertionError("the pages have no end")


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    there=st.lists(st.integers(0, 3), min_size=4, max_size=9),
    comes=st.lists(st.sampled_from(["opened", "begun", "nothing"]), min_size=1, max_size=4),
)
def test_what_comes_meanwhile_neither_shifts_nor_repeats_a_row(
    there: list[int], comes: list[str], maryam: Account, bahareh: Account
) -> None:
    with transaction.atomic():
        before = {opened(maryam, minutes) for minutes in there}
        turn = count()

        def happen() -> None:
            now = next(turn)
            match comes[now % len(comes)]:
                case "opened":
                    opened(maryam, 10 + now)
                case "begun":
                    some = Game.objects.filter(state="open").order_by("id").first()
                    if some:
                        join_game(some.id, bahareh, "", "api", NOON + timedelta(hours=1))

        game_ids = read(client(maryam), happen)
        transaction.set_rollback(True)
    assert len(game_ids) == len(set(game_ids))
    assert before <= set(game_ids)


def test_a_cursor_of_another_kind_is_refused(maryam: Account) -> None:
    answer = client(maryam).get("/api/v1/games/?cursor=eyJhIjoxfQ")
    assert (answer.status_code, answer.json()["errors"][0]["parameter"]) == (400, "cursor")


def test_a_cursor_of_another_list_is_refused(maryam: Account) -> None:
    for minutes in range(2):
        opened(maryam, minutes)
    address = client(maryam).get("/api/v1/games/?limit=1").json()["next"]
    assert client(maryam).get(address).status_code == 200
    assert client(maryam).get(address.replace("/games/", "/games/export/")).status_code == 400


def test_a_cursor_has_only_values_of_the_last_game_on_the_page(maryam: Account, bahareh: Account) -> None:
    for minutes in range(3):
        opened(maryam, minutes)
    hidden = create_game(bahareh, NewGame(rules="fist", seat_count=2, private=True), "api", NOON + timedelta(minutes=1))
    page = client(maryam).get("/api/v1/games/?limit=2").json()
    cursor = parse_qs(urlsplit(page["next"]).query)["cursor"][0]
    last = page["results"][-1]
    values = json.loads(urlsafe_b64decode(cursor.partition(":")[0] + "=="))
    assert (datetime.fromisoformat(values[1][0]), values[1][1]) == (
        datetime.fromisoformat(last["created_at"]),
        last["id"],
    )
    assert str(hidden.id) not in [game["id"] for game in page["results"]]


def test_every_page_but_the_last_is_full(maryam: Account, bahareh: Account) -> None:
    for minutes in range(7):
        opened(maryam, minutes)
        create_game(
            bahareh, NewGame(rules="fist", seat_count=2, private=True), "api", NOON + timedelta(minutes=minutes)
        )
    sizes, address = [], f"/api/v1/games/?limit={SIZE}"
    while address:
        page = client(maryam).get(address).json()
        sizes.append(len(page["results"]))
        address = page["next"]
    assert sizes == [3, 3, 1]


def test_the_site_pages_through_the_games_in_both_directions(maryam: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.pages.games._PAGE_SIZE", 2)
    for minutes in range(5):
        opened(maryam, minutes)
    browser = Client()
    first = browser.get("/games/").context
    second = browser.get(first["pages"].next).context
    third = browser.get(second["pages"].next).context
    assert [len(page["games"]) for page in (first, second, third)] == [2, 2, 1]
    assert (first["pages"].previous, third["pages"].next) == (None, None)
    again = browser.get(third["pages"].previous).context
    assert [game.overview.game for game in again["games"]] == [game.overview.game for game in second["games"]]
    assert browser.get(again["pages"].previous).context["pages"].previous is None


def test_a_cursor_that_is_not_valid_leads_to_the_first_page_of_the_site(maryam: Account) -> None:
    opened(maryam, 0)
    assert len(Client().get("/games/?cursor=x").context["games"]) == 1


def test_long_lists_of_an_account_are_read_page_by_page(maryam: Account) -> None:
    others = [Account.objects.create_user(f"{number}@darbar.example", name=f"Player {number}") for number in range(5)]
    for other in others:
        blocks.follow(maryam, other, NOON)
    names, address = [], f"/api/v1/me/people/follows/?limit={SIZE}"
    while address:
        page = client(maryam).get(address).json()
        names += [row["name"] for row in page["results"]]
        address = page["next"]
    assert sorted(names) == sorted(other.name for other in others)


def test_the_running_tournaments_are_shown_whatever_has_ended_since(maryam: Account) -> None:
    running = create_cup(maryam, name="Long cup")
    Tournament.objects.update(state="running")
    copies = [copy(running) for _ in range(65)]
    for number, row in enumerate(copies):
        row.pk, row.state, row.created_at = uuid4(), "over", NOON + timedelta(days=number)
    Tournament.objects.bulk_create(copies)
    answers = [Client().get("/tournaments/")]
    while answers[-1].context["pages"].next:
        answers.append(Client().get(answers[-1].context["pages"].next))
    assert all("Long cup" in answer.content.decode() for answer in answers)
    assert [len(answer.context["groups"][2][2]) for answer in answers] == [30, 30, 5]
