"""Reading a long list page by page while it grows."""

from collections.abc import Callable
from datetime import timedelta
from itertools import count
from typing import Any
from uuid import uuid4

import pytest
from django.core import signing
from django.db import transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounts.models import Account
from games.lobby.create import create_game
from games.lobby.join import join_game
from games.lobby.new_game import NewGame
from games.models import Game
from tests.games.api.conftest import client
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


@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
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


def test_a_cursor_from_before_a_module_was_renamed_is_still_read(maryam: Account) -> None:
    cursor = signing.Signer(salt="games.api.shared.pagination").sign_object([NOON.isoformat(), str(uuid4())])
    assert client(maryam).get("/api/v1/games/", {"cursor": cursor}).status_code == 200
