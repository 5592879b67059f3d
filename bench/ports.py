"""Ports for servers that a test or a bench starts."""

import itertools
import random
import socket
from contextlib import suppress
from typing import Final

_LOWEST: Final = 10_000
_COUNT: Final = 20_000
"""Below the ports that the system gives to connections, one of which might take a server's before it has started."""
_TURN: Final = itertools.count(random.randrange(_COUNT))


def free_port() -> int:
    """A port of this machine that nobody listened on a moment ago, and another one each time.

    Each process begins somewhere else, so that two that run side by side are not given the same. OSError: every one
    is taken.
    """
    for turn in itertools.islice(_TURN, _COUNT):
        port = _LOWEST + turn % _COUNT
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise OSError("every port is taken")
