"""For processes whose clock a test sets: imported as ``sitecustomize``, it follows the file in DARBAR_TEST_CLOCK.

The file holds by how many seconds the clock is ahead. The monotonic clock goes on as it did.
"""

import os
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import time_machine


def follow(file: Path) -> None:
    """Set the clock whenever the file says something else."""
    ahead, travel = 0.0, None
    while True:
        time.sleep(0.1)
        wanted = float(file.read_text() or 0) if file.exists() else 0.0
        if wanted != ahead:
            if travel is not None:
                travel.stop()
            travel = time_machine.travel(datetime.now(UTC) + timedelta(seconds=wanted))
            travel.start()
            ahead = wanted


if "DARBAR_TEST_CLOCK" in os.environ:
    threading.Thread(target=follow, args=(Path(os.environ["DARBAR_TEST_CLOCK"]),), daemon=True).start()
