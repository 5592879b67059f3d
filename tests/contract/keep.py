"""``python -m tests.contract.keep [--break]``: the API's descriptions, kept in docs/ for its clients.

What would break a client of the kept ones is listed and not written, unless ``--break`` says that it is meant.
"""

import gzip
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
ACCOUNT: Final = ROOT / "docs" / "openapi-account.yaml"
_BUILD: Final = "from config.server.api_description import document; document.build_in_background()"


def read(text: str) -> Any:
    """Return a document from its YAML."""
    return yaml.load(text, Loader=yaml.CSafeLoader)


def stored_schema(*files: Path) -> Mapping[str, Any]:
    """Return the description that clients were promised: by default both documents as one."""
    return together(*(read(file.read_text()) for file in files or (KEPT, ACCOUNT)))


def together(main: Mapping[str, Any], *others: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return several documents as one. The main one has the shapes of the games."""
    whole = {**main, "components": dict(main["components"])}
    for other in others:
        items = {path: whole["paths"].get(path, {}) | item for path, item in other["paths"].items()}
        whole["paths"] = whole["paths"] | items
        whole["components"]["schemas"] = other["components"]["schemas"] | whole["components"]["schemas"]
        whole["tags"] = [*whole["tags"], *other["tags"]]
    return whole


def schema_texts() -> dict[Path, str]:
    """Return the documents as the server gives them now, by the files in which they are kept."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "manage.py", "shell", "--no-imports", "--command", _BUILD]
        subprocess.run(command, cwd=ROOT, env={**os.environ, "DATA_DIR": folder}, check=True)
        return {
            file: gzip.decompress((Path(folder) / "api" / f"{file.name}.gz").read_bytes()).decode()
            for file in (KEPT, ACCOUNT)
        }


def main() -> int:
    """Keep them; 1 where that would break a client."""
    texts = schema_texts()
    breaks = breaking(stored_schema(), together(*map(read, texts.values())))
    sys.stdout.writelines(f"{break_}\n" for break_ in breaks)
    if breaks and "--break" not in sys.argv:
        sys.stdout.write("make schema: this breaks clients, so nothing is kept. BREAK=--break keeps it all the same.\n")
        return 1
    for file, text in texts.items():
        file.write_text(text)
        sys.stdout.write(f"make schema: docs/{file.name} holds {len(read(text)['paths'])} paths.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
