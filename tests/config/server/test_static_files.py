"""Static files under names with a digest, compressed and kept for good; and which pages are compressed."""

import gzip
import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from django.test import Client

from accounts.models import Account
from config.server.headers import NOTHING
from tests.browser import Visit
from tests.games.api.conftest import client
from tests.games.seated import begin
from tests.server.conftest import on_a_copy
from tests.server.darbar import ROOT, Darbar

COLLECT = "import django; django.setup(); from config.server import static_files as s; s.collect()"
COMPRESSED = {"Accept-Encoding": "gzip"}


@pytest.fixture(scope="module")
def server(prepared: Path) -> Iterator[Darbar]:
    """A server that collects the files itself, at its first start."""
    with on_a_copy(prepared) as server:
        shutil.rmtree(server.data_dir / "static")
        yield server.start()


def ask(server: Darbar, path: str) -> httpx.Response:
    return httpx.get(f"http://localhost:{server.port}{path}", headers=COMPRESSED, timeout=60)


def test_what_a_page_links_is_compressed_and_kept_for_good(server: Darbar) -> None:
    page = ask(server, "/")
    assert page.headers["Content-Encoding"] == "gzip"
    linked = re.findall(r'(?:href|src)="(/static/[^"]+)"', page.text)
    styles = [path for path in linked if path.endswith(".css")]
    assert styles
    for path in linked:
        assert re.search(r"\.[0-9a-f]{12}\.\w+$", path), path
        answer = ask(server, path)
        assert "immutable" in answer.headers["Cache-Control"], path
        policy, is_page = answer.headers["Content-Security-Policy"], path.endswith(".svg")
        assert ("Permissions-Policy" in answer.headers, policy != NOTHING) == (is_page, is_page), path
    (style,) = (ask(server, path) for path in styles)
    assert style.headers["Content-Encoding"] == "gzip"
    fonts = re.findall(r'url\("\.\./(fonts/[^"]+)"\)', style.text)
    assert len(fonts) == 8
    assert all(len(ask(server, f"/static/{font}").content) < 20_000 for font in fonts)


def test_a_first_visit_is_light(server: Darbar) -> None:
    page = ask(server, "/")
    linked = {path for path in re.findall(r'(?:href|src)="(/[^"]+)"', page.text) if re.search(r"\.(css|js|svg)$", path)}
    style = next(path for path in linked if "darbar." in path)
    fonts = re.findall(r'url\("\.\./(fonts/[^"]+-latin\.[^"]+)"\)', ask(server, style).text)
    answers = [page, *(ask(server, path) for path in (*sorted(linked), *(f"/static/{font}" for font in fonts)))]
    assert {answer.status_code for answer in answers} == {200}
    assert sum(answer.num_bytes_downloaded for answer in answers) < 90_000


@pytest.mark.slow
def test_nothing_is_collected_again_that_has_not_changed(tmp_path: Path) -> None:
    def collect() -> dict[str, int]:
        environment = {"DATA_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings", "PATH": ""}
        subprocess.run([sys.executable, "-W", "error", "-c", COLLECT], cwd=ROOT, env=environment, check=True)
        return {str(path): path.stat().st_mtime_ns for path in (tmp_path / "static").rglob("*")}

    first = collect()
    assert collect() == first
    (tmp_path / "static" / "sources.json").write_text("")  # the disk was full
    assert collect() != first


@pytest.mark.django_db
def test_pages_are_compressed_for_visitors_alone(maryam: Account) -> None:
    for path in ("/", "/rules/", "/rules/coup/", "/signup/", "/login/", "/password/", "/api/docs/"):
        answer = Client(headers=COMPRESSED).get(path)
        assert answer.headers["Content-Encoding"] == "gzip"
        assert b"<!DOCTYPE html>" in gzip.decompress(answer.content)
    game = begin([maryam, None], ["duke"])
    client = Client(headers=COMPRESSED)
    client.force_login(maryam)
    for path in ("/", "/rules/", f"/games/{game.pk}/", "/settings/", "/api/docs/"):
        answer = client.get(path)
        assert answer.status_code == 200
        assert "Content-Encoding" not in answer.headers, path


@pytest.mark.django_db
def test_of_the_apis_answers_the_rules_alone_are_compressed(maryam: Account) -> None:
    rules = Client(headers=COMPRESSED).get("/api/v1/rules/coup/")
    assert json.loads(gzip.decompress(rules.content))["name"] == "coup"
    headers = {**COMPRESSED, "If-None-Match": rules.headers["ETag"]}
    assert Client(headers=headers).get("/api/v1/rules/coup/").status_code == 304
    assert Client(headers=headers).get("/api/v1/rules/coup/?seat_count=10").status_code == 200
    begin([maryam, None], ["duke"])
    answer = client(maryam).get("/api/v1/games/?mine=true", headers=COMPRESSED)
    assert len(answer.json()["results"]) == 1
    assert "Content-Encoding" not in answer.headers


@pytest.mark.django_db
def test_the_api_description_is_compressed_and_still_known_by_its_etag(client: Client) -> None:
    first = client.get("/api/schema/", headers=COMPRESSED)
    assert first.headers["Content-Encoding"] == "gzip"
    assert len(first.content) * 5 < len(gzip.decompress(first.content))
    again = client.get("/api/schema/", headers={**COMPRESSED, "If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    plain = client.get("/api/schema/")
    assert plain.content == gzip.decompress(first.content)
    assert "Content-Encoding" not in plain.headers
    assert all("Accept-Encoding" in answer.headers["Vary"] for answer in (first, again, plain))


@pytest.mark.django_db
def test_a_form_that_is_sent_back_with_what_was_typed_is_not_compressed(client: Client) -> None:
    answer = client.post("/login/", {"email": "maryam@example.org", "password": "wrong"}, headers=COMPRESSED)
    assert answer.status_code == 422
    assert "Content-Encoding" not in answer.headers


def test_the_page_that_checks_records_works_where_the_server_shows_it(server: Darbar, visit: Visit) -> None:
    browser = visit(f"http://localhost:{server.port}")
    answer = browser.go("/static/games/verify.html")
    assert "unsafe" not in answer.headers["content-security-policy"]
    assert not browser.page.is_visible("#asleep"), "its script runs"
    browser.page.set_input_files("#file", {"name": "r.json", "mimeType": "application/json", "buffer": b"{}"})
    browser.page.wait_for_selector("#verdict:visible")
    assert browser.complaints == []
