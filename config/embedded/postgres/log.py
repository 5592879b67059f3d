"""PostgreSQL's own log: a file that grows up to a bound, and the one before it."""

import contextlib
import os
import shutil
from pathlib import Path
from typing import IO, Final

from config.embedded.private_files import open_private

LARGEST: Final = 4 * 1024 * 1024
"""Bytes of each of the two files."""


class Log:
    """The file ``log`` in a folder, to which the server appends; what is full goes to ``log.1``."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "log"
        self._begun = 0

    def open(self) -> IO[bytes]:
        """Open it for a server that starts; ``last_words`` looks at what follows."""
        self.keep_small()
        file = open_private(self._file)
        self._begun = os.fstat(file.fileno()).st_size
        return file

    def keep_small(self) -> None:
        """Empty it if it is full; what is in it is kept beside it where the disk has room for that."""
        if self._file.exists() and self._file.stat().st_size > LARGEST:
            with contextlib.suppress(OSError):
                shutil.copy(self._file, self._file.with_suffix(".1"))
            os.truncate(self._file, 0)  # the server has it open to append

    def last_words(self) -> str:
        """Give the last line since the start that tells of a failure, or the last line."""
        with self._file.open("rb") as file:
            if self._file.stat().st_size >= self._begun:
                file.seek(self._begun)
            lines = file.read().decode(errors="replace").splitlines()
        telling = [line for line in lines if "FATAL" in line or "PANIC" in line]
        return (telling or lines or ["it says nothing."])[-1]
