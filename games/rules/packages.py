"""The Python packages of all games: our own, and those that are installed beside the server."""

from importlib.metadata import entry_points
from importlib.util import find_spec
from typing import Final

PACKAGES: Final = ("games.rules.coup", "games.rules.sedlec")
"""The folders of our own games, each of which offers its rules as ``RULES``."""
GROUP: Final = "darbar.games"
"""The entry point group of games from other packages."""


def packages() -> tuple[str, ...]:
    """Return the packages of all games, each with its own templates, catalogues and static files."""
    modules = {point.module.partition(".")[0] for point in entry_points(group=GROUP)}
    folders = (name for name in sorted(modules) if (spec := find_spec(name)) and spec.submodule_search_locations)
    return (*PACKAGES, *folders)
