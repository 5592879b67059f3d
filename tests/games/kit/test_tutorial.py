"""“A game in twenty minutes”: the steps of the tutorial lead where it says, with the code that it shows."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from games.kit.new import write_package

ROOT: Final = Path(__file__).parents[3]
TUTORIAL: Final = (ROOT / "docs/site/en/contribute/tutorial.md").read_text()


def block(beginning: str) -> str:
    """The block of the tutorial that begins like this, or the text between backquotes."""
    (text,) = re.findall(rf"^```\w*\n({re.escape(beginning)}.*?)^```", TUTORIAL, re.M | re.S) or re.findall(
        rf"`({re.escape(beginning)}[^`]*)`", TUTORIAL
    )
    return str(text).rstrip()


class Author:
    """A reader who does what the tutorial says."""

    def __init__(self, folder: Path) -> None:
        write_package("bluff", folder)
        self.root = folder / "darbar-bluff"
        self.package = self.root / "darbar_bluff"

    def replace(self, name: str, old: str, new: str) -> None:
        file = self.package / name
        assert file.read_text().count(old) == 1, (name, old)
        file.write_text(file.read_text().replace(old, new))

    def check(self) -> str:
        """Return the output of ``darbar games check``, or nothing if the game keeps the contract."""
        command = [sys.executable, "manage.py", "games", "check", str(self.root)]
        checked = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        assert checked.returncode in (0, 1), checked.stderr
        return checked.stdout if checked.returncode else ""

    def compile(self) -> None:
        command = [sys.executable, "-m", "babel.messages.frontend", "compile", "-D", "django"]
        subprocess.run([*command, "-d", str(self.package / "locale")], check=True, capture_output=True)


@pytest.fixture
def author(tmp_path: Path) -> Author:
    return Author(tmp_path)


@pytest.mark.slow
def test_the_steps_of_the_tutorial_lead_where_it_says(author: Author) -> None:
    author.compile()
    assert author.check() == ""

    rules = (author.package / "rules.py").read_text()
    (old_moves,) = re.findall(r"^def legal_moves.*?(?=\n\n\n)", rules, re.M | re.S)
    (old_wins,) = re.findall(r"^ {4}wins = .*$", rules, re.M)
    author.replace("rules.py", old_moves, block("def legal_moves"))
    author.replace("rules.py", old_wins, "".join(f"    {line}\n" for line in block("others = ").splitlines()).rstrip())
    assert author.check() == ""

    pieces = (author.package / "pieces.py").read_text()
    marked = block("numbers: Annotated")
    dealt = f"    {marked}\n\n    def after"
    author.replace("pieces.py", dealt, f"    {block('numbers: tuple')}\n\n    def after")
    expected = re.sub(r"is \d+", r"is \\d+", re.escape(block("Seat 1 is shown")).replace("\\ ", " "))
    assert re.search(expected, author.check())
    (author.package / "pieces.py").write_text(pieces)

    author.replace("pieces.py", "class State", f"{block('class Options')}\n\n\nclass State")
    author.replace("pieces.py", "from msgspec import Struct", "from msgspec import Meta, Struct")
    author.replace("rules.py", "import Dealt, Ended", "import Dealt, Ended, Options")
    author.replace("rules.py", "from games.engine.validation import NoOptions\n", "")
    author.replace("rules.py", "options: NoOptions", "options: Options")
    author.replace("rules.py", "range(1, 11)", block("range(1, options"))
    author.replace("__init__.py", "import Dealt, Ended", "import Dealt, Ended, Options")
    author.replace("__init__.py", "    state_type=State,", f"    state_type=State,\n    {block('option_type=')}")
    title = '    title=Phrase(_("Bluff")),'
    author.replace("words.py", title, f"{title}\n    {block('options={')}")
    assert "“Highest number” is not translated" in author.check()

    catalogue = author.package / "locale/fa/LC_MESSAGES/django.po"
    catalogue.write_text(f"{catalogue.read_text()}\n{block('msgid ')}\n")
    author.compile()
    assert author.check() == ""
