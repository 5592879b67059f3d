"""Folders and files from environment variables."""

import os
from pathlib import Path
from typing import Final

from django.core.exceptions import ImproperlyConfigured

from config.environment.values import text

LONGEST_SOCKET: Final = 107
"""The number of bytes in the path of a socket on Linux."""


def default_data_dir(base: Path) -> Path:
    """Return the default of DATA_DIR: ``var`` in a checkout at ``base``, otherwise the usual place of the system."""
    if (base / "manage.py").is_file():
        return base / "var"
    if os.geteuid() == 0:
        return Path("/var/lib/darbar")
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share") / "darbar"


def folder(name: str, default: Path) -> Path:
    """Return a writable folder, which is created if it is missing. Raises ImproperlyConfigured."""
    path = Path(text(name) or default).expanduser().absolute()
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"{name} must be a folder that can be written to: {error}.") from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise ImproperlyConfigured(f"{name} must be a folder that can be written to, and {path} is not.")
    return path


def keep_metrics(folder: Path) -> None:
    """Let this process write its metrics to a folder, from which another process collects them."""
    # prometheus-client reads this variable when it is imported, which is after the settings.
    folder.mkdir(mode=0o700, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)


def socket(name: str) -> Path | None:
    """Return the path of a socket, or None if unset. Raises ImproperlyConfigured."""
    value = text(name)
    if not value:
        return None
    path = Path(value)
    if not path.is_absolute() or len(os.fsencode(path)) > LONGEST_SOCKET or not path.parent.is_dir():
        raise ImproperlyConfigured(
            f"{name} must be a path such as /run/darbar/lmtp in a folder that exists, of at most {LONGEST_SOCKET} "
            f"bytes, not {value!r}."
        )
    return path
