"""Tests of who may do what: every operation for every role, cell by cell, as docs/roles.md publishes it."""

from collections.abc import Collection

import pytest
from django.test import Client

from tests.roles import published
from tests.roles.asking import asked, ids_for
from tests.roles.operations import Operation, admin_paths, every_operation
from tests.roles.scene import ROLES, Scene

pytestmark = pytest.mark.django_db

OPERATIONS = every_operation()
PUBLISHED = published.rows()


def observed(operation: Operation, scene: Scene) -> list[str]:
    """Return what each role is answered."""
    return [
        str(asked(operation, scene, role, ids_for(operation, scene, role)).status_code)
        if operation.is_api or role in _visitors(operation, scene)
        else published.NONE
        for role in ROLES
    ]


def _visitors(operation: Operation, scene: Scene) -> Collection[str]:
    """Return whose browsers are tried: what is slow to make and the same for all is asked for once."""
    return ("anonymous",) if operation.name in ("schema", "docs") else scene.browsers


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.title)
def test_each_role_is_answered_as_the_table_says(operation: Operation, scene: Scene) -> None:
    statuses = observed(operation, scene)
    if {*statuses[1:]} <= {"405", published.NONE} and statuses[0] in ("302", "405"):
        assert operation.title not in PUBLISHED, "There is no such operation; the view is a function, and was asked."
        return
    line = published.line(operation.title, statuses)
    assert operation.title in PUBLISHED, f"docs/roles.md has no row for this operation; it would be:\n{line}"
    assert published.line(operation.title, PUBLISHED[operation.title]) == line


def test_the_table_names_no_operation_that_is_gone() -> None:
    assert set(PUBLISHED) <= {operation.title for operation in OPERATIONS}


@pytest.mark.parametrize("path", sorted({each.path for each in OPERATIONS if each.is_api}))
def test_an_address_takes_no_other_method(path: str, scene: Scene) -> None:
    known = {each.method for each in OPERATIONS if each.path == path}
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"} - known:
        operation = Operation(method, "", path)
        ids = ids_for(next(each for each in OPERATIONS if each.path == path), scene, "host")
        if method == "TRACE":
            assert scene.programs["host"].generic("TRACE", path.format(**ids)).status_code == 405
        else:
            assert asked(operation, scene, "host", ids).status_code == 405, method


@pytest.mark.parametrize("path", admin_paths())
def test_the_admin_is_closed_to_all_but_the_operator_and_moderators(path: str, scene: Scene) -> None:
    for role in ("anonymous", "host"):
        browser: Client = scene.browsers[role]
        answer = browser.get(path)
        assert answer.status_code in (302, 403, 404, 405), (role, answer.status_code)
        if answer.status_code == 302:
            assert "login" in answer.headers["Location"] or "logout" in path


def test_a_token_of_another_kind_opens_no_page_and_a_session_nothing_of_the_api(scene: Scene) -> None:
    assert scene.programs["host"].get("/settings/").status_code == 302
    assert scene.browsers["host"].get("/api/v1/me/").status_code == 401
