"""A new game's package is whole: it passes its own test as it is written."""

import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from games.new import BadNameError, write_package

ROOT = Path(__file__).parents[3]
RUN = "from darbar_skull import RULES\nfrom games.engine.testing import check\ncheck(RULES, 12)\nprint(RULES.name)"


def test_a_new_game_passes_its_check_and_names_its_entry_point(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "games.new", "skull", str(tmp_path)]
    said = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout
    root = tmp_path / "darbar-skull"
    written = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
    assert written == {
        "pyproject.toml",
        "tests/test_skull.py",
        "darbar_skull/__init__.py",
        "darbar_skull/locale/fa/LC_MESSAGES/django.po",
        "darbar_skull/templates/games/rules/skull.en.html",
    }
    assert all(name in said for name in written)
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["darbar.games"] == {"skull": "darbar_skull:RULES"}
    assert not [name for name in written if "NAME" in (root / name).read_text()]
    environment = {"PYTHONPATH": f"{root}:{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"}
    checked = subprocess.run([sys.executable, "-c", RUN], capture_output=True, text=True, env=environment)
    assert (checked.stdout, checked.stderr) == ("skull\n", "")


@pytest.mark.parametrize("name", ["", "Skull", "my game", "9lives", "../up", "a" * 21])
def test_a_name_that_cannot_be_is_refused_and_nothing_is_written(name: str, tmp_path: Path) -> None:
    with pytest.raises(BadNameError, match="2 to 20 lower-case letters"):
        write_package(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_package_that_is_there_is_not_written_over(tmp_path: Path) -> None:
    (first, *_) = write_package("skull", tmp_path)
    first.write_text("mine")
    with pytest.raises(BadNameError, match="is there already"):
        write_package("skull", tmp_path)
    assert first.read_text() == "mine"
