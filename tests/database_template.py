"""A migrated PostgreSQL data folder that test runs copy, so that a run does not apply all migrations again.

It is in ``.cache/test-databases``, in a folder named by a hash of all that decides what the tables look like.
"""

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Final

from config.server.postgres import Server, ServerPaths
from tests.watchdog import guard

ROOT: Final = Path(__file__).parent.parent
TEMPLATES: Final = ROOT / ".cache" / "test-databases"
SETTINGS: Final = ("fsync=off", "full_page_writes=off", "synchronous_commit=off", "autovacuum=off", "jit=off")
_WEEK: Final = 7 * 24 * 3600


def copy_migrated_data(data_dir: Path) -> None:
    """Copy the migrated data into a data folder that has no database yet. Make the template first if it is missing."""
    TEMPLATES.mkdir(parents=True, exist_ok=True)
    template = TEMPLATES / _key(data_dir)
    # pytest-xdist starts several workers at the same time. The first one makes the template for all of them.
    with (TEMPLATES / "turn.lock").open("w") as turn:
        fcntl.flock(turn, fcntl.LOCK_EX)
        if not template.exists():
            _remove_unused_templates()
            _make(template)
        os.utime(template)
    paths = ServerPaths.in_data_dir(data_dir)
    paths.make()
    for cluster in template.iterdir():
        subprocess.run(["cp", "-a", cluster, paths.home], check=True)


def _key(data_dir: Path) -> str:
    """Return a hash of the migrations, the locked libraries (they have migrations too) and the PostgreSQL."""
    digest = hashlib.sha256()
    migrations = (ROOT / app / "migrations" for app in ("games", "accounts", "notifications"))
    for file in (ROOT / "uv.lock", *sorted(path for folder in migrations for path in folder.glob("*.py"))):
        digest.update(f"{file.relative_to(ROOT)}\0".encode() + file.read_bytes())
    digest.update(str(ServerPaths.in_data_dir(data_dir).binaries().resolve()).encode())
    return digest.hexdigest()[:16]


def _make(template: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="darbar-template-", ignore_cleanup_errors=True) as folder:
        Path(folder).chmod(0o711)  # so that root's PostgreSQL, which runs as another user, can reach its data
        guard(Path(folder))
        paths = ServerPaths.in_data_dir(Path(folder))
        with Server(paths, *SETTINGS):
            environment = {**os.environ, "DATA_DIR": folder, "DJANGO_SETTINGS_MODULE": "config.settings"}
            migrate = [sys.executable, "manage.py", "migrate", "--verbosity=0"]
            subprocess.run(migrate, cwd=ROOT, env=environment, check=True)
        new = template.with_suffix(".new")
        shutil.rmtree(new, ignore_errors=True)
        new.mkdir()
        for cluster in paths.home.glob("[0-9]*"):
            subprocess.run(["cp", "-a", cluster, new], check=True)
        new.rename(template)
        shutil.rmtree(paths.shelter, ignore_errors=True)


def _remove_unused_templates() -> None:
    for folder in TEMPLATES.iterdir():
        if folder.is_dir() and folder.stat().st_mtime < time.time() - _WEEK:
            shutil.rmtree(folder)
