"""The guide to hosting: its settings, SQL and DNS records. The files that it names are tried in ``test_deploy``."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import psycopg
from dnslib import RR

from tests.server.darbar import ROOT

GUIDE: Final = (ROOT / "docs" / "site" / "en" / "host" / "index.md").read_text()
NAME: Final = "play.example.org"


def blocks(kind: str) -> list[str]:
    """The files of one kind that the guide shows."""
    matches: list[str] = re.findall(rf"^```{kind}(?: title=[^\n]*)?\n(.*?)^```$", GUIDE, re.M | re.S)
    return matches


def settings() -> dict[str, str]:
    """The variables of the file of settings."""
    return dict(line.split("=", 1) for line in blocks("ini")[0].splitlines())


def database(url: str) -> str:
    """Create the guide's role and database at a server that a superuser may use; returns the URL of the new one."""
    name = "darbar_of_the_guide"
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in filter(str.strip, blocks("sql")[0].replace("darbar", name).split(";")):
            connection.execute(statement)
    url_parts, place = urlsplit(settings()["DATABASE_URL"]), urlsplit(url)
    return f"postgres://{name}:{url_parts.password}@{place.hostname}:{place.port}/{name}"


def test_the_settings_of_the_guide_are_taken(tmp_path: Path) -> None:
    environment = {"PATH": os.environ["PATH"], **settings(), "DATA_DIR": str(tmp_path)}
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    completed = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert completed.returncode == 0, completed.stderr
    assert {f"`{name}`" for name in settings()} <= set(re.findall("`[A-Z_]+`", (ROOT / "docs/settings.md").read_text()))


def test_the_dns_records_are_records() -> None:
    zone = RR.fromZone(blocks("dns")[0])
    assert {str(record.rname).removesuffix(f"{NAME}.") for record in zone} == {"", "_dmarc.", "s1._domainkey."}
    assert len(zone) == len(blocks("dns")[0].splitlines())
