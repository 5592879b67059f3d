"""The command: ``python -m games.new NAME [FOLDER] [--inside]``."""

import argparse
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from games.new import CATALOGUE, BadNameError, write_inside, write_package

DOCUMENTS: Final = ("tests.catalogues", "tests.contract.keep", "tests.record_schema")
"""The modules of a checkout that write its catalogues and its descriptions of the API and of records."""


def main() -> int:
    """Write the game that the arguments name, and print the next steps."""
    parser = argparse.ArgumentParser(prog="python -m games.new", description="Write a new game.")
    parser.add_argument("name", help="a lower-case word, such as mygame")
    parser.add_argument("folder", nargs="?", default=".", type=Path, help="where to write it (default: here)")
    parser.add_argument("--inside", action="store_true", help="into games/rules of a checkout, not as a package")
    arguments = parser.parse_args()
    try:
        paths = (write_inside if arguments.inside else write_package)(arguments.name, arguments.folder)
    except BadNameError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    sys.stdout.write("".join(f"{path}\n" for path in paths))
    return _inside(arguments.name, arguments.folder) if arguments.inside else _package(arguments.name, arguments.folder)


def _package(name: str, folder: Path) -> int:
    """Compile the catalogue of the new package, if Babel is installed."""
    root = (folder / f"darbar-{name}").resolve()
    words = root / f"darbar_{name}" / CATALOGUE
    if find_spec("babel") is not None:
        command: list[str | Path] = [sys.executable, "-m", "babel.messages.frontend", "--quiet", "compile", "-i", words]
        subprocess.run([*command, "-o", words.with_suffix(".mo"), "-l", "fa"], check=True)
    sys.stdout.write(f"\nTest it: PYTHONPATH={root}:. {sys.executable} -m pytest {root}\n")
    sys.stdout.write(f"Install it: {sys.executable} -m pip install -e {root}\nThen restart the server.\n")
    return 0


def _inside(name: str, root: Path) -> int:
    """Write the documents of the checkout again that depend on its games."""
    for module in DOCUMENTS:
        subprocess.run([sys.executable, "-m", module], cwd=root, check=True)
    tests = f"tests/games/rules/{name} tests/games/rules/test_contract.py"
    sys.stdout.write(f"\nTest it: {sys.executable} -m pytest {tests}\nThen restart the server.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
