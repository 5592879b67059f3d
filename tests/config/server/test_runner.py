"""Tests of the runner's start, which reads modules while the database starts."""

import gc
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from config.server import runner
from config.server.children import STOP_SIGNALS, ParentPipe, fork, kill
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


@pytest.mark.slow
def test_a_killed_process_takes_its_own_children_along() -> None:
    reader, writer = os.pipe()

    def work() -> None:
        os.close(reader)
        subprocess.run(["sh", "-c", "echo; sleep 60"], stdout=writer, check=False)

    with ParentPipe() as pipe:
        process = fork("work", pipe, work)
        os.close(writer)
        assert os.read(reader, 1) == b"\n", "the child runs"
        kill(process)
    assert os.read(reader, 1) == b"", "nobody is left who could write"
    os.close(reader)


@pytest.mark.slow
def test_a_process_is_killed_even_if_it_has_just_begun() -> None:
    begin = time.monotonic()
    with ParentPipe() as pipe:
        process = fork("work", pipe, lambda: time.sleep(60))
        kill(process)
    assert not process.is_alive()
    assert time.monotonic() - begin < 30
