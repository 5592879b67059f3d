"""Free space on the disks of the server."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import Final

LEAST: Final = 128
"""MiB that should be free. PostgreSQL reserves space for its log in advance, 16 MiB at a time."""
_MIB: Final = 1024 * 1024


def free(folder: Path) -> int | None:
    """Return the MiB that are free for ordinary users on the disk of a folder, or None if the folder does not exist."""
    try:
        status = os.statvfs(folder)
    except OSError:
        return None
    return status.f_bavail * status.f_frsize // _MIB


def missing(folders: Iterable[Path]) -> int:
    """Return the MiB that should be free in addition on the fullest disk, or 0."""
    sizes = [LEAST if (size := free(folder)) is None else size for folder in folders]
    return max(0, LEAST - min(sizes, default=LEAST))
