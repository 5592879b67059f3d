"""Files that no other user may open, not even to hold a lock on them."""

import os
from pathlib import Path
from typing import IO, Final
from weakref import WeakSet

_OWN: Final[WeakSet[IO[bytes]]] = WeakSet()
"""The files that are this process's alone, and not its forks'."""


def open_private(path: Path, *, for_forks_too: bool = False) -> IO[bytes]:
    """Open a file to append to, with mode 600; it is made if it is missing.

    A lock on it ends with this process, and with its forks where it is for these too.
    """
    file = open(path, "ab", opener=lambda name, flags: os.open(name, flags | os.O_NOFOLLOW, 0o600))  # noqa: SIM115
    os.fchmod(file.fileno(), 0o600)
    if not for_forks_too:
        _OWN.add(file)
    return file


def _close_own() -> None:
    for file in [*_OWN]:
        file.close()


os.register_at_fork(after_in_child=_close_own)
