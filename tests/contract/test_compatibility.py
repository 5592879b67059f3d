"""Tests of what would break a client, on a document small enough to see it."""

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.contract.compatibility import breaking
from tests.contract.keep import stored_schema
from tests.examples import for_each

OLD = json.loads(Path(__file__).with_name("small_api.json").read_text())

Change = Callable[[Any, Any, Any], object]


def changed(change: Change) -> dict[str, Any]:
    """The document after a change of its operation, the move and the body of the answer."""
    new: dict[str, Any] = copy.deepcopy(OLD)
    send = new["paths"]["/moves/"]["post"]
    change(send, new["components"]["schemas"], send["responses"]["200"]["content"]["application/json"]["schema"])
    return new


BREAKS: list[tuple[str, Change]] = [
    ("its operationId was send", lambda op, parts, answer: op.update(operationId="move")),
    ("it needs chat", lambda op, parts, answer: op["security"][0]["token"].append("chat")),
    ("the parameter after (query) is gone", lambda op, parts, answer: op["parameters"].clear()),
    ("the parameter after (query) is required", lambda op, parts, answer: op["parameters"][0].update(required=True)),
    ("maximum is 5", lambda op, parts, answer: op["parameters"][0]["schema"].update(maximum=5)),
    ("the body is required", lambda op, parts, answer: op["requestBody"].update(required=True)),
    ("it takes no body", lambda op, parts, answer: op.pop("requestBody")),
    ("the answer 200 is gone", lambda op, parts, answer: op["responses"].update({"201": op["responses"].pop("200")})),
    ("there is a new answer 204", lambda op, parts, answer: op["responses"].update({"204": {"description": ""}})),
    ("the header ETag is gone", lambda op, parts, answer: op["responses"]["200"].pop("headers")),
    ("there is no application/json", lambda op, parts, answer: op["requestBody"].update(content={})),
    ("request: verb is gone", lambda op, parts, answer: parts["Move"]["properties"].pop("verb")),
    ("request: verb is required", lambda op, parts, answer: parts["Move"]["required"].append("verb")),
    (".verb: there is no tax", lambda op, parts, answer: parts["Move"]["properties"]["verb"]["enum"].remove("tax")),
    ("it is integer, and was", lambda op, parts, answer: parts["Move"]["properties"]["seat"].update(type="integer")),
    ("maxLength is 10", lambda op, parts, answer: parts["Move"]["properties"]["question"].update(maxLength=10)),
    ("pattern is x", lambda op, parts, answer: parts["Move"]["properties"]["question"].update(pattern="x")),
    ("other properties are refused", lambda op, parts, answer: parts["Move"].update(additionalProperties=False)),
    ("move is gone", lambda op, parts, answer: answer["properties"].pop("move")),
    ("move may be missing", lambda op, parts, answer: answer.update(required=[])),
    ("it is string, and was array", lambda op, parts, answer: answer["properties"].update(events={"type": "string"})),
    ("there is no alternative lost", lambda op, parts, answer: parts["Event"]["discriminator"]["mapping"].pop("lost")),
    ("<dealt>: cards is gone", lambda op, parts, answer: parts["Dealt"].update(properties={})),
    ("there is no alternative string", lambda op, parts, answer: answer["properties"]["due"]["anyOf"].pop(0)),
    ("state: there is no alternative string", lambda op, parts, answer: answer["properties"].update(
        state={"anyOf": [{"type": "integer"}, {"type": "null"}]})),
    ("it may be null", lambda op, parts, answer: answer["properties"]["due"]["anyOf"].append({"type": "null"})),
]  # fmt: skip

KEEPS: list[Change] = [
    lambda op, parts, answer: op["parameters"].append({"name": "limit", "in": "query", "schema": {}}),
    lambda op, parts, answer: op["parameters"][0]["schema"].update(maximum=50),
    lambda op, parts, answer: op["responses"].update({"429": {"description": ""}}),
    lambda op, parts, answer: op["security"].append({}),
    lambda op, parts, answer: parts["Move"]["properties"].update(note={"type": "string"}),
    lambda op, parts, answer: parts["Move"]["properties"]["verb"]["enum"].append("swap"),
    lambda op, parts, answer: parts["Event"]["discriminator"]["mapping"].update(won="#/components/schemas/Dealt"),
    lambda op, parts, answer: answer["properties"].update(at={"type": "string"}),
    lambda op, parts, answer: answer["required"].append("events"),
    lambda op, parts, answer: op.update(summary="Another"),
    lambda op, parts, answer: answer["properties"].update(state={"type": "string", "x-extensible-enum": ["open"]}),
]


@for_each("sentence, change", BREAKS)
def test_what_breaks_a_client_is_said(sentence: str, change: Change) -> None:
    breaks = breaking(OLD, changed(change))
    assert any(break_.startswith("POST /moves/") and sentence in break_ for break_ in breaks), breaks


@for_each("change", KEEPS)
def test_what_only_adds_breaks_nobody(change: Change) -> None:
    assert breaking(OLD, changed(change)) == []


def test_an_operation_that_is_gone_is_said() -> None:
    assert breaking(OLD, {**OLD, "paths": {}}) == ["POST /moves/ is gone"]


def test_the_kept_description_breaks_none_of_its_own_clients() -> None:
    assert breaking(stored_schema(), stored_schema()) == []


@pytest.mark.parametrize(
    ("where", "field"), [("Game", "state"), ("CoupView", "turn"), ("CoupEventDealt", "cards"), ("Question", "moves")]
)
def test_a_field_taken_out_of_the_kept_description_is_said(where: str, field: str) -> None:
    new = copy.deepcopy(stored_schema())
    new["components"]["schemas"][where]["properties"].pop(field)
    assert any(f"{field} is gone" in break_ for break_ in breaking(stored_schema(), new))
