"""The guide to hosting: each of its files does what the guide says, as far as one machine can show it."""

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
from urllib.parse import urlsplit

import httpx
import psycopg
import pytest
from dnslib import RR

from bench.ports import free_port
from tests.server.darbar import ROOT, Darbar, wait_until

GUIDE: Final = (ROOT / "docs" / "site" / "en" / "host" / "index.md").read_text()
NAME: Final = "play.example.org"
_WRAPPED: Final = """
daemon off; worker_processes 1; pid {folder}/pid; error_log {folder}/errors;
events {{ worker_connections 64; }}
http {{
  access_log off;
  client_body_temp_path {folder}/a; proxy_temp_path {folder}/b; fastcgi_temp_path {folder}/c;
  uwsgi_temp_path {folder}/d; scgi_temp_path {folder}/e;
  {site}
}}
"""


def blocks(kind: str) -> list[str]:
    """The files of one kind that the guide shows."""
    found: list[str] = re.findall(rf"^```{kind}\n(.*?)^```$", GUIDE, re.M | re.S)
    return found


def settings() -> dict[str, str]:
    """The variables of the file of settings."""
    return dict(line.split("=", 1) for line in blocks("ini")[0].splitlines())


def database(url: str) -> str:
    """Create the guide's role and database at a server that a superuser may use; returns the URL of the new one."""
    name = "darbar_of_the_guide"
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in filter(str.strip, blocks("sql")[0].replace("darbar", name).split(";")):
            connection.execute(statement)
    known, place = urlsplit(settings()["DATABASE_URL"]), urlsplit(url)
    return f"postgres://{name}:{known.password}@{place.hostname}:{place.port}/{name}"


def test_the_settings_of_the_guide_are_taken(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], **settings(), "DATA_DIR": str(tmp_path)}
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    said = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert said.returncode == 0, said.stderr
    assert {f"`{name}`" for name in settings()} <= set(re.findall("`[A-Z_]+`", (ROOT / "docs/settings.md").read_text()))


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="There is no systemd here.")
def test_systemd_knows_every_line_of_the_service(tmp_path: Path) -> None:
    unit = tmp_path / "darbar.service"
    here = {
        "/srv/darbar/app/.venv/bin/python": sys.executable,
        "/srv/darbar/app": str(ROOT),
        "User=darbar": "User=root",
    }
    written = blocks("ini")[1]
    for there, place in here.items():
        assert there in written
        written = written.replace(there, place)
    unit.write_text(written)
    said = subprocess.run(["systemd-analyze", "verify", unit], capture_output=True, text=True, check=False)
    assert "darbar.service:" not in said.stderr, said.stderr
    assert said.returncode == 0, said.stderr


def test_the_dns_records_are_records() -> None:
    zone = RR.fromZone(blocks("dns")[0])
    assert {str(record.rname).removesuffix(f"{NAME}.") for record in zone} == {"", "_dmarc.", "s1._domainkey."}
    assert len(zone) == len(blocks("dns")[0].splitlines())


@contextmanager
def proxied(folder: Path, server: Darbar) -> Iterator[int]:
    """The guide's nginx before a server, with a certificate of its own; gives its port for TLS."""
    front, plain = free_port(), free_port()
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    making = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", f"/CN={NAME}"]
    subprocess.run([*making, "-keyout", key, "-out", certificate], check=True, capture_output=True)
    here = {
        "listen 443": f"listen 127.0.0.1:{front}",
        "listen 80": f"listen 127.0.0.1:{plain}",
        f"/etc/letsencrypt/live/{NAME}/fullchain.pem": str(certificate),
        f"/etc/letsencrypt/live/{NAME}/privkey.pem": str(key),
        "127.0.0.1:8000": f"127.0.0.1:{server.port}",
        "127.0.0.1:8001": f"127.0.0.1:{server.stream_port}",
    }
    site = blocks("nginx")[0]
    for there, place in here.items():
        assert there in site, there
        site = site.replace(there, place)
    (folder / "nginx.conf").write_text(_WRAPPED.format(folder=folder, site=site))
    process = subprocess.Popen(["nginx", "-p", folder, "-c", folder / "nginx.conf"], stderr=subprocess.PIPE)
    try:
        wait_until(lambda: (folder / "pid").exists() or process.poll() is not None, "nginx listens")
        assert process.poll() is None, process.stderr and process.stderr.read()
        yield front
    finally:
        process.terminate()
        process.communicate()


@pytest.mark.skipif(None in map(shutil.which, ("nginx", "openssl")), reason="There is no nginx or no openssl here.")
def test_nginx_leads_pages_and_the_stream_to_the_server(running: Darbar, tmp_path: Path) -> None:
    with proxied(tmp_path, running) as port:
        trusted = ssl.create_default_context(cafile=str(tmp_path / "certificate.pem"))
        trusted.check_hostname = False
        with httpx.Client(
            base_url=f"https://127.0.0.1:{port}", verify=trusted, headers={"Host": "localhost"}
        ) as client:
            assert client.get("/healthz").json()["status"] == "ok"
            refused = client.get("/api/v1/stream/")
            assert (refused.status_code, refused.json()["code"]) == (401, "unauthenticated")
            assert "location" not in refused.headers
