"""Clients that public generators make of the kept description: they compile, and play a whole game on a real server.

``make clients`` runs them; ``make test`` lets our own clients play.
"""

import os
import re
import shutil
import sys
from pathlib import Path
from typing import Final

import pytest

from bench.node import NODE, OutOfReach, modules
from tests.clients.conftest import run, token_of, url_of
from tests.contract.keep import KEPT
from tests.server.darbar import Darbar
from tests.server.player import Player

HERE: Final = Path(__file__).parent
BIN: Final = Path(sys.executable).parent


IN_EARNEST: Final = pytest.mark.skipif("DARBAR_CLIENTS" not in os.environ, reason="make clients runs it.")


@IN_EARNEST
def test_a_python_client_is_made_and_plays(running: Darbar, player: Player, tmp_path: Path) -> None:
    client = tmp_path / "darbar_client"
    run([BIN / "openapi-python-client", "generate", "--path", KEPT, "--output-path", client, "--meta", "none"])
    program = shutil.copy(HERE / "python" / "play.py", tmp_path)
    run([BIN / "mypy", "--strict", "--config-file=", "--follow-imports=silent", program], tmp_path)
    assert re.fullmatch(r"seat [123] has won\n", run([sys.executable, program, url_of(running), token_of(player)]))


def typescript() -> Path:
    """The TypeScript tools."""
    try:
        return modules(HERE / "typescript")
    except OutOfReach:
        pytest.skip("The npm registry cannot be reached, so no TypeScript client is made.")


@IN_EARNEST
def test_a_typescript_client_is_made_and_plays(running: Darbar, player: Player, tmp_path: Path) -> None:
    tools = typescript()
    (tmp_path / "node_modules").symlink_to(tools)
    for name in ("play.ts", "tsconfig.json", "package.json"):
        shutil.copy(HERE / "typescript" / name, tmp_path)
    command = [tools / "openapi-typescript" / "bin" / "cli.js", KEPT, "-o", tmp_path / "api.ts"]
    run([NODE, *command], tmp_path)
    run([NODE, tools / "typescript" / "bin" / "tsc", "--project", tmp_path], tmp_path)
    text = run([NODE, tmp_path / "out" / "play.js", url_of(running), token_of(player)], tmp_path)
    assert re.fullmatch(r"seat [123] has won\n", text)
