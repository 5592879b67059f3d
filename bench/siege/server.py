"""The server under siege: the runner as a process of its own, with its default limits, and nginx before it or not."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from bench.ports import free_port

ROOT: Final = Path(__file__).parent.parent.parent
NGINX: Final = Path(__file__).parent / "nginx.conf"
PATIENCE: Final = 120.0
"""Seconds for a process to start or to end."""


@dataclass(frozen=True)
class Besieged:
    """The addresses of the doors."""

    web: int
    stream: int
    mail: int
    environment: dict[str, str]


@contextmanager
def besieged(proxied: bool) -> Iterator[Besieged]:
    """A server on loopback, and where clients reach it."""
    folder = Path(tempfile.mkdtemp(prefix="darbar-siege-"))
    folder.chmod(0o711)
    web, stream, mail = free_port(), free_port(), free_port()
    environment = {"PATH": os.environ["PATH"], "DATA_DIR": str(folder / "data"), "TRUSTED_PROXIES": str(int(proxied))}
    environment |= {"PORT": str(web), "STREAM_PORT": str(stream), "MAIL_PORT": str(mail)}
    environment |= {"GAMES_PER_HOUR": "100000", "GAMES_PER_DAY": "100000"}  # as soon as one is over another begins
    try:
        with _running(
            [sys.executable, "-m", "config.embedded.runner"], folder / "log", environment, _says("Ctrl-C ends it")
        ):
            if not proxied:
                yield Besieged(web, stream, mail, environment)
                return
            front = free_port()
            with _proxy(folder, front, web, stream):
                yield Besieged(front, front, mail, environment)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def has_nginx() -> bool:
    """Return whether there is an nginx to put before the server."""
    return shutil.which("nginx") is not None


@contextmanager
def _proxy(folder: Path, front: int, web: int, stream: int) -> Iterator[None]:
    written = NGINX.read_text()
    for name, value in (("FOLDER", folder), ("FRONT", front), ("WEB", web), ("STREAM", stream)):
        written = written.replace(f"@{name}@", str(value))
    conf = folder / "nginx.conf"
    conf.write_text(written)
    with _running(["nginx", "-p", str(folder), "-c", str(conf)], folder / "nginx.log", {}, _writes(folder / "pid")):
        yield


@contextmanager
def _running(
    command: list[str], log: Path, environment: dict[str, str], started: Callable[[Path], bool]
) -> Iterator[None]:
    with log.open("wb") as file:
        process = subprocess.Popen(command, cwd=ROOT, env=environment or None, stdout=file, stderr=file)
    try:
        deadline = time.monotonic() + PATIENCE
        while not started(log):
            if process.poll() is not None or time.monotonic() > deadline:
                raise SystemExit(f"{command[0]} does not start:\n{log.read_text()}")
            time.sleep(0.1)
        yield
    finally:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _says(words: str) -> Callable[[Path], bool]:
    return lambda log: words in log.read_text()


def _writes(file: Path) -> Callable[[Path], bool]:
    return lambda log: file.exists() and file.stat().st_size > 0
