"""Tests of the runner's start, which reads modules while the database starts."""

import gc
import signal
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from config.server import runner
from config.server.children import STOP_SIGNALS
from config.server.postgres import ServerPaths
from config.server.prepare import import_modules

INITDB = """#!/bin/sh
sleep 0.2
kill -TERM $PPID
sleep 0.3
touch "$(dirname "$0")/ended"
exit 1
"""


@pytest.fixture
def _as_in_the_runner() -> Iterator[None]:
    """All modules are read, and signals are handled as by the runner."""
    often = gc.get_threshold()
    import_modules()
    before = {number: signal.signal(number, runner._raise_stop) for number in STOP_SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
    gc.unfreeze()
    gc.set_threshold(*often)


@pytest.mark.usefixtures("_as_in_the_runner")
@pytest.mark.slow
def test_a_signal_while_the_database_starts_leaves_no_process_behind(
    tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, text in {"initdb": INITDB, "postgres": "#!/bin/sh\necho 'postgres (PostgreSQL) 18.0'\n"}.items():
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    monkeypatch.setenv("DARBAR_PG_BIN", str(tmp_path))
    settings.DATABASE_URL = None
    home = tmp_path / "data"
    settings.EMBEDDED_DATABASE = replace(
        ServerPaths.in_data_dir(tmp_path), link=home, home=home, sockets=home / "run", user=None
    )
    with pytest.raises(runner.StopSignal), ExitStack() as stack:
        runner.start(stack)
    assert (tmp_path / "ended").exists()
    assert {signal.getsignal(number) for number in STOP_SIGNALS} == {signal.SIG_IGN}, "another signal changes nothing"
