"""The container built from its file, started beside a PostgreSQL and by compose: ``python -m bench.drills.containers``.

Where no registry answers, images are made from Debian packages. What is not installed is skipped with a word. Names
bear the number of the process, so that two may run at the same time.
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
MOST_MEGABYTES: Final = 400


def main() -> None:
    """Build and start it, and print a line for each result. Exit status 1 where one is wrong."""
    parser = argparse.ArgumentParser(prog="python -m bench.drills.containers")
    parser.add_argument("--runtime", help="the program that starts containers, where podman's usual one cannot")
    parser.add_argument("--limit", action="append", default=[], help="as podman run --ulimit, such as nofile=4096:4096")
    options = parser.parse_args()
    missing = [text for text in ("podman", "buildah", "mmdebstrap") if shutil.which(text) is None]
    missing += [] if DEBIAN.exists() else ["postgresql-15"]
    if missing:
        print(f"skipped: not installed: {', '.join(missing)}")
        return
    program = ("podman", *(("--runtime", options.runtime) if options.runtime else ()))
    podman = Podman(program, tuple(part for item in options.limit for part in ("--ulimit", item)))
    folder = Path(tempfile.mkdtemp(prefix="darbar-deploy-"))
    folder.chmod(0o755)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # what was started is ended all the same
    failed = False
    try:
        for line, well in run(folder, podman):
            print(f"{'ok   ' if well else 'WRONG'} {line}", flush=True)
            failed = failed or not well
    finally:
        podman.quietly("rmi", "-f", NAME)
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if failed else 0)


def run(folder: Path, podman: Podman) -> Iterator[tuple[str, bool]]:
    """Give lines, each with whether all is well."""
    began = time.monotonic()
    base = images.base(podman, folder)
    images.darbar(NAME, base, folder)
    size = int(podman.said("image", "inspect", NAME, "--format", "{{.Size}}")) / 1e6
    yield f"built on {base} in {time.monotonic() - began:.0f} s: {size:.0f} MB", size <= MOST_MEGABYTES
    with real_postgres(folder / "postgres") as url:
        yield from _started(url, podman)
    yield from compose.run(folder, NAME, base, podman)


def _started(url: str, podman: Podman) -> Iterator[tuple[str, bool]]:
    """Give what containers say that serve pages and do the work, with one volume and a database outside."""
    port = free_port()
    settings = (f"DATABASE_URL={url}", f"PORT={port}", f"STREAM_PORT={free_port()}", "LISTEN=127.0.0.1")
    variables = [part for setting in settings for part in ("--env", setting)]
    shared = ("--network", "host", *podman.limits, *variables, "--volume", f"{NAME}:/var/lib/darbar")
    began = time.monotonic()
    try:
        podman.said("run", "--rm", *shared, NAME, "darbar", "prepare")
        podman.said("run", "-d", "--name", NAME, *shared, NAME)
        podman.said("run", "-d", "--name", WORKER, "--no-healthcheck", *shared, NAME, "darbar", "worker")
        answer = _answer(port)
        yield f"tables made and started in {time.monotonic() - began:.0f} s: /healthz {answer}", answer == 200
        user = podman.said("exec", NAME, "id", "-u")
        yield f"it runs as user {user}", user != "0"
        healthy = podman.quietly("healthcheck", "run", NAME)
        yield f"its health check says {'healthy' if healthy else 'unhealthy'}", healthy
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
        (question,) = maryam.get(f"games/{game}/questions/")
        move = maryam.outcome(maryam.send(game, question["moves"][0]["text"]))
    return f"signed up and played a first move in {time.monotonic() - began:.0f} s: {move['state']}", (
        move["state"] == "applied"
    )


def _answer(port: int) -> int:
    """Return the status of the health page as soon as there is one; 0 after a minute."""
    for _ in range(120):
        try:
            return httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=5).status_code
        except httpx.HTTPError:
            time.sleep(0.5)
    return 0


if __name__ == "__main__":
    main()
