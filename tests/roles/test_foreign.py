"""Foreign things look like missing ones: byte for byte, and in every header."""

import re
from typing import Any

import pytest

from tests.roles.asking import asked, ids_for
from tests.roles.operations import Operation, every_operation
from tests.roles.scene import MISSING, Scene

pytestmark = pytest.mark.django_db

IDS = {
    "club",
    "member",
    "tournament",
    "game",
    "move",
    "plan",
    "message",
    "invitation",
    "report",
    "id",
    "public_id",
    "client_id",
    "notification_id",
    "device",
}
"""The parameters of paths that name a thing which may be somebody's; whatever ends in an id besides."""
OUTSIDERS = ("stranger", "invited", "moderator", "seated", "bot")
OPERATIONS = [each for each in every_operation() if any(_ in IDS or _.endswith("id") for _ in each.parameters)]
OF_ONE = {"move", "plan", "public_id", "client_id", "notification_id", "device", "session"}
"""Those that are one account's alone: a co-player finds them as little as a stranger."""
OPEN_TO_ALL = {"GET commitment"}
"""Holds what everybody may know of every table."""


def _answer(answer: Any) -> tuple[int, bytes, dict[str, str]]:
    """All of an answer but what counts the asker's own requests."""
    headers = {
        name: value for name, value in answer.headers.items() if not name.startswith(("RateLimit", "X-Request-ID"))
    }
    return answer.status_code, answer.content, headers


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: operation.title)
def test_a_foreign_thing_and_a_missing_one_answer_alike(operation: Operation, scene: Scene) -> None:
    seen = exists = 0
    for role in OUTSIDERS if operation.is_api else ("stranger",):
        ids = ids_for(operation, scene, role)
        foreign = _answer(asked(operation, scene, role, ids))
        exists += foreign[0] != 405
        if operation.is_api and operation.parameters[-1:] and operation.parameters[-1] in OF_ONE:
            assert foreign[0] in (404, 405), role
        if foreign[0] != 404:
            continue
        seen += 1
        nowhere = {**ids, **_missing(operation, ids)}
        missing = _answer(asked(operation, scene, role, nowhere))
        assert _without_ids(foreign, ids) == _without_ids(missing, nowhere), role
    assert seen or not exists or operation.key in OPEN_TO_ALL


def _missing(operation: Operation, ids: Any) -> dict[str, Any]:
    """Ids that name nothing."""
    return {name: MISSING for name in operation.parameters if name in IDS or name.endswith("id")}


def _without_ids(answer: tuple[int, bytes, dict[str, str]], ids: Any) -> tuple[int, bytes, dict[str, str]]:
    """An answer without the ids that the asker said, which a page may say back, and what is random in its forms."""
    status, content, headers = answer
    for said in {str(value) for name, value in ids.items() if name in IDS}:
        content = content.replace(said.encode(), b"id")
    content = re.sub(rb'name="csrfmiddlewaretoken" value="\w+"', b"", content)
    return status, content, {name: value for name, value in headers.items() if name != "Content-Length"}


@pytest.mark.parametrize("kind", ["conduct", "message"])
def test_ids_in_a_body_tell_no_more(scene: Scene, kind: str) -> None:
    operation = next(each for each in every_operation() if each.key == "POST reports")
    about = scene.things["running True"]
    more = {"seat": 2} if kind == "conduct" else {"message": str(about["message"])}

    def ask(game: Any) -> Any:
        said = {"kind": kind, "game": str(game), "reason": "Rude.", **more}
        return _answer(asked(operation, scene, "stranger", {}, said))

    foreign = ask(scene.tables["running", True].id)
    assert foreign[0] == 404
    assert foreign == ask(MISSING)
    public = scene.tables["running", False].id
    assert asked(
        operation,
        scene,
        "stranger",
        {},
        {"kind": "message", "game": str(public), "reason": "Rude.", "message": str(about["message"])},
    ).status_code in (403, 404)


def test_the_lists_of_a_stranger_are_those_of_somebody_at_another_server(scene: Scene) -> None:
    for path in (
        "tokens/",
        "me/sessions/",
        "me/apps/",
        "me/grants/",
        "me/blocks/",
        "me/follows/",
        "me/mutes/",
        "reports/",
        "clubs/",
        "tournaments/",
        "seeks/",
        "questions/",
    ):
        listed = scene.programs["stranger"].get(f"/api/v1/{path}")
        assert listed.status_code == 200
        things = [str(thing) for thing in scene.things.values() if not isinstance(thing, dict)]
        assert [thing for thing in things if thing in listed.content.decode()] == [], path
