"""Verification of a stored game: its log is replayed and compared with all other rows."""

from games.archive.audit.game_audit import find_faults

__all__ = ["find_faults"]
