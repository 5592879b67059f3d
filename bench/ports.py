"""Free ports for the servers of tests and benches."""

import fcntl
import itertools
import os
import random
import socket
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

# Outgoing connections get ports above 30,000: one of them could take a port before its server has started.
_LOWEST: Final = 10_000
_COUNT: Final = 20_000
_TURN: Final = itertools.count(random.randrange(_COUNT))
# A process that has got port N locks byte N of this file until it ends.
_CLAIMS: Final = os.open(Path(tempfile.gettempdir()) / f"darbar-ports-{os.getuid()}", os.O_RDWR | os.O_CREAT, 0o600)


def free_port() -> int:
    """Return a port on which no process listens, and which no other running process has got from this function.

    Raises OSError if all ports are in use.
    """
    for turn in itertools.islice(_TURN, _COUNT):
        port = _LOWEST + turn % _COUNT
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            fcntl.lockf(_CLAIMS, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
            return port
    raise OSError("all ports are in use")
