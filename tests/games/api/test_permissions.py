"""Tests of what scopes, the end of a game and being out of it change; who may do what else is in docs/roles.md."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from rest_framework.test import APIClient

from accounts.models import Account
from games.models import Game
from tests.games.api.conftest import client
from tests.third_game.table import create_fist, play, sent

pytestmark = pytest.mark.django_db

MISSING = uuid.UUID("5b0c7a54-2f0e-4d0b-9a3e-6b1f0e1c9d42")


def requests(game: uuid.UUID, move: uuid.UUID) -> dict[str, Callable[[APIClient], Any]]:
    """Every request that names a game, by its operation."""
    at = f"/api/v1/games/{game}/"
    data = {"question": "1.1", "text": "claim 3"}
    return {
        "game": lambda program: program.get(at),
        "view": lambda program: program.get(f"{at}view/"),
        "picture": lambda program: program.get(f"{at}picture.svg"),
        "events": lambda program: program.get(f"{at}events/"),
        "game-questions": lambda program: program.get(f"{at}questions/"),
        "move": lambda program: program.get(f"{at}moves/{move}/"),
        "join": lambda program: program.post(f"{at}join/"),
        "leave": lambda program: program.post(f"{at}leave/"),
        "start": lambda program: program.post(f"{at}start/"),
        "rematch": lambda program: program.post(f"{at}rematch/"),
        "resign": lambda program: program.post(f"{at}resign/"),
        "moves": lambda program: program.post(f"{at}moves/", data, format="json"),
    }


READS = {"game", "view", "picture", "events", "game-questions", "move"}
WRITES = {"join", "leave", "start", "rematch", "resign", "moves"}
HOSTS = {"start"}
READ_ONLY = {**dict.fromkeys(WRITES, 403), "game": 200, "view": 200, "events": 200, "game-questions": 200}


def test_a_foreign_move_and_a_missing_one_answer_alike(game: Game, bahareh: Account) -> None:
    move = sent(game, 1, "claim 3")
    program = client(bahareh)
    foreign = program.get(f"/api/v1/games/{game.id}/moves/{move.id}/")
    missing = program.get(f"/api/v1/games/{game.id}/moves/{MISSING}/")
    assert (foreign.status_code, foreign.content) == (404, missing.content)


@pytest.mark.parametrize("operation", sorted({*READ_ONLY} - {"move"}))
def test_a_token_does_no_more_than_its_scopes_say(operation: str, game: Game, bahareh: Account) -> None:
    reading = client(bahareh, "games:read")
    assert requests(game.id, MISSING)[operation](reading).status_code == READ_ONLY[operation]
    playing = client(bahareh, "games:play")
    reads = operation in READS
    assert (requests(game.id, MISSING)[operation](playing).status_code == 403) is (reads or operation in HOSTS)


def test_who_is_not_signed_in_sees_rules_and_commitments_only(game: Game) -> None:
    anybody = APIClient()
    assert anybody.get("/api/v1/rules/").status_code == 200
    assert anybody.get("/api/v1/rules/coup/").status_code == 200
    assert anybody.get(f"/api/v1/games/{game.id}/commitment/").status_code == 200
    for path in ("games/", "questions/"):
        answer = anybody.get(f"/api/v1/{path}")
        assert (answer.status_code, answer.json()["code"]) == (401, "unauthenticated")
    assert anybody.post("/api/v1/games/", {}, format="json").status_code == 401


def test_nobody_reads_anothers_move_or_questions(game: Game, maryam: Account, bahareh: Account) -> None:
    assert client(bahareh).get("/api/v1/questions/").json()["results"] == []
    assert len(client(maryam).get("/api/v1/questions/").json()["results"]) == 1


def test_after_the_end_everybody_sees_everything_of_a_public_table_and_nothing_of_a_private_one(
    game: Game, hidden: Game, kaveh: Account
) -> None:
    for table in (game, hidden):
        play(table, 2, "resign yes", question="")
    program = client(kaveh)
    assert None not in program.get(f"/api/v1/games/{game.id}/view/").json()["numbers"]
    assert program.get(f"/api/v1/games/{hidden.id}/view/").status_code == 404


def test_who_is_out_still_sees_what_they_knew(maryam: Account, bahareh: Account) -> None:
    game = create_fist(maryam, bahareh, rules="coup", seat_count=4, bots=2)
    program = client(bahareh)
    before = program.get(f"/api/v1/games/{game.id}/view/").json()
    play(game, 2, "resign yes", question="")
    after = program.get(f"/api/v1/games/{game.id}/view/").json()
    assert (before["viewer"], after["viewer"]) == (2, 2)
    assert [seat["hand"] for seat in after["seats"] if seat["seat"] != 2 and seat["cards"]] == [None] * 3
