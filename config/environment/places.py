"""Folders and files."""

import os
from pathlib import Path
from typing import Final

from django.core.exceptions import ImproperlyConfigured

from config.environment.values import text

LONGEST_SOCKET: Final = 107
"""A path of more bytes is no socket's on Linux."""


def default_data_dir(base: Path) -> Path:
    """The folder for data where DATA_DIR is not set: ``var`` in a checkout at ``base``, else the system's place."""
    if (base / "manage.py").is_file():
        return base / "var"
    if os.geteuid() == 0:
        return Path("/var/lib/darbar")
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share") / "darbar"


def folder(name: str, default: Path) -> Path:
    """A folder to write in, made if it is missing. ImproperlyConfigured where it cannot be had."""
    path = Path(text(name) or default).expanduser().absolute()
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ImproperlyConfigured(f"{name} must be a folder that can be written to: {error}.") from error
    if not os.access(path, os.W_OK | os.X_OK):
        raise ImproperlyConfigured(f"{name} must be a folder that can be written to, and {path} is not.")
    return path


def keep_metrics(folder: Path) -> None:
    """Let this process write its metrics to a folder from which another process collects them. Call it before the first
    count.

    prometheus-client reads the variable when it is imported, which is after the settings.
    """
    folder.mkdir(mode=0o700, exist_ok=True)
    os.environ["PROMETHEUS_MULTIPROC_DIR"] = str(folder)


def socket(name: str) -> Path | None:
    """Return the path of a socket, or None if unset. Raises ImproperlyConfigured."""
    written = text(name)
    if not written:
        return None
    path = Path(written)
    if not path.is_absolute() or len(os.fsencode(path)) > LONGEST_SOCKET or not path.parent.is_dir():
        raise ImproperlyConfigured(
            f"{name} must be a path such as /run/darbar/lmtp in a folder that exists, of at most {LONGEST_SOCKET} "
            f"bytes, not {written!r}."
        )
    return path
