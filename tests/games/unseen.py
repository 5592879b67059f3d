"""Worlds that are compared: each is played in earnest, and then has not happened."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import transaction

RANDOM: Final = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}|/stop/[^/\"]+")
"""Random ids, their digests, and links with them."""


class NotToBe(Exception):
    """Ends a world: nothing of it has happened."""


@contextmanager
def world() -> Iterator[None]:
    """Undo the changes of the block."""
    undone = transaction.atomic()
    undone._from_testcase = True  # as in tests of Django: there may be durable transactions within
    try:
        with undone:
            yield
            raise NotToBe
    except NotToBe:
        pass
