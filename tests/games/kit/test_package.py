"""``darbar games`` finds a package in its folder and checks it, and names its faults."""

import subprocess
import sys
from pathlib import Path

import pytest

from games.kit.new import write_package
from tests.examples import for_each

pytestmark = pytest.mark.slow
ROOT = Path(__file__).parents[3]
POINT = '[project.entry-points."darbar.games"]\n'


def games(*words: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a checkout."""
    command = [sys.executable, "manage.py", "games", *words]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)


def test_a_package_is_checked_in_its_folder(tmp_path: Path) -> None:
    write_package("skull", tmp_path)
    checked = games("check", str(tmp_path / "darbar-skull"), "--games", "3")
    assert (checked.returncode, checked.stderr) == (0, "")
    assert checked.stdout.splitlines()[0] == "skull 1: keeps the contract of a game, in 3 random games."


def test_the_faults_of_a_package_are_listed(tmp_path: Path) -> None:
    write_package("skull", tmp_path)
    pieces = tmp_path / "darbar-skull" / "darbar_skull" / "pieces.py"
    marked = "    numbers: Annotated[tuple[int | None, ...], EACH_OWN]\n\n    def after"
    assert marked in pieces.read_text()
    pieces.write_text(pieces.read_text().replace(marked, "    numbers: tuple[int | None, ...]\n\n    def after"))
    checked = games("check", str(tmp_path / "darbar-skull"))
    assert checked.returncode == 1
    assert "- Seat 1 is shown more than their view holds: `numbers[1]` is " in checked.stdout


@for_each(
    "project, sentence",
    [
        (None, "is no package of a game: it has no pyproject.toml."),
        ("[project", "cannot be read"),
        ("[project]\nname = 'skull'\n", "names no game. Add [project.entry-points."),
        (f'{POINT}skull = "darbar_skull:RULES"\n', "cannot be loaded: ModuleNotFoundError"),
        (f'{POINT}skull = "json:loads"\n', "has to name a games.engine.Rules or a tuple of them"),
    ],
)
def test_a_folder_without_a_game_is_refused_in_a_sentence(
    project: str | None, sentence: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    folder = tmp_path_factory.mktemp("package")
    if project is not None:
        (folder / "pyproject.toml").write_text(project)
    checked = games("check", str(folder))
    assert (checked.returncode, checked.stdout) == (2, "")
    assert sentence in checked.stderr
    assert len(checked.stderr.splitlines()) == 1


def test_the_words_after_games_are_listed() -> None:
    listed, wrong = games(), games("chek")
    assert [f"games {word} " in listed.stdout for word in ("new", "check", "try")] == [True] * 3
    assert (listed.returncode, wrong.returncode, wrong.stderr) == (0, 2, listed.stdout)
