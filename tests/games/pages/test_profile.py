"""A player's page: history, rating line, opponents and favourite bluffs, of games that its reader may see."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Account
from games.archive import ratings
from games.models import Game, PlayerStats, Result
from games.pages.players import HIGH, WIDE, graph
from tests.cast import program
from tests.games.pages.at_home import Page, Visitor
from tests.games.pages.test_every_page import sound
from tests.games.seated import NOON, begin, play

pytestmark = pytest.mark.django_db
DUEL = ["contessa", "duke", "captain", "assassin"]


def bluffed(host: Account, other: Account, number: int = 0, **row: object) -> Game:
    """A game in which the host claimed a captain that they did not hold, and won."""
    game = begin([host, other], DUEL, two_player_setup="dealt")
    play(game, "1 steal 2", "2 allow", "2 income", "1 income", "2 resign yes")
    Game.objects.filter(pk=game.pk).update(ended_at=NOON + timedelta(days=number), **row)
    ratings.count_all(timezone.now())
    return game


def rows_below(page: Page, heading: str, until: str) -> str:
    """The text of a section."""
    return page.text.partition(heading)[2].partition(until)[0]


def test_a_page_tells_games_ratings_opponents_and_bluffs(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    for number in range(3):
        bluffed(maryam, sepideh, number)
    Account.objects.filter(pk__in=(maryam.pk, sepideh.pk)).update(public_profile=True)
    for account, language in ((bahareh, "en"), (None, "en"), (None, "fa")):
        visitor = Visitor(account, language)
        page = visitor.go("/players/Maryam/")
        sound(page, language)
        assert len(page.all("polyline")) == 1
        if language == "en":
            assert rows_below(page, "Favourite bluffs", "Only").strip() == ("captain: 3 claims, 3 untrue, 0 caught")
            assert "سپیده330" in rows_below(page, "Opponents", "Last games").replace(" ", "")
            assert len(
                [link for link in page.all("a") if link["href"].startswith("/games/") and len(link["href"]) > 20]
            )
    page = Visitor(sepideh).go("/players/Maryam/")
    assert "۳" in page.text
    page_text = Visitor(maryam).go("/players/سپیده/").text
    assert "You’ve played 3 games together. You won 3, they won 0." in page_text


def test_nothing_of_a_private_game_shows_to_who_did_not_sit_there(
    maryam: Account, sepideh: Account, bahareh: Account
) -> None:
    for number in range(2):
        bluffed(maryam, sepideh, number, private=True)
    Account.objects.filter(pk__in=(maryam.pk, sepideh.pk)).update(public_profile=True)
    for account, is_shown in ((sepideh, True), (bahareh, False), (None, False)):
        page = Visitor(account).go("/players/Maryam/")
        text = page.text
        for words in ("Favourite bluffs", "Opponents", "Last games") if account is not sepideh else ():
            assert words not in text, words
        assert bool(page.all("polyline")) is is_shown


def test_a_visitor_reads_only_of_opponents_who_like_it(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    bluffed(maryam, sepideh)
    bluffed(maryam, bahareh, 1)
    Account.objects.filter(pk__in=(maryam.pk, bahareh.pk)).update(public_profile=True)
    section = rows_below(Visitor().go("/players/Maryam/"), "Opponents", "Last games")
    assert "Bahareh" in section
    assert "سپیده" not in section
    assert "سپیده" in rows_below(Visitor(bahareh).go("/players/Maryam/"), "Opponents", "Last games")


def both(reader: Account) -> tuple[str, bytes]:
    """Return the page of Maryam and the answer of the API for a reader."""
    return Visitor(reader).go("/players/Maryam/").text, program(reader).get("/api/v1/players/Maryam/").content


@pytest.mark.parametrize("delay", [None, timedelta(hours=1)])
def test_a_running_game_shows_nowhere(
    maryam: Account, sepideh: Account, bahareh: Account, delay: timedelta | None
) -> None:
    bluffed(maryam, sepideh)
    before = both(bahareh)
    game = begin([maryam, sepideh], DUEL, two_player_setup="dealt")
    Game.objects.filter(pk=game.pk).update(spectator_delay=delay)
    for moves in (("1 steal 2",), ("2 challenge", "1 concede duke")):
        play(game, *moves)
        assert both(bahareh) == before


def test_the_api_tells_what_the_page_tells(maryam: Account, sepideh: Account, bahareh: Account) -> None:
    games = [bluffed(maryam, sepideh, 0), bluffed(maryam, sepideh, 1), bluffed(maryam, sepideh, 2, private=True)]
    player = program(bahareh).get("/api/v1/players/Maryam/").json()
    assert [finished_game["game"] for finished_game in player["results"]] == [str(games[1].pk), str(games[0].pk)]
    assert {
        (finished_game["rules"], finished_game["seat_count"], finished_game["won"], finished_game["place"])
        for finished_game in player["results"]
    } == {("coup", 2, True, 1)}
    (line,) = player["ratings"]
    assert line["ratings"] == [finished_game["rating"] for finished_game in reversed(player["results"])]
    assert player["opponents"] == [{"name": sepideh.name, "games": 2, "won": 2, "lost": 0}]
    assert player["bluffs"] == [{"rules": "coup", "claim": "captain", "made": 2, "lies": 2, "caught": 0}]
    assert player["against_you"] is None
    api_profile = program(sepideh).get("/api/v1/players/Maryam/").json()
    assert (len(api_profile["results"]), api_profile["against_you"]) == (
        3,
        {"name": sepideh.name, "games": 3, "won": 3, "lost": 0},
    )


def test_each_result_keeps_the_rating_after_it_and_counting_again_finds_the_same(
    maryam: Account, sepideh: Account
) -> None:
    for number in range(2):
        bluffed(maryam, sepideh, number)
    bluffed(maryam, sepideh, 2, private=True)
    results = list(Result.objects.order_by("id").values_list("account", "rating"))
    assert [rating for account, rating in results if account == maryam.pk] == sorted(
        rating for account, rating in results if account == maryam.pk
    )
    Result.objects.update(rating=None)
    assert ratings.count_again() == 3
    assert list(Result.objects.order_by("id").values_list("account", "rating")) == results
    stats = PlayerStats.objects.get(account=maryam, seat_count=0)
    assert stats.games == 3


@pytest.mark.parametrize("ratings", [[1500, 1500], [1200, 1900, 1350], [-40, 3000], [1501, 1499, 1500] * 60])
def test_a_line_stays_within_its_frame_in_both_directions(ratings: list[int]) -> None:
    lines = []
    for right_to_left in (False, True):
        picture = graph(ratings, "a <b>", right_to_left)
        assert "&lt;b&gt;" in picture
        points = picture.partition('points="')[2].partition('"')[0].split()
        lines.append([tuple(map(float, point.split(","))) for point in points])
        assert all(0 <= x <= WIDE and 0 <= y <= HIGH for x, y in lines[-1])
        assert len(lines[-1]) == len(ratings)
    assert [(round(WIDE - x, 1), y) for x, y in lines[0]] == [(round(x, 1), y) for x, y in lines[1]]
