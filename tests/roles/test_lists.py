"""Every list of the API has one shape, its pages have all its rows, and a cursor shows nothing to others."""

from typing import Any, Final

import pytest

from config.server.api_description.openapi import operations
from tests.contract.keep import stored_schema
from tests.examples import for_each
from tests.roles.asking import BODIES, ids_for
from tests.roles.operations import every_operation
from tests.roles.scene import Scene

pytestmark = pytest.mark.django_db

SCHEMA: Final = stored_schema()
LISTS: Final = {
    path: operation for path, _, operation in operations(SCHEMA) if operation["operationId"].startswith("list_")
}
WITH_PAGES: Final = [
    path for path, operation in LISTS.items() if "limit" in {row["name"] for row in operation["parameters"]}
]
ONE_PAGE: Final = {"/api/v1/games/{game}/questions/", "/api/v1/questions/", "/api/v1/rules/", "/api/v1/views/"}
"""Lists whose length follows from the games that one plays or names."""


@for_each("path", [*LISTS])
def test_every_list_is_a_page_with_the_address_of_the_next_one(path: str) -> None:
    page = LISTS[path]["responses"]["200"]["content"]["application/json"]["schema"]
    assert (sorted(page["properties"]), page["required"]) == (["next", "results"], ["next", "results"])
    assert page["properties"]["results"]["type"] == "array"
    assert (path in WITH_PAGES) != (path in ONE_PAGE)


def _address(path: str, scene: Scene, role: str) -> tuple[str, dict[str, Any]]:
    operation = next(row for row in every_operation() if row.path == path and row.method == "GET")
    ids = ids_for(operation, scene, role)
    return path.format(**ids), BODIES.get(operation.key, lambda *_: {})(scene, ids)


@for_each("path", WITH_PAGES)
def test_the_pages_of_a_list_have_each_of_its_rows_once(path: str, scene: Scene) -> None:
    address, query = _address(path, scene, "host")
    program = scene.programs["host"]
    whole = program.get(address, {**query, "limit": 100}).json()
    rows: list[Any] = []
    page = program.get(address, {**query, "limit": 1}).json()
    while page["next"] is not None:
        rows += page["results"]
        assert len(rows) <= len(whole["results"]), "the pages have an end"
        page = program.get(page["next"]).json()
    assert ([*rows, *page["results"]], whole["next"]) == (whole["results"], None)


@for_each("path", WITH_PAGES)
def test_a_cursor_shows_a_stranger_nothing_that_the_list_does_not_show_them(path: str, scene: Scene) -> None:
    address, query = _address(path, scene, "host")
    following = scene.programs["host"].get(address, {**query, "limit": 1}).json()["next"]
    if following is None:
        return
    visible = scene.programs["stranger"].get(address, {**query, "limit": 100})
    answer = scene.programs["stranger"].get(following)
    if visible.status_code != 200:
        assert (answer.status_code, answer.content) == (visible.status_code, visible.content)
    elif answer.status_code == 200:
        assert [row for row in answer.json()["results"] if row not in visible.json()["results"]] == []
    else:
        assert answer.status_code in (400, 403)
