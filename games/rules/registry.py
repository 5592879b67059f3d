"""The games that can be played here: those of this folder, and those of packages that are installed beside the server.

A package offers its game under the entry point group ``darbar.games``. The entry point names the ``RULES`` of the game,
or a tuple of them: its newest version, and those that running games began with.
"""

from collections.abc import Iterable, Iterator
from importlib import import_module
from importlib.metadata import entry_points
from typing import Final

from games.engine.rules import AnyRules
from games.rules.loading import BrokenGameError, load_point, read_game
from games.rules.packages import GROUP, PACKAGES


def sort_versions(games: Iterable[tuple[AnyRules, ...]]) -> tuple[dict[str, AnyRules], dict[tuple[str, int], AnyRules]]:
    """Return the newest version of each game by name, and all versions by name and version.

    Raises BrokenGameError if two packages offer the same version of a game.
    """
    newest: dict[str, AnyRules] = {}
    all_versions: dict[tuple[str, int], AnyRules] = {}
    for versions in games:
        if versions[0].name in newest:
            raise BrokenGameError(f"Two installed packages offer a game of the name {versions[0].name!r}.")
        for rules in versions:
            if all_versions.setdefault((rules.name, rules.version), rules) is not rules:
                raise BrokenGameError(f"The game {rules.name!r} is offered twice in version {rules.version}.")
        newest[versions[0].name] = max(versions, key=lambda rules: rules.version)
    return newest, all_versions


def _installed() -> Iterator[tuple[AnyRules, ...]]:
    for package in PACKAGES:
        yield read_game(import_module(package).RULES, f"{package}.RULES")
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        yield load_point(point)


_FOUND: Final = sort_versions(_installed())
RULES: Final[dict[str, AnyRules]] = _FOUND[0]
"""The newest version of each game by name. New games are created with it."""
_EVERY: Final[dict[tuple[str, int], AnyRules]] = _FOUND[1]


def find_rules(name: str, version: int) -> AnyRules | None:
    """Return the rules of this name and version, or None if this server does not have them."""
    newest = RULES.get(name)
    if newest is not None and newest.version == version:
        return newest
    return _EVERY.get((name, version))


def every_version() -> list[AnyRules]:
    """Return all rules with which a game may be continued on this server, in every version."""
    older = (rules for key, rules in _EVERY.items() if RULES.get(key[0]) is not rules)
    return [*RULES.values(), *older]
