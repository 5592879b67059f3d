"""The web app manifest and robots.txt."""

from contextlib import closing

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import Account
from tests.browser import Visit
from tests.games.pages.at_home import Visitor
from tests.games.seated import begin

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(("language", "direction", "name"), [("en", "ltr", "Darbar"), ("fa", "rtl", "دربار")])
def test_the_manifest_speaks_the_readers_language_and_its_icons_are_there(
    language: str, direction: str, name: str
) -> None:
    client = Client(headers={"Accept-Language": language})
    answer = client.get("/manifest.webmanifest")
    assert answer.headers["Content-Type"] == "application/manifest+json"
    document = answer.json()
    assert (document["lang"], document["dir"], document["name"]) == (language, direction, name)
    assert {icon["sizes"] for icon in document["icons"]} == {"192x192", "512x512", "any"}
    assert client.get(document["start_url"]).status_code == 200


def test_pages_link_the_manifest_and_search_engines_are_kept_from_what_is_somebodys(maryam: Account) -> None:
    for visitor in (Visitor(), Visitor(maryam)):
        linked = [link["href"] for link in visitor.go("/").all("link") if link.get("rel") == "manifest"]
        assert linked == ["/manifest.webmanifest"]
    robots = Client().get("/robots.txt").content.decode()
    hidden = {"/answer/", "/clubs/", "/settings/", "/*?"}
    assert {f"Disallow: {path}" for path in hidden} <= set(robots.splitlines())
    assert "Disallow: /games/\n" not in robots
    assert "Disallow: /\n" not in robots
    assert f"Sitemap: {settings.PUBLIC_URL}/sitemap.xml\n" in robots


@pytest.mark.parametrize("language", ["en", "fa"])
@pytest.mark.parametrize("path", ["/", "/rules/", "/rules/coup/", "/rules/sedlec/", "/games/", "/leaders/"])
def test_public_pages_describe_themselves_to_search_engines_and_where_they_are_shared(path: str, language: str) -> None:
    visitor = Visitor(language=language)
    page = visitor.go(path)
    metadata = {tag.get("name") or tag.get("property"): tag.get("content", "") for tag in page.all("meta")}
    assert 40 <= len(metadata["description"]) <= 200
    assert metadata["og:description"] == metadata["description"]
    assert metadata["og:title"]
    assert metadata["og:url"] == f"{settings.PUBLIC_URL}{path}"
    assert [link["href"] for link in page.all("link") if link.get("rel") == "canonical"] == [metadata["og:url"]]
    with closing(visitor.client.get(metadata["og:image"].removeprefix(settings.PUBLIC_URL))) as picture:
        assert picture.headers["Content-Type"] == "image/png"


def test_a_page_for_who_is_signed_in_describes_nothing_of_it(maryam: Account) -> None:
    game = begin([maryam, None], ["duke"])
    for path in ("/", f"/games/{game.pk}/"):
        tag_names = {tag.get("name") or tag.get("property") for tag in Visitor(maryam).go(path).all("meta")}
        assert not {name for name in tag_names if name and (name == "description" or name.startswith("og:"))}


@pytest.mark.django_db(transaction=True)
def test_a_browser_finds_nothing_amiss_with_the_manifest(live_server: object, visit: Visit) -> None:
    browser = visit(str(live_server))
    browser.go("/")
    session = browser.context.new_cdp_session(browser.page)
    manifest = session.send("Page.getAppManifest")
    assert manifest["errors"] == []
    assert '"standalone"' in manifest["data"]


@pytest.mark.parametrize(("language", "title"), [("en", "You’re offline"), ("fa", "به اینترنت وصل نیستید")])
def test_the_page_without_a_connection_holds_nothing_of_its_reader(language: str, title: str, maryam: Account) -> None:
    for visitor in (Visitor(), Visitor(maryam)):
        page = visitor.go(f"/offline/?language={language}")
        assert title in page.text
        assert "Maryam" not in page.text
        assert page.forms == []


@pytest.mark.django_db(transaction=True)
def test_a_browser_without_a_connection_shows_that_page_and_nothing_that_it_kept(
    live_server: object, visit: Visit, maryam: Account
) -> None:
    browser = visit(str(live_server), locale="en-GB", service_workers="allow")
    client = Client()
    client.force_login(maryam)
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": browser.home}
    browser.context.add_cookies([cookie])
    browser.go("/")
    browser.page.evaluate("() => navigator.serviceWorker.ready.then(() => 0)")
    browser.page.wait_for_function("() => caches.has('offline')")
    assert browser.page.evaluate(_KEPT) == ["/offline/", "/static/darbar/darbar.css", "/static/darbar/mark.svg"]
    browser.context.set_offline(True)
    browser.go("/rules/")
    assert browser.page.locator("h1").inner_text() == "You’re offline"
    assert browser.page.evaluate("getComputedStyle(document.body).display") == "flex"  # its stylesheet is kept too
    browser.context.set_offline(False)
    browser.page.get_by_role("link", name="Try again").click()
    browser.page.get_by_role("heading", name="The rules of the games").wait_for()


_KEPT = """async () => {
    const paths = [];
    for (const name of await caches.keys())
        for (const kept of await (await caches.open(name)).keys()) paths.push(new URL(kept.url).pathname);
    return paths.filter((path) => !path.startsWith("/static/fonts/")).sort();
}"""
