"""The package that is installed elsewhere, and its ``darbar`` command."""

import os
import re
import runpy
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from importlib.util import find_spec
from pathlib import Path

import pytest
from django.core.management import get_commands

from config import environment
from config.server.command_line import COMMANDS, GAMES, PROCESSES
from config.server.documents.build import POLICY
from tests.server.darbar import ROOT

pytestmark = pytest.mark.slow

PACKAGES = ("accounts", "config", "games", "notifications")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    folder = tmp_path_factory.mktemp("wheel")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    without_site = {**os.environ, "HATCH_BUILD_NO_HOOKS": "true"}
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True, env=without_site)
    return zipfile.ZipFile(next(folder.glob("darbar-*.whl")))


def darbar(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the command of the packages in a folder, from a folder that is no checkout."""
    return subprocess.run(
        [sys.executable, "-P", "-c", "from config.server.command_line import main; main()", *words],
        cwd=folder.parent,
        env={"PATH": os.environ["PATH"], "PYTHONPATH": str(folder), "DATA_DIR": str(folder / "data")},
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_package_holds_everything_that_the_server_reads_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    share = re.compile(r"darbar-[^/]+\.data/data/share/darbar/")
    packed = {share.sub("deploy/", name) for name in wheel.namelist() if ".dist-info/" not in name}
    files = [file for package in (*PACKAGES, "deploy") for file in (ROOT / package).rglob("*") if file.is_file()]
    unpacked = {"__pycache__", "site.build"}
    assert packed == {str(file.relative_to(ROOT)) for file in files if unpacked.isdisjoint(file.parts)}


def test_no_package_is_built_without_the_documents_site(tmp_path: Path) -> None:
    hook = runpy.run_path(str(ROOT / "hatch_build.py"))["DocumentsHook"]
    build_hook = hook(str(tmp_path), {}, None, None, str(tmp_path), "wheel")
    with pytest.raises(SystemExit, match="Type: make release"):
        build_hook.initialize("standard", {})
    site = tmp_path / "config" / "server" / "documents" / "site"
    site.mkdir(parents=True)
    (site / POLICY).touch()
    build_hook.initialize("standard", {})


def test_the_command_runs_outside_a_checkout(wheel: zipfile.ZipFile, tmp_path: Path) -> None:
    installed = tmp_path / "installed"
    wheel.extractall(installed)
    text = darbar(installed, "help")
    assert text.returncode == 0, text.stderr
    assert all(f"darbar {word} " in text.stdout for word in (*PROCESSES, *COMMANDS, "games try", "version"))
    wrong = darbar(installed, "rnu")
    assert (wrong.returncode, wrong.stderr.splitlines()[0]) == (2, "darbar has no command 'rnu'.")
    assert darbar(installed, "web", "--port=80").stderr == (
        "darbar web takes no arguments. Settings are environment variables.\n"
    )
    verified = darbar(installed, "verify", "--help")
    assert (verified.returncode, verified.stdout.startswith("usage: darbar verify")) == (0, True), verified.stderr


def test_every_word_of_the_command_leads_to_something_that_there_is() -> None:
    assert {command for command, _ in COMMANDS.values()} <= get_commands().keys()
    assert all(find_spec(module) for module, _ in (*PROCESSES.values(), *GAMES.values()))


def test_no_dependency_owns_the_names_of_our_packages() -> None:
    owners = packages_distributions()
    assert {name: owners[name] for name in PACKAGES if name in owners} == {}


def test_data_are_kept_in_the_checkout_or_where_the_system_keeps_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert environment.default_data_dir(ROOT) == ROOT / "var"
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert environment.default_data_dir(tmp_path) == Path("/var/lib/darbar")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    monkeypatch.setenv("XDG_DATA_HOME", "/home/maryam/data")
    assert environment.default_data_dir(tmp_path) == Path("/home/maryam/data/darbar")
    monkeypatch.delenv("XDG_DATA_HOME")
    assert environment.default_data_dir(tmp_path) == Path("~/.local/share/darbar")


def test_a_plain_uv_sync_brings_everything_that_make_run_and_the_tests_need() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    export = [str(Path(sys.executable).with_name("uv")), "export", "--frozen", "--offline", "--no-hashes"]
    exported = subprocess.run(export, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    exported_packages = {line.partition("=")[0] for line in exported.splitlines()}
    for extra, packages in project["project"]["optional-dependencies"].items():
        for package in packages:
            name = re.split("[<>=]", package)[0]
            assert (name in exported_packages) == (extra != "openspiel"), name
