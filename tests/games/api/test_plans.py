"""Plans in the API: their owner creates, lists, changes and withdraws them, and no other account sees them."""

from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import Account
from games.models import Game
from tests.games.api.conftest import client
from tests.games.seated import agree, begin, play

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(maryam: Account, bahareh: Account, sepideh: Account) -> Game:
    return begin([maryam, bahareh, sepideh])


def path(game: Game) -> str:
    return f"/api/v1/games/{game.id}/plans/"


def test_a_plan_is_given_listed_changed_and_withdrawn(table: Game, bahareh: Account) -> None:
    created_plan = client(bahareh).post(path(table), {"plan": {"type": "coup.allow", "player": 1}}, format="json")
    assert created_plan.status_code == 201, created_plan.content
    stored_fields = {name: created_plan.json()[name] for name in ("number", "text", "label", "state", "times", "last")}
    assert stored_fields == {
        "number": 1,
        "text": "allow 1",
        "label": "Allow everything Maryam does.",
        "state": "standing",
        "times": 0,
        "last": None,
    }
    assert client(bahareh).get(path(table)).json()["results"] == [created_plan.json()]
    location = created_plan["Location"]
    changed = client(bahareh).put(location, {"plan": {"type": "coup.if-blocked", "challenge": True}}, format="json")
    assert (changed.status_code, changed.json()["id"]) == (200, created_plan.json()["id"])
    assert changed.json()["plan"] == {"type": "coup.if-blocked", "challenge": True}
    assert client(bahareh).delete(location).status_code == 204
    assert client(bahareh).get(path(table)).json()["results"] == []
    assert client(bahareh).delete(location).status_code == 404


def test_a_plan_that_has_answered_at_once_says_so(table: Game, bahareh: Account) -> None:
    agree(table, plans="quick")
    play(table, "1 tax")
    table.open_questions.update(due_at=timezone.now() + timedelta(hours=1))
    plan = {"plan": {"type": "coup.challenge", "character": "duke"}}
    created_plan = client(bahareh).post(path(table), plan, format="json", headers={"Idempotency-Key": "k"})
    assert created_plan.status_code == 201
    assert created_plan.json()["done_at"] is not None
    again = client(bahareh).post(path(table), plan, format="json", headers={"Idempotency-Key": "k"})
    assert (again.status_code, again.json()) == (201, created_plan.json())
    assert client(bahareh).get(path(table)).json()["results"] == [created_plan.json()], "what it did is listed"
    assert created_plan.json()["state"] == "carried-out"
    assert created_plan.json()["last"] == {
        "at": created_plan.json()["done_at"],
        "move": {"type": "coup.challenge"},
        "text": "challenge",
        "label": "Challenge the claim",
    }
    for late in (
        client(bahareh).put(created_plan["Location"], plan, format="json"),
        client(bahareh).delete(created_plan["Location"]),
    ):
        assert (late.status_code, late.json()["code"]) == (409, "conflict")


def test_a_plan_is_given_in_notation_too(table: Game, bahareh: Account) -> None:
    program = client(bahareh)
    created_plan = program.post(path(table), {"text": "Allow tax Maryam."}, format="json")
    assert (created_plan.status_code, created_plan.json()["plan"]) == (
        201,
        {"type": "coup.allow", "player": 1, "action": "tax"},
    )
    again = program.post(path(table), {"text": "allow 1 tax"}, format="json")
    assert (again.status_code, again.json()["code"]) == (409, "conflict")
    changed = program.put(created_plan["Location"], {"text": "if challenged: prove, else concede duke"}, format="json")
    assert (changed.status_code, changed.json()["text"]) == (200, "if-challenged prove else concede duke")
    assert changed.json()["number"] == 1
    for wrong in ({}, {"text": "allow all", "plan": {"type": "coup.allow-others"}}, {"text": "if-challenged prove"}):
        refused = program.post(path(table), wrong, format="json")
        assert (refused.status_code, refused.json()["code"]) == (400, "malformed"), wrong
    assert len(program.get(path(table)).json()["results"]) == 1


def test_nobody_else_sees_a_plan(table: Game, maryam: Account, bahareh: Account, kaveh: Account) -> None:
    location = client(bahareh).post(path(table), {"plan": {"type": "coup.allow-others"}}, format="json")["Location"]
    for other in (maryam, kaveh):
        assert client(other).get(path(table)).json()["results"] == []
        for method in ("get", "delete"):
            assert getattr(client(other), method)(location).status_code == 404
    assert client(kaveh).post(path(table), {"plan": {"type": "coup.allow-others"}}, format="json").status_code == 403


def test_a_plan_that_is_none_is_malformed_and_says_where(table: Game, bahareh: Account) -> None:
    answer = client(bahareh).post(path(table), {"plan": {"type": "coup.allow", "player": 7}}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "malformed")
    assert answer.json()["errors"][0]["pointer"] == "#/plan"
    assert "no seat 7" in answer.content.decode()
