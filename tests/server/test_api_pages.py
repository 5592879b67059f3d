"""The API's pages of the documents: every command of them, in their order, in one shell, against a running server."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from bench.ports import free_port
from games.rules.coup.moves import VERBS
from games.rules.coup.state import KINDS
from games.rules.coup.text.words import PERSIAN as COUP
from games.rules.coup.views import SeatView, View
from games.rules.sedlec.words import PERSIAN as SEDLEC
from tests.clients.conftest import run, token_of, url_of
from tests.server.darbar import ROOT, Darbar
from tests.server.player import Player

PAGES: Final = ("index", "waiting", "errors", "stream", "webhooks")
FOLDER: Final = ROOT / "docs" / "site" / "en" / "api"
_BLOCK: Final = re.compile(r"^```(sh|json)\n(.*?)^```$", re.M | re.S)


def steps() -> list[tuple[str, str, Any]]:
    """The commands of the pages, a block each: the page, the commands, and the JSON that is shown below; else None."""
    steps: list[tuple[str, str, Any]] = []
    for page in PAGES:
        for kind, block in _BLOCK.findall((FOLDER / f"{page}.md").read_text()):
            if kind == "sh":
                steps.append((page, block, None))
            else:
                steps[-1] = (*steps[-1][:2], json.loads(block))
    return steps


@pytest.fixture
def outputs(running: Darbar, somebody: str, tmp_path: Path) -> list[str]:
    """Run the blocks in a shell that stops at the first failing command, and return the output of each."""
    webhook = free_port()
    places = {
        "localhost:8000": f"localhost:{running.port}",
        "localhost:8080": f"localhost:{webhook}",
        "webhook.py 8080": f"webhook.py {webhook}",
        "examples/": f"{ROOT}/examples/",
    }
    local_names = re.compile("|".join(map(re.escape, places)))
    blocks = [local_names.sub(lambda match: places[match[0]], block) for _, block, _ in steps()]
    script = "\necho @next\n".join(
        ["set -eu -o pipefail\ntrap 'kill ${listener-} ${receiver-} 2> /dev/null || true' EXIT", *blocks]
    )
    with Player(running, somebody) as player:
        environment = {"PATH": os.environ["PATH"], "DARBAR_TOKEN": token_of(player)}
        walked = subprocess.run(
            ["bash", "-c", script],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )
    assert walked.returncode == 0, walked.stdout + walked.stderr
    return walked.stdout.split("@next\n")[1:]


def lacks(shown_json: Any, real: Any, at: str = "") -> list[str]:
    """Return the places where the JSON of a page has a member that the answer lacks, or of another type."""
    if isinstance(shown_json, dict) and isinstance(real, dict):
        missing = [f"{at}.{name}" for name in shown_json if name not in real]
        return missing + [
            lack for name in shown_json if name in real for lack in lacks(shown_json[name], real[name], f"{at}.{name}")
        ]
    if isinstance(shown_json, list) and isinstance(real, list):
        return lacks(shown_json[0], real[0], f"{at}[0]") if shown_json and real else [at] if shown_json else []
    return [] if None in (shown_json, real) or type(shown_json) is type(real) else [at]


def test_every_command_of_the_api_pages_works_and_answers_as_they_show(outputs: list[str]) -> None:
    shown_steps = steps()
    assert len(outputs) == len(shown_steps) > 15
    for (page, block, shown_json), output in zip(shown_steps, outputs, strict=True):
        if shown_json is not None:
            assert lacks(shown_json, json.loads(output)) == [], (page, block, output)
    spoken = {
        page: "".join(output for (name, _, _), output in zip(shown_steps, outputs, strict=True) if name == page)
        for page in PAGES
    }
    assert spoken["waiting"].split()[-1] in ("200", "304")
    assert {"event: ready", "event: game"} <= set(spoken["stream"].splitlines())
    assert '"state": "rejected"' in spoken["errors"] or '"state":"rejected"' in spoken["errors"]


def test_json_that_differs_from_an_answer_is_found() -> None:
    assert lacks({"a": [{"b": 1}]}, {"a": [{"b": 2, "c": 3}]}) == []
    assert lacks({"a": [{"b": 1}]}, {"a": [{"c": 3}]}) == [".a[0].b"]
    assert lacks({"a": "1"}, {"a": 1}) == [".a"]
    assert lacks([1], []) == [""]


def test_the_page_of_notation_has_every_word_of_both_games() -> None:
    page = (FOLDER / "notation.md").read_text()
    words = dict(re.findall(r"^\| `([a-z-]+)` \| ([^|`]+) \|$", page, re.M))
    assert words == {**COUP, **SEDLEC}
    forms = {
        form.split()[0]
        for row in re.findall(r"^\| [^|`]+ \| (`.+) \|$", page, re.M)
        for form in re.findall(r"`([^`]+)`", row)
    }
    assert forms == {*VERBS.values(), "dig", "collect", "lay", "take"}


def test_the_page_of_the_view_of_coup_has_every_member_and_kind_of_question() -> None:
    page = (FOLDER / "coup-view.md").read_text()
    (block,) = re.findall(r"^```\n(.*?)^```$", page, re.M | re.S)
    example = json.loads(block)
    assert {*example} == {"rules", *View.__struct_fields__}
    assert {*example["seats"][0]} == {*SeatView.__struct_fields__}
    rows = "".join(re.findall(r"^\| (`[^|]+) \|", page, re.M))
    assert [name for name in example if f"`{name}`" not in rows] == []
    assert [kind for kind in KINDS if f"`{kind}`" not in page] == []


def test_the_first_bot_plays_a_game_to_its_end(running: Darbar, somebody: str, tmp_path: Path) -> None:
    page = (FOLDER.parent / "start" / "bot.md").read_text()
    program, _in_the_arena = re.findall(r"^```python\n(.*?)^```$", page, re.M | re.S)
    (tmp_path / "first_bot.py").write_text(program)
    with Player(running, somebody) as player:
        text = run([sys.executable, tmp_path / "first_bot.py", url_of(running)], DARBAR_TOKEN=token_of(player))
        (game,) = player.get("games/?mine=true")["results"]
    assert game["state"] == "over"
    assert {line.rsplit(" ", 1)[1] for line in text.splitlines()[:-1]} == {"played"}
