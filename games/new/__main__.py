"""The command: ``python -m games.new NAME [FOLDER]``."""

import argparse
import sys
from pathlib import Path

from games.new import BadNameError, write_package


def main() -> int:
    """Write the package that the arguments name, and say what to do with it."""
    parser = argparse.ArgumentParser(prog="python -m games.new", description="Write the package of a new game.")
    parser.add_argument("name", help="a lower-case word, such as skull")
    parser.add_argument("folder", nargs="?", default=".", type=Path, help="where to write it (default: here)")
    asked = parser.parse_args()
    try:
        written = write_package(asked.name, asked.folder)
    except BadNameError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    root = (asked.folder / f"darbar-{asked.name}").resolve()
    sys.stdout.write("".join(f"{path}\n" for path in written))
    sys.stdout.write(f"\nTest it: PYTHONPATH={root}:. {sys.executable} -m pytest {root}\n")
    sys.stdout.write(f"Install it: {sys.executable} -m pip install -e {root}\nThen restart the server.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
