"""Sentences for the operator when a disk becomes nearly full, and when it has space again."""

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from config.embedded import disk_space

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
            free = disk_space.free(folder)
            if free is None:
                continue
            self._full[folder] = free < disk_space.LEAST
            if self._full[folder] and not was_full:
                yield (
                    f"The disk of {folder} is nearly full: {free} MiB are free, {disk_space.LEAST} should be. "
                    "Make room: what cannot be stored is refused until then, and nothing has to be restarted."
                )
            elif was_full and not self._full[folder]:
                yield f"The disk of {folder} has room again: {free} MiB are free."
