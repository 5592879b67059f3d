"""The published table of who may do what: ``docs/roles.md``."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.roles.scene import ROLES

FILE: Final = Path(__file__).parent.parent.parent / "docs" / "roles.md"
NONE: Final = "–"
"""Roles that do not apply: for example, there is no revoked token in a browser."""


def rows() -> Mapping[str, Sequence[str]]:
    """For each operation that the table names, one status for each role."""
    lines = [line.strip("| \n").split(" | ") for line in FILE.read_text().splitlines() if line.startswith("| `")]
    return {cells[0].strip("` "): [cell.strip() for cell in cells[1:]] for cells in lines}


def line(title: str, statuses: Sequence[str]) -> str:
    """A row as it stands in the table."""
    assert len(statuses) == len(ROLES)
    return f"| `{title}` | {' | '.join(statuses)} |"
