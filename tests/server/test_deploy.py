"""The files of ``deploy/``: real proxies before a real server, and units that systemd accepts."""

import datetime
import ipaddress
import json
import os
import re
import shutil
import ssl
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from bench.ports import free_port
from tests.server.darbar import ROOT, Darbar, wait_until
from tests.server.player import Player

DEPLOY: Final = ROOT / "deploy"
NAME: Final = "play.example.org"
AROUND_NGINX: Final = """
daemon off; worker_processes 1; pid {folder}/pid; error_log stderr error;
events {{ worker_connections 100; }}
http {{
    access_log off; client_body_temp_path {folder}/a; proxy_temp_path {folder}/b;
    fastcgi_temp_path {folder}/c; uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
    include {folder}/darbar.conf;
}}
"""


def certificate(folder: Path) -> None:
    """Write a certificate for this machine that signs itself, and its key."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.datetime.now(datetime.UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    names = x509.SubjectAlternativeName([x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
    built = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    built = built.not_valid_before(now - datetime.timedelta(1)).not_valid_after(now + datetime.timedelta(1))
    made = built.add_extension(names, critical=False).sign(key, hashes.SHA256())
    (folder / "fullchain.pem").write_bytes(made.public_bytes(serialization.Encoding.PEM))
    (folder / "privkey.pem").write_bytes(
        key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )


def nginx(folder: Path, front: int, server: Darbar) -> list[str]:
    """Write the configuration with the ports of the test, and return the command."""
    written = (DEPLOY / "nginx.conf").read_text()
    written = written.replace("listen 80;", f"listen 127.0.0.1:{free_port()};").replace(
        "listen 443 ssl http2;", f"listen 127.0.0.1:{front} ssl http2;"
    )
    written = re.sub(r"\n    listen \[::\].*", "", written).replace(f"/etc/letsencrypt/live/{NAME}", str(folder))
    written = written.replace("127.0.0.1:8000", f"127.0.0.1:{server.port}")
    written = written.replace("127.0.0.1:8001", f"127.0.0.1:{server.stream_port}")
    (folder / "darbar.conf").write_text(written.replace(NAME, "localhost"))
    (folder / "nginx.conf").write_text(AROUND_NGINX.format(folder=folder))
    return ["nginx", "-p", str(folder), "-c", str(folder / "nginx.conf")]


def caddy(folder: Path, front: int, server: Darbar) -> list[str]:
    """Write the configuration with the ports and the certificate of the test, and return the command."""
    written = (DEPLOY / "Caddyfile").read_text()
    written = written.replace("grace_period 10s", "grace_period 1s\n\tadmin off\n\tauto_https disable_redirects")
    tls = f"{{\n\tbind 127.0.0.1\n\ttls {folder}/fullchain.pem {folder}/privkey.pem"
    written = written.replace(f"\n{NAME} {{", f"\nlocalhost:{front} {tls}")
    written = written.replace("127.0.0.1:8000", f"127.0.0.1:{server.port}")
    written = written.replace("127.0.0.1:8001", f"127.0.0.1:{server.stream_port}")
    (folder / "Caddyfile").write_text(written)
    return ["caddy", "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


@contextmanager
def proxied(kind: str, folder: Path, server: Darbar) -> Iterator[httpx.Client]:
    """A proxy of this kind before a server, and a client that trusts its certificate."""
    if shutil.which(kind) is None:
        pytest.skip(f"{kind} is not installed")
    certificate(folder)
    front = free_port()
    command = {"nginx": nginx, "caddy": caddy}[kind](folder, front, server)
    env = {"PATH": os.environ["PATH"], "HOME": str(folder), "XDG_DATA_HOME": str(folder)}
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(command, env=env, stdout=log, stderr=log)
    trusted = ssl.create_default_context(cafile=str(folder / "fullchain.pem"))
    try:
        with httpx.Client(base_url=f"https://localhost:{front}", verify=trusted, timeout=30) as client:
            wait_until(lambda: process.poll() is not None or answers(client), f"{kind} answers", 30)
            assert process.poll() is None, (folder / "log").read_text()
            yield client
    finally:
        process.terminate()
        process.wait(30)


def answers(client: httpx.Client) -> bool:
    try:
        return client.get("/healthz").status_code == 200
    except httpx.HTTPError:
        return False


@pytest.mark.parametrize("kind", ["nginx", "caddy"])
def test_a_proxy_leads_to_pages_and_holds_nothing_of_the_stream_back(
    kind: str, tmp_path: Path, running: Darbar, somebody: str
) -> None:
    with Player(running, somebody) as player, proxied(kind, tmp_path, running) as client:
        assert client.get("/rules/coup/").status_code == 200
        refused = client.get("/api/v1/stream/")
        assert (refused.status_code, refused.json()["code"]) == (401, "unauthenticated")
        assert "location" not in refused.headers, "it is the stream that answers, by the path of the proxy"
        token = {"Authorization": player.http.headers["Authorization"]}
        with client.stream("GET", "/api/v1/stream/", headers=token) as stream:
            assert stream.status_code == 200, stream.read()
            asked = {"rules": "coup", "seat_count": 2, "bots": [{}]}
            created = client.post("/api/v1/games/", json=asked, headers=token)
            assert created.status_code == 201, created.text
            lines = (json.loads(line[5:]) for line in stream.iter_lines() if line.startswith("data:"))
            assert any(data.get("game") == created.json()["id"] for data in lines)


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not installed")
def test_systemd_accepts_the_unit_and_finds_it_well_confined(tmp_path: Path) -> None:
    unit = tmp_path / "darbar.service"
    written = (DEPLOY / "systemd" / "darbar.service").read_text()
    unit.write_text(written.replace("/opt/darbar/bin/darbar", sys.executable))
    checked = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert str(unit) not in checked.stderr, checked.stderr
    asked = ["systemd-analyze", "security", "--offline=true", "--threshold=20", unit]
    rated = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert rated.returncode == 0, rated.stdout
