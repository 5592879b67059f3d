"""A clock by which each part of the work that is due takes long, as where many servers do not answer."""

from datetime import datetime, timedelta
from itertools import count
from typing import Any, Final

import pytest

TOOK: Final = timedelta(minutes=6)
"""The duration of each part: longer than any lease, and than the age of signatures that receivers accept."""


def post_slowly(monkeypatch: pytest.MonkeyPatch, begin: datetime, *modules: Any) -> None:
    """Let these modules post one thing at a time, the first at ``begin``, each later one after another ``TOOK``."""
    for module in modules:
        monkeypatch.setattr(module, "SIDE_BY_SIDE", 1)
    moments = count()
    monkeypatch.setattr("config.core.clock.now", lambda: begin + TOOK * next(moments))
