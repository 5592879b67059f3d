"""``darbar games try``: a game is played on one page while its author writes it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from select import select
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from django.urls import Resolver404, resolve

from config.server.trial.pages import urlpatterns
from games.kit.new import write_package
from tests.browser import Visit
from tests.server.darbar import PATIENCE, ROOT

if TYPE_CHECKING:
    from playwright.sync_api import Page


class Trial:
    """A trial of a new package, with its process and its address."""

    def __init__(self, folder: Path) -> None:
        write_package("skull", folder)
        self.package = folder / "darbar-skull"
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "games", "try", str(self.package), "--port", "0"],
            cwd=ROOT,
            env={"PATH": os.environ["PATH"], "TMPDIR": str(folder)},
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        assert self.process.stdout is not None
        assert select([self.process.stdout], [], [], PATIENCE)[0], "it did not start in time"
        (self.address,) = re.findall(r"http://localhost:\d+", self.process.stdout.readline())
        self.port = int(self.address.rpartition(":")[2])

    def now(self, viewer: int = -1) -> dict[str, Any]:
        """Return the data of the page, for one viewer."""
        now: dict[str, Any] = httpx.get(f"{self.address}/trial/now/?viewer={viewer}", timeout=PATIENCE).json()
        return now

    def change(self, name: str, old: str, new: str) -> None:
        """Save a file of the package with another text."""
        file = self.package / "darbar_skull" / name
        assert file.read_text().count(old) == 1
        file.write_text(file.read_text().replace(old, new))

    def change_and_wait(self, name: str, old: str, new: str) -> None:
        """Save a file, and wait until the server has loaded and checked it."""
        build = self.now()["build"]
        self.change(name, old, new)
        until(lambda: (now := self.now())["build"] != build and now["check"] != "")


@pytest.fixture(scope="module")
def trial(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Trial]:
    trial = Trial(tmp_path_factory.mktemp("trial"))
    yield trial
    trial.process.send_signal(signal.SIGINT)
    assert trial.process.wait(PATIENCE) == 0
    trial.process.stdout.close()


def until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        with suppress(httpx.TransportError, json.JSONDecodeError):  # the server ends just then, or cannot load the game
            if holds():
                return
        time.sleep(0.2)
    raise AssertionError("It took too long.")


def frame(page: "Page", seat: int) -> Any:
    """The page of a seat."""
    return page.frame_locator("iframe").nth(seat - 1)


def refused(*words: str, **environment: str) -> str:
    """Return the reason why a trial does not start."""
    command = [sys.executable, "manage.py", "games", "try", *words]
    environment = {"PATH": os.environ["PATH"], **environment}
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=PATIENCE)
    assert (ended.returncode, ended.stdout) == (2, "")
    (sentence,) = ended.stderr.splitlines()
    return sentence


def test_a_trial_does_not_start_with_a_database_without_a_game_or_at_a_busy_port(trial: Trial) -> None:
    assert "DATABASE_URL is set." in refused(str(trial.package), DATABASE_URL="postgres://example.org/darbar")
    assert "is no package of a game" in refused(str(ROOT / "docs"))
    assert refused(str(trial.package), "--port", str(trial.port)) == (
        f"Port {trial.port} can’t be used: Address already in use. Choose another one with --port."
    )


@pytest.mark.parametrize("loading", [False, True])
def test_a_killed_trial_leaves_no_database(tmp_path: Path, loading: bool) -> None:
    trial = Trial(tmp_path)
    trial.now()
    if loading:
        reached = tmp_path / "reached"
        slow = f"if sys.argv[0].endswith('server.py'):\n    open({str(reached)!r}, 'w').close()\n    time.sleep(600)\n"
        trial.change(
            "rules.py", "from games.engine import Chance", f"import sys, time\n{slow}from games.engine import Chance"
        )
        until(reached.exists)
    (data,) = tmp_path.glob("darbar-trial-*")
    (pid,) = (int(file.read_text().split()[0]) for file in data.glob("postgres/*/postmaster.pid"))
    trial.process.kill()
    trial.process.wait(PATIENCE)
    trial.process.stdout.close()
    until(lambda: not data.exists() and not Path(f"/proc/{pid}").exists())


def test_only_this_machine_reaches_a_trial(trial: Trial) -> None:
    listening = [line.split()[1:4] for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    assert [here for here, _, state in listening if here.endswith(f":{trial.port:04X}") and state == "0A"] == [
        f"0100007F:{trial.port:04X}"
    ]
    # A page of another site that leads its own name to this machine learns nothing.
    assert (
        httpx.get(f"{trial.address}/trial/now/", headers={"Host": "attacker.example"}, timeout=PATIENCE).status_code
        == 400
    )
    assert httpx.post(f"{trial.address}/trial/play/", data={"how": "one"}, timeout=PATIENCE).status_code == 403


@pytest.mark.parametrize("path", [str(pattern.pattern) for pattern in urlpatterns[1:-1]])
def test_no_ordinary_server_has_the_pages_of_a_trial(path: str) -> None:
    with pytest.raises(Resolver404):
        resolve(f"/{path}", "config.urls")


def test_every_seat_is_played_on_one_page(trial: Trial, visit: Visit) -> None:
    page = visit(trial.address).page
    page.goto(trial.address)
    assert page.locator("iframe").count() == 3
    seat_asked = json.loads(trial.now()["view"])["open"]["seats"][0]
    assert trial.now(seat_asked)["view"].count("null") == trial.now()["view"].count("null") + 2, (
        "two numbers are hidden"
    )
    page.select_option("#viewer", str(seat_asked))
    until(lambda: page.text_content("#view") == trial.now(seat_asked)["view"])
    frame(page, seat_asked).locator(".question button").first.click()
    for seat in (1, 2, 3):
        frame(page, seat).get_by_text("The game is won by").first.wait_for()
    until(lambda: '"type":"ended"' in page.text_content("#events"))
    page.get_by_role("button", name="New game").click()
    until(lambda: '"ended"' not in trial.now()["events"])
    page.get_by_role("button", name="Play to the end").click()
    until(lambda: '"ended"' in trial.now()["events"])


def test_a_saved_file_is_served_at_once_and_checked(trial: Trial, visit: Visit) -> None:
    page = visit(trial.address).page
    page.goto(trial.address)
    trial.change_and_wait("words.py", '_("Who holds the highest number?")', '_("Whose number is it?")')
    page.get_by_role("button", name="New game").click()
    seat_asked = json.loads(trial.now()["view"])["open"]["seats"][0]
    frame(page, seat_asked).get_by_role("heading", name="Whose number is it?").wait_for()
    page.get_by_text("Check passed").wait_for()


def test_a_check_has_failed_if_one_of_two_versions_has_faults(trial: Trial, visit: Visit) -> None:
    page = visit(trial.address).page
    page.goto(trial.address)
    end = "    words=WORDS,\n)\n"
    failing = (
        "from msgspec.structs import replace\nRULES = (replace(RULES, version=2, bot_move=lambda *_: None), RULES)\n"
    )
    trial.change("__init__.py", end, end + failing)
    page.get_by_text("Check failed: see below").wait_for()
    assert "skull 1: keeps the contract" in page.text_content("#check")
    trial.change("__init__.py", end + failing, end)
    page.get_by_text("Check passed").wait_for()


def test_a_game_that_cannot_be_loaded_shows_why_and_goes_on_once_it_can(trial: Trial) -> None:
    game = trial.now()["game"]
    trial.change("rules.py", "from PACKAGE".replace("PACKAGE", "darbar_skull.pieces"), "from darbar_skull.nothing")
    until(lambda: "No module named" in httpx.get(trial.address, timeout=PATIENCE).text)
    trial.change("rules.py", "from darbar_skull.nothing", "from darbar_skull.pieces")
    until(lambda: "iframe" in httpx.get(trial.address, timeout=PATIENCE).text)
    until(lambda: trial.now()["game"] == game)


def test_rules_that_fail_show_their_traceback(trial: Trial, visit: Visit) -> None:
    trial.change_and_wait("pieces.py", "        return State(state.open", "        return 1 / 0 or State(state.open")
    page = visit(trial.address).page
    page.goto(trial.address)
    with page.expect_navigation():
        page.get_by_role("button", name="New game").click()
    page.get_by_role("button", name="Play a move by lot").click()
    page.get_by_text("The rules fail: see below").wait_for()
    assert "ZeroDivisionError" in page.text_content("#trouble")
    trial.change_and_wait("pieces.py", "return 1 / 0 or State", "return State")
    until(lambda: '"ended"' in trial.now()["events"])  # the move is played that had failed
