"""Tests of idempotency keys: every POST of the API that is sent twice has its effect once, or refuses the key."""

import json
from typing import Any, Final

import pytest
from django.db import transaction
from django.test import override_settings
from django.utils import timezone

from notifications import deliverability
from notifications.models import Deliverability
from tests.contract.keep import stored_schema
from tests.examples import for_each
from tests.roles.asking import BODIES, ids_for
from tests.roles.operations import Operation, every_operation
from tests.roles.scene import Scene
from tests.table_digests import table_digests

pytestmark = pytest.mark.django_db
POSTS: Final = [
    operation for operation in every_operation() if operation.method == "POST" and operation.path.startswith("/api/")
]
PATHS: Final = stored_schema()["paths"]
REFUSES_KEY: Final = {"POST accounts", "POST confirm", "POST tokens", "POST deletion"}
WITHOUT_A_GAME: Final = {"POST back", "POST reveal-seed"}
"""Operations for which the scene has no game in the right state. They change a game by the same code as joining it."""
HONOURS_KEY: Final = [post for post in POSTS if post.key not in REFUSES_KEY | WITHOUT_A_GAME]
_LIMITS: Final = {"cache", "accounts_allowance"}
"""Tables in which a repeated request is counted."""


class Repeater:
    """Sends one request of a role, as often as is wanted."""

    def __init__(self, operation: Operation, scene: Scene, role: str) -> None:
        ids = ids_for(operation, scene, role)
        self.path = operation.path.format(**ids)
        self.body = BODIES.get(operation.key, lambda scene, ids: {})(scene, ids)
        self.program = scene.programs[role]

    def send(self, key: str = "one") -> Any:
        return self.program.post(self.path, self.body, format="json", headers={"Idempotency-Key": key})


def repeater(operation: Operation, scene: Scene) -> Repeater:
    """Return a sender who may do this, and who has been seen today. Raises AssertionError if there is none."""
    for role in scene.people:
        sender = Repeater(operation, scene, role)
        with transaction.atomic():
            status = sender.send().status_code
            transaction.set_rollback(True)
        if status < 300:
            sender.program.get("/api/v1/me/")
            return sender
    raise AssertionError(f"{operation.title} is refused to everybody: the last with {status}.")


def test_every_operation_that_is_named_is_there() -> None:
    assert {post.key for post in POSTS} >= REFUSES_KEY | WITHOUT_A_GAME


@for_each("operation", POSTS)
def test_the_description_says_of_every_post_whether_it_takes_a_key(operation: Operation) -> None:
    described = PATHS[operation.path]["post"].get("parameters", [])
    assert ("Idempotency-Key" in {parameter["name"] for parameter in described}) == (operation.key not in REFUSES_KEY)


@for_each("operation", HONOURS_KEY)
def test_a_post_that_is_sent_again_under_its_key_has_its_effect_once(operation: Operation, scene: Scene) -> None:
    with override_settings(SANDBOX=True), transaction.atomic():
        for account in scene.people.values():
            # So that there is something to confirm.
            id = deliverability.id_of(account.email)
            Deliverability.objects.update_or_create(pk=id, defaults={"why": "bounced", "since": timezone.now()})
        sender = repeater(operation, scene)
        first, before = sender.send(), table_digests(without=_LIMITS)
        again, after = sender.send(), table_digests(without=_LIMITS)
        transaction.set_rollback(True)
    assert first.status_code < 300
    assert "Idempotent-Replayed" not in first.headers
    assert (again.status_code, again.content) == (first.status_code, first.content)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert again.headers.get("Location") == first.headers.get("Location")
    assert after == before


@pytest.mark.parametrize(
    "operation", [post for post in POSTS if post.key in REFUSES_KEY], ids=lambda operation: operation.title
)
def test_a_post_whose_answer_cannot_be_repeated_refuses_a_key_and_does_nothing(
    operation: Operation, scene: Scene
) -> None:
    with transaction.atomic():
        before = table_digests(without=_LIMITS)
        refused = Repeater(operation, scene, "host").send()
        after = table_digests(without=_LIMITS)
        transaction.set_rollback(True)
    assert (refused.status_code, json.loads(refused.content)["code"]) == (400, "key-refused")
    assert after == before


@for_each("operation", HONOURS_KEY)
def test_every_post_refuses_a_key_that_is_none(operation: Operation, scene: Scene) -> None:
    with override_settings(SANDBOX=True), transaction.atomic():
        sender, before = repeater(operation, scene), table_digests(without=_LIMITS)
        for key in ("", " ", "k" * 201, "a\tb", "clé"):
            refused = sender.send(key)
            assert refused.status_code == 400, key
            assert json.loads(refused.content)["errors"][0]["code"] == "idempotency-key"
        assert table_digests(without=_LIMITS) == before
        transaction.set_rollback(True)
