"""Series: the same people play again, and it is counted who has won how often."""

import pytest

from accounts.models import Account
from games.archive import ratings
from games.archive.player_stats import games_up_to, wins_by_seat
from games.engine import SeatNumber
from games.models import Bot, Game, Result
from games.tables.joining import join_game
from games.tables.new_game import NewGame
from games.tables.rematch import accept_rematch, decline_rematch
from games.tables.starting import create_game
from tests.games.finished import begun, play_again
from tests.games.pages.at_home import Visitor
from tests.third_game.table import NOON, fresh, play

pytestmark = pytest.mark.django_db


def won_by_other_than(game: Game, seat: int) -> Game:
    """A game of two that is over, as this seat has resigned."""
    play(game, seat, "resign yes", NOON, question="")
    ratings.count(game.pk, NOON)
    return fresh(game)


@pytest.fixture
def series(maryam: Account, bahareh: Account) -> list[Game]:
    """Three games, of which Maryam won the first and the last."""
    first = won_by_other_than(begun([maryam, bahareh]), 2)
    second = won_by_other_than(play_again(first, maryam, bahareh), 1)
    third = won_by_other_than(play_again(second, maryam, bahareh), 2)
    return [first, second, third]


def test_the_games_of_a_series_are_those_that_were_played_again(series: list[Game]) -> None:
    assert [games_up_to(game) for game in series] == [
        [entry.pk for entry in reversed(series[: count + 1])] for count in range(3)
    ]


def test_wins_are_counted_up_to_a_game_and_a_first_game_is_no_series(series: list[Game], maryam: Account) -> None:
    assert [wins_by_seat(game, maryam) for game in series] == [{}, {1: 1, 2: 1}, {1: 2, 2: 1}]


def test_the_wins_of_a_bot_are_its_own_after_it_has_changed_seats(
    maryam: Account, bahareh: Account, dariush: Account
) -> None:
    new_game = NewGame(rules="coup", seat_count=5, bots=(Bot(), Bot(style="bold")))
    game = create_game(maryam, new_game, "api", NOON)
    for account in (bahareh, dariush):
        game = join_game(game.pk, account, "", "api", NOON)
    Game.objects.filter(pk=game.pk).update(state=Game.State.OVER)
    for seat in fresh(game).seats.all():
        won = (seat.style, seat.bot) == ("bold", True)
        row = {"account": seat.account, "bot": seat.bot, "place": 1, "team": seat.number, "asked": 0, "in_time": 0}
        Result.objects.create(game=game, seat=seat.number, won=won, **row)
    decline_rematch(accept_rematch(game.pk, bahareh, {}, "api", NOON).game.pk, maryam, "api", NOON)
    accept_rematch(game.pk, dariush, {}, "api", NOON)
    again = fresh(game).rematch
    assert again is not None
    wins = wins_by_seat(again, maryam)
    assert {seat.style: wins[SeatNumber(seat.number)] for seat in again.seats.all()}["bold"] == 1
    assert sum(wins.values()) == 1


def test_games_that_a_reader_may_not_see_do_not_count(series: list[Game], dariush: Account, maryam: Account) -> None:
    Game.objects.filter(pk=series[0].pk).update(private=True)
    assert wins_by_seat(series[2], dariush) == wins_by_seat(series[2], None) == {1: 1, 2: 1}
    assert wins_by_seat(series[2], maryam) == {1: 2, 2: 1}


def test_the_page_of_the_end_tells_the_series(series: list[Game], bahareh: Account) -> None:
    page = Visitor(bahareh).go(f"/games/{series[2].pk}/")
    assert "Maryam: 2 games won" in page.text
    assert ": 1 game won" in page.text
    assert "This series" not in Visitor(bahareh).go(f"/games/{series[0].pk}/").text
