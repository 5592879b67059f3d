"""The documents site: its build, its content security policy, and its pages before the build."""

import fcntl
import json
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urldefrag, urljoin

import pytest
from django.test import Client

from config.server.documents.build import POLICY, build

pytestmark = pytest.mark.django_db
PORT = "http://docs.invalid/docs/"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site") / "docs"
    assert build(folder) > 25
    return folder


@pytest.fixture
def browser(tmp_path: Path, settings: Any) -> Iterator[Client]:
    """A browser of a server with a site of one page, which takes no time to build."""
    site = tmp_path / "site"
    (site / "en/play").mkdir(parents=True)
    (site / "fa").mkdir()
    (site / "en/play/index.html").write_text("<p>Play</p>")
    (site / POLICY).write_text(json.dumps({"script-src": ["'sha256-NwSx/R2V/U4jnW0Tq5pQ53Y/rzPVJ4dqE7D6UTA/J1k='"]}))
    settings.DOCUMENTS = site
    return Client(headers={"host": "localhost"})


def test_a_build_waits_for_another_one_and_keeps_its_site(tmp_path: Path) -> None:
    site, folder = tmp_path / "site", tmp_path / "site.build"
    (folder / "work-of-a-killed-build").mkdir(parents=True)
    with ThreadPoolExecutor(1) as thread:
        with (folder / "lock").open("wb") as other:
            fcntl.flock(other, fcntl.LOCK_EX)
            second = thread.submit(build, site, replace=False)
            with pytest.raises(TimeoutError):
                second.result(0.2)
            site.mkdir()
            (site / POLICY).write_text("the first")
        assert second.result() == 0
    assert (site / POLICY).read_text() == "the first"
    assert [file.name for file in folder.iterdir()] == ["lock"]


@pytest.mark.slow  # the site takes ten seconds to build
def test_a_build_replaces_the_former_site_as_a_whole(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "former.html").write_text("former")
    assert build(tmp_path / "site") > 25
    assert (tmp_path / "site" / POLICY).is_file()
    assert not (tmp_path / "site" / "former.html").exists()
    assert [file.name for file in (tmp_path / "site.build").iterdir()] == ["lock"]


def pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


@pytest.mark.slow  # the site takes ten seconds to build
def test_every_link_between_pages_leads_to_one(site: Path) -> None:
    dead = []
    for page in pages(site):
        here = urljoin(PORT, str(page.relative_to(site)).removesuffix("index.html"))
        for target in re.findall(r'(?:href|src)="([^"]+)"', page.read_text()):
            path, _ = urldefrag(urljoin(here, target))
            if not path.startswith(PORT) or page.name == "404.html":
                continue
            file = site / path.removeprefix(PORT)
            if not (file / "index.html").is_file() and not file.is_file():
                dead.append((str(page.relative_to(site)), target))
    assert dead == []


@pytest.mark.slow  # the site takes ten seconds to build
def test_persian_pages_run_from_right_to_left(site: Path) -> None:
    for language, direction in (("en", "ltr"), ("fa", "rtl")):
        page = (site / language / "play" / "email" / "index.html").read_text()
        assert f'lang="{language}"' in page
        assert f'dir="{direction}"' in page
        assert ("persian" in (site / language / "site.css").read_text()) == (language == "fa")


@pytest.mark.slow  # the site takes ten seconds to build
def test_the_persian_search_counts_its_results_in_persian(site: Path) -> None:
    marks = {"en": '"results"}`', "fa": 'NumberFormat("fa").format(i)} نتیجه`'}
    for language, words in marks.items():
        (script,) = (site / language).glob("assets/javascripts/bundle.*.js")
        assert words in script.read_text()
        assert ('"No results"' in script.read_text()) == (language == "en")


@pytest.mark.slow  # the site takes ten seconds to build
def test_every_page_follows_the_readers_choice_of_light_or_dark(site: Path) -> None:
    for page in pages(site):
        text = page.read_text()
        media = re.findall(r'data-md-color-media="([^"]*)"', text)
        follows = "(prefers-color-scheme)"  # first: else what the first visit found is kept for ever
        assert media == [follows, "(prefers-color-scheme: light)", "(prefers-color-scheme: dark)"], page


@pytest.mark.slow  # the site takes ten seconds to build
def test_programs_and_pictures_disturb_nobody(site: Path) -> None:
    for page in pages(site):
        text = page.read_text()
        assert "__codelineno" not in text, f"{page} has links without a text"
        assert not re.search(r"<th[^>]*></th>", text), f"{page} has a heading without a text"
        assert all("height=" in image for image in re.findall(r'<img[^>]*src="[^"]*png"[^>]*>', text)), page
    for language in ("en", "fa"):
        (script,) = (site / language).glob("assets/javascripts/bundle.*.js")
        assert 'class:"md-typeset__scrollwrap",tabIndex:0' in script.read_text()
        assert '"nav",{class:"md-code__nav"' not in script.read_text()


@pytest.mark.slow  # the site takes ten seconds to build
def test_no_page_has_an_inline_style_that_its_policy_would_stop(site: Path) -> None:
    styled = [page for page in pages(site) if re.search(r"<[^>]* style=", page.read_text())]
    assert styled == []
    assert '<td class="right">' in (site / "en/host/email/index.html").read_text()


@pytest.mark.slow  # the site takes ten seconds to build
def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    for page in pages(site):
        loaded = re.findall(r'<(?:script|img|link)[^>]*(?:src|href)="(https?:[^"]+)"', page.read_text())
        assert [address for address in loaded if not address.startswith("https://www.w3.org")] == [], page


def test_the_documents_come_in_the_readers_language(browser: Client) -> None:
    for language in ("en", "fa"):
        answer = browser.get("/docs/", headers={"accept-language": language})
        assert (answer.status_code, answer.headers["Location"]) == (302, f"/docs/{language}/")


def test_only_the_scripts_of_the_site_may_run_on_its_pages(browser: Client) -> None:
    policy = browser.get("/docs/en/play/").headers["Content-Security-Policy"]
    scripts = next(part for part in policy.split("; ") if part.startswith("script-src"))
    assert "'self'" in scripts
    assert "'sha256-" in scripts
    assert "unsafe" not in policy
    other = browser.get("/").headers["Content-Security-Policy"]
    assert "sha256" not in other


def test_a_site_that_is_built_anew_has_its_new_policy_at_once(browser: Client, settings: Any) -> None:
    browser.get("/docs/en/play/")
    (settings.DOCUMENTS / POLICY).write_text(json.dumps({"script-src": ["'sha256-new'"]}))
    assert "'sha256-new'" in browser.get("/docs/en/play/").headers["Content-Security-Policy"]


@pytest.mark.parametrize("path", ["../../README.md", "en/../../../pyproject.toml", POLICY, "en/nothing/", "%2e%2e/x"])
def test_nothing_but_the_site_is_served(browser: Client, path: str) -> None:
    assert browser.get(f"/docs/{path}").status_code == 404


@pytest.mark.parametrize("path", ["en/play/", "fa/play/email/", "en/contribute/", "en/"])
def test_a_page_shows_its_source_until_the_site_is_built(settings: Any, tmp_path: Path, path: str) -> None:
    settings.DOCUMENTS = tmp_path
    answer = Client(headers={"host": "localhost"}).get(f"/docs/{path}")
    assert answer.status_code == 200
    assert re.search("^# ", answer.content.decode().partition('<pre class="source" dir="auto">')[2], re.M)


def test_the_source_of_the_page_of_errors_has_the_errors(settings: Any, tmp_path: Path) -> None:
    settings.DOCUMENTS = tmp_path
    page = Client(headers={"host": "localhost"}).get("/docs/en/api/errors/").content.decode()
    assert "`unknown-field`" in page
    assert not re.search(r"{\w+}", page)


def test_the_documents_come_in_the_readers_language_before_they_are_built(settings: Any, tmp_path: Path) -> None:
    settings.DOCUMENTS = tmp_path
    for language in ("en", "fa"):
        browser = Client(headers={"host": "localhost", "accept-language": language})
        assert browser.get("/docs/").headers["Location"] == f"/docs/{language}/"


def test_help_leads_to_the_players_guide_and_developers_to_the_first_bot(settings: Any, tmp_path: Path) -> None:
    settings.DOCUMENTS = tmp_path
    browser = Client(headers={"host": "localhost"})
    footer = browser.get("/").content.decode().partition('<footer class="bottom">')[2]
    links = re.findall(r'href="(/docs/[^"]*)"', footer)
    assert links == ["/docs/en/play/", "/docs/en/start/bot/"]
    assert [browser.get(link).status_code for link in links] == [200, 200]


def test_a_server_without_documents_and_their_sources_says_how_to_build_them(settings: Any, tmp_path: Path) -> None:
    settings.DOCUMENTS = tmp_path
    answer = Client(headers={"host": "localhost"}).get("/docs/en/nothing/")
    assert answer.status_code == 404
    assert "make docs" in answer.content.decode()
