"""``python -m games.new NAME``: create a new game, which can be played immediately and passes its tests.

It is a package of its own, or with ``--inside`` a folder in ``games/rules`` of a checkout. The templates are beside
this module, with NAME for the name of the game, Title for its title and PACKAGE for its package: ``game`` is the game
itself, ``package`` and ``inside`` are the files around it. Its rules have ten lines: each player is dealt a number, and
one player points at the highest. docs/games.md explains how to write the real game.
"""

import re
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parent
CATALOGUE: Final = Path("locale/fa/LC_MESSAGES/django.po")
PACKAGES: Final = Path("games/rules/packages.py")
"""The list of the games of a checkout."""
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
    """Copy the templates of a folder beside this module."""
    paths = []
    for template in sorted((HERE / part).rglob("*.txt")):
        path = root / _filled(str(template.relative_to(HERE / part)).removesuffix(".txt"), name, package)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(_filled(template.read_text(), name, package))
        paths.append(path)
    return paths


def _filled(text: str, name: str, package: str) -> str:
    return text.replace("NAME", name).replace("Title", name.capitalize()).replace("PACKAGE", package)
