"""Requests of every kind that the description allows or forbids: no 5xx, and no answer that it does not describe.

A request comes from a player at a table, a stranger or an anonymous client, uses existing objects, and is rolled back.
``make fuzz`` sends at least 50,000 requests, and ``make test`` some hundreds.
"""

import os
from collections.abc import Mapping, Sequence
from typing import Any, Final

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from django.test import override_settings
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core import NotSet
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.specs.openapi import checks

from accounts import tokens
from accounts.models import Account
from accounts.tokens import ALL
from config.server.api_description.codes import ERRORS
from games.models import Bot, Game
from games.play.resolve import resolve
from games.play.submit import WrittenMove, store_move
from games.tables import chat
from games.tables.joining import join_game
from games.tables.new_game import NewGame
from games.tables.starting import create_game
from tests.contract.test_contract import DOCUMENT, OPERATIONS, mistakes
from tests.third_game.table import NOON

pytestmark = pytest.mark.slow

WANTED: Final = int(os.environ.get("DARBAR_FUZZ", "500"))
"""The number of all requests."""
IN_EARNEST: Final = "DARBAR_FUZZ" in os.environ
EACH: Final = max(4, -(-WANTED // len(OPERATIONS)))
ROUNDS: Final = 60
"""An operation that takes little has few different requests; it is asked again, but not for ever."""
OF_SHAPE: Final = {
    *("empty", "invalid-choice", "max-length", "max-string-length", "max-value", "min-length", "min-value"),
    *("not-a-list", "null", "read-only", "required", "unknown-field"),
}
"""The codes of mistakes that a schema can tell; all others are of rules that stand in words."""
MADE: Final[dict[str, int]] = {}
"""The number of requests for each operation."""


def mistakes_are_named(context: Any, response: Any, case: Any) -> None:
    """Fail where a mistake in a request bears a code that the description does not name."""
    if response.status_code == 400:
        strange = {error["code"] for error in response.json().get("errors", ())} - ERRORS.keys()
        assert not strange, f"The codes {strange} are not described."


def taken_is_allowed(context: Any, response: Any, case: Any) -> None:
    """Fail where a body is taken that the description forbids."""
    if response.status_code < 300 and (forbidden := forbidden_in_body(case)):
        raise AssertionError(f"This was taken: {forbidden}")


def refused_is_forbidden(context: Any, response: Any, case: Any) -> None:
    """Fail where the shape of a body is refused that the description allows."""
    if response.status_code != 400 or forbidden_in_body(case):
        return
    refused = [error for error in response.json().get("errors", ()) if "pointer" in error and error["code"] in OF_SHAPE]
    assert not refused, f"This was refused: {refused}"


def forbidden_in_body(case: Any) -> list[str]:
    """Everything in the body of a request that is not as the description has it."""
    body = OPERATIONS[case.operation.definition.raw["operationId"]][2].get("requestBody")
    if body is None or isinstance(case.body, NotSet):
        return []
    (content,) = body["content"].values()
    return mistakes(content["schema"], case.body)


CHECKS: Final = [
    mistakes_are_named,
    taken_is_allowed,
    refused_is_forbidden,
    not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_headers_conformance,
    checks.response_schema_conformance,
]
SCHEMA: Final = schemathesis.openapi.from_dict(dict(DOCUMENT))

_SERVER: Final = get_wsgi_application()


def _application(environ: dict[str, Any], start_response: Any) -> Any:
    """The server, which compresses nothing here; its requests leave the test's connection to the database alone."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    try:
        return _SERVER({**environ, "REMOTE_ADDR": "127.0.0.1", "HTTP_ACCEPT_ENCODING": ""}, start_response)
    finally:
        for signal in signals:
            signal.connect(close_old_connections)


SCHEMA.app = _application


class Scene:
    """Tables in every state, and programs of those who sit there and who do not."""

    def __init__(self) -> None:
        people = [self._person(name) for name in ("Maryam", "Bahareh", "Kaveh")]
        maryam, bahareh, _ = people
        games = [
            create_game(maryam, NewGame(rules="coup", seat_count=3, bots=(Bot(),) * 2), "api", NOON),
            create_game(maryam, NewGame(rules="sedlec", seat_count=2, bots=(Bot(),) * 1), "api", NOON),
            create_game(maryam, NewGame(rules="coup", seat_count=4, options={"inquisitor": True}), "api", NOON),
            create_game(bahareh, NewGame(rules="coup", seat_count=2, private=True), "api", NOON),
            create_game(maryam, NewGame(rules="coup", seat_count=2), "api", NOON),
        ]
        over = join_game(games[-1].id, bahareh, "", "api", NOON)
        move = store_move(over, bahareh, WrittenMove("", "resign yes"), "api", NOON)
        resolve(over.id, NOON)
        chat_message = chat.send_message(Game.objects.get(pk=over.id), maryam, None, "Well played!", NOON)
        self.tokens = ["", *(tokens.issue(person, "fuzz", list(ALL))[1] for person in people)]
        self.known: Mapping[str, Sequence[Any]] = {
            "game": [game.id for game in games],
            "group": [game.id for game in games],
            "move": [move.id],
            "message": [chat_message.public_id],
            "name": ["coup", "sedlec", "Maryam", "Kaveh"],
            "question": ["1.1", "2.1"],
            "rules": ["coup", "sedlec"],
            "state": ["open", "over"],
            "text": ["1", "income", "resign yes"],
        }
        """The values of existing things for parts of paths and fields of bodies."""

    @staticmethod
    def _person(name: str) -> Account:
        return Account.objects.create_user(f"{name.lower()}@example.org", name=name, password="seven goats on a roof")

    def truer(self, draw: Any, values: Any) -> Any:
        """Return the request with some made-up values replaced by existing ones. The request is a copy of
        an example.
        """
        if not isinstance(values, dict):
            return values
        known_values = {
            name: str(draw(st.sampled_from(self.known[name]))) for name in values if self._is_known(draw, name)
        }
        return {**values, **known_values}

    def _is_known(self, draw: Any, name: str) -> bool:
        return name in self.known and draw(st.booleans())


def case_of(draw: Any, scene: Scene, name: str) -> Any:
    """A request for an operation, with some things in it that there are."""
    operation = SCHEMA.find_operation_by_id(name)
    mode = draw(st.sampled_from([GenerationMode.POSITIVE, GenerationMode.POSITIVE, GenerationMode.NEGATIVE]))
    case = draw(operation.as_strategy(generation_mode=mode))
    case.path_parameters = scene.truer(draw, case.path_parameters)
    case.body = scene.truer(draw, case.body)
    token = draw(st.sampled_from(scene.tokens))
    case.headers.pop("Authorization", None)
    if token:
        case.headers["Authorization"] = f"Bearer {token}"
    if "Prefer" in case.headers:
        case.headers["Prefer"] = "wait=0"
    return case


def wrong(name: str, scene: Scene) -> str:
    """Send random requests to an operation, and roll each of them back. Return the shortest failing request, if any."""
    count = 0

    @settings(
        max_examples=EACH,
        database=None,
        derandomize=not IN_EARNEST,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def ask(data: Any) -> None:
        nonlocal count
        case = case_of(data.draw, scene, name)
        with transaction.atomic():
            answer = case.call()
            transaction.set_rollback(True)
        count += 1
        case.validate_response(answer, checks=CHECKS)

    try:
        for _ in range(ROUNDS):
            ask()
            if count >= EACH or not IN_EARNEST:
                break
    except (FailureGroup, Failure) as error:
        return f"{name}: {error}"
    MADE[name] = count
    return ""


@pytest.mark.django_db
@override_settings(
    PASSWORD_HASHERS=["django.contrib.auth.hashers.MD5PasswordHasher"],
    REQUESTS_PER_ACCOUNT=10**7,
    REQUESTS_PER_ADDRESS=10**7,
    SANDBOX=True,
)
def test_every_answer_is_as_the_description_says() -> None:
    scene = Scene()
    failures = [failure for name in OPERATIONS if (failure := wrong(name, scene))]
    assert not failures, "\n\n".join(failures)
    assert not IN_EARNEST or sum(MADE.values()) >= WANTED
