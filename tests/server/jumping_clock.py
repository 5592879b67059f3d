"""For processes whose clock a test sets: imported as ``sitecustomize``, it follows the file in DARBAR_TEST_CLOCK.

The file holds by how many seconds the clock is ahead. The monotonic clock goes on as it did.
"""

import os
import threading
import time
from datetime import UTC, datetime
from pathlib import Path

import time_machine


class Clock:
    """The clock of this process; of a forked child too, which begins as its parent stood."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._ahead = 0.0
        self._traveller = time_machine.travel(datetime.now(UTC)).start()

    def start(self) -> None:
        """Set the clock whenever the file says something else."""
        threading.Thread(target=self._follow, daemon=True).start()

    def _follow(self) -> None:
        while True:
            seconds = float(self._file.read_text()) if self._file.exists() else 0.0
            if seconds != self._ahead:
                self._traveller.shift(seconds - self._ahead)
                self._ahead = seconds
            time.sleep(0.1)


if "DARBAR_TEST_CLOCK" in os.environ:
    clock = Clock(Path(os.environ["DARBAR_TEST_CLOCK"]))
    clock.start()
    os.register_at_fork(after_in_child=clock.start)
