"""The games' own shapes, as JSON Schema: for `rules/{game}/`, and merged into the OpenAPI document."""

import json
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec

from games.api.shared.fields import documented_components
from games.engine import AnyRules
from games.engine.rules import FILLED_IN, NOT_OFFERED
from games.event_log.table_events import AnyTableEvent
from games.rules.registry import RULES

GAME_OPTIONS: Final = "GameOptions"
CHOSEN_OPTIONS: Final = "ChosenOptions"
GAME_MOVE: Final = "GameMove"
GAME_EVENT: Final = "GameEvent"
GAME_PLAN: Final = "GamePlan"
GAME_VIEW: Final = "GameView"
RULES_FIELD: Final = "rules"
"""In a view as it is served: the name of the game, which tells the views of games apart."""
_COMPONENTS: Final = "#/components/schemas/"
_LONG_NAME: Final = re.compile(r"(?<=\w)games(?:\.\w+)*\.(\w+)\.(\w+)")
_FILLED_IN: Final = (FILLED_IN, "question")
"""What the server fills in where a client writes options or moves."""
_GATHERED: Final[Mapping[str, str]] = {
    GAME_OPTIONS: "The options of a table, complete. Which of these shapes they have, the table's `rules` say.",
    CHOSEN_OPTIONS: "Options as a host chooses them; what is not named is as its default says. "
    "Which of these shapes they have, `rules` says.",
    GAME_MOVE: "A move. Which of these shapes it has, the table's `rules` say; within a game its `type` does.",
    GAME_EVENT: "Something that happened: of the table where `type` begins with `table.`, else of the game, whose "
    "`rules` say which of the other shapes it has. A fact that this viewer may not know is null.",
    GAME_PLAN: "A plan. Which of these shapes it has, the table's `rules` say; within them its `type` does.",
    GAME_VIEW: "What one viewer may know of a game; `rules` says which. A fact that they may not know is null.",
}


@dataclass(frozen=True)
class _Shape:
    """A shape of one game: its component, the one that gathers its like, and how it is tidied."""

    component: str
    gathering: str
    type: Any
    hidden: Collection[str] = ()
    """Properties that a client does not write."""
    complete: bool = False
    """The server sends it, with every property."""
    rules: str = ""
    """Where the shape is served with the name of its game: that name."""


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
        "$defs": {name: _tidy(part, _FILLED_IN) for name, part in documented_components(shape, parts).items()},
    }


def _tidy(schema: Mapping[str, Any], hidden: Collection[str] = (), *, complete: bool = False) -> dict[str, Any]:
    """Without ``hidden`` properties; alternatives that a tag tells apart are exclusive."""
    schema = {name: value for name, value in schema.items() if name != "title"}
    if properties := schema.get("properties"):
        unseen = {NOT_OFFERED, *hidden}
        schema["properties"] = {name: dict(value) for name, value in properties.items() if name not in unseen}
    if complete and properties:
        needed = schema.get("required", ())
        schema["required"] = [
            name for name, each in schema["properties"].items() if name in needed or "default" in each
        ]
        for each in schema["properties"].values():
            each.pop("default", None)
    if schema.get("required") == []:
        del schema["required"]
    if "discriminator" in schema:
        schema["oneOf"] = schema.pop("anyOf")
    return schema


def _shapes() -> Iterator[_Shape]:
    for name, rules in RULES.items():
        game = "".join(word.capitalize() for word in name.split("-"))
        yield _Shape(f"{game}Options", GAME_OPTIONS, rules.option_type, complete=True)
        yield _Shape(f"{game}ChosenOptions", CHOSEN_OPTIONS, rules.option_type, _FILLED_IN)
        yield _Shape(f"{game}Move", GAME_MOVE, rules.move_type, _FILLED_IN)
        yield _Shape(f"{game}Event", GAME_EVENT, rules.event_type, complete=True)
        if rules.plans:
            yield _Shape(f"{game}Plan", GAME_PLAN, rules.plans.plan_type, _FILLED_IN)
        yield _Shape(f"{game}View", GAME_VIEW, rules.view_type, complete=True, rules=name)
    yield _Shape("TableEvent", GAME_EVENT, AnyTableEvent, complete=True)


def _components(shape: _Shape) -> dict[str, dict[str, Any]]:
    """The components of one shape. One that is a single struct is that struct, without a name between."""
    template = f"{_COMPONENTS}{shape.component}{{name}}"
    (schema,), parts = msgspec.json.schema_components([shape.type], ref_template=template)
    found = {
        f"{shape.component}{name}": _tidy(part, shape.hidden, complete=shape.complete)
        for name, part in documented_components(shape.type, parts).items()
    }
    whole = found.pop(schema["$ref"].removeprefix(_COMPONENTS)) if "$ref" in schema else _tidy(schema)
    if shape.rules:
        name = {"type": "string", "const": shape.rules, "description": "The name of the game."}
        whole["properties"] = {RULES_FIELD: name, **whole["properties"]}
        whole["required"] = [RULES_FIELD, *whole["required"]]
    return _renamed({**found, shape.component: whole})


def _renamed(components: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Structs of one name in two modules are told apart by their module's name; msgspec does it by its whole path."""
    text = _LONG_NAME.sub(lambda found: found[1].capitalize() + found[2], json.dumps(components))
    renamed: dict[str, dict[str, Any]] = json.loads(text)
    return renamed


def add_games(result: dict[str, Any], generator: Any, request: Any, public: Any) -> dict[str, Any]:
    """Post-processing hook of drf-spectacular: put the shapes of all games into the document."""
    components = result.setdefault("components", {}).setdefault("schemas", {})
    gathered: dict[str, list[_Shape]] = {}
    for shape in _shapes():
        components |= _components(shape)
        gathered.setdefault(shape.gathering, []).append(shape)
    for gathering, shapes in gathered.items():
        components[gathering] = {"description": _GATHERED[gathering], **_alternatives(shapes)}
    result["components"]["schemas"] = dict(sorted(components.items()))
    return result


def _alternatives(shapes: list[_Shape]) -> dict[str, Any]:
    """One of these: told apart by the name of the game where they are served with it."""
    if not all(shape.rules for shape in shapes):
        return {"anyOf": [ref(shape.component) for shape in shapes]}
    mapping = {shape.rules: f"{_COMPONENTS}{shape.component}" for shape in shapes}
    return {
        "oneOf": [ref(shape.component) for shape in shapes],
        "discriminator": {"propertyName": RULES_FIELD, "mapping": mapping},
    }
