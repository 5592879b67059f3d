"""Ports for servers that a test or a bench starts."""

import fcntl
import itertools
import os
import random
import socket
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Final

_LOWEST: Final = 10_000
_COUNT: Final = 20_000
"""Below the ports that the system gives to connections, one of which might take a server's before it has started."""
_TURN: Final = itertools.count(random.randrange(_COUNT))
_CLAIMS: Final = os.open(Path(tempfile.gettempdir()) / f"darbar-ports-{os.getuid()}", os.O_RDWR | os.O_CREAT, 0o600)
"""A file whose byte N is locked by the process that was given port N, until that process ends."""


def free_port() -> int:
    """A port of this machine that nobody listens on, and that no process on it was given and still may use.

    OSError: every one is taken.
    """
    for turn in itertools.islice(_TURN, _COUNT):
        port = _LOWEST + turn % _COUNT
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            fcntl.lockf(_CLAIMS, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
            return port
    raise OSError("every port is taken")
