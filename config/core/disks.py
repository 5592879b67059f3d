"""Free space on the disks of the server, and sentences for the operator when a disk becomes full."""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
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


_EVERY: Final = 5.0
"""Seconds between two checks."""


class DiskWatch:
    """Checks the disks of some folders every few seconds."""

    def __init__(self, folders: Sequence[Path], clock: Callable[[], float] = time.monotonic) -> None:
        """``clock`` returns monotonic seconds."""
        self._clock = clock
        self._last: float | None = None
        self._full = dict.fromkeys(folders, False)

    def check(self) -> Iterator[str]:
        """Yield a sentence for each disk that has become full, or has space again, since the last check."""
        now = self._clock()
        if self._last is not None and now - self._last < _EVERY:
            return
        self._last = now
        for folder, was_full in self._full.items():
            size = free(folder)
            if size is None:
                continue
            self._full[folder] = size < LEAST
            if self._full[folder] and not was_full:
                yield (
                    f"The disk of {folder} is nearly full: {size} MiB are free, and {LEAST} should be. Make room. "
                    "Until then, Darbar refuses what it can’t store. You don’t have to restart anything."
                )
            elif was_full and not self._full[folder]:
                yield f"The disk of {folder} has room again: {size} MiB are free."
