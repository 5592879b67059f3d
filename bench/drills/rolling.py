"""Replaces a version process by process, behind nginx and behind Caddy, while people play.

The former version is the latest tag. Without a tag, the new version is the present one with an additional migration,
which adds a column and a table.
"""

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import httpx

from bench.drills.traffic import WITHOUT_LIMITS, sign_up, traffic
from bench.ports import free_port
from config.server.postgres import Server, ServerPaths
from tests.server.darbar import PATIENCE, ROOT, Darbar, wait_until
from tests.server.proxies import proxied

PACKAGES: Final = ("accounts", "config", "games", "notifications")
PROXIES: Final = ("nginx", "caddy")
_MIGRATION: Final = """
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", {last!r})]
    operations = [
        migrations.AddField("game", "of_tomorrow", models.CharField(max_length=9, default="", db_default="")),
        migrations.CreateModel("Tomorrow", [("id", models.BigAutoField(primary_key=True))]),
    ]
"""


class Fleet:
    """The processes of a server: two web servers, two workers, an event stream and a mail server."""

    def __init__(self, server: Darbar, second_port: int) -> None:
        self._server = server
        self.webs = {"web": server.port, "web2": second_port}
        self._parts = {name: {"PORT": str(port)} for name, port in self.webs.items()}
        self._parts |= {name: {} for name in ("worker", "worker2", "stream", "mail")}
        self._running: dict[str, subprocess.Popen[bytes]] = {}

    def start(self, version: Path, lead_to: Callable[[Sequence[int]], None] | None = None) -> None:
        """Start or restart all processes, one after the other, from the folder of a version.

        ``lead_to`` is called with the ports of the web servers that can be used meanwhile.
        """
        for name in self._parts:
            if lead_to:
                lead_to([port for other, port in self.webs.items() if other != name])
            self._end(name)
            self._start(name, version)
        if lead_to:
            lead_to([*self.webs.values()])

    def end(self) -> None:
        for name in list(self._running):
            self._end(name)

    def _start(self, name: str, version: Path) -> None:
        module = f"config.server.{name.rstrip('2')}"
        environment = {**self._server.environment, **self._parts[name]}
        with self._server.log.open("ab") as log:
            self._running[name] = subprocess.Popen(
                [sys.executable, "-m", module], cwd=version, env=environment, stdout=log, stderr=log
            )
        if "PORT" in self._parts[name]:
            darbar = Darbar(self._server.data_dir)
            darbar.port = int(self._parts[name]["PORT"])
            wait_until(lambda: _answers(darbar), f"{name} answers")

    def _end(self, name: str) -> None:
        if process := self._running.pop(name, None):
            process.terminate()
            process.wait(PATIENCE)


def run(folder: Path, requests: int) -> Iterator[tuple[str, bool]]:
    """Yield lines, each with True if the result is good."""
    former, new, name = _versions(folder)
    for proxy in PROXIES:
        if shutil.which(proxy) is None:
            yield f"rolling upgrade: skipped behind {proxy}, which is not installed", True
            continue
        (folder / proxy).mkdir()
        line, is_good = _upgrade(folder / proxy, proxy, (former, new), requests)
        yield f"rolling upgrade behind {proxy}, from {name}: {line}", is_good


def _upgrade(folder: Path, proxy: str, versions: tuple[Path, Path], requests: int) -> tuple[str, bool]:
    """Upgrade a server while people play. Return a line, and True if no request failed."""
    former, new = versions
    server = Darbar(folder / "data", TRUSTED_PROXIES="1", **WITHOUT_LIMITS)
    server.data_dir.mkdir()
    second_port = free_port()
    fleet = Fleet(server, second_port)
    with ExitStack() as stack:
        stack.enter_context(Server(ServerPaths.in_data_dir(server.data_dir)))
        _prepare(server, former)
        stack.callback(fleet.end)
        fleet.start(former)
        front = stack.enter_context(proxied(proxy, folder, [server.port, second_port], server.stream_port, 10))
        clients = [front.client(dict(client.headers)) for client in sign_up(server)]
        with traffic(clients) as outcome:
            outcome.wait_for(lambda: len(outcome.statuses) >= requests // 3, "a third of the requests is answered")
            _prepare(server, new)
            fleet.start(new, front.lead_to if proxy == "caddy" else None)
            upgraded_after = len(outcome.statuses)
            outcome.wait_for(lambda: len(outcome.statuses) >= requests, "all requests are answered")
    return f"{outcome}; new after {upgraded_after} of them", outcome.errors == 0


def _versions(folder: Path) -> tuple[Path, Path, str]:
    """Return the folders of the former and of the new version, and the name of the former one."""
    describe = ["git", "describe", "--tags", "--abbrev=0", "HEAD"]
    tag = subprocess.run(describe, cwd=ROOT, capture_output=True, text=True, check=False).stdout.strip()
    if tag:
        (folder / "former").mkdir()
        archive = subprocess.run(["git", "archive", tag, *PACKAGES], cwd=ROOT, capture_output=True, check=True)
        subprocess.run(["tar", "-x", "-C", folder / "former"], input=archive.stdout, check=True)
        return folder / "former", ROOT, tag
    for package in PACKAGES:
        shutil.copytree(ROOT / package, folder / "new" / package, ignore=shutil.ignore_patterns("__pycache__"))
    migrations = folder / "new" / "games" / "migrations"
    last = max(migrations.glob("[0-9]*.py")).stem
    (migrations / "9999_of_tomorrow.py").write_text(_MIGRATION.format(last=last))
    return ROOT, folder / "new", "this version to one with an additional migration"


def _prepare(server: Darbar, version: Path) -> None:
    prepare = [sys.executable, "-m", "config.server.prepare"]
    subprocess.run(prepare, cwd=version, env=server.environment, check=True)


def _answers(server: Darbar) -> bool:
    try:
        return server.get("/healthz").is_success
    except httpx.HTTPError:
        return False
