"""The pages between the last seat and the deal: a secret number that a browser promised, and lucky words."""

import hashlib
from typing import Any

import pytest
from django.test import Client
from django.utils.html import escape

from accounts.models import Account
from games.engine import chain
from games.models import Game
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from tests.cast import signed_in
from tests.third_game.table import NOON

pytestmark = pytest.mark.django_db
SEED = "5e" * 32


@pytest.fixture
def table(maryam: Account) -> Game:
    return create_game(maryam, NewGame(rules="coup", seat_count=2), "api", NOON)


def join(account: Account, table: Game, **typed: str) -> Any:
    return signed_in(account).post(f"/games/{table.pk}/join/", typed, follow=True)


def reveal(browser: Client, table: Game, seed: str) -> str:
    return browser.post(
        f"/games/{table.pk}/seed/", {"seed": seed, "head": table.deal_head}, follow=True
    ).content.decode()


def test_a_browser_promises_a_number_and_reveals_it_when_all_are_there(
    table: Game, maryam: Account, bahareh: Account
) -> None:
    commitment = chain.seed_commitment(SEED)
    page = join(bahareh, table, seed_commitment=commitment).content.decode()
    assert f'data-reveal="{commitment}"' in page
    assert "The deal waits for the seed of 1 player." in page
    table.refresh_from_db()
    assert f'data-head="{table.deal_head}"' in page
    assert escape(table.deal_list) in page, "the browser can check the list"
    assert "games/seeds.js" in page
    assert "picture.css" in page, "the board comes to this page by itself"
    assert "games/board.js" in page
    others = signed_in(maryam).get(f"/games/{table.pk}/").content.decode()
    assert 'data-reveal="' not in others, "it is not theirs to reveal"
    assert "starting" in signed_in(maryam).get("/").content.decode()
    wrong = reveal(signed_in(bahareh), table, "07" * 32)
    assert "This isn’t the seed that you committed to" in wrong
    right = reveal(signed_in(bahareh), table, SEED)
    assert "can prove that nobody chose the cards" in right
    assert "its operator could see or choose them" not in right
    table.refresh_from_db()
    assert table.state == Game.State.RUNNING


def test_a_number_is_not_taken_from_a_browser_that_saw_another_list(
    table: Game, maryam: Account, bahareh: Account
) -> None:
    join(bahareh, table, seed_commitment=chain.seed_commitment(SEED))
    page = signed_in(bahareh).post(f"/games/{table.pk}/seed/", {"seed": SEED, "head": "ab" * 32}, follow=True)
    assert "The list of the deal that you saw isn’t the one" in page.content.decode()
    assert table.seats.get(number=2).seed == ""


def test_lucky_words_are_mixed_in_and_hold_nothing_up(table: Game, bahareh: Account) -> None:
    page = join(bahareh, table, words="هفت بز روی بام").content.decode()
    table.refresh_from_db()
    assert table.state == Game.State.RUNNING
    assert table.seats.get(number=2).seed == hashlib.sha256("هفت بز روی بام".encode()).hexdigest()
    assert "its operator could see or choose them" in page


def test_a_promise_that_is_none_is_refused_and_nobody_is_seated(table: Game, bahareh: Account) -> None:
    page = join(bahareh, table, seed_commitment="soon").content.decode()
    assert "A commitment to a seed is a SHA-256" in page
    assert table.seats.count() == 1
