"""``python -m tests.contract.keep [--break]``: the API's description, kept in docs/openapi.yaml for its clients.

What would break a client of the kept one is listed and not written, unless ``--break`` says that it is meant.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

import yaml

from tests.contract.compatibility import breaking

ROOT: Final = Path(__file__).parent.parent.parent
KEPT: Final = ROOT / "docs" / "openapi.yaml"


def read(text: str) -> Any:
    """A document from its YAML."""
    return yaml.load(text, Loader=yaml.CSafeLoader)


def stored_schema() -> Mapping[str, Any]:
    """The description that clients were promised; before one is kept for the first time, nothing."""
    return read(KEPT.read_text()) if KEPT.exists() else {"paths": {}}  # type: ignore[no-any-return]


def schema_text() -> str:
    """The description as the server gives it now."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "openapi.yaml"
        command = [sys.executable, "manage.py", "spectacular", "--file", str(file)]
        subprocess.run(command, cwd=ROOT, env={"DATA_DIR": folder, **os.environ}, check=True)
        return file.read_text()


def main() -> int:
    """Keep it; 1 where that would break a client."""
    text = schema_text()
    breaks = breaking(stored_schema(), read(text))
    sys.stdout.writelines(f"{break_}\n" for break_ in breaks)
    if breaks and "--break" not in sys.argv:
        sys.stdout.write("make schema: this breaks clients, so nothing is kept. BREAK=--break keeps it all the same.\n")
        return 1
    KEPT.write_text(text)
    sys.stdout.write(f"make schema: docs/openapi.yaml holds {len(read(text)['paths'])} paths.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
