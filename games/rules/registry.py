"""The one list of games."""

from importlib import import_module
from typing import Final

from games.engine.rules import AnyRules

PACKAGES: Final = ("games.rules.coup", "games.rules.sedlec")
"""The folders of the games, each of which offers its rules as ``RULES``. A new game is a folder and a name here."""

RULES: Final[dict[str, AnyRules]] = {rules.name: rules for rules in (import_module(name).RULES for name in PACKAGES)}
"""The rules by their names."""
