"""Plant small faults, one at a time, in a copy of the project, and report whether the tests notice them.

``python tests/faults/plant.py [-n JOBS] [row or words …]``. The faults are listed in ``faults.toml`` and
``security.toml``. A fault of ``security.toml`` removes a defence, and the tests that docs/security.md names in the same
row must fail. Without arguments every fault is planted. ``3.4.6`` chooses the faults of that row, ``3.4`` those of its
section, and a word the faults with it in their name.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[2]
FAULTS: Final = ROOT / "tests" / "faults" / "faults.toml"
SECURITY: Final = ROOT / "tests" / "faults" / "security.toml"
ROW: Final = re.compile(r"^\| (\d+\.\d+\.\d+) \| (.*?) \| (.*?) \| (.*?) \|$", re.M)
"""A row of docs/security.md: number, requirement, how it is met, tests."""
TIMEOUT: Final = 900
NOT_RUN: Final = 3
"""The exit status of pytest where it breaks down itself. An error before the test begins is no failure of the test."""


@dataclass(frozen=True)
class Fault:
    """A change that makes the project wrong, and the tests that must fail with it."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]
    row: str = ""

    @property
    def title(self) -> str:
        return f"{self.row} {self.name}".strip()

    @property
    def change(self) -> tuple[object, ...]:
        return self.file, self.old, self.new, self.tests

    def occurrences(self) -> int:
        path = ROOT / self.file
        return path.read_text().count(self.old) if path.is_file() else 0

    def is_chosen(self, words: list[str]) -> bool:
        return not words or any(
            self.row == word or self.row.startswith(f"{word}.") if word[0].isdigit() else word in self.name
            for word in words
        )


def security_tests() -> dict[str, tuple[str, ...]]:
    """Return the tests that docs/security.md names in each row."""
    page = (ROOT / "docs" / "security.md").read_text()
    return {
        number: tuple(f"tests/{test}" for test in re.findall("`(.*?)`", tests))
        for number, _, _, tests in ROW.findall(page)
    }


def all_faults() -> list[Fault]:
    tests_of_row = security_tests()
    plain = tomllib.loads(FAULTS.read_text())["fault"]
    security = tomllib.loads(SECURITY.read_text())["fault"]
    return [Fault(**{**entry, "tests": tuple(entry["tests"])}) for entry in plain] + [
        Fault(**entry, tests=tests_of_row[entry["row"]]) for entry in security
    ]


def rows_without_fault() -> dict[str, str]:
    """Return the reason of each row of docs/security.md for which no fault can be planted."""
    return tomllib.loads(SECURITY.read_text())["no_patch"]


def copy_project(folder: Path) -> Path:
    """Copy the project's files and their bytecode, without its history and its environment."""
    listing = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in listing.stdout.splitlines():
        source = ROOT / name
        if source.is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, folder / name)
    for cache in {(ROOT / name).parent / "__pycache__" for name in listing.stdout.splitlines()}:
        if cache.is_dir():
            shutil.copytree(cache, folder / cache.relative_to(ROOT), dirs_exist_ok=True)
    # The runs of every copy begin with the same migrated databases (tests/database_template.py).
    databases = Path(".cache", "test-databases")
    (ROOT / databases).mkdir(parents=True, exist_ok=True)
    (folder / ".cache").mkdir()
    (folder / databases).symlink_to(ROOT / databases)
    return folder


def run_tests(folder: Path, tests: tuple[str, ...]) -> tuple[int, str]:
    """Run the tests in the copy. Return the exit status of pytest and why the first of them failed."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    # Without bytecode each run would compile the whole project.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    try:
        finished = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=TIMEOUT, env=environment)
    except subprocess.TimeoutExpired:
        return 1, f"no end after {TIMEOUT} seconds"
    lines = finished.stdout.splitlines()
    if finished.returncode == 1 and not any(line.startswith("FAILED ") for line in lines):
        return NOT_RUN, finished.stdout.strip()[-200:]
    reasons = [line.removeprefix("E").strip() for line in lines if line.startswith("E   ")]
    return finished.returncode, (reasons or [""])[0]


def plant(fault: Fault, folder: Path) -> tuple[bool, str]:
    """Return whether the tests fail with the fault in place, and what failed. The copy is mended afterwards."""
    path = folder / fault.file
    text = path.read_text()
    path.write_text(text.replace(fault.old, fault.new))
    try:
        status, reason = run_tests(folder, fault.tests)
    finally:
        path.write_text(text)
    # Another status than 1 means that the tests did not run: the fault is not one that they can notice.
    return status == 1, reason if status in (0, 1) else f"pytest ended with {status}: {reason}"


def check_without_faults(folders: list[Path], faults: list[Fault], pool: ThreadPoolExecutor) -> Iterator[str]:
    """Run all tests of the faults on the unchanged copies. Yield what failed."""
    tests = sorted({test for fault in faults for test in fault.tests})
    files = sorted({test.partition("::")[0] for test in tests})
    shares = [
        tuple(test for test in tests if files.index(test.partition("::")[0]) % len(folders) == number)
        for number in range(len(folders))
    ]
    for status, reason in pool.map(run_tests, folders, filter(None, shares)):
        if status != 0:
            yield reason


def write(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def main() -> int:
    """Plant the chosen faults, and print how many were noticed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="a row of docs/security.md, or words of a fault's name")
    parser.add_argument("-n", "--jobs", type=int, default=2, help="how many faults are tried at the same time")
    parser.add_argument(
        "--no-check", dest="check", action="store_false", help="do not first run the tests without a fault"
    )
    args = parser.parse_args()
    faults = [fault for fault in all_faults() if fault.is_chosen(args.words)]
    if not faults:
        reasons = [f"{row}: {why}" for row, why in rows_without_fault().items() if row in args.words]
        sys.exit("\n".join(reasons) or f"no fault has the row or the name {' '.join(args.words)}")
    for fault in faults:
        if (times := fault.occurrences()) != 1:
            sys.exit(f"{fault.title}: its old text occurs {times} times in {fault.file}, it must occur once")
    jobs = max(1, min(args.jobs, len(faults)))
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="faults-") as temporary, ThreadPoolExecutor(jobs) as pool:
        folders = [copy_project(Path(temporary) / str(job)) for job in range(jobs)]
        write(f"{time.monotonic() - begun:6.0f} s  {len(faults)} faults, {jobs} at a time")
        for reason in check_without_faults(folders, faults, pool) if args.check else ():
            sys.exit(f"the tests fail without a fault, mend that first: {reason}")
        free: SimpleQueue[Path] = SimpleQueue()
        for folder in folders:
            free.put(folder)

        def attempt(fault: Fault) -> bool:
            folder = free.get()
            try:
                is_noticed, reason = plant(fault, folder)
            finally:
                free.put(folder)
            elapsed = time.monotonic() - begun
            write(f"{elapsed:6.0f} s  {'noticed' if is_noticed else 'NOT NOTICED'}  {fault.title}  [{reason[:150]}]")
            return is_noticed

        # Several rows may name the same tests for the same line of code. That is tried once.
        unique = {fault.change: fault for fault in faults}
        outcomes = dict(zip(unique, pool.map(attempt, unique.values()), strict=True))
    missed = [fault.title for fault in faults if not outcomes[fault.change]]
    write(f"planted {len(faults)}, noticed {len(faults) - len(missed)}, not noticed {len(missed)}")
    for title in missed:
        write(f"  not noticed: {title}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
