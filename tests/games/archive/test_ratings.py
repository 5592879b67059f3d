"""Player stats count each finished game once, and can be recomputed."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Account
from games.archive import player_stats, ratings
from games.models import Game, OpenQuestion, PlayerStats, Result
from games.play.bots import play as play_bots
from games.play.timeouts import time_out_game
from games.tables.joining import leave_game
from games.visibility import seats
from tests.third_game.table import LATER, create_fist, fresh, lie, play, truth, with_fist

pytestmark = pytest.mark.django_db
__all__ = ["with_fist"]
AFTER = LATER + timedelta(days=3)


def won_by_host(host: Account, *others: Account, **fields: Any) -> Game:
    """A game of Fist that its host wins: an honest claim was doubted by seat 2."""
    game = create_fist(host, *others, **fields)
    play(game, 1, f"claim {truth(game, 1)}")
    play(game, 2, "doubt")
    return fresh(game)


def lost_by_host(host: Account, *others: Account) -> Game:
    """A game of Fist that seat 2 wins."""
    game = create_fist(host, *others)
    play(game, 1, f"claim {lie(game, 1)}")
    play(game, 2, "doubt")
    return fresh(game)


def overall(account: Account | None, *, with_bots: bool = False) -> PlayerStats:
    return PlayerStats.objects.get(account=account, rules="fist", seat_count=0, with_bots=with_bots)


def stored_stats() -> Sequence[tuple[Any, ...]]:
    """Everything that stands in them."""
    fields = ("account", "rules", "seat_count", "with_bots", "games", "wins", "asked", "in_time", "mean", "doubt")
    return list(PlayerStats.objects.order_by("account", "rules", "seat_count", "with_bots").values_list(*fields))


def test_a_game_that_is_over_is_counted_for_each_seat(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    won_by_host(maryam, sepideh, bahareh)
    ratings.count_all(AFTER)
    assert [(result.account, result.won) for result in Result.objects.order_by("seat")] == [
        (maryam, True),
        (sepideh, False),
        (bahareh, False),
    ]
    assert (overall(maryam).games, overall(maryam).wins) == (1, 1)
    assert (overall(sepideh).games, overall(sepideh).wins) == (1, 0)
    assert overall(maryam).mean > 25 > overall(sepideh).mean
    assert overall(sepideh).mean == pytest.approx(overall(bahareh).mean)
    assert player_stats.points(overall(maryam)) > 1500 >= player_stats.points(PlayerStats())


def test_counting_again_and_again_counts_once(maryam: Account, sepideh: Account) -> None:
    game = won_by_host(maryam, sepideh)
    ratings.count_all(AFTER)
    before = stored_stats()
    ratings.count_all(AFTER)
    assert ratings.count(game.id, AFTER)
    assert stored_stats() == before
    assert Result.objects.count() == 2


def test_a_running_game_changes_no_player_stats(maryam: Account, sepideh: Account) -> None:
    won_by_host(maryam, sepideh)
    ratings.count_all(AFTER)
    before = stored_stats()
    game = create_fist(maryam, sepideh)
    play(game, 1, f"claim {truth(game, 1)}")
    time_out_game(game.id, OpenQuestion.objects.get(game=game, seat=2).due_at + timedelta(seconds=30))
    ratings.count_all(AFTER)
    assert stored_stats() == before


def test_an_abandoned_table_is_not_counted(maryam: Account) -> None:
    game = create_fist(maryam, seat_count=2)
    leave_game(game.id, maryam, "api", LATER)
    ratings.count_all(AFTER)
    assert not Result.objects.exists()
    assert not PlayerStats.objects.exists()


def test_tables_of_another_size_have_records_of_their_own(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    won_by_host(maryam, sepideh)
    won_by_host(maryam, sepideh, bahareh)
    ratings.count_all(AFTER)
    games = {stats.seat_count: stats.games for stats in PlayerStats.objects.filter(account=maryam)}
    assert games == {0: 2, 2: 1, 3: 1}
    assert overall(maryam).mean > PlayerStats.objects.get(account=maryam, seat_count=2).mean


def test_what_was_played_against_bots_is_rated_apart(maryam: Account, sepideh: Account) -> None:
    game = create_fist(maryam, bots=2)
    play(game, 1, f"claim {truth(game, 1)}")
    play_bots(game.id, LATER)
    while fresh(game).state == Game.State.RUNNING:
        question = OpenQuestion.objects.get(game=game, seat=1)
        play(game, 1, "allow" if question.kind == "doubt" else "claim 1")
        play_bots(game.id, LATER)
    won_by_host(maryam, sepideh)
    ratings.count_all(AFTER)
    assert overall(maryam).games == 1
    assert overall(maryam, with_bots=True).games == 1
    assert overall(None, with_bots=True).games == 2  # one for each of its seats
    assert not PlayerStats.objects.filter(account=None, with_bots=False).exists()


def test_reliability_is_answers_in_time_over_answers_asked_for(maryam: Account, sepideh: Account) -> None:
    game = create_fist(maryam, sepideh)
    play(game, 1, f"claim {truth(game, 1)}")
    time_out_game(game.id, OpenQuestion.objects.get(game=game, seat=2).due_at + timedelta(seconds=30))
    play(game, 2, f"claim {truth(game, 2)}", OpenQuestion.objects.get(game=game, seat=2).asked_at)
    play(game, 1, "doubt", OpenQuestion.objects.get(game=game, seat=1).asked_at)
    ratings.count_all(AFTER)
    assert player_stats.reliability([overall(maryam)]) == 1
    assert (overall(sepideh).asked, overall(sepideh).in_time) == (2, 1)
    assert player_stats.reliability(sepideh.player_stats.all()) == 0.5
    assert player_stats.reliability([]) is None


def test_player_stats_made_anew_from_the_results_are_the_same(
    maryam: Account, sepideh: Account, bahareh: Account, capsys: pytest.CaptureFixture[str]
) -> None:
    for game in (won_by_host, lost_by_host, won_by_host):
        game(maryam, sepideh, bahareh)
        game(sepideh, bahareh)
    ratings.count_all(AFTER)
    before = stored_stats()
    PlayerStats.objects.filter(account=maryam).update(mean=99, games=7)
    call_command("rate", "--again")
    assert stored_stats() == before
    assert "6 games, 8 rows of player stats." in capsys.readouterr().out


def test_a_deleted_account_leaves_results_without_a_person_and_no_stats(maryam: Account, sepideh: Account) -> None:
    won_by_host(maryam, sepideh)
    ratings.count_all(AFTER)
    before = overall(sepideh).mean
    maryam.delete()
    assert [result.account for result in Result.objects.order_by("seat")] == [None, sepideh]
    assert set(PlayerStats.objects.values_list("account", flat=True)) == {sepideh.pk}
    assert ratings.count_again() == 1
    assert overall(sepideh).mean == pytest.approx(before)


def test_a_game_whose_rules_are_gone_holds_nothing_up(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    first, second = won_by_host(maryam, sepideh), won_by_host(maryam, bahareh)
    Game.objects.filter(pk=first.pk).update(rules="go")
    ratings.count_all(AFTER)
    assert set(Result.objects.values_list("game", flat=True)) == {second.id}


def test_who_has_finished_too_few_games_or_was_closed_is_not_on_the_board(
    maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    for account, games, mean in ((maryam, 5, 30.0), (sepideh, 9, 35.0), (bahareh, 4, 40.0)):
        PlayerStats.objects.create(
            account=account, rules="fist", seat_count=0, with_bots=False, games=games, mean=mean, doubt=2.0
        )
    assert [stats.account for stats in player_stats.leaders("fist")] == [sepideh, maryam]
    assert not player_stats.leaders("fist", 2)
    Account.objects.filter(pk=sepideh.pk).update(is_active=False)
    assert [stats.account for stats in player_stats.leaders("fist")] == [maryam]


def test_only_who_has_sat_at_a_table_is_found_by_name(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    won_by_host(maryam, sepideh)
    assert player_stats.player("MARYAM") == maryam
    assert player_stats.player("سپیده") == sepideh
    assert player_stats.player("Bahareh") is None


def test_the_records_of_many_tables_take_as_many_queries_as_those_of_one(
    maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    games = [create_fist(maryam, sepideh), create_fist(sepideh, bahareh), create_fist(maryam, bahareh)]
    counts = []
    for some in (games[:1], games):
        with CaptureQueriesContext(connection) as queries:
            fresh_games = [fresh(game) for game in some]
            seats.load(fresh_games)
            player_stats.load(fresh_games)
        counts.append(len(queries) - len(some))
    assert counts[0] == counts[1]
