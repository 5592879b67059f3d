"""Clients that public generators make of the kept description: they compile, and play a whole game on a real server."""

import hashlib
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

from tests.clients.conftest import NODE, run, token_of, url_of
from tests.contract.keep import KEPT
from tests.server.darbar import ROOT, Darbar
from tests.server.player import Player

HERE: Final = Path(__file__).parent
BIN: Final = Path(sys.executable).parent
NPM: Final = NODE.parent.parent / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
CACHE: Final = ROOT / ".cache"
OUT_OF_REACH: Final = re.compile("ENOTFOUND|ECONN|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|E5[0-9]{2}")


def test_a_python_client_is_made_and_plays(running: Darbar, player: Player, tmp_path: Path) -> None:
    client = tmp_path / "darbar_client"
    run([BIN / "openapi-python-client", "generate", "--path", KEPT, "--output-path", client, "--meta", "none"])
    program = shutil.copy(HERE / "python" / "play.py", tmp_path)
    run([BIN / "mypy", "--strict", "--config-file=", "--follow-imports=silent", program], tmp_path)
    assert re.fullmatch(r"seat [123] has won\n", run([sys.executable, program, url_of(running), token_of(player)]))


def modules() -> Path:
    """The TypeScript tools, as the lock file pins them; fetched once for each lock file."""
    lock = HERE / "typescript" / "package-lock.json"
    folder = CACHE / f"typescript-{hashlib.sha256(lock.read_bytes()).hexdigest()[:12]}"
    if not (folder / "done").exists():
        folder.mkdir(parents=True, exist_ok=True)
        for file in (lock, lock.with_name("package.json")):
            shutil.copy(file, folder)
        fetch = [NODE, NPM, "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--cache", CACHE / "npm"]
        fetched = subprocess.run(fetch, cwd=folder, capture_output=True, text=True, timeout=180, check=False)
        if fetched.returncode and OUT_OF_REACH.search(fetched.stderr):
            pytest.skip("The npm registry cannot be reached, so no TypeScript client is made.")
        assert fetched.returncode == 0, fetched.stderr
        (folder / "done").touch()
    return folder / "node_modules"


def test_a_typescript_client_is_made_and_plays(running: Darbar, player: Player, tmp_path: Path) -> None:
    tools = modules()
    (tmp_path / "node_modules").symlink_to(tools)
    for name in ("play.ts", "tsconfig.json", "package.json"):
        shutil.copy(HERE / "typescript" / name, tmp_path)
    made = [tools / "openapi-typescript" / "bin" / "cli.js", KEPT, "-o", tmp_path / "api.ts"]
    run([NODE, *made, "--default-non-nullable=false"], tmp_path)
    run([NODE, tools / "typescript" / "bin" / "tsc", "--project", tmp_path], tmp_path)
    said = run([NODE, tmp_path / "out" / "play.js", url_of(running), token_of(player)], tmp_path)
    assert re.fullmatch(r"seat [123] has won\n", said)
