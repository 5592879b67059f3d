"""Pauses by agreement, as programs ask for them and see them."""

import pytest

from accounts.models import Account
from games.models import Game
from tests.games.api.conftest import client
from tests.third_game.table import fresh

pytestmark = pytest.mark.django_db


def path(game: Game) -> str:
    return f"/api/v1/games/{game.id}/pause/"


def test_a_pause_is_proposed_agreed_to_and_ended(
    game: Game, maryam: Account, bahareh: Account, sepideh: Account
) -> None:
    host, *others = client(maryam), client(bahareh), client(sepideh)
    assert host.get(path(game)).json() == {
        "state": "none",
        "length": None,
        "ends_at": None,
        "agreed": [],
        "missing": [],
        "longest": "P7D",
        "left": "P14D",
    }
    proposal = host.post(path(game), {"length": "P3D"}, format="json", headers={"Idempotency-Key": "1"})
    assert (proposal.status_code, proposal.headers["Location"]) == (201, path(game))
    assert (proposal.json()["state"], proposal.json()["agreed"], proposal.json()["missing"]) == (
        "proposed",
        [1],
        [2, 3],
    )
    again = host.post(path(game), {"length": "P3D"}, format="json", headers={"Idempotency-Key": "1"})
    assert again.json() == proposal.json()
    for other in others:
        answers = [other.put(path(game), {"wants_pause": True}, format="json") for _ in range(2)]
        assert answers[0].json() == answers[1].json()
    answer = answers[0]
    assert (answer.json()["state"], answer.json()["length"], answer.json()["agreed"]) == ("paused", "P3D", [])
    assert host.get(f"/api/v1/games/{game.id}/").json()["paused_until"] == answer.json()["ends_at"]
    for one in (host, *others):
        answers = [one.put(path(game), {"wants_pause": False}, format="json") for _ in range(2)]
        assert answers[0].json() == answers[1].json()
    answer = answers[0]
    assert answer.json()["state"] == "none"
    assert fresh(game).paused_until is None
    kinds = [line["event"]["type"] for line in host.get(f"/api/v1/games/{game.id}/events/").json()["results"]]
    assert [kind for kind in kinds if "pause" in kind or "resum" in kind] == [
        "table.pause-proposed",
        *["table.pause-agreed"] * 2,
        "table.paused",
        *["table.resume-agreed"] * 3,
        "table.resumed",
    ]


def test_what_cannot_be_is_refused_with_a_reason(game: Game, maryam: Account, kaveh: Account) -> None:
    host = client(maryam)
    assert host.post(path(game), {"length": "P8D"}, format="json").status_code == 400
    assert host.post(path(game), {"lenght": "P1D"}, format="json").status_code == 400
    answer = host.put(path(game), {"wants_pause": True}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (409, "conflict")
    assert host.put(path(game), {"wants_pause": "maybe"}, format="json").status_code == 400
    assert client(kaveh).post(path(game)).status_code == 403
    assert client(kaveh).put(path(game), {"wants_pause": False}, format="json").status_code == 403
    assert host.post(path(game)).json()["length"] == "P7D"
    assert host.put(path(game), {"wants_pause": False}, format="json").json()["state"] == "none"
    assert host.post(path(game)).status_code == 409


def test_a_host_chooses_how_much_time_there_is_for_pauses(maryam: Account) -> None:
    host = client(maryam)
    data = {"rules": "fist", "seat_count": 2, "bots": [{}], "pauses": "P2D", "longest_pause": "P1D"}
    created_game = host.post("/api/v1/games/", data, format="json").json()
    assert (created_game["pauses"], created_game["longest_pause"]) == ("P2D", "P1D")
    pause = host.get(f"/api/v1/games/{created_game['id']}/pause/").json()
    assert (pause["left"], pause["longest"]) == ("P2D", "P1D")
    assert host.post("/api/v1/games/", {**data, "pauses": "P61D"}, format="json").status_code == 400
