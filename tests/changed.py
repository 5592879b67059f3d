"""Run the quick tests of the folders that changed since this branch left main: ``make test-mine``.

Changes that are not committed and files that git does not track count too. A change that can affect every test, such
as a migration or a conftest.py, runs the whole quick half.
"""

import re
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parent.parent
PACKAGES: Final = ("config", "games", "accounts", "notifications")
AFFECTS_ALL: Final = re.compile(
    r"^(config/|pyproject\.toml$|uv\.lock$|Makefile$)|/migrations/|(^|/)conftest\.py$"
    r"|^tests/(cast|running|browser|watchdog|database_template|forging|long)\.py$"
)
DOCUMENTS: Final = re.compile(r"\.md$|^docs/")
ALWAYS: Final = ("tests/test_architecture.py",)
"""Tests of the shape of the code. They take a few seconds and concern every change."""


def changed_files() -> list[str]:
    """Return the paths of all files that differ from the commit where this branch left main."""
    main = "origin/main" if _git("rev-parse", "--quiet", "--verify", "origin/main") else "main"
    base = _git("merge-base", "HEAD", main) or ["HEAD"]
    return [*_git("diff", "--name-only", base[0]), *_git("ls-files", "--others", "--exclude-standard")]


def tests_of(files: list[str]) -> list[str]:
    """Return the folders and files of tests to run, or the whole ``tests`` folder if a file affects all of them."""
    targets = set(ALWAYS)
    for file in files:
        if AFFECTS_ALL.search(file):
            return ["tests"]
        targets |= _targets(file)
    return sorted(target for target in targets if not any(f"{other}/" in f"{target}/" for other in targets - {target}))


def _targets(file: str) -> set[str]:
    if DOCUMENTS.search(file):
        return {"tests/test_documents.py", "tests/test_glossary.py", "tests/test_security_page.py"}
    if file.endswith(".po"):
        return {"tests/test_catalogues.py"}
    if re.search(r"/(templates|static)/", file):
        # Pages and emails of an app share its templates.
        return {f"tests/{folder}" for folder in ("games/pages", "games/announcements") if file.startswith("games/")} | (
            {f"tests/{file.split('/')[0]}"} if not file.startswith("games/") else set()
        )
    path = Path(file)
    if path.parts[0] == "tests":
        is_test = path.name.startswith("test_") and path.suffix == ".py"
        target = path if is_test else path.parent
        return {str(target)} if (ROOT / target).exists() and target != Path("tests") else set()
    folder = Path("tests") / path.parent
    while not (ROOT / folder).is_dir():
        folder = folder.parent
    return set() if folder == Path("tests") else {str(folder)}


def _git(*arguments: str) -> list[str]:
    result = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return result.stdout.splitlines() if result.returncode == 0 else []


def main() -> int:
    targets = tests_of(changed_files())
    sys.stdout.write(f"make test-mine: {' '.join(targets)}\n")
    sys.stdout.flush()
    workers = ["-n", "2", "--dist", "loadfile"] if targets == ["tests"] else []
    return subprocess.call([sys.executable, "-m", "pytest", "-q", "-m", "not slow", *workers, *targets], cwd=ROOT)


if __name__ == "__main__":
    sys.exit(main())
