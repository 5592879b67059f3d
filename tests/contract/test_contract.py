"""The API's description as a client's author reads it: complete, true, and the same as the one that is kept."""

import json
import re
import warnings
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from darbar_client import __version__
from openapi_schema_validator import OAS31Validator
from openapi_spec_validator import validate

from config.server.api_description.codes import PROBLEMS, REMEDIES
from config.server.api_description.openapi import operations
from config.server.documents.build import errors_page
from config.server.problems import TITLES
from games.api.shared.problems import STATUS
from tests.contract.compatibility import breaking
from tests.contract.keep import ACCOUNT, KEPT, ROOT, read, schema_texts, stored_schema
from tests.examples import for_each

DOCUMENT: Mapping[str, Any] = stored_schema()
OPERATIONS = {operation["operationId"]: (path, method, operation) for path, method, operation in operations(DOCUMENT)}

WITHOUT_KEY = {
    "create_account": "there is no account yet that a key could belong to",
    "confirm_account": "there is no account yet that a key could belong to",
    "create_token": "the token is not stored, so it could not be shown again",
    "delete_me": "afterwards there is no account to which a key could belong",
}
"""The only POSTs that refuse an Idempotency-Key, and why."""


def resolved(value: Any) -> Any:
    """Return a part of the document, or the target of its reference."""
    while "$ref" in value:
        schema: Any = DOCUMENT
        for part in value["$ref"].removeprefix("#/").split("/"):
            schema = schema[part]
        value = schema
    return value


def bodies(operation: Mapping[str, Any]) -> Iterator[tuple[str, str, Any]]:
    """The request and every answer of an operation that has a body: where, of which type, and how."""
    if "requestBody" in operation:
        yield from (("request", media, body) for media, body in operation["requestBody"]["content"].items())
    for status, response in operation["responses"].items():
        yield from ((status, media, body) for media, body in resolved(response).get("content", {}).items())


def mistakes(schema: Any, value: Any) -> list[str]:
    """Return the places where a value violates its schema."""
    validator = OAS31Validator(
        {**schema, "components": DOCUMENT["components"]}, format_checker=OAS31Validator.FORMAT_CHECKER
    )
    return [f"{error.json_path}: {error.message[:200]}" for error in validator.iter_errors(value)]


def test_the_descriptions_are_valid_openapi() -> None:
    for file in (KEPT, ACCOUNT):
        document = stored_schema(file)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            validate(document)
        assert document["openapi"].startswith("3.1")


def test_the_main_document_is_small_enough_for_a_reader() -> None:
    main = stored_schema(KEPT)
    assert len([*operations(main)]) <= 110
    assert len(main["components"]["schemas"]) < 280


def test_an_operation_stands_in_one_document_with_those_to_which_its_links_lead() -> None:
    names = []
    for file in (KEPT, ACCOUNT):
        document = [operation for _, _, operation in operations(stored_schema(file))]
        ids = {operation["operationId"] for operation in document}
        responses = [response for operation in document for response in operation["responses"].values()]
        assert {link["operationId"] for response in responses for link in response.get("links", {}).values()} <= ids
        names += ids
    assert len(names) == len({*names}) == len(OPERATIONS)


@pytest.mark.slow
def test_the_kept_ones_are_up_to_date_and_break_no_client() -> None:
    for file, text in schema_texts().items():
        assert breaking(stored_schema(file), read(text)) == []
        assert stored_schema(file) == read(text), "The API's description has changed: make schema keeps it."


def test_every_tag_of_an_operation_is_described_and_no_other() -> None:
    tags = {tag for _, _, operation in OPERATIONS.values() for tag in operation["tags"]}
    assert {tag["name"] for tag in DOCUMENT["tags"] if len(tag["description"]) > 9} == tags


@for_each("name", OPERATIONS)
def test_every_operation_is_described(name: str) -> None:
    _, _, operation = OPERATIONS[name]
    assert re.fullmatch(r"[a-z]+(_[a-z]+)*", name)
    assert len(operation["summary"]) > 4
    assert len(operation["description"]) > len(operation["summary"])
    assert len(operation["tags"]) == 1
    for parameter in operation.get("parameters", []):
        assert len(parameter.get("description", "")) > 4, f"{parameter['name']} is not described."
    for status, response in operation["responses"].items():
        assert resolved(response)["description"], status


@for_each("name", OPERATIONS)
def test_every_body_has_examples_that_are_as_its_schema_says(name: str) -> None:
    for where, media, body in bodies(OPERATIONS[name][2]):
        assert body.get("examples"), f"config/server/api_description/examples/ has none of {name} {where}."
        for example in body["examples"].values():
            if "json" in media:
                assert mistakes(body["schema"], resolved(example)["value"]) == [], where


@for_each("name", OPERATIONS)
def test_every_refusal_is_a_problem_whose_codes_are_named(name: str) -> None:
    _, _, operation = OPERATIONS[name]
    for where, media, body in bodies(operation):
        if where[0] in "45":
            assert (media, body["schema"]) == ("application/problem+json", {"$ref": "#/components/schemas/Problem"})
            codes = {resolved(example)["value"]["code"] for example in body["examples"].values()}
            assert codes, where
            assert all(PROBLEMS[code][0] == int(where) for code in codes)


@for_each("name", [name for name, (_, method, _) in OPERATIONS.items() if method == "post"])
def test_every_post_takes_an_idempotency_key(name: str) -> None:
    _, _, operation = OPERATIONS[name]
    names = {parameter["name"] for parameter in operation.get("parameters", [])}
    assert ("Idempotency-Key" in names) != (name in WITHOUT_KEY)


@for_each("name", [name for name, (*_, operation) in OPERATIONS.items() if "requestBody" in operation])
def test_every_request_takes_no_field_that_it_does_not_name(name: str) -> None:
    (body,) = OPERATIONS[name][2]["requestBody"]["content"].values()
    schema = resolved(body["schema"])
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False


def test_the_contract_has_the_date_of_the_latest_change_and_of_the_clients() -> None:
    date = DOCUMENT["info"]["version"]
    changes = re.findall(r"^- \*\*([0-9-]+)\*\*", (ROOT / "docs/site/en/api/versions.md").read_text(), re.MULTILINE)
    assert changes[0] == max(changes) == date
    assert __version__ == date.replace("-", ".")
    assert json.loads((ROOT / "clients" / "js" / "package.json").read_text())["version"] == __version__


def test_every_code_is_explained_on_the_page() -> None:
    assert PROBLEMS.keys() == TITLES.keys() == REMEDIES.keys()
    for code, (status, meaning) in PROBLEMS.items():
        assert f"### {code}\nStatus {status}. {meaning}\n" in errors_page()
    assert {code: PROBLEMS[code][0] for code in STATUS} == dict(STATUS)


@pytest.mark.django_db
def test_a_problem_is_shaped_as_it_is_sent(client: Any) -> None:
    answer = client.get("/api/v1/rules/coup/?seat_count=many")
    assert mistakes({"$ref": "#/components/schemas/Problem"}, answer.json()) == []
    assert {*answer.json(), "move"} == set(DOCUMENT["components"]["schemas"]["Problem"]["properties"])
