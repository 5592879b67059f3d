"""Player stats over HTTP."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Account
from games.archive import ratings
from games.models import Game, PlayerStats
from tests.games.api.conftest import client
from tests.third_game.table import LATER, create_fist, play, truth

pytestmark = pytest.mark.django_db
PLAYERS, LEADERS = "/api/v1/players/", "/api/v1/leaders/"


def won(host: Account, *others: Account) -> Game:
    """A game of Fist that its host has won, counted."""
    game = create_fist(host, *others)
    play(game, 1, f"claim {truth(game, 1)}")
    play(game, 2, "doubt")
    ratings.count_all(LATER)
    return game


def test_a_seat_shows_what_its_player_has_finished_before(maryam: Account, bahareh: Account, kaveh: Account) -> None:
    won(maryam, bahareh)
    table = create_fist(maryam, seat_count=3, bots=1)
    seats = client(kaveh).get(f"/api/v1/games/{table.id}/").json()["seats"]
    stats = seats[0]["player_stats"]
    assert (stats["games"], stats["wins"], stats["reliability"]) == (1, 1, 1.0)
    assert stats["rating"] > 1500
    started = client(bahareh).post(f"/api/v1/games/{table.id}/join/", {}, format="json").json()
    assert [seat["player_stats"] and seat["player_stats"]["wins"] for seat in started["seats"]] == [1, 0, None]


def test_a_running_game_changes_nothing_that_is_shown(maryam: Account, bahareh: Account, kaveh: Account) -> None:
    won(maryam, bahareh)
    before = client(kaveh).get(f"{PLAYERS}Maryam/").content
    game = create_fist(maryam, bahareh)
    play(game, 1, f"claim {truth(game, 1)}")
    ratings.count_all(LATER)
    assert client(kaveh).get(f"{PLAYERS}Maryam/").content == before


def test_a_player_is_found_by_name(maryam: Account, sepideh: Account, kaveh: Account) -> None:
    won(sepideh, maryam)
    answer = client(kaveh).get(f"{PLAYERS}سپیده/")
    assert answer.status_code == 200, answer.content
    player = answer.json()
    assert (player["name"], player["is_bot"], player["reliability"]) == ("سپیده", False, 1.0)
    kinds = [
        (stats["rules"], stats["seat_count"], stats["with_bots"], stats["games"]) for stats in player["player_stats"]
    ]
    assert kinds == [("fist", None, False, 1), ("fist", 2, False, 1)]
    assert "email" not in player


def test_who_never_sat_at_a_table_looks_like_nobody(maryam: Account, kaveh: Account) -> None:
    answers = [client(maryam).get(f"{PLAYERS}{name}/") for name in ("Kaveh", "Nobody")]
    assert [answer.status_code for answer in answers] == [404, 404]
    assert answers[0].json() == answers[1].json()


def test_the_board_lists_the_best_first(maryam: Account, bahareh: Account, kaveh: Account) -> None:
    kind = {"rules": "coup", "seat_count": 4, "with_bots": False}
    PlayerStats.objects.create(account=maryam, games=9, wins=5, mean=31, doubt=2, **kind)
    PlayerStats.objects.create(account=bahareh, games=8, wins=1, mean=33, doubt=7, **kind)
    PlayerStats.objects.create(account=kaveh, games=1, wins=1, mean=39, doubt=2, **kind)
    PlayerStats.objects.create(account=None, games=9, wins=2, mean=20, doubt=2, **{**kind, "with_bots": True})
    program = client(kaveh)
    board = program.get(LEADERS, {"rules": "coup", "seat_count": 4}).json()["results"]
    assert [(row["place"], row["name"], row["rating"]) for row in board] == [(1, "Maryam", 2100), (2, "Bahareh", 1788)]
    assert program.get(LEADERS, {"rules": "coup"}).json()["results"] == []
    [bots] = program.get(LEADERS, {"rules": "coup", "seat_count": 4, "with_bots": True}).json()["results"]
    assert (bots["name"], bots["is_bot"], bots["with_bots"]) == (None, True, True)


@pytest.mark.parametrize(
    "wrong", [{}, {"rules": "go"}, {"rules": "coup", "seat_count": 0}, {"rules": "coup", "bots": 1}]
)
def test_a_board_that_there_is_not_is_refused(maryam: Account, wrong: dict[str, str]) -> None:
    assert client(maryam).get(LEADERS, wrong).status_code == 400


def test_a_list_of_many_tables_takes_no_more_queries_for_their_player_stats_and_rematches(
    maryam: Account, bahareh: Account, kaveh: Account
) -> None:
    program, counts = client(kaveh), []
    program.get("/api/v1/games/")
    again = None
    for _ in range(2):
        game = won(maryam, bahareh)
        Game.objects.filter(pk=game.pk).update(rematch=again)
        again = game
        with CaptureQueriesContext(connection) as queries:
            assert program.get("/api/v1/games/").status_code == 200
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_each_reader_is_told_in_their_language_which_number_is_too_small_or_too_large(maryam: Account) -> None:
    def problem_detail(language: str, seat_count: int) -> str:
        address = f"{LEADERS}?rules=coup&seat_count={seat_count}"
        answer = client(maryam).get(address, headers={"Accept-Language": language})
        return str(answer.json()["errors"][0]["detail"])

    for seat_count in (0, 101):
        persian, english = problem_detail("fa", seat_count), problem_detail("en", seat_count)
        assert english.startswith("Ensure this value is")
        assert persian != english
        assert (problem_detail("fa", seat_count), problem_detail("en", seat_count)) == (persian, english)
