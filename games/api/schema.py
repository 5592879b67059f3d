"""The games' own shapes, as JSON Schema: for `rules/{game}/`, and merged into the OpenAPI document."""

from collections.abc import Collection, Iterator
from typing import Any, Final

import msgspec

from games.engine import AnyRules
from games.play.table import FILLED_IN
from games.play.table_events import AnyTableEvent
from games.rules.registry import RULES

GAME_OPTIONS: Final = "GameOptions"
GAME_MOVE: Final = "GameMove"
GAME_EVENT: Final = "GameEvent"
GAME_VIEW: Final = "GameView"
_COMPONENTS: Final = "#/components/schemas/"
_FILLED_IN: Final = (FILLED_IN, "question")
"""What the server fills in where a client writes options or moves."""


def ref(component: str) -> dict[str, str]:
    """A pointer to a component of the OpenAPI document."""
    return {"$ref": f"{_COMPONENTS}{component}"}


def options_schema(rules: AnyRules) -> dict[str, Any]:
    """JSON Schema of a game's options, as far as a host chooses them."""
    return _standalone(rules.option_type)


def moves_schema(rules: AnyRules) -> dict[str, Any]:
    """JSON Schema of a game's moves."""
    return _standalone(rules.move_type)


def _standalone(shape: Any) -> dict[str, Any]:
    (schema,), parts = msgspec.json.schema_components([shape], ref_template="#/$defs/{name}")
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **_tidy(schema),
        "$defs": {name: _tidy(part, _FILLED_IN) for name, part in parts.items()},
    }


def _tidy(schema: dict[str, Any], hidden: Collection[str] = ()) -> dict[str, Any]:
    """Without ``hidden`` properties; alternatives that a tag tells apart are exclusive."""
    properties = schema.get("properties", {})
    schema = {name: value for name, value in schema.items() if name != "title"}
    if properties:
        schema["properties"] = {name: value for name, value in properties.items() if name not in hidden}
    if schema.get("required") == []:
        del schema["required"]
    if "discriminator" in schema:
        schema["oneOf"] = schema.pop("anyOf")
    return schema


def _shapes() -> Iterator[tuple[str, str, Any]]:
    """Every shape with the name of its component and the one that gathers its like."""
    for name, rules in RULES.items():
        game = "".join(word.capitalize() for word in name.split("-"))
        yield f"{game}Options", GAME_OPTIONS, rules.option_type
        yield f"{game}Move", GAME_MOVE, rules.move_type
        yield f"{game}Event", GAME_EVENT, rules.event_type
        yield f"{game}View", GAME_VIEW, rules.view_type
    yield "TableEvent", GAME_EVENT, AnyTableEvent


def add_games(result: dict[str, Any], generator: Any, request: Any, public: Any) -> dict[str, Any]:
    """Post-processing hook of drf-spectacular: put the shapes of all games into the document."""
    components = result.setdefault("components", {}).setdefault("schemas", {})
    gathered: dict[str, list[dict[str, str]]] = {}
    for component, gathering, shape in _shapes():
        (schema,), parts = msgspec.json.schema_components([shape], ref_template=f"{_COMPONENTS}{component}{{name}}")
        hidden = _FILLED_IN if gathering in (GAME_OPTIONS, GAME_MOVE) else ()
        components |= {f"{component}{part}": _tidy(each, hidden) for part, each in parts.items()}
        components[component] = _tidy(schema)
        gathered.setdefault(gathering, []).append(ref(component))
    for gathering, shapes in gathered.items():
        components[gathering] = {"anyOf": shapes, "description": "Which of them, the game's rules say."}
    result["components"]["schemas"] = dict(sorted(components.items()))
    return result
