"""No request can set a field that is not offered: each writing request is tried with the fields of all models."""

from typing import Any

import pytest
from django.apps import apps
from drf_spectacular.generators import SchemaGenerator

from tests.examples import for_each
from tests.roles.asking import BODIES, ids_for, send_request
from tests.roles.operations import Operation, every_operation
from tests.roles.scene import Scene
from tests.table_digests import table_digests

pytestmark = pytest.mark.django_db

FIELDS = sorted({field.name for model in apps.get_models() for field in model._meta.get_fields()} | {"pk", "user_id"})
"""The names of all fields of the models, with foreign keys and their reverse names."""
WRITING = [
    operation for operation in every_operation() if operation.is_api and operation.method in ("POST", "PUT", "PATCH")
]
RESTLESS = {"accounts_allowance", "accounts_token", "django_session", "cache"}
"""Tables that every request may touch: allowances, a token's last use, limits on passwords."""


@pytest.fixture(scope="module")
def schema() -> Any:
    return SchemaGenerator().get_schema(request=None, public=True)


def _documented(schema: Any, operation: Operation) -> dict[str, Any]:
    """The properties that the API's description offers for the body."""
    described = schema["paths"][operation.described_path][operation.method.lower()]
    shape = described.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    return _properties(schema, shape)


def _properties(schema: Any, shape: Any) -> dict[str, Any]:
    if "$ref" in shape:
        shape = schema["components"]["schemas"][shape["$ref"].rpartition("/")[2]]
    properties = dict(shape.get("properties", {}))
    for part in (*shape.get("allOf", ()), *shape.get("anyOf", ()), *shape.get("oneOf", ())):
        properties |= _properties(schema, part)
    return properties


@for_each("operation", WRITING, undone=True)
def test_no_field_is_taken_that_is_not_offered(operation: Operation, scene: Scene, schema: Any) -> None:
    ids = ids_for(operation, scene, "host")
    body = BODIES.get(operation.key, lambda scene, ids: {})(scene, ids)
    offered = _documented(schema, operation)
    strange = {name: _poison(name) for name in FIELDS if name not in offered}
    before = table_digests(without=RESTLESS)
    answer = send_request(operation, scene, "host", ids, {**body, **strange}, keep=True)
    assert answer.status_code == 400, answer.content
    refused_names = {error["pointer"].split("/")[1] for error in answer.json()["errors"] if "/" in error["pointer"]}
    assert set(strange) <= refused_names
    assert table_digests(without=RESTLESS) == before


@for_each("operation", WRITING, undone=True)
def test_no_nested_field_is_taken_that_is_not_offered(operation: Operation, scene: Scene, schema: Any) -> None:
    ids = ids_for(operation, scene, "host")
    body = BODIES.get(operation.key, lambda scene, ids: {})(scene, ids)
    offered = _documented(schema, operation)
    before = table_digests(without=RESTLESS)
    for name, value in body.items():
        if not isinstance(value, dict):
            continue
        properties = _properties(schema, offered.get(name, {}))
        strange = {field: _poison(field) for field in FIELDS if field not in properties}
        answer = send_request(operation, scene, "host", ids, {**body, name: {**value, **strange}}, keep=True)
        assert answer.status_code in (400, 422), answer.content
        assert table_digests(without=RESTLESS) == before


def _poison(name: str) -> Any:
    """A value that a row could have."""
    return True if name.startswith(("is_", "has_")) else 1
