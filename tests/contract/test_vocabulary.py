"""The description of the API has a single word for each thing, and requires the members that are always sent."""

import re
from typing import Any, Final

from config.server.api_description.growth import reachable_components
from config.server.api_description.openapi import operations
from tests.contract.keep import stored_schema

DOCUMENT: Final = stored_schema()
OPERATIONS: Final = [(method, operation) for _, method, operation in operations(DOCUMENT)]
SCHEMAS: Final[dict[str, Any]] = DOCUMENT["components"]["schemas"]
MOMENTS: Final = {"at", "since", "until", "paused_until", "failing_since", "timestamp"}
"""Times that do not end in ``_at``. ``timestamp`` is the word of Standard Webhooks."""
SELDOM_SENT: Final = {
    "Account": "a token without the scope account gets four members",
    "OtherOptions": "it stands for any options",
    "Problem": "members are there where they apply",
}
"""Shapes in responses with members that are not always sent, and why."""


def test_a_path_parameter_has_the_name_of_its_thing() -> None:
    names = {
        parameter["name"]
        for _, operation in OPERATIONS
        for parameter in operation.get("parameters", [])
        if parameter["in"] == "path"
    }
    assert names.isdisjoint({"id", "public_id", "client_id", "name"})


def test_an_operation_has_a_verb_and_an_object() -> None:
    names = [operation["operationId"] for _, operation in OPERATIONS]
    assert [name for name in names if not re.fullmatch(r"[a-z]+(_[a-z]+)+", name)] == []
    verbs = {operation["operationId"].partition("_")[0] for method, operation in OPERATIONS if method == "delete"}
    assert verbs == {"delete", "decline"}


def test_a_time_has_one_word_for_each_meaning() -> None:
    times = {
        name
        for schema in SCHEMAS.values()
        for name, value in schema.get("properties", {}).items()
        if value.get("format") == "date-time"
    }
    assert {name for name in times if not name.endswith("_at")} <= MOMENTS
    assert times.isdisjoint({"made_at", "began_at", "begins_at", "opened_at"})


def test_what_is_always_sent_is_required() -> None:
    responses = reachable_components(SCHEMAS, [operation["responses"] for _, operation in OPERATIONS])
    shared = reachable_components(SCHEMAS, [operation.get("requestBody") for _, operation in OPERATIONS])
    incomplete = {
        name
        for name in responses - shared
        if set(SCHEMAS[name].get("properties", {})) != set(SCHEMAS[name].get("required", []))
    }
    assert incomplete == set(SELDOM_SENT) | {name for name in incomplete if name.startswith("Stream")}
