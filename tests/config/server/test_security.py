"""Tests of what browsers are told of every page: no script that is not a file of ours, no frame, no referrer, no old
TLS."""

import os
import re
import subprocess
import sys
import tomllib
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings as configured
from django.http import HttpResponse
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from accounts.authentication.sessions import session_key
from accounts.models import Account
from config.server.middleware import LARGEST
from tests.accounts.people import PASSWORD, Person
from tests.games.api.conftest import client as program
from tests.server.darbar import ROOT

SAMPLES: Final = {"int": "7", "uuid": str(uuid.UUID(int=7)), "str": "x", "slug": "x", "path": "x"}
NEVER: Final = ("'unsafe-inline'", "'unsafe-eval'", "*", "http:", "https:", "data:", "blob:")
"""Sources that no policy for scripts may have."""


def paths(patterns: Any = None, before: str = "") -> Iterator[str]:
    """A path of every view there is."""
    for pattern in get_resolver().url_patterns if patterns is None else patterns:
        path = before + filled(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from paths(pattern.url_patterns, path)
        elif isinstance(pattern, URLPattern):
            yield f"/{path}"


def filled(pattern: Any) -> str:
    """A piece of a path, with something in each of its places."""
    text = str(pattern)
    if hasattr(pattern, "_route"):
        return re.sub(r"<(?:(\w+):)?\w+>", lambda match: SAMPLES.get(match[1] or "str", "x"), text)
    return re.sub(r"\(\?P<\w+>[^)]*\)", "x", text).strip("^$").replace(r"\Z", "").replace("\\", "")


def directives(answer: HttpResponse) -> dict[str, list[str]]:
    """The content security policy of an answer."""
    pieces = (piece.split() for piece in answer.headers["Content-Security-Policy"].split(";"))
    return {name: sources for name, *sources in filter(None, pieces)}


def check(answer: Any) -> None:
    policy = directives(answer)
    assert policy["default-src"] == ["'none'"]
    assert not set(NEVER) & set(policy.get("script-src", []))
    # Neither frame-ancestors nor base-uri follows from default-src.
    is_page = answer.headers["Content-Type"].startswith("text/html")
    assert policy["frame-ancestors"] in (["'none'"], ["'self'"])
    assert policy.get("base-uri") == ["'none'"] or not is_page
    assert policy.get("object-src", ["'none'"]) == ["'none'"]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    if answer.headers["Content-Type"].endswith("json") and answer.request["PATH_INFO"].startswith("/api/v1/"):
        return
    assert answer.headers["X-Frame-Options"] in ("DENY", "SAMEORIGIN")
    assert answer.headers["Referrer-Policy"] in ("same-origin", "no-referrer")
    assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "camera=()" in answer.headers["Permissions-Policy"]


@pytest.mark.django_db
def test_every_answer_says_what_its_page_may_load_and_where_it_may_be_shown() -> None:
    addresses = sorted({*paths(), "/no/such/page/"})
    assert {"/api/v1/me/", "/api/docs/", "/healthz", "/mailbox/", "/answer/x/"} <= set(addresses)
    maryam = Account.objects.create_superuser("maryam@example.org", name="Maryam")
    signed_in = Client()
    signed_in.force_login(maryam, backend=configured.AUTHENTICATION_BACKENDS[0])
    for path in addresses:
        for client in (Client(), signed_in)[: 1 if path.startswith("/api/") else 2]:
            answer = client.get(path)
            assert answer.status_code < 500, path
            try:
                check(answer)
            except (AssertionError, KeyError) as error:
                raise AssertionError(f"{path}: {error!r}, {dict(answer.headers)}") from error


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["/api/v1/accounts/", "/api/v1/games/", "/login/", "/push/subscriptions/", "/oauth/token"]
)
def test_what_is_larger_than_any_form_or_document_is_refused_unread(path: str) -> None:
    largest = Client().post(path, b"[" * LARGEST, content_type="application/json")
    assert largest.status_code < 500
    assert "We couldn’t process this request." not in largest.content.decode()
    larger = Client().post(path, b"[" * (LARGEST + 1), content_type="application/json")
    assert larger.status_code == 413
    assert not path.startswith("/api/") or larger.json()["code"] == "too-large"
    check(larger)


@pytest.mark.django_db
@pytest.mark.parametrize("deep", [20, 21, 400, 100_000])
def test_what_nests_too_deeply_is_no_document(deep: int) -> None:
    document = "[" * deep + "]" * deep
    answer = Client().post("/api/v1/accounts/", document, content_type="application/json")
    assert answer.status_code == 400
    assert ("levels deep" in answer.json()["detail"]) == (deep > 20)


def test_no_template_holds_a_script_a_style_or_a_handler_of_its_own() -> None:
    templates = [
        path
        for app in ("config", "accounts", "games", "notifications")
        for path in (ROOT / app).rglob("templates/**/*.html")
    ]
    assert len(templates) > 5
    inline = re.compile(r"<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+\s*=|javascript:|\|\s*safe\b", re.I)
    assert {path.name: inline.findall(path.read_text()) for path in templates if inline.search(path.read_text())} == {}


NOWHERE: Final = "postgres://nobody@127.0.0.1:9/no"
"""A database that is not there."""


def deployed(tmp_path: Path, *command: str, **environment: str) -> str:
    """Return the output of a command in production mode, without settings of the developer."""
    variables = {"PATH": os.environ["PATH"], "DATA_DIR": str(tmp_path), "PUBLIC_URL": "https://darbar.example"}
    ended = subprocess.run(
        [sys.executable, "manage.py", *command],
        cwd=ROOT,
        env={**variables, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout + ended.stderr


@pytest.mark.slow
def test_django_finds_nothing_amiss_with_the_settings_of_a_server_in_earnest(tmp_path: Path) -> None:
    assert "no issues" in deployed(tmp_path, "check", "--deploy", "--fail-level", "WARNING")


def test_no_script_keeps_anything_in_the_browser_but_a_promised_seed_settings_and_which_sentences_were_played() -> None:
    scripts = [
        path for app in ("config", "accounts", "games", "notifications") for path in (ROOT / app).glob("static/**/*.js")
    ]
    assert len(scripts) >= 3
    storage = re.compile(
        r"localStorage|sessionStorage|indexedDB|document\\.cookie|caches\\.|(?<!tabs\.)postMessage|\\beval\\b"
    )
    assert {path.name: storage.findall(path.read_text()) for path in scripts if storage.search(path.read_text())} == {
        "seeds.js": ["localStorage", "localStorage"],
        "app.js": ["localStorage"] * 5,
        "story.js": ["sessionStorage"] * 2,
    }
    app = (ROOT / "config/static/darbar/app.js").read_text()
    assert set(re.findall(r"localStorage\.setItem\(([^,]+),", app)) == {"REFUSED", "name"}
    story = (ROOT / "games/static/games/story.js").read_text()
    assert "nameOf = (sentence) => `${sentence.dataset.number} ${sentence.textContent.length}`;" in story


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    ["/%00", "/players/a%00b/", "/docs/%00", "/invitation/%00/", "/feeds/en/players/%00.atom", "/api/v1/players/%00/"],
)
def test_an_address_with_a_nul_leads_nowhere(maryam: Account, path: str) -> None:
    assert Client().get(path).status_code == 404
    assert program(maryam).get(path).status_code == 404


@pytest.mark.django_db
def test_a_session_cookie_with_a_nul_is_no_session() -> None:
    cookie = 'sessionid="\\000aaaaaaaaaaaaaaaa"'
    assert Client(headers={"cookie": cookie}).get("/").status_code == 200
    assert session_key(cookie) == ""


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/static/", "/static/games/", "/static/../pyproject.toml", "/.git/config", "/var/"])
def test_no_folder_is_listed_and_no_file_outside_the_static_ones_is_served(path: str) -> None:
    assert Client().get(path).status_code == 404


@pytest.mark.slow
def test_passwords_are_kept_as_slow_salted_hashes(tmp_path: Path) -> None:
    program = "from django.contrib.auth.hashers import make_password as h; print(h('seven goats'), h('seven goats'))"
    first, second = deployed(tmp_path, "shell", "--no-imports", "-c", program, DATABASE_URL=NOWHERE).split()
    algorithm, rounds, *_ = first.split("$")
    assert (algorithm, int(rounds) >= 600_000, first != second) == ("pbkdf2_sha256", True, True)


def test_every_library_is_pinned_with_its_digest() -> None:
    packages = tomllib.loads((ROOT / "uv.lock").read_text())["package"]
    files = [
        file for package in packages for file in [*package.get("wheels", []), *filter(None, [package.get("sdist")])]
    ]
    assert len(packages) > 50
    assert all(file["hash"].startswith("sha256:") for file in files)


def test_no_other_source_of_luck_is_imported_than_a_secure_one() -> None:
    modules = [path for app in ("config", "accounts", "games", "notifications") for path in (ROOT / app).rglob("*.py")]
    assert len(modules) > 200
    weak = re.compile(r"^\s*(?:import|from) random\b|\buuid1\b|\bget_random_string\b", re.M)
    assert [path for path in modules if weak.search(path.read_text())] == []


def test_a_session_ends_two_weeks_after_the_log_in() -> None:
    assert (configured.SESSION_COOKIE_AGE, configured.SESSION_SAVE_EVERY_REQUEST) == (14 * 24 * 3600, False)


READ_BACK: Final = """
from django.conf import settings
from django.test import Client
client = Client(headers={"Host": "darbar.example", "X-Forwarded-Proto": "https"})
print(client.get("/no/such/page/").headers["Strict-Transport-Security"])
client.get("/login/")
print([cookie.OutputString() for cookie in client.cookies.values()])
for kind in ("SESSION", "CSRF", "LANGUAGE"):
    print(kind, *(getattr(settings, f"{kind}_COOKIE_{part}") for part in ("NAME", "SECURE", "HTTPONLY", "SAMESITE")))
print("DEVICE", settings.DEVICE_COOKIE_NAME)
plain = Client(raise_request_exception=False, headers={"Host": "darbar.example"})
print("PLAIN", plain.get("/api/v1/no/such/").status_code)
"""


@pytest.mark.slow
def test_where_people_come_by_https_cookies_and_browsers_stay_with_it(tmp_path: Path) -> None:
    text = deployed(tmp_path, "shell", "--no-imports", "-c", READ_BACK, DATABASE_URL=NOWHERE)
    assert "max-age=31536000\n" in text
    assert "__Host-csrftoken=" in text
    assert "DEVICE __Host-device" in text
    assert "PLAIN 503" in text, "the API redirects nobody to https; its database is not there"
    for cookie in ("SESSION __Host-sessionid", "CSRF __Host-csrftoken", "LANGUAGE __Host-language"):
        assert f"{cookie} True True Lax" in text
    wider = {"DATABASE_URL": NOWHERE, "HSTS_SUBDOMAINS": "yes"}
    assert "max-age=31536000; includeSubDomains" in deployed(
        tmp_path, "shell", "--no-imports", "-c", READ_BACK, **wider
    )


@pytest.mark.django_db
def test_no_cookie_is_for_scripts_or_for_requests_from_other_sites() -> None:
    maryam, browser = Person("Maryam"), Client()
    browser.post("/language/", {"language": "fa"})
    browser.get("/login/")
    browser.post("/login/", {"email": maryam.settle().email, "password": PASSWORD})
    assert {"sessionid", "csrftoken", "device", configured.LANGUAGE_COOKIE_NAME} <= browser.cookies.keys()
    for name, cookie in browser.cookies.items():
        assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax"), name


def test_no_program_is_started_by_a_shell() -> None:
    modules = [path for app in ("config", "accounts", "games", "notifications") for path in (ROOT / app).rglob("*.py")]
    shell = re.compile(r"shell=True|\bos\.(?:system|popen)\b|\bgetoutput\b|create_subprocess_shell")
    assert [path for path in modules if shell.search(path.read_text())] == []


def test_no_template_is_made_of_text() -> None:
    modules = [path for app in ("config", "accounts", "games", "notifications") for path in (ROOT / app).rglob("*.py")]
    from_text = re.compile(r"\bfrom_string\(|\bTemplate\(|django\.template import .*\bTemplate\b|\bjinja2\b")
    assert [path for path in modules if from_text.search(path.read_text())] == []


@pytest.mark.django_db
@pytest.mark.parametrize("file", ["manage.py", "pyproject.toml", ".gitignore", "config/settings.py"])
def test_static_files_are_those_of_the_static_folders_alone(file: str) -> None:
    assert (ROOT / file).is_file()
    assert Client().get(f"/static/{file}").status_code == 404
    assert {Path(folder).name for folder in configured.STATICFILES_DIRS} == {"static"}


@pytest.mark.django_db
def test_no_answer_of_the_api_is_kept_where_somebody_else_could_find_it() -> None:
    for path in filter(lambda path: path.startswith("/api/v1/"), paths()):
        cache_control = Client().get(path).headers["Cache-Control"]
        assert "no-store" in cache_control or "private" in cache_control, path
