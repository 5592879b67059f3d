"""Plant small faults, one at a time, in a copy of the project, and see whether the tests notice.

``python tests/faults/plant.py [--jobs N] [words of a fault's name]``; the faults stand in ``faults.toml``.
A fault that no longer fits its file, or that the named tests do not notice, fails the run.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
import tomllib
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue

ROOT = Path(__file__).resolve().parents[2]
TOO_LONG = 900


@dataclass(frozen=True)
class Fault:
    """One change that makes the project wrong, and the test files that should notice."""

    name: str
    file: str
    old: str
    new: str
    tests: tuple[str, ...]


def faults(words: str) -> list[Fault]:
    """The faults whose name holds ``words``, each fitting its file exactly once; else a clear error."""
    table = tomllib.loads((ROOT / "tests/faults/faults.toml").read_text())
    found = [Fault(**{**entry, "tests": tuple(entry["tests"])}) for entry in table["fault"]]
    for fault in found:
        if (times := (ROOT / fault.file).read_text().count(fault.old)) != 1:
            sys.exit(f"“{fault.name}”: its old text stands {times} times in {fault.file}, it should stand once")
    return [fault for fault in found if words in fault.name]


def copy_project(folder: Path) -> Path:
    """A copy of every file of the project, without its history and its environment."""
    listing = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in listing.stdout.splitlines():
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def run_tests(folder: Path, tests: tuple[str, ...]) -> int:
    """The exit status of pytest over these files; 0 means that all pass."""
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    finished = subprocess.run(command, cwd=folder, capture_output=True, timeout=TOO_LONG)
    return finished.returncode


def noticed(fault: Fault, folder: Path) -> bool:
    """Return whether the tests fail with the fault in place; the copy is mended afterwards."""
    path = folder / fault.file
    whole = path.read_text()
    path.write_text(whole.replace(fault.old, fault.new))
    try:
        return run_tests(folder, fault.tests) == 1
    except subprocess.TimeoutExpired:
        return True
    finally:
        path.write_text(whole)


def main() -> int:
    """Plant every fault and say how many were noticed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("words", nargs="*", help="only faults whose name holds these words")
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    planted = faults(" ".join(chosen.words))
    if not planted:
        sys.exit(f"no fault's name holds “{' '.join(chosen.words)}”")
    with tempfile.TemporaryDirectory(prefix="faults-") as temporary, ThreadPoolExecutor(chosen.jobs) as pool:
        copies: SimpleQueue[Path] = SimpleQueue()
        for job in range(chosen.jobs):
            copies.put(copy_project(Path(temporary) / str(job)))

        def attempt(fault: Fault) -> bool:
            folder = copies.get()
            seen = noticed(fault, folder)
            copies.put(folder)
            sys.stdout.write(f"{'noticed' if seen else 'MISSED '}  {fault.name}\n")
            sys.stdout.flush()
            return seen

        every_test = tuple(sorted({test for fault in planted for test in fault.tests}))
        if run_tests(Path(temporary) / "0", every_test) != 0:
            sys.exit("the tests fail even without a fault; mend that first")
        results = list(pool.map(attempt, planted))
    sys.stdout.write(f"faults: {sum(results)} of {len(results)} noticed\n")
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main())
