"""Rematches."""

from typing import Any

import pytest

from accounts.models import Account
from games.event_log import log_store
from games.lobby.create import create_game
from games.lobby.join import join_game
from games.lobby.new_game import NewGame
from games.models import Game, Move
from games.play.resolve import resolve
from games.play.submit import WrittenMove, store_move
from tests.games.api.conftest import client
from tests.third_game.table import LATER, NOON, fresh

pytestmark = pytest.mark.django_db


def seated(*people: Account, **options: Any) -> Game:
    """A running game of Coup."""
    new_game = NewGame(rules="coup", seat_count=len(people), **options)
    game = create_game(people[0], new_game, "api", NOON)
    for person in people[1:]:
        game = join_game(game.id, person, "", "api", NOON)
    return game


def won_by(winner: Account, game: Game) -> Game:
    """Return the game after all other players have resigned."""
    for seat in game.seats.exclude(account=winner):
        store_move(fresh(game), seat.account, WrittenMove("", "resign yes"), Move.Via.API, LATER)
        resolve(game.id, LATER)
    return fresh(game)


def rematch(person: Account, game: Game, **body: Any) -> Any:
    return client(person).post(f"/api/v1/games/{game.id}/rematch/", body, format="json")


def test_the_same_people_sit_on_the_same_seats_and_the_game_begins(
    maryam: Account, bahareh: Account, sepideh: Account
) -> None:
    game = won_by(sepideh, seated(maryam, bahareh, sepideh, options={"inquisitor": True}))
    answer = rematch(bahareh, game)
    again = answer.json()
    assert (answer.status_code, again["state"], again["options"]["inquisitor"]) == (201, "running", True)
    assert [seat["name"] for seat in again["seats"]] == [account.name for account in (maryam, bahareh, sepideh)]
    assert again["id"] != str(game.id)
    assert again["commitment"] != game.commitment
    assert client(maryam).get(f"/api/v1/games/{game.id}/").json()["rematch"] == again["id"]


def test_with_previous_winner_the_winner_starts(maryam: Account, bahareh: Account, sepideh: Account) -> None:
    game = won_by(sepideh, seated(maryam, bahareh, sepideh))
    again = rematch(maryam, game, options={"starting_player": "previous_winner"}).json()
    assert log_store.position(Game.objects.get(pk=again["id"])).state.starter == 3
    second = won_by(bahareh, Game.objects.get(pk=again["id"]))
    assert log_store.position(Game.objects.get(pk=rematch(maryam, second).json()["id"])).state.starter == 2


def test_whoever_asks_again_gets_the_same_rematch(maryam: Account, bahareh: Account) -> None:
    game = won_by(maryam, seated(maryam, bahareh))
    assert rematch(maryam, game).json()["id"] == rematch(bahareh, game).json()["id"]
    assert Game.objects.count() == 2


def test_a_bot_takes_the_seat_of_one_who_has_left_the_server(
    maryam: Account, bahareh: Account, sepideh: Account
) -> None:
    game = won_by(maryam, seated(maryam, bahareh, sepideh))
    bahareh.delete()
    again = rematch(maryam, game).json()
    assert [(seat["bot"], seat["seat"]) for seat in again["seats"]] == [(False, 1), (True, 2), (False, 3)]
    assert again["bots"] == [{"level": "normal", "style": "balanced"}]


def test_a_game_that_is_not_over_has_no_rematch(maryam: Account, bahareh: Account) -> None:
    answer = rematch(maryam, seated(maryam, bahareh))
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")


def test_only_those_who_sat_there_may_ask_for_one(maryam: Account, bahareh: Account, kaveh: Account) -> None:
    assert rematch(kaveh, won_by(maryam, seated(maryam, bahareh))).status_code == 403
    assert rematch(kaveh, won_by(maryam, seated(maryam, bahareh, private=False))).status_code == 403


@pytest.mark.parametrize(
    "options", [{"waiting": "nobody"}, {"previous_winners": [1]}, {"prompts": "separate"}, {"starting_player": 5}]
)
def test_options_that_cannot_be_played_are_named_and_nothing_is_made(
    maryam: Account, bahareh: Account, options: dict[str, Any]
) -> None:
    answer = rematch(maryam, won_by(maryam, seated(maryam, bahareh)), options=options)
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert Game.objects.count() == 1
