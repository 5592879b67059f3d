"""Free space on the disks that the server writes to."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

LEAST: Final = 128
"""MiB that should be free: PostgreSQL makes room for its log in advance, 16 MiB at a time."""
_MIB: Final = 1024 * 1024


def free(folder: Path) -> int | None:
    """Return how many MiB are free for ordinary users on the disk of a folder; None if there is no folder."""
    try:
        found = os.statvfs(folder)
    except OSError:
        return None
    return found.f_bavail * found.f_frsize // _MIB


def missing(folders: Iterable[Path]) -> int:
    """Return how many MiB are missing of those that should be free, on the fullest of the disks; 0 where none are."""
    found = [LEAST if (left := free(folder)) is None else left for folder in folders]
    return max(0, LEAST - min(found, default=LEAST))
