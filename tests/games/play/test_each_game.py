"""Work on many games: what goes wrong in one stops no other, and a worker that ends leaves the rest."""

import uuid
from collections.abc import Collection

import pytest

from config.core.tasks import app
from games.play.resolve import each_game

GAMES = [uuid.UUID(int=number) for number in range(3)]


def find(passed: Collection[uuid.UUID]) -> list[uuid.UUID]:
    return [game for game in GAMES if game not in passed]


def test_what_goes_wrong_in_one_game_stops_no_other() -> None:
    worked_games = []

    def work(game: uuid.UUID) -> bool:
        worked_games.append(game)
        if game == GAMES[0]:
            raise ValueError
        return False

    each_game(find, work)
    assert worked_games == GAMES


def test_a_worker_that_is_told_to_end_leaves_the_other_games(monkeypatch: pytest.MonkeyPatch) -> None:
    worked_games = []

    def work(game: uuid.UUID) -> bool:
        monkeypatch.setattr(app, "is_ending", True)
        worked_games.append(game)
        return False

    each_game(find, work)
    assert worked_games == GAMES[:1]


def test_work_that_changes_nothing_is_done_once_and_holds_up_no_other_game() -> None:
    worked_games = []

    def claim_done(game: uuid.UUID) -> bool:
        worked_games.append(game)
        return True

    each_game(lambda passed: [game for game in GAMES if game not in passed][:1], claim_done)
    assert worked_games == GAMES


def test_games_that_are_found_again_although_they_are_to_be_left_out_end_the_work() -> None:
    worked_games: list[uuid.UUID] = []
    each_game(lambda passed: GAMES, worked_games.append)
    assert worked_games == GAMES
