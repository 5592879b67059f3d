"""The usual times in which players answer, from finished games."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from games.archive import usual_times
from games.archive.usual_times import FEWEST, round_up
from games.models import AnswerTimes, Game, Move, Seat
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from games.terms import GameTerms
from tests.games.api.conftest import client
from tests.games.pages.at_home import Visitor

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 11, 2, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)


def answered(account: Account, *hours: float, state: str = Game.State.OVER, sits: bool = True, **fields: Any) -> Game:
    """Create a game in which an account took these hours for its answers."""
    terms = fields.pop("terms", GameTerms())
    game = Game.objects.create(rules="coup", rules_version=1, seat_count=2, terms=terms, state=state, created_at=NOON)
    Seat.objects.create(game=game, number=1, account=account if sits else None)
    columns: dict[str, Any] = {"account": account, "seat": 1, "via": "mail", "state": Move.State.APPLIED, **fields}
    Move.objects.bulk_create(
        Move(**{"game": game, "asked_at": NOON, "received_at": NOON + took * HOUR, **columns}) for took in hours
    )
    return game


def usual_times_of(account: Account) -> tuple[timedelta, timedelta] | None:
    """Return the usual answer times of an account."""
    usual_times.renew([account.pk])
    return AnswerTimes.objects.filter(account=account).values_list("half_within", "most_within").first()


def test_half_and_nine_tenths_of_the_answers_are_rounded_up(maryam: Account, sepideh: Account) -> None:
    answered(maryam, *[2.5] * 10, *[5] * 8, 20, 40)
    answered(sepideh, *[100] * FEWEST)
    assert usual_times_of(maryam) == (3 * HOUR, 6 * HOUR)


def test_with_fewer_answers_nothing_is_said(maryam: Account) -> None:
    answered(maryam, *[2] * (FEWEST - 1))
    assert usual_times_of(maryam) is None


@pytest.mark.parametrize(
    "other",
    [
        {"state": Game.State.RUNNING},
        {"terms": GameTerms(turn_limit=timedelta(minutes=30))},
        {"asked_at": None, "via": "timeout"},
        {"state": Game.State.CANCELLED},
        {"sits": False},
    ],
)
def test_another_answer_changes_nothing(maryam: Account, other: dict[str, Any]) -> None:
    answered(maryam, *[2] * FEWEST)
    before = usual_times_of(maryam)
    answered(maryam, *[50] * FEWEST, **other)
    assert usual_times_of(maryam) == before == (3 * HOUR, 3 * HOUR)


def test_nothing_is_kept_of_whoever_does_not_show_it(maryam: Account) -> None:
    answered(maryam, *[2] * FEWEST)
    assert usual_times_of(maryam)
    Account.objects.filter(pk=maryam.pk).update(shows_answer_times=False)
    assert usual_times_of(maryam) is None


def test_lengths_that_are_shown_tell_no_hour_of_the_day() -> None:
    lengths = {round_up(timedelta(minutes=minutes)) for minutes in range(0, 30 * 24 * 60, 7)}
    assert sorted(lengths) == [HOUR * hours for hours in (1, 3, 6, 12, 24, 48, 72, 120, 168, 336, 504, 672, 840)]


def test_others_read_it_before_they_join_and_its_owner_may_switch_it_off(maryam: Account, sepideh: Account) -> None:
    answered(sepideh, *[2] * FEWEST)
    usual_times.renew([sepideh.pk])
    game = create_game(sepideh, NewGame(rules="coup", seat_count=2), "api", NOON)
    reader, own_client = client(maryam), client(sepideh)
    assert shown_times(reader, game) == [{"half_within": "PT3H", "most_within": "PT3H"}] * 2
    words = "half of the answers take 3 hours or less, nine of ten 3 hours or less"
    assert words in Visitor(maryam).go(f"/games/{game.pk}/").text
    assert words in Visitor(maryam).go("/games/").text
    assert "half of the answers took 3 hours or less" in Visitor(maryam).go("/players/سپیده/").text
    assert own_client.get("/api/v1/me/export/").json()["answer_times"]["half_within"] == "P0DT03H00M00S"
    assert own_client.patch("/api/v1/me/", {"shows_answer_times": False}, format="json").status_code == 200
    assert shown_times(reader, game) == [None, None]
    for address in (f"/games/{game.pk}/", "/games/", "/players/سپیده/"):
        assert "of the answers" not in Visitor(maryam).go(address).text


def shown_times(reader: APIClient, game: Game) -> list[Any]:
    """Return the answer times of a game's host in the API, at the table and in the profile."""
    seat = reader.get(f"/api/v1/games/{game.pk}/").json()["seats"][0]
    return [seat["player_stats"]["answer_times"], reader.get("/api/v1/players/سپیده/").json()["answer_times"]]


def test_it_goes_with_the_account(maryam: Account) -> None:
    answered(maryam, *[2] * FEWEST)
    assert usual_times_of(maryam)
    maryam.delete()
    assert not AnswerTimes.objects.exists()
