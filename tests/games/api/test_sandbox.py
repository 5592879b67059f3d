"""The sandbox for authors of programs: time passes when they say, and bots answer as told."""

import json
import re
from datetime import datetime, timedelta
from typing import Any, Final

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from accounts.models import Account
from games.archive import game_audit
from games.models import Game, Move, OpenQuestion
from games.play import bots, timeouts
from tests.games.api.conftest import client
from tests.server.darbar import ROOT

pytestmark = pytest.mark.django_db
PAGE: Final = (ROOT / "docs/site/en/api/sandbox.md").read_text()
CURL: Final = re.compile(r"^curl -sS (?:-X (?P<method>PUT) )?\$api(?P<path>\S+) [^']*-d '(?P<body>[^']+)'", re.M)
GAMES = "/api/v1/games/"
ALONE = {"rules": "coup", "seat_count": 2, "bots": [{}], "options": {"two_player_setup": "dealt", "starting_player": 1}}


@pytest.fixture(autouse=True)
def sandbox(settings: Any) -> None:
    settings.SANDBOX = True


@pytest.fixture
def program(maryam: Account) -> APIClient:
    return client(maryam)


@pytest.fixture
def alone(program: APIClient) -> str:
    """A game of Maryam against a bot, which asks her first."""
    return str(program.post(GAMES, ALONE, format="json").json()["id"])


def answer(program: APIClient, game: str, text: str) -> None:
    """Answer the open question, and let the bot answer."""
    question = OpenQuestion.objects.get(game=game, seat=1)
    data = {"question": question.question, "text": text}
    sent = program.post(f"{GAMES}{game}/moves/", data, format="json", headers={"Prefer": "wait=5"}).json()
    assert sent["state"] == "applied", sent
    bots.play(Game.objects.get(pk=game).pk, timezone.now())


def moves_of_the_bot(game: str) -> list[Any]:
    return list(Move.objects.filter(game=game, seat=2).order_by("first_event").values_list("body", flat=True))


def test_every_request_of_the_page_about_sandboxes_is_taken(program: APIClient, alone: str) -> None:
    requests = [match.groupdict() for match in CURL.finditer(PAGE)]
    assert len(requests) == PAGE.count("curl")
    for request in requests:
        send = program.put if request["method"] else program.post
        answered = send(f"/api/v1{request['path']}".replace("$game", alone), json.loads(request["body"]), format="json")
        assert answered.status_code in (200, 201), (request, answered.content)


def test_time_passes_in_the_game_that_a_player_names(program: APIClient, alone: str) -> None:
    before = OpenQuestion.objects.get(game=alone, seat=1).due_at
    answered = program.post(f"{GAMES}{alone}/sandbox/clock/", {"forward": "P3D"}, format="json")
    assert answered.status_code == 200
    assert OpenQuestion.objects.get(game=alone, seat=1).due_at == before - timedelta(days=3)
    timeouts.sweep(timezone.now())
    move = Move.objects.get(game=alone, seat=1)
    assert move.via == Move.Via.TIMEOUT


def paused(program: APIClient, game: str) -> datetime:
    """Pause a game of one person, for three days; when it is to end."""
    answered = program.post(f"{GAMES}{game}/pause/", {"length": "P3D"}, format="json")
    assert answered.status_code == 201, answered.content
    until = Game.objects.get(pk=game).paused_until
    assert until is not None
    return until


def test_a_pause_ends_when_its_time_has_passed_and_other_games_go_on(program: APIClient, alone: str) -> None:
    paused(program, alone)
    other = str(program.post(GAMES, ALONE, format="json").json()["id"])
    program.post(f"{GAMES}{other}/sandbox/clock/", {"forward": "P9D"}, format="json")
    answered = program.post(f"{GAMES}{alone}/sandbox/clock/", {"forward": "P4D"}, format="json")
    assert (answered.status_code, answered.json()["paused_until"]) == (200, None)
    timeouts.sweep(timezone.now())
    assert Move.objects.filter(game=other, via=Move.Via.TIMEOUT).exists()
    assert faults(alone) == []


def test_a_pause_of_which_some_is_left_ends_earlier_by_what_has_passed(program: APIClient, alone: str) -> None:
    until = paused(program, alone)
    answered = program.post(f"{GAMES}{alone}/sandbox/clock/", {"forward": "P2D"}, format="json")
    assert answered.status_code == 200
    game = Game.objects.get(pk=alone)
    assert game.paused_until == until - timedelta(days=2)
    assert faults(alone) == []
    timeouts.sweep(until - timedelta(days=2))
    assert Game.objects.get(pk=alone).paused_until is None


def faults(game: str) -> list[str]:
    """Return the differences between a game and its log."""
    return game_audit.find_faults(Game.objects.get(pk=game))


def test_a_bot_answers_what_it_was_told_as_soon_as_it_fits(program: APIClient, alone: str) -> None:
    answer_of_put = program.put(f"{GAMES}{alone}/sandbox/bots/2/", {"moves": ["challenge", "income"]}, format="json")
    assert answer_of_put.json() == {"moves": ["challenge", "income"]}
    answer(program, alone, "foreign-aid")  # No player claims a character, so the bot answers without a script.
    assert program.get(f"{GAMES}{alone}/sandbox/bots/2/").json() == {"moves": ["challenge", "income"]}
    assert '"challenge"' not in "".join(moves_of_the_bot(alone))


@pytest.mark.parametrize("move", ["income", "tax", "foreign-aid"])
def test_a_bot_takes_the_turn_that_it_was_told_to_take(program: APIClient, alone: str, move: str) -> None:
    program.put(f"{GAMES}{alone}/sandbox/bots/2/", {"moves": [move]}, format="json")
    answer(program, alone, "income")
    assert f'"{move}"' in moves_of_the_bot(alone)[-1]
    assert Move.objects.filter(game=alone, seat=2).latest("first_event").bot_version is None
    assert program.get(f"{GAMES}{alone}/sandbox/bots/2/").json() == {"moves": []}


@pytest.mark.parametrize("nonsense", ["dance with the duke", "jump", "\u202eincome"])
def test_a_move_that_nothing_can_read_is_refused_and_nothing_is_told(
    program: APIClient, alone: str, nonsense: str
) -> None:
    address = f"{GAMES}{alone}/sandbox/bots/2/"
    program.put(address, {"moves": ["steal Maryam", "کودتا Maryam", "exchange", "1"]}, format="json")
    refused = program.put(address, {"moves": ["income", nonsense]}, format="json")
    (error,) = refused.json()["errors"]
    assert (refused.status_code, error["pointer"], error["code"]) == (400, "#/moves/1", "move-unreadable")
    assert len(program.get(address).json()["moves"]) == 4


def test_a_stranger_moves_no_clock_and_tells_no_bot(alone: str, kaveh: Account) -> None:
    stranger = client(kaveh)
    assert stranger.post(f"{GAMES}{alone}/sandbox/clock/", {"forward": "P3D"}, format="json").status_code == 403
    assert stranger.put(f"{GAMES}{alone}/sandbox/bots/2/", {"moves": []}, format="json").status_code == 403


def test_only_a_seat_with_a_bot_is_told_anything(program: APIClient, alone: str) -> None:
    refused = program.put(f"{GAMES}{alone}/sandbox/bots/1/", {"moves": ["tax"]}, format="json")
    assert (refused.status_code, refused.json()["detail"]) == (400, "There’s no bot in seat 1.")


def test_no_other_server_has_any_of_it(program: APIClient, alone: str, settings: Any) -> None:
    before = OpenQuestion.objects.get(game=alone, seat=1).due_at
    settings.SANDBOX = False
    assert program.post(f"{GAMES}{alone}/sandbox/clock/", {"forward": "P3D"}, format="json").status_code == 404
    assert program.put(f"{GAMES}{alone}/sandbox/bots/2/", {"moves": ["tax"]}, format="json").status_code == 404
    assert OpenQuestion.objects.get(game=alone, seat=1).due_at == before
