"""The API's description and the games' own shapes."""

import re
import warnings
from typing import Any

import pytest
from django.test import Client
from django.utils.translation import get_language
from drf_spectacular.generators import SchemaGenerator
from openapi_spec_validator import validate

from config.server.api_description import views
from config.server.api_description.growth import reachable_components
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


def test_the_description_is_built_once_for_each_language_and_form(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    built: list[str | None] = []

    def count(generator: SchemaGenerator, request: Any, public: bool) -> dict[str, Any]:
        built.append(get_language())
        return {"openapi": "3.1.1"}

    monkeypatch.setattr(views, "_built", {})
    monkeypatch.setattr(SchemaGenerator, "get_schema", count)
    for _ in range(2):
        answers = [
            client.get("/api/schema/", query, headers={"Accept-Language": language})
            for language, query in (("en", {}), ("fa", {}), ("fa", {"lang": "en"}), ("en", {"format": "json"}))
        ]
    assert built == ["en", "fa", "en"], "en again for JSON"
    assert [answer.status_code for answer in answers] == [200] * 4
    description = answers[0]
    assert description.headers["Cache-Control"] == "max-age=300"
    assert description.headers["Content-Type"] == "application/vnd.oai.openapi"
    again = client.get("/api/schema/", headers={"Accept-Language": "en", "If-None-Match": description.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("game", ["Coup", "Sedlec"])
def test_the_description_holds_every_games_options_moves_events_and_view(schema: Any, game: str) -> None:
    shapes = schema["components"]["schemas"]
    rules = RULES[game.lower()]
    assert {"$ref": f"#/components/schemas/{game}Options"} in shapes["GameOptions"]["anyOf"]
    assert shapes["GameView"]["discriminator"]["mapping"][rules.name] == f"#/components/schemas/{game}View"
    assert shapes[f"{game}View"]["properties"]["rules"]["const"] == rules.name
    for union, shape in (("GameMove", rules.move_type), ("GameEvent", rules.event_type)):
        types = {f"{rules.name}.{arg.__struct_config__.tag}" for arg in shape.__args__}
        assert {tag for tag in shapes[union]["discriminator"]["mapping"] if tag.startswith(f"{rules.name}.")} == types
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
        members = shapes[union].get("oneOf") or shapes[union]["anyOf"]
        assert members[-1] == {"$ref": f"#/components/schemas/{other}"}
        assert shapes[other]["type"] == "object"
        assert not [
            member for member in members[:-1] if "additionalProperties" in shapes[member["$ref"].rpartition("/")[2]]
        ]
        if mapping := shapes[union].get("discriminator", {}).get("mapping"):
            tag = shapes[other]["properties"][shapes[union]["discriminator"]["propertyName"]]
            assert tag["not"] == {"enum": [*mapping]}, "exactly one shape of the union fits"


def test_no_type_of_one_game_is_one_of_another(schema: Any) -> None:
    for union in ("GameMove", "GameEvent", "GamePlan"):
        shape = schema["components"]["schemas"][union]
        assert len(shape["discriminator"]["mapping"]) == len(shape["oneOf"]) - 1
        assert {tag.partition(".")[0] for tag in shape["discriminator"]["mapping"]} <= {*RULES, "table"}


def _reached_by(schema: Any, *parts: str) -> set[str]:
    operations = [operation for path in schema["paths"].values() for operation in path.values()]
    roots = [operation.get(part) for operation in operations for part in parts]
    return reachable_components(schema["components"]["schemas"], [roots, schema["components"]["responses"]])


def test_a_union_of_known_shapes_has_no_fallback(schema: Any) -> None:
    shapes = schema["components"]["schemas"]
    for union in ("Move", "Event", "Plan", "View"):
        assert shapes[f"Known{union}"]["oneOf"] == shapes[f"Game{union}"]["oneOf"][:-1]
        assert shapes[f"Known{union}"]["discriminator"] == shapes[f"Game{union}"]["discriminator"]


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
    listed = {game["name"]: game for game in client.get("/api/v1/rules/").json()}
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
