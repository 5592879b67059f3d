"""Builds the container, and starts it with PostgreSQL and with compose: ``python -m bench.drills.containers``.

If no registry answers, images are built from Debian packages. Without the necessary programs the drill is skipped.
Names contain the process id, so that two drills can run at the same time.
"""

import argparse
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx

from bench.drills import compose, images
from bench.drills.images import Podman
from bench.ports import free_port
from tests.server.player import Player
from tests.server.services import DEBIAN, real_postgres

NAME: Final = f"darbar-deploy-{os.getpid()}"
WORKER: Final = f"{NAME}-worker"
MOST_MEGABYTES: Final = 300


def main() -> None:
    """Build and start the container, and print a line for each result. The exit status is 1 if a result is wrong."""
    parser = argparse.ArgumentParser(prog="python -m bench.drills.containers")
    Podman.add_options(parser)
    options = parser.parse_args()
    missing = [text for text in ("podman", "buildah", "mmdebstrap") if shutil.which(text) is None]
    missing += [] if DEBIAN.exists() else ["postgresql-15"]
    if missing:
        print(f"skipped: not installed: {', '.join(missing)}")
        return
    podman = Podman.from_options(options)
    folder = Path(tempfile.mkdtemp(prefix="darbar-deploy-"))
    folder.chmod(0o755)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # so that ``finally`` ends the containers
    failed = False
    try:
        for line, is_good in run(folder, podman):
            print(f"{'ok   ' if is_good else 'WRONG'} {line}", flush=True)
            failed = failed or not is_good
    finally:
        podman.quietly("rmi", "-f", NAME)
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if failed else 0)


def run(folder: Path, podman: Podman) -> Iterator[tuple[str, bool]]:
    """Yield lines, each with True if the result is good."""
    began = time.monotonic()
    base = images.base(podman, folder)
    images.darbar(NAME, base, folder, images.ROOT / "dist")
    size = int(podman.output("image", "inspect", NAME, "--format", "{{.Size}}")) / 1e6
    yield f"built on {base} in {time.monotonic() - began:.0f} s: {size:.0f} MB", size <= MOST_MEGABYTES
    with real_postgres(folder / "postgres") as url:
        yield from _run_containers(url, podman)
    yield from compose.run(folder, NAME, base, podman)


def _run_containers(url: str, podman: Podman) -> Iterator[tuple[str, bool]]:
    """Run a web server and a worker in containers with a shared volume and an external database."""
    port = free_port()
    settings = (f"DATABASE_URL={url}", f"PORT={port}", f"STREAM_PORT={free_port()}", "LISTEN=127.0.0.1")
    variables = [part for setting in settings for part in ("--env", setting)]
    shared = ("--network", "host", *podman.limits, *variables, "--volume", f"{NAME}:/var/lib/darbar")
    began = time.monotonic()
    try:
        podman.output("run", "--rm", *shared, NAME, "darbar", "prepare")
        podman.output("run", "-d", "--name", NAME, *shared, NAME)
        podman.output("run", "-d", "--name", WORKER, "--no-healthcheck", *shared, NAME, "darbar", "worker")
        answer = _answer(port)
        yield f"tables made and started in {time.monotonic() - began:.0f} s: /healthz {answer}", answer == 200
        user = podman.output("exec", NAME, "id", "-u")
        yield f"the container runs as user {user}", user != "0"
        healthy = podman.quietly("healthcheck", "run", NAME)
        yield f"its health check reports {'healthy' if healthy else 'unhealthy'}", healthy
        yield _first_move(port)
    finally:
        podman.quietly("rm", "-f", "-t", "20", NAME, WORKER)
        podman.quietly("volume", "rm", "-f", NAME)


@dataclass(frozen=True)
class _Web:
    port: int


def _first_move(port: int) -> tuple[str, bool]:
    """Sign up with the code of an email, and play a move against a bot."""
    began = time.monotonic()
    with Player(_Web(port), "Maryam") as maryam:
        new = {"rules": "coup", "seat_count": 2, "bots": [{}]}
        game = maryam.post("games/", new, 201)["id"]
        maryam.question(game)
        (question,) = maryam.get(f"games/{game}/questions/")["results"]
        move = maryam.outcome(maryam.send(game, question["moves"][0]["text"]))
    return f"signed up and played a first move in {time.monotonic() - began:.0f} s: {move['state']}", (
        move["state"] == "applied"
    )


def _answer(port: int) -> int:
    """Return the status of the health page as soon as it answers, or 0 after a minute."""
    for _ in range(120):
        try:
            return httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=5).status_code
        except httpx.HTTPError:
            time.sleep(0.5)
    return 0


if __name__ == "__main__":
    main()
