"""The one list of games."""

from typing import Final

from games.engine import AnyRules
from games.rules import coup, sedlec

RULES: Final[dict[str, AnyRules]] = {rules.name: rules for rules in (coup.RULES, sedlec.RULES)}
"""The rules by their names. A further game is its own folder and a place in this line."""
