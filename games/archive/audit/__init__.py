"""Playing a log again from its first line, and comparing everything that stands beside it."""

from games.archive.audit.game_audit import find_faults

__all__ = ["find_faults"]
