"""The version of this program, from the tag and the commit. Only the standard library is used, because builds load it.

A tag such as ``1.0.0`` is the version of its commit. Commits after it are builds before the next one, such as
``1.0.1.dev5+62022d87``, and without any tag ``1.0.0.dev0+62022d87``. Changes that are not committed add ``.changed``.
"""

import re
import subprocess
from importlib import metadata
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
_FIRST: Final = "1.0.0"
_DESCRIPTION: Final = re.compile(r"(?:(\d+)\.(\d+)\.(\d+)-(\d+)-g)?([0-9a-f]+)(-changed)?")
_BUILT: Final = re.compile("^Version: (.+)$", re.M)


def version() -> str:
    """Return the version that is installed, or that of the checkout."""
    if not (ROOT / "manage.py").is_file():
        return metadata.version("darbar")
    return version_of_source(ROOT)


def version_of_source(folder: Path) -> str:
    """Return the version of a clone, or of an unpacked sdist. Raises SystemExit if the folder is neither."""
    sdist = folder / "PKG-INFO"
    if sdist.is_file() and (built := _BUILT.search(sdist.read_text())):
        return built[1]
    command = ["git", "describe", "--tags", "--long", "--always", "--abbrev=8", "--dirty=-changed"]
    try:
        # Only tags such as 1.0.0 are versions.
        command += ["--match", "[0-9]*.[0-9]*.[0-9]*"]
        description = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout.strip()
    except (OSError, subprocess.CalledProcessError):
        raise SystemExit(
            "The version follows from git: build in a clone of the repository, or from an sdist."
        ) from None
    return version_of_description(description)


def version_of_description(description: str) -> str:
    """Return the version for the output of ``git describe --long --always``, such as ``1.0.0-5-g62022d87``."""
    match = _DESCRIPTION.fullmatch(description)
    if match is None:
        raise SystemExit(f"The nearest tag must be a version such as {_FIRST}, not {description!r}.")
    major, minor, patch, commits, commit, changed = match.groups()
    if major is not None and commits == "0" and not changed:
        return f"{major}.{minor}.{patch}"
    next_version = _FIRST if major is None else f"{major}.{minor}.{int(patch) + 1}"
    return f"{next_version}.dev{commits or 0}+{commit}{'.changed' if changed else ''}"
