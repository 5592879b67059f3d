"""The process that ``darbar games try FOLDER`` starts: it keeps the database, the server and the check running."""

import argparse
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import config
from config.core.processes import PIPE_VARIABLE
from config.server.children import STOP_SIGNALS, ParentPipe
from config.server.postgres import PostgresError, Server, ServerPaths
from games.kit.package import Package, find_package
from games.rules.loading import BrokenGameError
from games.rules.packages import GROUP

ROOT: Final = Path(config.__file__).parent.parent
"""The folder with our packages."""
PORT: Final = 8100
BUILD: Final = "TRIAL_BUILD"
"""The environment variable that tells the server when it was started."""
CHECK: Final = "check.txt"
"""The file in the data folder with the result of the check. It is empty until the check ends."""
_KEPT: Final = ("PATH", "HOME", "LANG", "LC_ALL", "TZ", "TMPDIR", "DARBAR_PG_BIN")
"""The environment variables that the server inherits. Settings of another server are not among them."""
_WATCHED: Final = {".py", ".toml", ".html", ".mo", ".css", ".js", ".svg"}
_OFTEN: Final = 0.3
"""Seconds between two checks for changed files."""
_PATIENCE: Final = 3.0
"""Seconds that a server may take to end its answers. After that it is killed, because a function of the rules may
never end."""


def main() -> int:
    """Serve the game of a package until Ctrl-C. Return 2, after one sentence, if that is impossible."""
    parser = argparse.ArgumentParser(prog=sys.argv[0], description="Play a game while you write it.")
    parser.add_argument("folder", nargs="?", default=".", type=Path, help="the folder of its package (default: here)")
    parser.add_argument("--port", type=int, default=PORT, help="where its page is served (default: %(default)s)")
    arguments = parser.parse_args()
    if "DATABASE_URL" in os.environ:
        sys.stderr.write("DATABASE_URL is set. Unset it: a trial uses a database of its own, and deletes it.\n")
        return 2
    for number in STOP_SIGNALS:
        signal.signal(number, signal.default_int_handler)
    try:
        with ExitStack() as stack:
            package = find_package(arguments.folder)
            listening = stack.enter_context(socket.create_server(("127.0.0.1", arguments.port)))
            data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="darbar-trial-")))
            data.chmod(0o711)
            stack.enter_context(Server(ServerPaths.in_data_dir(data), "fsync=off"))
            serve(package, data, listening)
    except KeyboardInterrupt:
        return 0
    except OSError as error:
        sys.stderr.write(
            f"Port {arguments.port} can’t be used: {os.strerror(error.errno or 0)}. Choose another one with --port.\n"
        )
    except (BrokenGameError, PostgresError) as error:
        sys.stderr.write(f"{error}\n")
    return 2


def serve(package: Package, data: Path, listening: socket.socket) -> None:
    """Serve a package, again after each change of its files, until KeyboardInterrupt is raised."""
    port = listening.getsockname()[1]
    environment = _environment(package, data, port)
    sys.stdout.write(f"The game is at http://localhost:{port}/ - Ctrl-C stops it.\n")
    sys.stdout.flush()
    with ParentPipe() as pipe:
        environment[PIPE_VARIABLE] = str(pipe.reader)
        while True:
            files = _files(package.folder)
            with _processes(package, data, listening, pipe.reader, environment | {BUILD: str(time.time())}):
                while _files(package.folder) == files:
                    time.sleep(_OFTEN)


@contextmanager
def _processes(
    package: Package, data: Path, listening: socket.socket, pipe: int, environment: dict[str, str]
) -> Iterator[None]:
    """Run the server and the check in this block. Requests wait at the socket while there is no server."""
    program = [sys.executable, "-m", "config.server.trial.server", str(package.folder), str(listening.fileno())]
    check = [sys.executable, "-c", "from config.server.command_line import main; main()", "games", "check"]
    with (data / CHECK).open("wb") as result:
        processes = [
            subprocess.Popen(program, env=environment, pass_fds=(listening.fileno(), pipe)),
            # The package is not installed for the check, which says in a sentence why it cannot be loaded.
            subprocess.Popen(
                ["nice", *check, str(package.folder)],
                env=environment | {"PYTHONPATH": str(ROOT)},
                stdout=result,
                stderr=subprocess.STDOUT,
            ),
        ]
    try:
        yield
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            try:
                process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _environment(package: Package, data: Path, port: int) -> dict[str, str]:
    """Return the variables of the server, to which the package seems to be installed."""
    name = tomllib.loads((package.folder / "pyproject.toml").read_text())["project"]["name"]
    described = data / "installed" / f"{name.replace('-', '_')}-0.dist-info"
    described.mkdir(parents=True)
    (described / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 0\n")
    points = "".join(f"{point.name} = {point.value}\n" for point in package.points)
    (described / "entry_points.txt").write_text(f"[{GROUP}]\n{points}")
    path = (described.parent, package.folder, ROOT)
    return {
        **{name: os.environ[name] for name in _KEPT if name in os.environ},
        "PYTHONPATH": os.pathsep.join(map(str, path)),
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "DATA_DIR": str(data),
        "PORT": str(port),
        "GAMES_PER_HOUR": "1000000",
        "GAMES_PER_DAY": "1000000",
        "BUILD_DOCUMENTS": "no",
    }


def _files(folder: Path) -> dict[Path, int]:
    """Return the files of a package that the server reads, each with the time of its last change."""
    paths = (path for path in folder.rglob("*") if path.suffix in _WATCHED and "__pycache__" not in path.parts)
    times = {}
    for path in paths:
        try:
            times[path] = path.stat().st_mtime_ns
        except FileNotFoundError:  # an editor has just replaced it
            times[path] = 0
    return times
