"""``darbar games new NAME``: create a new game, which can be played immediately and passes its tests.

It is a package of its own, or with ``--inside`` a folder in ``games/rules`` of a checkout. The templates are in
``new_game``, with NAME for the name of the game, Title for its title and PACKAGE for its package: ``game`` is the game
itself, ``package`` and ``inside`` are the files around it. Its rules have eight lines: each player is dealt a number
and one points at the highest. docs/games.md explains how to write the real game.
"""

import argparse
import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

TEMPLATES: Final = Path(__file__).parent / "new_game"
CATALOGUE: Final = Path("locale/fa/LC_MESSAGES/django.po")
PACKAGES: Final = Path("games/rules/packages.py")
"""The module of a checkout that lists its games."""
DOCUMENTS: Final = ("tests.catalogues", "tests.contract.keep", "tests.record_schema")
"""The modules of a checkout that write its catalogues and its descriptions of the API and of records."""
_NAME: Final = re.compile(r"[a-z][a-z0-9]{1,19}")
_LIST: Final = re.compile(r"(PACKAGES: Final = \([^)]*)\)")


class BadNameError(ValueError):
    """A game cannot have this name, or its folder exists already. The message says why."""


def write_package(name: str, folder: Path) -> list[Path]:
    """Write the package of a new game into its own folder, and return the files.

    Raises BadNameError and writes nothing if the name is impossible or the folder exists.
    """
    root = folder / f"darbar-{name}"
    _check(name, root)
    package = f"darbar_{name}"
    return [*_copy("game", name, package, root / package), *_copy("package", name, package, root)]


def write_inside(name: str, root: Path) -> list[Path]:
    """Write a new game into a checkout, with its tests, its line in the list of games and its Persian catalogue. Return
    the files.

    Raises BadNameError as above, or if ``root`` is not a checkout.
    """
    if not (root / PACKAGES).exists():
        raise BadNameError(f"{root.resolve()} is no checkout of the server: {PACKAGES} is not there.")
    folder = root / "games" / "rules" / name
    _check(name, folder)
    package, tests = f"games.rules.{name}", root / "tests" / "games" / "rules" / name
    paths = [*_copy("game", name, package, folder), *_copy("inside", name, package, tests)]
    words, catalogue, listed = folder / CATALOGUE, root / "games" / CATALOGUE, root / PACKAGES
    _, _, phrases = words.read_text().partition("\n\n")
    catalogue.write_text(f"{catalogue.read_text()}\n{phrases}")
    words.unlink()
    for empty in words.parents[:3]:
        empty.rmdir()
    listed.write_text(_LIST.sub(rf'\1, "games.rules.{name}")', listed.read_text(), count=1))
    return [*(path for path in paths if path != words), catalogue, listed]


def _check(name: str, folder: Path) -> None:
    if not _NAME.fullmatch(name):
        raise BadNameError(f"A game's name has 2 to 20 lower-case letters and digits, a letter first, not {name!r}.")
    if folder.exists():
        raise BadNameError(f"{folder} is there already.")


def _copy(part: str, name: str, package: str, root: Path) -> list[Path]:
    """Copy a folder of templates."""
    paths = []
    for template in sorted((TEMPLATES / part).rglob("*.txt")):
        path = root / _filled(str(template.relative_to(TEMPLATES / part)).removesuffix(".txt"), name, package)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_filled(template.read_text(), name, package))
        paths.append(path)
    return paths


def _filled(text: str, name: str, package: str) -> str:
    return text.replace("NAME", name).replace("Title", name.capitalize()).replace("PACKAGE", package)


def main() -> int:
    """Write the game that the arguments name, and print the next steps."""
    parser = argparse.ArgumentParser(prog=sys.argv[0], description="Write a new game.")
    parser.add_argument("name", help="a lower-case word, such as mygame")
    parser.add_argument("folder", nargs="?", default=".", type=Path, help="where to write it (default: here)")
    parser.add_argument("--inside", action="store_true", help="into games/rules of a checkout, not as a package")
    arguments = parser.parse_args()
    try:
        paths = (write_inside if arguments.inside else write_package)(arguments.name, arguments.folder)
    except BadNameError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write("".join(f"{path}\n" for path in paths))
    return _inside(arguments.name, arguments.folder) if arguments.inside else _package(arguments.name, arguments.folder)


def _package(name: str, folder: Path) -> int:
    """Compile the catalogue of the new package if Babel is installed, and print the next steps."""
    root = (folder / f"darbar-{name}").resolve()
    words = root / f"darbar_{name}" / CATALOGUE
    if find_spec("babel") is not None:
        command: list[str | Path] = [sys.executable, "-m", "babel.messages.frontend", "--quiet", "compile", "-i", words]
        subprocess.run([*command, "-o", words.with_suffix(".mo"), "-l", "fa"], check=True)
    games = sys.argv[0].removesuffix(" new")
    sys.stdout.write(f"\nPlay it while you write it: {games} try {root}\nCheck it: {games} check {root}\n")
    sys.stdout.write(f"Test it: PYTHONPATH={root}:. {sys.executable} -m pytest {root}\n")
    sys.stdout.write(f"Install it: {sys.executable} -m pip install -e {root}\nThen restart the server.\n")
    return 0


def _inside(name: str, root: Path) -> int:
    """Update the catalogues and descriptions of the checkout for the new game, and print the next steps."""
    for module in DOCUMENTS:
        subprocess.run([sys.executable, "-m", module], cwd=root, check=True)
    tests = f"tests/games/rules/{name} tests/games/rules/test_contract.py"
    sys.stdout.write(f"\nTest it: {sys.executable} -m pytest {tests}\nThen restart the server.\n")
    return 0
