"""The reference of the API at ``/api/docs/``."""

import re

import pytest
from django.test import Client
from pytest_django.live_server_helper import LiveServer

from config.server.api_description.reference import _operations
from tests.browser import Visit

pytestmark = pytest.mark.django_db


def links(page: str, part: str = "main") -> list[str]:
    """Return the addresses to which the content of a page leads, in their order."""
    return re.findall(r'href="(/api/docs/[^"]+)"', page[page.index(f"<{part}") :])


def test_the_reference_begins_with_playing_and_has_every_operation(client: Client) -> None:
    page = client.get("/api/docs/").content.decode()
    assert links(page)[:3] == [f"/api/docs/{name}/" for name in ("create_game", "list_questions", "send_move")]
    assert {f"/api/docs/{name}/" for name in _operations()} == set(links(page))
    assert {"/docs/en/api/errors/", "/docs/en/host/limits/", "/docs/en/api/versions/"} <= set(
        re.findall(r'href="([^"]+)"', page)
    )


def test_making_a_move_is_the_first_result_of_a_search_for_it(client: Client) -> None:
    for query in ("make a move", "Move make", "send_move"):
        assert links(client.get("/api/docs/", {"q": query}).content.decode())[0] == "/api/docs/send_move/", query
    assert "/api/docs/StoredMove/" in links(client.get("/api/docs/", {"q": "stored move"}).content.decode())
    for query in ("no such words", "\0", "<script>"):
        page = client.get("/api/docs/", {"q": query})
        assert page.status_code == 200
        assert "<script>" not in page.content.decode()


def test_the_page_of_a_move_has_a_command_its_members_answers_and_errors(client: Client) -> None:
    page = client.get("/api/docs/send_move/").content.decode()
    for text in (
        *("<h1>Make a move</h1>", "curl -sS &quot;$api/games/$game/moves/&quot;", "<code>question</code>", "Prefer"),
        *("Answer 202", "/api/docs/StoredMove/", "/api/docs/get_move/", "<code>question-closed</code>"),
    ):
        assert text in page, text


def test_every_page_of_the_reference_leads_to_pages_only_and_shows_no_markup(client: Client) -> None:
    waiting, visited = ["/api/docs/"], set[str]()
    while waiting:
        address = waiting.pop()
        if address not in visited:
            visited.add(address)
            response = client.get(address)
            assert response.status_code == 200, address
            page = response.content.decode()
            assert not re.search(
                r"`|\]\(|&lt;(?:a|code)\b|&amp;\w+;", re.sub(r"<pre.*?</pre>|<code>.*?</code>", "", page, flags=re.S)
            ), address
            waiting += links(page)
    assert len(visited) > 2 * len(_operations())
    assert client.get("/api/docs/nothing/").status_code == 404


@pytest.mark.django_db(transaction=True)
def test_the_reference_works_without_scripts_under_the_usual_policy(live_server: LiveServer, visit: Visit) -> None:
    maryam = visit(live_server.url, java_script_enabled=False)
    maryam.go("/api/docs/")
    maryam.page.get_by_label("Search the API").fill("make a move")
    maryam.page.get_by_role("button", name="Search").click()
    maryam.page.get_by_role("link", name="Make a move").click()
    maryam.page.get_by_role("heading", name="Make a move").wait_for()
    assert maryam.complaints == []
