"""The package of a game in a folder, as its author has it: ``darbar games check FOLDER`` checks it.

The package need not be installed. Its ``pyproject.toml`` names its rules under ``darbar.games``, and its folder is put
on ``sys.path``.
"""

import argparse
import sys
import tomllib
from collections.abc import Iterator, Sequence
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import fields

from games.engine.rules import UNTOLD, AnyRules
from games.engine.validation import FILLED_IN, NOT_OFFERED
from games.kit import checking
from games.kit.random_games import option_sets
from games.rules.loading import BrokenGameError, load_point
from games.rules.packages import GROUP


class Package(NamedTuple):
    """A folder with a package, and the entry points of its games."""

    folder: Path
    points: tuple[EntryPoint, ...]

    def rules(self) -> list[AnyRules]:
        """Return the rules of all games of the package, in all versions. Raises BrokenGameError."""
        if str(self.folder) not in sys.path:
            sys.path.insert(0, str(self.folder))
        return [rules for point in self.points for rules in load_point(point)]

    def catalogues(self) -> list[Path]:
        """Return the compiled catalogues of the package."""
        names = {point.module.partition(".")[0] for point in self.points}
        return sorted(path for name in names for path in (self.folder / name).glob("locale/*/LC_MESSAGES/django.mo"))


def find_package(folder: Path) -> Package:
    """Return the package in a folder. Raises BrokenGameError with a sentence if there is none."""
    folder = folder.resolve()
    project = folder / "pyproject.toml"
    try:
        groups = tomllib.loads(project.read_text()).get("project", {}).get("entry-points", {})
    except OSError:
        raise BrokenGameError(f"{folder} is no package of a game: it has no pyproject.toml.") from None
    except ValueError as error:
        raise BrokenGameError(f"{project} cannot be read: {error}.") from None
    points = tuple(EntryPoint(name, value, GROUP) for name, value in sorted(groups.get(GROUP, {}).items()))
    if not points:
        raise BrokenGameError(
            f'{project} names no game. Add [project.entry-points."{GROUP}"] with a line such as '
            'mygame = "darbar_mygame:RULES".'
        )
    return Package(folder, points)


def report(rules: AnyRules, games: int, catalogues: Sequence[Path]) -> tuple[bool, str]:
    """Check a game. Return whether it keeps the contract, and the result as text."""
    faults, not_examined = checking.examine(rules, games, catalogues)
    not_examined += (*_unwritten(rules, catalogues),)
    verdict = "does not keep the contract of a game" if faults else "keeps the contract of a game"
    lines = [f"{rules.name} {rules.version}: {verdict}, in {games} random games."]
    lines += [*(f"- {fault}" for fault in faults), *(f"- {sentence}" for sentence in not_examined)]
    return not faults, "".join(f"{line}\n" for line in lines)


def _unwritten(rules: AnyRules, catalogues: Sequence[Path]) -> Iterator[str]:
    """Yield the parts that the package does not have yet, so that they were not examined."""
    if rules.words.story is UNTOLD:
        yield "not examined: the story, because `words` has none. Events are told by their names."
    if not catalogues:
        yield "not examined: translations, because the package has no locale/fa/LC_MESSAGES/django.mo."
    fixed = [field.name for field in fields(rules.option_type) if field.name not in option_sets(rules)[0]]
    if names := ", ".join(f"`{name}`" for name in fixed if name not in (FILLED_IN, NOT_OFFERED)):
        yield f"not examined: other values of {names} than the usual ones."


def main() -> int:
    """Check the games of a package and print the result. Return 1 if one has faults, and 2 if it cannot be loaded."""
    parser = argparse.ArgumentParser(prog=sys.argv[0], description="Check a game by playing it.")
    parser.add_argument("folder", nargs="?", default=".", type=Path, help="the folder of its package (default: here)")
    parser.add_argument("--games", type=int, default=checking.GAMES, help="random games to play (default: %(default)s)")
    arguments = parser.parse_args()
    try:
        package = find_package(arguments.folder)
        results = [report(rules, arguments.games, package.catalogues()) for rules in package.rules()]
    except BrokenGameError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write("\n".join(text for _, text in results))
    return int(not all(is_good for is_good, _ in results))
