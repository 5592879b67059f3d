"""Files that no other user may open, not even to lock them."""

import os
from pathlib import Path
from typing import IO, Final
from weakref import WeakSet

_WITHOUT_FORKS: Final[WeakSet[IO[bytes]]] = WeakSet()
"""Files that are closed in forks of this process."""


def open_private(path: Path, *, for_forks_too: bool = False) -> IO[bytes]:
    """Open a file for appending, with mode 600. It is created if it is missing.

    A lock on it ends with this process, or with its last fork if it is ``for_forks_too``.
    """
    file = open(path, "ab", opener=lambda name, flags: os.open(name, flags | os.O_NOFOLLOW, 0o600))  # noqa: SIM115
    os.fchmod(file.fileno(), 0o600)
    if not for_forks_too:
        _WITHOUT_FORKS.add(file)
    return file


def _close_files() -> None:
    for file in [*_WITHOUT_FORKS]:
        file.close()


os.register_at_fork(after_in_child=_close_files)
