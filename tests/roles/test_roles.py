"""Tests of every operation in every role: who may do what as docs/roles.md publishes it, that things of others look
like missing ones, and the number of SQL statements.

These tests share the answers of one walk over all operations (``answer_to``).
"""

import re
from collections.abc import Collection, Iterator
from typing import Any, Final

import pytest
from django.db import transaction
from django.test import Client
from django.utils import timezone

from games.models import Bot
from games.tables.joining import join_game
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from tests.examples import for_each
from tests.roles import published
from tests.roles.asking import answer_to, ids_for, measured, send_request
from tests.roles.operations import Operation, admin_paths, every_operation
from tests.roles.scene import MISSING, ROLES, Answer, Scene

pytestmark = pytest.mark.django_db

OPERATIONS: Final = every_operation()
PUBLISHED: Final = published.rows()


def observed(operation: Operation, scene: Scene) -> list[str]:
    """Return the status that each role is answered with."""
    return [
        str(answer_to(operation, scene, role).status)
        if operation.is_api or role in _visitors(operation, scene)
        else published.NONE
        for role in ROLES
    ]


def _visitors(operation: Operation, scene: Scene) -> Collection[str]:
    """Return the roles whose browsers are tried: pages that are slow and the same for all are asked for once."""
    return (
        ("anonymous",)
        if operation.name in ("schema", "core-schema", "account-schema", "docs", "docs-entry")
        else scene.browsers
    )


@for_each("operation", OPERATIONS)
def test_each_role_is_answered_as_the_table_says(operation: Operation, scene: Scene) -> None:
    statuses = observed(operation, scene)
    if {*statuses[1:]} <= {"405", published.NONE} and statuses[0] in ("302", "405"):
        assert operation.title not in PUBLISHED, "There is no such operation: the view is a function that refuses it."
        return
    line = published.line(operation.title, statuses)
    assert operation.title in PUBLISHED, f"docs/roles.md has no row for this operation; it would be:\n{line}"
    assert published.line(operation.title, PUBLISHED[operation.title]) == line


def test_the_table_names_no_operation_that_is_gone() -> None:
    assert set(PUBLISHED) <= {operation.title for operation in OPERATIONS}


@for_each("path", sorted({operation.path for operation in OPERATIONS if operation.is_api}))
def test_an_address_takes_no_other_method(path: str, scene: Scene) -> None:
    operations = [row for row in OPERATIONS if row.path == path]
    ids = ids_for(operations[0], scene, "host")
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE", "TRACE"} - {row.method for row in operations}:
        operation = Operation(method, "", path)
        if method == "TRACE":
            assert scene.programs["host"].generic("TRACE", path.format(**ids)).status_code == 405
        else:
            assert send_request(operation, scene, "host", ids).status_code == 405, method


@for_each("path", admin_paths())
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


# Things of others look like missing ones: byte for byte, and in every header.

IDS: Final = {
    *("club", "member", "tournament", "game", "move", "plan", "message", "invitation", "report", "app", "id"),
    *("public_id", "client_id", "person", "vacation", "webhook", "notification_id", "device"),
}
"""Path parameters that name an object with an owner. All other such parameters end in ``id``."""
TOKEN: Final = "/api/v1/tokens/{token}/"
"""In addresses of pages ``token`` is a secret in a link, not an id."""
OUTSIDERS: Final = ("stranger", "invited", "moderator", "seated", "bot")
WITH_IDS: Final = [
    operation
    for operation in OPERATIONS
    if any(name in IDS or name.endswith("id") for name in operation.parameters) or operation.path == TOKEN
]
OF_ONE: Final = {
    "move",
    "plan",
    "app",
    "token",
    "vacation",
    "webhook",
    "person",
    "notification_id",
    "device",
    "session",
}
"""Parameters that name a thing of one account alone. A co-player is answered like a stranger."""
OPEN_TO_ALL: Final = {"GET commitment"}


@for_each("operation", WITH_IDS)
def test_a_foreign_thing_and_a_missing_one_answer_alike(operation: Operation, scene: Scene) -> None:
    refusals = existing = 0
    for role in OUTSIDERS if operation.is_api else ("stranger",):
        foreign = answer_to(operation, scene, role)
        existing += foreign.status != 405
        if operation.is_api and operation.parameters[-1:] and operation.parameters[-1] in OF_ONE:
            assert foreign.status in (404, 405), role
        if foreign.status != 404:
            continue
        refusals += 1
        ids = ids_for(operation, scene, role)
        missing_ids = {**ids, **_missing(operation)}
        missing = measured(operation, scene, role, missing_ids)
        assert missing.status == 404, role
        assert _without_ids(foreign, ids) == _without_ids(missing, missing_ids), role
    assert refusals or not existing or operation.key in OPEN_TO_ALL


def _missing(operation: Operation) -> dict[str, Any]:
    """Return ids that name nothing."""
    if operation.path == TOKEN:
        return {"token": MISSING}
    return {name: MISSING for name in operation.parameters if name in IDS or name.endswith("id")}


def _without_ids(answer: Answer, ids: Any) -> tuple[int, bytes, dict[str, str]]:
    """Return an answer without the ids of the request, which a page may repeat, and without random values."""
    content = answer.content
    for text in {str(value) for name, value in ids.items() if name in IDS}:
        content = content.replace(text.encode(), b"id")
    content = re.sub(rb'name="csrfmiddlewaretoken" value="\w+"', b"", content)
    headers = _comparable(answer)
    headers.pop("Content-Length", None)
    return answer.status, content, headers


def _comparable(answer: Answer) -> dict[str, str]:
    """Return the headers but those that count or number the requests of an account."""
    return {name: value for name, value in answer.headers.items() if not name.startswith(("RateLimit", "X-Request-ID"))}


@pytest.mark.parametrize("kind", ["conduct", "message"])
def test_a_report_of_a_foreign_game_is_refused_like_one_of_a_missing_game(scene: Scene, kind: str) -> None:
    operation = next(operation for operation in OPERATIONS if operation.key == "POST reports")
    private, public = scene.tables["running", True], scene.tables["running", False]
    message = str(scene.things["running True"]["message"])
    more = {"seat": 2} if kind == "conduct" else {"message": message}

    def report(game: Any, **body: Any) -> Answer:
        return measured(operation, scene, "stranger", {}, {"game": str(game), "reason": "Rude.", **body})

    foreign, missing = (report(game, kind=kind, **more) for game in (private.id, MISSING))
    assert foreign.status == 404
    assert (foreign.status, foreign.content, _comparable(foreign)) == (404, missing.content, _comparable(missing))
    assert report(public.id, kind="message", message=message).status in (403, 404)


def test_the_lists_of_a_stranger_are_those_of_somebody_at_another_server(scene: Scene) -> None:
    things = [str(thing) for thing in scene.things.values() if not isinstance(thing, dict)]
    for path in (
        *("tokens/", "me/sessions/", "me/apps/", "me/grants/", "me/people/blocks/", "me/people/follows/"),
        *("me/people/mutes/", "reports/", "clubs/", "tournaments/", "seeks/", "questions/", "me/devices/"),
        *("me/vacations/", "me/webhooks/"),
    ):
        answer = scene.programs["stranger"].get(f"/api/v1/{path}")
        assert answer.status_code == 200
        assert [thing for thing in things if thing in answer.content.decode()] == [], path


# The number of SQL statements is bounded for every operation, and does not grow with the number of games.

READING: Final = 30
"""The most statements of a request that only reads (docs/scale.md)."""
EXPORTING: Final = 40
"""The most statements of an export of an account, which reads each table in a statement."""
EXPORTS: Final = ("GET export", "GET settings-export")
CHANGING: Final = 120
"""The most statements of a request that changes something, such as the start of a game with bots."""
GAME_BY_GAME: Final = ("POST deletion",)
"""Operations that change all games of a player, one after another."""
READS: Final = [operation for operation in OPERATIONS if operation.method == "GET"]


@pytest.fixture
def many_games(scene: Scene) -> Iterator[None]:
    """Six more running games of the host."""
    with transaction.atomic():
        for _ in range(6):
            new_game = NewGame(rules="coup", seat_count=4, bots=(Bot(),) * 2)
            game = create_game(scene.people["host"], new_game, "api", timezone.now())
            join_game(game.id, scene.people["seated"], game.code, "api", timezone.now())
        yield
        transaction.set_rollback(True)


@for_each("operation", OPERATIONS)
def test_every_operation_makes_a_bounded_number_of_statements(operation: Operation, scene: Scene) -> None:
    role = "host" if operation.is_api or "host" in _visitors(operation, scene) else "anonymous"
    most_reads = EXPORTING if operation.key in EXPORTS else READING
    most = most_reads if operation.method == "GET" else CHANGING
    assert answer_to(operation, scene, role).statements <= most or operation.key in GAME_BY_GAME


def test_no_read_makes_more_statements_when_there_are_many_games(scene: Scene, request: pytest.FixtureRequest) -> None:
    def statements() -> dict[str, int]:
        return {
            operation.title: measured(operation, scene, "host", ids_for(operation, scene, "host")).statements
            for operation in READS
            if operation.name not in ("schema", "core-schema", "account-schema", "docs", "docs-entry")
        }

    few = statements()
    request.getfixturevalue("many_games")
    many = statements()
    assert {title: (few[title], many[title]) for title in few if many[title] > few[title]} == {}
