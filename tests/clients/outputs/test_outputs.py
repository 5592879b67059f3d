"""``make clients``: every output of today's description compiles, and reads a server that has grown since."""

import copy
import os
from pathlib import Path
from typing import Any, Final

import pytest

from accounts.models import Account
from tests.clients.outputs.future_server import Answers, serving
from tests.clients.outputs.generators import OUTPUTS, Missing, Output, run
from tests.games.api.conftest import client
from tests.third_game.table import create_fist, with_fist

__all__ = ["with_fist"]

pytestmark = [
    pytest.mark.skipif("DARBAR_CLIENTS" not in os.environ, reason="make clients runs it: it takes minutes."),
    pytest.mark.django_db,
]
NEW_EVENTS: Final = ("coup.flew", "table.flooded")
NEW_CODE: Final = "enchanted"


@pytest.fixture
def grown(maryam: Account, bahareh: Account) -> tuple[str, Answers]:
    """A game, and answers of a server with one more game, two more kinds of event and one more code of a problem."""
    game, program = create_fist(maryam, bahareh), client(maryam)
    here = f"/api/v1/games/{game.id}/"
    paths = [here, f"{here}events/", f"{here}view/", "/api/v1/questions/", "/api/v1/rules/"]
    answers: dict[str, tuple[int, Any]] = {f"GET {path}": (200, program.get(path).json()) for path in paths}
    page = answers[f"GET {here}events/"][1]
    for kind in NEW_EVENTS:
        page["results"].append(copy.deepcopy(page["results"][-1]) | {"event": {"type": kind, "height": 3, "schema": 1}})
    answers[f"GET {here}"][1]["state"] = "haunted"
    answers[f"GET {here}"][1]["fee"] = {"coins": 3}
    refused = client(bahareh).post(f"{here}join/", {}, format="json")
    answers[f"POST {here}join/"] = (409, {**refused.json(), "code": NEW_CODE, "status": 409})
    return str(game.id), answers


@pytest.mark.parametrize("output", OUTPUTS, ids=[output.name for output in OUTPUTS])
def test_an_output_compiles_and_reads_what_was_not_known_yet(
    output: Output, grown: tuple[str, Answers], tmp_path: Path
) -> None:
    game, answers = grown
    try:
        command = output.make(tmp_path)
    except Missing as missing:
        pytest.skip(f"{output.name}: {missing}")
    with serving(answers) as url:
        events, table, view, moves, games, code = run([*command, url, game], tmp_path).splitlines()
    assert [kind for kind in events.split() if kind in NEW_EVENTS] == list(NEW_EVENTS)
    assert "fist.dealt" in events.split()
    assert (table, view, code) == ("fist haunted 2", "fist", NEW_CODE)
    assert set(moves.split()) == {"fist.claim"}
    assert games.split() == ["coup", "sedlec", "fist"]
