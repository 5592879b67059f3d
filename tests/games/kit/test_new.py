"""A new game from the template passes its own tests, as a package and in a checkout."""

import ast
import re
import shutil
import subprocess
import sys
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

from games.kit.new import CATALOGUE, DOCUMENTS, PACKAGES, BadNameError, write_inside, write_package

ROOT = Path(__file__).parents[3]


def create(*arguments: str) -> str:
    """Run the command, and return its output."""
    command = [sys.executable, "manage.py", "games", "new", *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout


@pytest.mark.slow
def test_a_new_package_passes_its_tests_in_both_languages(tmp_path: Path) -> None:
    printed = create("skull", str(tmp_path))
    root = tmp_path / "darbar-skull"
    files = {str(path.relative_to(root)) for path in root.rglob("*") if path.is_file()}
    assert files == {
        *("pyproject.toml", "tests/test_skull.py", "darbar_skull/__init__.py", "darbar_skull/pieces.py"),
        *("darbar_skull/rules.py", "darbar_skull/words.py", "darbar_skull/locale/fa/LC_MESSAGES/django.po"),
        *("darbar_skull/locale/fa/LC_MESSAGES/django.mo", "darbar_skull/templates/games/rules/skull.en.html"),
        "darbar_skull/templates/games/rules/skull.fa.html",
    }
    sources = [name for name in files if not name.endswith(".mo")]
    assert all(name in printed for name in sources)
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    assert project["entry-points"]["darbar.games"] == {"skull": "darbar_skull:RULES"}
    assert not [name for name in sources if re.search("NAME|PACKAGE|Title", (root / name).read_text())]
    rules = ast.parse((root / "darbar_skull/rules.py").read_text())
    functions = [part for part in rules.body if isinstance(part, ast.FunctionDef)]
    assert sum(len(function.body) for function in functions) <= 8, "the rules of a new game are eight lines"
    environment = {"PYTHONPATH": f"{root}:{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(root), str(root)]
    checked = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=root)
    assert "4 passed" in checked.stdout, checked.stdout


def test_a_new_game_inside_has_its_line_its_words_and_its_tests(tmp_path: Path) -> None:
    for changed_file in (PACKAGES, "games" / CATALOGUE):
        (tmp_path / changed_file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / changed_file, tmp_path / changed_file)
    files = {str(path.relative_to(tmp_path)) for path in write_inside("skull", tmp_path)}
    assert files == {
        *("games/locale/fa/LC_MESSAGES/django.po", "games/rules/packages.py", "games/rules/skull/__init__.py"),
        *("games/rules/skull/pieces.py", "games/rules/skull/rules.py", "games/rules/skull/words.py"),
        "games/rules/skull/templates/games/rules/skull.en.html",
        *("games/rules/skull/templates/games/rules/skull.fa.html", "tests/games/rules/skull/test_skull.py"),
    }
    assert not (tmp_path / "games/rules/skull/locale").exists()
    listed = (tmp_path / PACKAGES).read_text()
    assert '("games.rules.coup", "games.rules.sedlec", "games.rules.skull")' in listed
    with (tmp_path / "games" / CATALOGUE).open("rb") as file:
        catalogue = read_po(file, locale="fa")
    assert catalogue.get("Who holds the highest number?").string == "بزرگ‌ترین عدد دست کیست؟"
    assert catalogue.get("Nobody wins.").string, "what was there is kept"
    with pytest.raises(BadNameError, match="is there already"):
        write_inside("skull", tmp_path)


def test_what_a_new_game_inside_changes_is_made_by_commands_that_there_are() -> None:
    assert all(find_spec(module) for module in DOCUMENTS)
    with pytest.raises(BadNameError, match="is no checkout of the server"):
        write_inside("skull", ROOT / "docs")


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
