"""The files of ``deploy/``: real proxies before a real server, and units that systemd accepts."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.darbar import Darbar
from tests.server.player import Player
from tests.server.proxies import DEPLOY, proxied


@pytest.mark.parametrize("kind", ["nginx", "caddy"])
def test_a_proxy_leads_to_pages_and_holds_nothing_of_the_stream_back(
    kind: str, tmp_path: Path, running: Darbar, somebody: str
) -> None:
    if shutil.which(kind) is None:
        pytest.skip(f"{kind} is not installed")
    behind = proxied(kind, tmp_path, [running.port], running.stream_port)
    with Player(running, somebody) as player, behind as front, front.client() as client:
        assert client.get("/rules/coup/").status_code == 200
        refused = client.get("/api/v1/stream/")
        assert (refused.status_code, refused.json()["code"]) == (401, "unauthenticated")
        assert "location" not in refused.headers, "it is the stream that answers, by the path of the proxy"
        authorization = {"Authorization": player.http.headers["Authorization"]}
        with client.stream("GET", "/api/v1/stream/", headers=authorization) as stream:
            assert stream.status_code == 200, stream.read()
            lines = stream.iter_lines()
            assert "event: ready" in lines
            opening = {"rules": "coup", "seat_count": 2, "bots": [{}]}
            created = client.post("/api/v1/games/", json=opening, headers=authorization)
            assert created.status_code == 201, created.text
            assert any(created.json()["id"] in line for line in lines if line.startswith("data:"))


def test_caddy_keeps_no_bodies_which_it_would_send_with_other_requests() -> None:
    lines = (DEPLOY / "Caddyfile").read_text().splitlines()
    assert [line for line in lines if line.strip().startswith(("buffer_", "request_buffers"))] == []


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
@pytest.mark.parametrize(("file", "name"), [("darbar.service",) * 2, ("darbar@.service", "darbar@web.service")])
def test_systemd_accepts_a_unit_and_finds_it_well_confined(tmp_path: Path, file: str, name: str) -> None:
    unit = tmp_path / name
    text = (DEPLOY / "systemd" / file).read_text()
    unit.write_text(text.replace("/opt/darbar/bin/darbar", sys.executable))
    checked = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert str(unit) not in checked.stderr, checked.stderr
    command = ["systemd-analyze", "security", "--offline=true", "--threshold=20", unit]
    rated = subprocess.run(command, capture_output=True, text=True, check=False)
    assert rated.returncode == 0, rated.stdout
