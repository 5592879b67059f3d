"""Files that no other user may open, not even to hold a lock on them."""

import os
from pathlib import Path
from typing import IO


def open_private(path: Path) -> IO[bytes]:
    """Open a file to append to, with mode 600; it is made if it is missing."""
    file = open(path, "ab", opener=lambda name, flags: os.open(name, flags | os.O_NOFOLLOW, 0o600))  # noqa: SIM115
    os.fchmod(file.fileno(), 0o600)
    return file
