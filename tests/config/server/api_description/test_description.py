"""The API's description and the games' own shapes."""

import json
import re
import shutil
import warnings
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client
from django.utils.translation import override
from drf_spectacular.generators import SchemaGenerator
from openapi_spec_validator import validate

from config.server.api_description import document
from config.server.api_description.growth import reachable_components
from config.server.api_description.openapi import operations
from games.models import Game
from games.rules.registry import RULES

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def schema() -> Any:
    return SchemaGenerator().get_schema(request=None, public=True)


def test_the_description_is_valid_openapi(schema: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        validate(schema)
    assert schema["openapi"].startswith("3.1")


def test_the_description_is_the_same_when_it_is_built_again(schema: Any) -> None:
    assert SchemaGenerator().get_schema(request=None, public=True) == schema


def test_the_description_is_served_to_everyone(client: Client) -> None:
    assert client.get("/api/schema/").status_code == 200
    assert client.get("/api/docs/").status_code == 200


def test_a_program_finds_the_description_from_the_root(client: Client) -> None:
    for root in ("/api/", "/api/v1/"):
        links = client.get(root).json()
        assert links.pop("version") == "1"
        assert {urlsplit(link).path for link in links.values()} >= {"/api/schema/", "/api/docs/", "/api/v1/me/"}
    text = client.get("/llms.txt").content.decode()
    assert {f"{settings.PUBLIC_URL}/api/schema/core/?format=json", f"{settings.PUBLIC_URL}/docs/en/start/bot/"} <= set(
        re.findall(r"\((\S+)\)", text)
    )


def test_the_account_document_has_no_shapes_of_games_and_says_where_the_others_are(schema: Any) -> None:
    account = document.account_document(schema)
    names = {operation["operationId"] for _, _, operation in operations(account)}
    assert names >= {"create_account", "list_sessions", "create_device", "send_deletion_code", "forward_clock"}
    assert not [name for name in account["components"]["schemas"] if name.startswith(("Coup", "Sedlec", "TableEvent"))]
    assert "/api/schema/" in account["info"]["description"]


def test_the_core_document_is_valid_and_has_about_fifteen_operations(schema: Any) -> None:
    core = document.core_document(schema)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        validate(core)
    assert len(list(operations(core))) == 15
    assert len(json.dumps(core)) < len(json.dumps(schema)) / 5


def test_the_description_is_the_same_in_every_language(schema: Any) -> None:
    with override("fa"):
        assert SchemaGenerator().get_schema(request=None, public=True) == schema


@pytest.fixture
def built(monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path) -> list[str]:
    """The times at which the description is built, in a process that has not asked for it yet."""
    times: list[str] = []

    def count(generator: SchemaGenerator, request: Any, public: bool) -> dict[str, Any]:
        times.append("built")
        components: dict[str, Any] = {"schemas": {}, "responses": {}}
        return {"openapi": "3.1.1", "info": {}, "paths": {}, "tags": [], "components": components}

    settings.API_FOLDER = tmp_path / "api"
    monkeypatch.setattr(document, "_documents", {})
    monkeypatch.setattr(SchemaGenerator, "get_schema", count)
    return times


def test_the_description_is_built_once_and_kept_by_clients(client: Client, built: list[str]) -> None:
    for _ in range(2):
        answers = [client.get("/api/schema/", {"format": format}) for format in ("yaml", "json")]
    assert built == ["built"]
    description, as_json = answers
    assert description.headers["Cache-Control"] == "max-age=300"
    assert description.headers["Content-Type"] == "application/vnd.oai.openapi"
    assert as_json.json()["openapi"] == "3.1.1"
    again = client.get("/api/schema/", headers={"If-None-Match": description.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_a_process_reads_the_description_that_was_built_at_the_start(
    client: Client, built: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document.processes, "watch_parent", lambda: None)
    document.build_in_background()
    monkeypatch.setattr(document, "_documents", {})
    assert client.get("/api/schema/", {"format": "json"}).json()["openapi"] == "3.1.1"
    assert built == ["built"]
    shutil.rmtree(settings.API_FOLDER)
    monkeypatch.setattr(document, "_documents", {})
    client.get("/api/schema/", {"format": "json"})
    assert built == ["built"] * 2, "an earlier start may have had other games"


@pytest.mark.parametrize("game", ["Coup", "Sedlec"])
def test_the_description_holds_every_games_options_moves_events_and_view(schema: Any, game: str) -> None:
    shapes = schema["components"]["schemas"]
    rules = RULES[game.lower()]
    assert {"$ref": f"#/components/schemas/{game}Options"} in shapes["GameOptions"]["anyOf"]
    assert shapes["KnownView"]["discriminator"]["mapping"][rules.name] == f"#/components/schemas/{game}View"
    assert shapes[f"{game}View"]["properties"]["rules"]["const"] == rules.name
    for union, shape in (("GameMove", rules.move_type), ("GameEvent", rules.event_type)):
        types = {f"{rules.name}.{arg.__struct_config__.tag}" for arg in shape.__args__}
        assert {
            tag
            for tag in shapes[union.replace("Game", "Known")]["discriminator"]["mapping"]
            if tag.startswith(f"{rules.name}.")
        } == types
    assert "previous_winners" not in shapes[f"{game}ChosenOptions"]["properties"]
    assert "previous_winners" in shapes[f"{game}Options"]["required"]
    assert not [name for name, shape in shapes.items() if "prompts" in shape.get("properties", {})]


def test_moves_are_described_as_they_are_sent(schema: Any) -> None:
    steal = schema["components"]["schemas"]["CoupMoveSteal"]
    assert steal["properties"] == {"type": {"type": "string", "const": "coup.steal"}, "target": {"type": "integer"}}
    assert steal["required"] == ["type", "target"]


def test_every_union_has_room_for_what_is_not_known_yet(schema: Any) -> None:
    shapes = schema["components"]["schemas"]
    for union, other in (
        ("GameMove", "AnyMove"),
        ("GameEvent", "AnyEvent"),
        ("GamePlan", "AnyPlan"),
        ("GameView", "AnyView"),
        ("GameOptions", "OtherOptions"),
    ):
        members = shapes[union]["anyOf"]
        assert members[-1] == {"$ref": f"#/components/schemas/{other}"}
        assert shapes[other]["type"] == "object"
        assert not [
            member for member in members[:-1] if "additionalProperties" in shapes[member["$ref"].rpartition("/")[2]]
        ]
        if union != "GameOptions":
            discriminator = shapes[union.replace("Game", "Known")]["discriminator"]
            tag = shapes[other]["properties"][discriminator["propertyName"]]
            assert tag["not"] == {"enum": [*discriminator["mapping"]]}, "exactly one shape of the union fits"


def test_no_type_of_one_game_is_one_of_another(schema: Any) -> None:
    for union in ("KnownMove", "KnownEvent", "KnownPlan"):
        shape = schema["components"]["schemas"][union]
        assert len(shape["discriminator"]["mapping"]) == len(shape["oneOf"])
        assert {tag.partition(".")[0] for tag in shape["discriminator"]["mapping"]} <= {*RULES, "table"}


def _reached_by(schema: Any, *parts: str) -> set[str]:
    operations = [operation for path in schema["paths"].values() for operation in path.values()]
    roots = [operation.get(part) for operation in operations for part in parts]
    return reachable_components(schema["components"]["schemas"], [roots, schema["components"]["responses"]])


def test_the_main_document_has_the_known_shapes_by_which_types_narrow(schema: Any) -> None:
    names = {name for name in schema["components"]["schemas"] if name.startswith("Known")}
    assert names == {"KnownMove", "KnownEvent", "KnownPlan", "KnownView"}
    assert names <= document.main_document(schema)["components"]["schemas"].keys()


def test_a_union_of_known_shapes_has_no_fallback(schema: Any) -> None:
    shapes = schema["components"]["schemas"]
    for union in ("Move", "Event", "Plan", "View"):
        assert shapes[f"Known{union}"]["oneOf"] == shapes[f"Game{union}"]["anyOf"][:-1]


def test_codes_in_answers_are_open_and_in_requests_closed(schema: Any) -> None:
    shapes = schema["components"]["schemas"]
    answered = _reached_by(schema, "responses")
    closed = [
        f"{name}.{field}"
        for name in answered
        for field, value in shapes[name].get("properties", {}).items()
        if "enum" in value or value.get("additionalProperties") is False
    ]
    assert closed == []
    state = shapes["Game"]["properties"]["state"]
    assert (state["type"], state["x-extensible-enum"]) == ("string", Game.State.values)
    assert shapes["StreamGame"]["properties"]["state"]["x-extensible-enum"] == Game.State.values
    assert shapes["BotRequest"]["properties"]["level"]["enum"] == ["easy", "normal", "strong", "master"]
    assert not [name for name, shape in shapes.items() if {"enum", "x-extensible-enum"} & shape.keys()]


def test_no_default_makes_a_field_of_a_request_required(schema: Any) -> None:
    shapes = schema["components"]["schemas"]
    for name in _reached_by(schema, "requestBody"):
        for field, value in shapes[name].get("properties", {}).items():
            assert "default" not in value, f"{name}.{field}"
    assert "Default: `P2D`." in shapes["GameRequest"]["properties"]["turn_limit"]["description"]


def test_no_names_collide_in_a_generated_client(schema: Any) -> None:
    shapes = schema["components"]["schemas"]
    snake = {name: re.sub(r"(?<!^)(?=[A-Z])", "_", name).lower() for name in shapes}
    assert [name for name in shapes if f"New{name}" in shapes] == []
    assert [name for name, shape in shapes.items() if snake[name] in shape.get("properties", {})] == []


def test_the_games_are_listed(client: Client) -> None:
    listed = {game["name"]: game for game in client.get("/api/v1/rules/").json()["results"]}
    assert (listed["coup"]["least"], listed["coup"]["most"]) == (2, 10)
    assert (listed["sedlec"]["least"], listed["sedlec"]["most"]) == (2, 3)


def test_a_game_is_described_with_its_summary_in_the_readers_language(client: Client) -> None:
    english = client.get("/api/v1/rules/coup/", {"seat_count": 5, "options": '{"inquisitor": true}'})
    assert english.status_code == 200, english.content
    persian = client.get("/api/v1/rules/coup/", headers={"Accept-Language": "fa"})
    assert english.json()["options"]["$defs"]["Options"]["properties"]["inquisitor"]["type"] == "boolean"
    assert "coup.steal" in english.json()["moves"]["discriminator"]["mapping"]
    assert english.json()["summary"]
    assert persian["Content-Language"] == "fa"


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("coup/?options={", 400),
        ("coup/?options=[]", 400),
        ('coup/?options={"dealer":1}', 400),
        ("coup/?seat_count=x", 400),
        ("coup/?seat_count=11", 400),
        ("coup/?colour=red", 400),
        ("chess/", 404),
    ],
)
def test_what_cannot_be_described_is_refused(client: Client, path: str, status: int) -> None:
    answer = client.get(f"/api/v1/rules/{path}")
    assert answer.status_code == status, answer.content
    assert answer.json()["code"] == {400: "malformed", 404: "not-found"}[status]
