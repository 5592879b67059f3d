"""The container built from its file and started beside a PostgreSQL: ``python -m bench.drills.containers``.

Where no registry answers, the base is made from Debian packages. What is not installed is skipped with a word. Names
bear the number of the process, so that two may run at the same time.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import httpx

from bench.ports import free_port
from tests.server.player import Player
from tests.server.services import DEBIAN, real_postgres

ROOT: Final = Path(__file__).parents[2]
NAME: Final = f"darbar-deploy-{os.getpid()}"
WORKER: Final = f"{NAME}-worker"
BASE: Final = "debian:bookworm-slim"
OWN_BASE: Final = "localhost/darbar-debian"
MOST_MEGABYTES: Final = 400
_LEFT_OUT: Final = ("doc", "man", "locale")


def main() -> None:
    """Build and start it, and print a line for each result. Exit status 1 where one is wrong."""
    parser = argparse.ArgumentParser(prog="python -m bench.drills.containers")
    parser.add_argument("--runtime", help="the program that starts containers, where podman's usual one cannot")
    parser.add_argument("--limit", action="append", default=[], help="as podman run --ulimit, such as nofile=4096:4096")
    options = parser.parse_args()
    missing = [each for each in ("podman", "buildah", "mmdebstrap") if shutil.which(each) is None]
    missing += [] if DEBIAN.exists() else ["postgresql-15"]
    if missing:
        print(f"skipped: not installed: {', '.join(missing)}")
        return
    podman = ("podman", *(("--runtime", options.runtime) if options.runtime else ()))
    limits = tuple(part for each in options.limit for part in ("--ulimit", each))
    folder = Path(tempfile.mkdtemp(prefix="darbar-deploy-"))
    folder.chmod(0o755)
    failed = False
    try:
        for line, well in run(folder, podman, limits):
            print(f"{'ok   ' if well else 'WRONG'} {line}", flush=True)
            failed = failed or not well
    finally:
        subprocess.run(["podman", "rmi", "-f", NAME], capture_output=True, check=False)
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if failed else 0)


def run(folder: Path, podman: tuple[str, ...], limits: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """Give lines, each with whether all is well."""
    began = time.monotonic()
    base = _base(folder)
    _build(folder, base)
    size = int(_said("podman", "image", "inspect", NAME, "--format", "{{.Size}}")) / 1e6
    yield f"built on {base} in {time.monotonic() - began:.0f} s: {size:.0f} MB", size <= MOST_MEGABYTES
    with real_postgres(folder / "postgres") as url:
        yield from _started(url, podman, limits)


def _base(folder: Path) -> str:
    """Return an image of Debian: the registry's, or one that is made from packages."""
    for name in (OWN_BASE, BASE):
        if subprocess.run(["podman", "image", "exists", name], check=False).returncode == 0:
            return name
    if subprocess.run(["podman", "pull", "-q", BASE], capture_output=True, timeout=120, check=False).returncode == 0:
        return BASE
    tar = folder / "debian.tar"
    without = [f"--dpkgopt=path-exclude=/usr/share/{each}/*" for each in _LEFT_OUT]
    _said("mmdebstrap", "-q", "--variant=apt", *without, "bookworm", str(tar))
    _said("podman", "import", "-q", str(tar), OWN_BASE)
    return OWN_BASE


def _build(folder: Path, base: str) -> None:
    """Build the image with libraries that are fetched here, so that pip's settings of this machine hold."""
    shutil.copy(ROOT / "Containerfile", folder)
    shutil.copytree(ROOT / "dist", folder / "dist")
    (wheel,) = (folder / "dist").glob("darbar-*.whl")
    # Debian's Python 3.11.2 needs async-timeout for redis, which later ones do not.
    _said(sys.executable, "-m", "pip", "wheel", "-q", "-w", str(folder / "dist"), str(wheel), "async-timeout>=4.0.3")
    arguments = ("--build-arg", f"BASE={base}", "--build-arg", "PIP_NO_INDEX=1")
    _said(
        "buildah",
        "bud",
        "--isolation",
        "chroot",
        "--network",
        "host",
        "--format",
        "docker",
        *arguments,
        "-t",
        NAME,
        str(folder),
    )


def _started(url: str, podman: tuple[str, ...], limits: tuple[str, ...]) -> Iterator[tuple[str, bool]]:
    """Give what containers say that serve pages and do the work, with one volume and a database outside."""
    port = free_port()
    settings = (f"DATABASE_URL={url}", f"PORT={port}", f"STREAM_PORT={free_port()}", "LISTEN=127.0.0.1")
    variables = [part for each in settings for part in ("--env", each)]
    shared = ("--network", "host", *limits, *variables, "--volume", f"{NAME}:/var/lib/darbar")
    began = time.monotonic()
    try:
        _said(*podman, "run", "--rm", *shared, NAME, "darbar", "prepare")
        _said(*podman, "run", "-d", "--name", NAME, *shared, NAME)
        _said(*podman, "run", "-d", "--name", WORKER, "--no-healthcheck", *shared, NAME, "darbar", "worker")
        answer = _answer(port)
        yield f"tables made and started in {time.monotonic() - began:.0f} s: /healthz {answer}", answer == 200
        user = _said(*podman, "exec", NAME, "id", "-u")
        yield f"it runs as user {user}", user != "0"
        healthy = subprocess.run([*podman, "healthcheck", "run", NAME], capture_output=True, check=False).returncode
        yield f"its health check says {healthy}", healthy == 0
        yield _first_move(port)
    finally:
        for command in (("rm", "-f", "-t", "20", NAME, WORKER), ("volume", "rm", "-f", NAME)):
            subprocess.run([*podman, *command], capture_output=True, check=False)


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
        (asked,) = maryam.get(f"games/{game}/questions/")
        move = maryam.outcome(maryam.send(game, asked["moves"][0]["text"]))
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


def _said(*command: str) -> str:
    """Return what a command prints. SystemExit with its last lines where it fails."""
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SystemExit(f"{' '.join(command[:4])} failed:\n{done.stderr[-2000:]}")
    return done.stdout.strip()


if __name__ == "__main__":
    main()
