"""Builds a release in ``dist/`` and tries it: ``python -m bench.release``.

A release has a wheel, the script that installs it, an sdist, the versions of all libraries (constraints of pip), a
container if podman is installed, and checksums. It is built in a clone of the last commit, so that no other file of
this folder gets in. Then it is installed as an operator would install it, and a game is played on it. A release that
fails stays in the clone.
"""

import argparse
import gzip
import hashlib
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import httpx

from bench.drills import images
from bench.drills.images import Podman, output
from bench.ports import free_port
from config.version import ROOT, version_of_source
from tests.server.darbar import wait_until
from tests.server.player import Player

CHECKSUMS: Final = "SHA256SUMS"
_CONTAINER_PROGRAMS: Final = ("podman", "buildah", "mmdebstrap")
_PATIENCE: Final = 180
_UV: Final = str(Path(sys.executable).with_name("uv"))
_BUILD: Final = (_UV, "build", "--quiet", "--no-build-isolation", "--python", sys.executable)


def main() -> None:
    """Build a release and try it. The exit status is 1, with a sentence, if something is wrong."""
    parser = argparse.ArgumentParser(prog="python -m bench.release")
    parser.add_argument("--without-container", action="store_true", help="build no container")
    Podman.add_options(parser)
    options = parser.parse_args()
    version = releasable_version(ROOT)
    missing = [name for name in _CONTAINER_PROGRAMS if shutil.which(name) is None]
    with tempfile.TemporaryDirectory(prefix="darbar-release-") as name:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL runs as another user
        dist = build(folder)
        print(f"built {', '.join(sorted(file.name for file in dist.iterdir()))}", flush=True)
        try_sdist(folder, dist)
        print("the sdist builds the same wheel", flush=True)
        program = install(folder, dist, version)
        try_server(program, folder / "data")
        print("installed, and a game begins on it", flush=True)
        if missing or options.without_container:
            reason = f"not installed: {', '.join(missing)}" if missing else "left out"
            print(f"no container: {reason}", flush=True)
        else:
            file = build_container(folder, dist, version, Podman.from_options(options))
            print(f"built {file.name}: {file.stat().st_size / 1e6:.0f} MB", flush=True)
        write_checksums(dist)
        shutil.rmtree(ROOT / "dist", ignore_errors=True)
        shutil.copytree(dist, ROOT / "dist")
    print(f"Darbar {version} is in dist/.")


def releasable_version(folder: Path) -> str:
    """Return the version of a clone. Raises SystemExit if something is not committed or the changelog lacks a tag."""
    if changes := output("git", "-C", str(folder), "status", "--porcelain"):
        raise SystemExit(f"Commit or remove these first, because a release has what is committed:\n{changes}")
    version = version_of_source(folder)
    is_tagged = ".dev" not in version
    if is_tagged and f"\n## {version}\n" not in (folder / "CHANGELOG.md").read_text():
        raise SystemExit(f"CHANGELOG.md has no section {version!r}: a version that is tagged needs one.")
    return version


def build(folder: Path) -> Path:
    """Build the wheel, the sdist and the constraints from a clone, and return their folder."""
    clone, dist = folder / "clone", folder / "dist"
    output("git", "clone", "--quiet", str(ROOT), str(clone))
    environment = {**os.environ, "DATA_DIR": str(folder / "unused")}
    _run("The documents", sys.executable, "-m", "config.server.documents.build", cwd=clone, env=environment)
    _run("The packages", *_BUILD, "--out-dir", str(dist), cwd=clone)
    (dist / ".gitignore").unlink()
    shutil.copy(clone / "deploy" / "install", dist)
    export = ("export", "--quiet", "--frozen", "--no-dev", "--no-emit-project", "--no-hashes", "--no-annotate")
    extras = [part for extra in ("embedded", "errors", "traces") for part in ("--extra", extra)]
    _run(
        "The constraints",
        _UV,
        *export,
        "--no-header",
        *extras,
        "--output-file",
        str(dist / "constraints.txt"),
        cwd=clone,
    )
    return dist


def _run(step: str, *command: str, **how: Any) -> None:
    result = subprocess.run(command, capture_output=True, text=True, check=False, **how)
    if result.returncode:
        raise SystemExit(f"{step} failed:\n{result.stderr[-2000:]}")


def try_sdist(folder: Path, dist: Path) -> None:
    """Build a wheel from the sdist alone. Raises SystemExit if it is not the same."""
    (sdist,), (wheel,) = dist.glob("*.tar.gz"), dist.glob("*.whl")
    rebuilt = folder / "rebuilt"
    output("tar", "-xzf", str(sdist), "-C", str(folder))
    (source,) = folder.glob("darbar-*")
    _run("The sdist", *_BUILD, "--wheel", "--out-dir", str(rebuilt), cwd=source)
    (again,) = rebuilt.glob("*.whl")
    first, second = (
        {entry.filename: entry.CRC for entry in zipfile.ZipFile(file).infolist()} for file in (wheel, again)
    )
    if again.name != wheel.name or first != second:
        differences = sorted({*first.items()} ^ {*second.items()})
        raise SystemExit(f"The sdist builds another wheel: {again.name}, {differences[:5]}")


def install(folder: Path, dist: Path, version: str) -> Path:
    """Install the wheel into an empty environment as the guide says, and return the ``darbar`` command."""
    (wheel,) = dist.glob("*.whl")
    environment = folder / "installed"
    # Root's own Python may be in a folder that is closed to the user who runs the server.
    system_python = shutil.which("python3", path=os.defpath) if os.geteuid() == 0 else None
    output(system_python or sys.executable, "-m", "venv", str(environment))
    pip = (str(environment / "bin" / "pip"), "install", "--quiet", "--constraint", str(dist / "constraints.txt"))
    output(*pip, f"{wheel}[embedded]")
    program = environment / "bin" / "darbar"
    if (installed := output(str(program), "version")) != version:
        raise SystemExit(f"darbar version is {installed}, not {version}.")
    return program


def try_server(program: Path, data_dir: Path) -> None:
    """Run an installed Darbar, sign up by email, play a move and make a backup."""
    data_dir.mkdir()
    if os.geteuid() == 0:
        shutil.chown(data_dir, "nobody", "nogroup")
    with _running(program, data_dir) as server, Player(server, "Maryam") as maryam:
        game = maryam.post("games/", {"rules": "coup", "seat_count": 2, "bots": [{}]}, 201)["id"]
        maryam.question(game)
        (question,) = maryam.get(f"games/{game}/questions/")["results"]
        move = maryam.outcome(maryam.send(game, question["moves"][0]["text"]))
        if move["state"] != "applied":
            raise SystemExit(f"The first move was not applied: {move}")
        if maryam.http.get("/docs/", follow_redirects=True).status_code != httpx.codes.OK:
            raise SystemExit("The documents site is missing.")
        _run("A backup", *server.command, "backup", str(data_dir / "tried.tar"), **server.user)


class _Installed:
    """A server on free ports. Root lets another user run it, because PostgreSQL refuses to run as root."""

    def __init__(self, program: Path, data_dir: Path) -> None:
        self.port = free_port()
        ports = {"PORT": self.port, "MAIL_PORT": free_port(), "STREAM_PORT": free_port()}
        settings = [f"DATA_DIR={data_dir}", *(f"{name}={port}" for name, port in ports.items())]
        self.command = ("env", "-i", f"PATH={os.defpath}", *settings, str(program))
        self.user: dict[str, Any] = (
            {"user": "nobody", "group": "nogroup", "extra_groups": []} if os.geteuid() == 0 else {}
        )

    def answers(self) -> bool:
        try:
            return httpx.get(f"http://127.0.0.1:{self.port}/healthz", timeout=5).status_code == httpx.codes.OK
        except httpx.HTTPError:
            return False


@contextmanager
def _running(program: Path, data_dir: Path) -> Iterator[_Installed]:
    server = _Installed(program, data_dir)
    log = data_dir.with_suffix(".log")
    with log.open("wb") as out:
        process = subprocess.Popen(
            [*server.command, "run"], cwd="/", stdout=out, stderr=out, start_new_session=True, **server.user
        )
    try:
        wait_until(lambda: server.answers() or process.poll() is not None, "the installed server answers", _PATIENCE)
        if process.poll() is not None:
            raise SystemExit(f"darbar run ended:\n{log.read_text()[-2000:]}")
        yield server
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(_PATIENCE)


def build_container(folder: Path, dist: Path, version: str, podman: Podman) -> Path:
    """Build the image, run ``darbar version`` in it, and write it to a file that ``podman load`` reads."""
    name = f"localhost/darbar:{version.replace('+', '-')}"
    place = folder / "image"
    place.mkdir()
    images.darbar(name, images.base(podman, folder), place, dist)
    file = dist / f"darbar-{version}-container.tar.gz"
    try:
        installed = podman.output(
            "run", "--rm", "--no-healthcheck", "--network", "none", *podman.limits, name, "darbar", "version"
        )
        if installed != version:
            raise SystemExit(f"darbar version is {installed} in the container, not {version}.")
        podman.output("save", "--quiet", "--output", str(folder / "image.tar"), name)
    finally:
        podman.quietly("rmi", "-f", name)
    with (folder / "image.tar").open("rb") as image, gzip.open(file, "wb", compresslevel=6) as compressed:
        shutil.copyfileobj(image, compressed, 1 << 20)
    return file


def write_checksums(dist: Path) -> None:
    """Write the file that ``sha256sum --check`` reads."""
    files = sorted(file for file in dist.iterdir() if file.name != CHECKSUMS)
    lines = [f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files]
    (dist / CHECKSUMS).write_text("".join(lines))


if __name__ == "__main__":
    main()
