"""The usual length of games, from finished ones."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import Account
from games.archive.durations import FEWEST, Duration, durations
from games.models import Game
from games.terms import SPEEDS, GameTerms
from tests.games.pages.at_home import Visitor

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 2, 12, tzinfo=UTC)


def finished(days: int, speed: str = "daily", **fields: Any) -> Game:
    """Return a game of Coup that ended after a number of days."""
    game = Game(
        rules="coup",
        rules_version=1,
        seat_count=fields.pop("seat_count", 4),
        terms=GameTerms(**SPEEDS[speed].limits),
        state=Game.State.OVER,
        created_at=NOON,
        started_at=NOON,
        ended_at=NOON + timedelta(days=days),
    )
    for name, value in fields.items():
        setattr(game, name, value)
    game.save()
    return game


@pytest.fixture
def ten_games() -> list[Game]:
    """Ten games of four people, which took one day to ten."""
    return [finished(days) for days in range(1, FEWEST + 1)]


def test_half_of_the_games_and_nine_of_ten_were_over_by_then(ten_games: list[Game]) -> None:
    assert durations("coup") == [Duration("daily", 4, 10, timedelta(days=5), timedelta(days=9))]


def test_a_kind_of_game_that_was_seldom_finished_is_left_out(ten_games: list[Game]) -> None:
    ten_games[0].delete()
    assert durations("coup") == []


@pytest.mark.parametrize(
    "other",
    [
        {"state": Game.State.RUNNING, "ended_at": None},
        {"state": Game.State.CANCELLED},
        {"rules": "sedlec"},
        {"seat_count": 5},
        {"speed": "slow"},
        {"terms": GameTerms(turn_limit=timedelta(days=4))},
    ],
)
def test_another_game_changes_nothing(ten_games: list[Game], other: dict[str, Any]) -> None:
    before = durations("coup")
    finished(100, **other)
    assert durations("coup") == before


def test_bots_are_not_counted_as_people_and_games_of_one_with_bots_not_at_all(ten_games: list[Game]) -> None:
    for days in range(FEWEST):
        finished(days, seat_count=3, bot_count=1)
        finished(days, seat_count=3, bot_count=2)
    assert [(duration.people, duration.games) for duration in durations("coup")] == [(2, 10), (4, 10)]


def test_the_page_and_the_api_tell_a_host(ten_games: list[Game], maryam: Account, client: Client) -> None:
    for days in range(FEWEST):
        finished(days, "slow")
    text = Visitor(maryam).go("/games/new/coup/").text
    assert "Daily, 4 players: half of the games were over within 5 days, nine of ten within 9 days." in text
    assert text.index("Daily, 4 players") < text.index("Slow, 4 players")
    assert client.get("/api/v1/rules/coup/").json()["durations"][0] == {
        "speed": "daily",
        "people": 4,
        "games": 10,
        "half_within": "P5D",
        "most_within": "P9D",
    }


def test_nothing_is_said_where_nothing_is_known(maryam: Account, client: Client) -> None:
    assert "takes here" not in Visitor(maryam).go("/games/new/coup/").text
    assert client.get("/api/v1/rules/coup/").json()["durations"] == []
