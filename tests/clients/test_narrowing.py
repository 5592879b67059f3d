"""Shapes that a client knows narrow by their tag, as mypy, pyright and TypeScript see them."""

import shutil
import sys
from pathlib import Path
from typing import Final

import pytest

from bench.node import NODE
from tests.clients.conftest import run
from tests.clients.test_generated import typescript
from tests.contract.keep import KEPT, ROOT

HERE: Final = Path(__file__).parent
PROGRAM: Final = HERE / "python" / "narrow.py"
SDK: Final = ROOT / "clients" / "python"

pytestmark = pytest.mark.slow


def test_known_shapes_narrow_for_mypy() -> None:
    command = ["-m", "mypy", "--strict", "--config-file=", "--follow-imports=silent", PROGRAM]
    run([sys.executable, *command], MYPYPATH=str(SDK))


def test_known_shapes_narrow_for_pyright(tmp_path: Path) -> None:
    (tmp_path / "pyrightconfig.json").write_text('{"typeCheckingMode": "strict", "include": ["narrow.py"]}')
    shutil.copy(PROGRAM, tmp_path)
    shutil.copytree(SDK / "darbar_client", tmp_path / "darbar_client")
    run([NODE, typescript() / "pyright" / "index.js", "--pythonpath", sys.executable], tmp_path)


def test_known_shapes_narrow_for_typescript(tmp_path: Path) -> None:
    tools, modules = typescript(), tmp_path / "node_modules"
    modules.mkdir()
    shutil.copytree(ROOT / "clients" / "js", modules / "darbar-client")
    shutil.copy(HERE / "typescript" / "narrow.ts", tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    run([NODE, tools / "openapi-typescript" / "bin" / "cli.js", KEPT, "-o", "api.ts"], tmp_path)
    strict = ["--strict", "--noUncheckedIndexedAccess", "--target", "es2022", "--module", "nodenext"]
    run([NODE, tools / "typescript" / "bin" / "tsc", *strict, "--noEmit", "narrow.ts"], tmp_path)
