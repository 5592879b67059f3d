"""Query parameters: those that are described, and no others."""

import uuid
from typing import Any

import pytest

from accounts.models import Account
from tests.contract.test_contract import OPERATIONS
from tests.examples import for_each
from tests.games.api.conftest import client

pytestmark = pytest.mark.django_db


def address(path: str) -> str:
    """A path with something in every gap."""
    for gap in ("name", "client_id"):
        path = path.replace("{" + gap + "}", "coup")
    path = path.replace("{number}", "1").replace("{session}", "1").replace("{seat}", "1")
    while "{" in path:
        before, _, rest = path.partition("{")
        path = before + str(uuid.uuid4()) + rest.partition("}")[2]
    return path


@for_each("name", OPERATIONS, undone=True)
def test_a_parameter_that_is_not_described_is_refused_by_name(name: str, maryam: Account) -> None:
    path, method, _ = OPERATIONS[name]
    answer: Any = client(maryam).generic(method.upper(), f"{address(path)}?colour=red")
    assert answer.status_code == 400, answer.content
    assert [error["parameter"] for error in answer.json()["errors"]] == ["colour"]
    assert answer.json()["code"] == "malformed"


def test_the_refusal_names_those_there_are(maryam: Account) -> None:
    text = client(maryam).get("/api/v1/games/?mein=true").json()["detail"]
    parameters = "arena, club, cursor, followed, ids, limit, mine, rules, state"
    assert text == f"mein: There’s no such parameter here. The parameters are: {parameters}."


def test_the_refusal_of_a_parameter_is_in_the_readers_language(maryam: Account) -> None:
    answer = client(maryam).get("/api/v1/me/?x=1", headers={"Accept-Language": "fa"})
    assert answer.json()["detail"] == "x: این نشانی پارامتری نمی‌پذیرد: آن را نفرستید."


def test_what_is_described_is_taken(maryam: Account) -> None:
    assert client(maryam).get("/api/v1/games/?mine=true&state=open&rules=coup").status_code == 200
