"""The shapes of each game in the OpenAPI document and in `rules/{game}/`: options, moves, events, plans, views.

The shapes of all games together form flat unions. A union is open: its last alternative accepts values that the
document does not describe, such as a new kind of event. A client that was generated from the document can then read
them instead of failing.

The ``type`` of an event, move or plan is the name of the game, a dot, and the game's own tag, which is unique within
the game only. So a client can read the union of all games by ``type`` alone. Table events have such a prefix already:
``table.started``.

A string that a game marks with ``games.engine.code`` becomes a component of its own, such as ``CoupCharacter``. The
server may send other values too, as for every enum (``config.server.api_description.growth``).
"""

import ast
import inspect
import json
import re
import textwrap
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import msgspec
from msgspec.inspect import StructType, type_info

from games.engine import AnyRules, Phrase, gettext_noop
from games.engine.validation import FILLED_IN, NOT_OFFERED
from games.event_log.table_events import AnyTableEvent
from games.refusals import Refusal
from games.rules.registry import RULES

COMPONENTS: Final = "#/components/schemas/"


def ref(component: str) -> dict[str, str]:
    """Return a reference to a component of the OpenAPI document."""
    return {"$ref": f"{COMPONENTS}{component}"}


def open_union(description: str, components: Iterable[str], other: str) -> dict[str, Any]:
    """Return a schema of any of these components, with ``other`` as the fallback.

    It has no discriminator: of one with a fallback, some generators make code that does not compile.
    """
    return {"description": description, "anyOf": [*map(ref, components), ref(other)]}


def closed_union(description: str, mapping: Mapping[str, str], tag: str) -> dict[str, Any]:
    """Return a schema of one of the components in ``mapping``, selected by the property ``tag``."""
    return {
        "description": description,
        "oneOf": [ref(component) for component in mapping.values()],
        "discriminator": {
            "propertyName": tag,
            "mapping": {value: ref(name)["$ref"] for value, name in mapping.items()},
        },
    }


def other_shape(description: str, tag: str, tag_description: str, values: Collection[str]) -> dict[str, Any]:
    """Return the schema of unknown values. Only the property that selects the component is required, and it has none of
    the known ``values``."""
    return {
        "type": "object",
        "description": description,
        "properties": {tag: {"type": "string", "not": {"enum": [*values]}, "description": tag_description}},
        "required": [tag],
        "additionalProperties": {},
    }


def documented_components(shape: Any, parts: Mapping[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the components of a type with the descriptions of their fields. References are kept."""
    docstrings = {struct.__name__: _field_docstrings(struct) for struct in _structs(type_info(shape), set())}
    return {name: _add_descriptions(part, docstrings.get(name, {})) for name, part in parts.items()}


def _add_descriptions(part: dict[str, Any], words: Mapping[str, str]) -> dict[str, Any]:
    if "properties" not in part:
        return part
    properties = {
        name: {**value, "description": words[name]} if name in words else value
        for name, value in part["properties"].items()
    }
    return {**part, "properties": properties}


def _structs(info: Any, visited: set[type]) -> Iterator[type[msgspec.Struct]]:
    """Yield every struct that a type refers to, once."""
    if isinstance(info, StructType):
        if info.cls in visited:
            return
        visited.add(info.cls)
        yield info.cls
    for name in getattr(info, "__struct_fields__", ()):
        value = getattr(info, name)
        for part in value if isinstance(value, tuple) else (value,):
            if isinstance(part, msgspec.Struct):
                yield from _structs(part, visited)


@cache
def _field_docstrings(struct: type[msgspec.Struct]) -> Mapping[str, str]:
    """Return the docstrings below the fields of a struct and of its base classes."""
    words: dict[str, str] = {}
    for base in reversed(struct.__mro__):
        if issubclass(base, msgspec.Struct) and base.__module__ != "msgspec":
            body = ast.parse(textwrap.dedent(inspect.getsource(base))).body[0]
            assert isinstance(body, ast.ClassDef)
            words |= dict(_read_docstrings(body))
    return words


def _read_docstrings(body: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, docstring in zip(body.body, body.body[1:], strict=False):
        match field, docstring:
            case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(words))):
                yield name, inspect.cleandoc(words)


TYPE: Final = "type"


def qualified_type(rules: str, tag: str) -> str:
    return f"{rules}.{tag}"


def qualify(rules: str, shape: dict[str, Any]) -> dict[str, Any]:
    """Return an event, move or plan of a game with the types of the API, also in a move inside a plan."""
    inner = {name: qualify(rules, value) for name, value in shape.items() if isinstance(value, dict) and TYPE in value}
    return {**shape, **inner, TYPE: qualified_type(rules, shape[TYPE])}


def unqualify(rules: str, shape: Any, field: str) -> Any:
    """Return a move or plan of the API with the game's own tags. Raises Refusal(malformed) about ``field`` for other
    types."""
    if not isinstance(shape, dict) or not isinstance(shape.get(TYPE), str):
        return shape
    prefix = qualified_type(rules, "")
    if not shape[TYPE].startswith(prefix):
        sentence = gettext_noop("Here the type starts with “%(prefix)s”.")
        raise Refusal("malformed", Phrase(sentence, {"prefix": prefix}), field)
    inner = {name: unqualify(rules, value, field) for name, value in shape.items() if isinstance(value, dict)}
    return {**shape, **inner, TYPE: shape[TYPE].removeprefix(prefix)}


_NAME: Final = "title"


def _unique(rows: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(value for row in rows for value in row))


# The kinds of questions of all games.
QUESTION_KINDS: Final = _unique(rules.paces for rules in RULES.values())
# The reasons of questions of all games.
QUESTION_REASONS: Final = _unique(rules.reasons for rules in RULES.values())


def add_question_codes(rules: AnyRules, question: dict[str, Any]) -> None:
    """Add the kinds and reasons of a game's questions to the schema of its question."""
    properties = question["properties"]
    for name, values in {"kind": [*rules.paces], "reason": [*rules.reasons]}.items():
        if values:
            marked = {"type": "string", _NAME: f"Question{name.capitalize()}", "enum": values}
            properties[name] = {**properties[name], **marked}


def lift_codes(game: str, components: Mapping[str, Any]) -> dict[str, Any]:
    """Replace each marked code in the components of a game by a reference, and add a component for each code."""
    lifted: dict[str, Any] = {}
    pointed = {name: _point(part, game, lifted) for name, part in components.items()}
    return pointed | lifted


def _point(part: Any, game: str, lifted: dict[str, Any]) -> Any:
    if isinstance(part, list):
        return [_point(item, game, lifted) for item in part]
    if not isinstance(part, dict):
        return part
    if _NAME in part and "enum" in part:
        name = f"{game}{part[_NAME]}"
        lifted[name] = {"type": "string", "enum": part["enum"]}
        description = {key: part[key] for key in ("description",) if key in part}
        return {**ref(name), **description}
    return {key: _point(value, game, lifted) for key, value in part.items()}


GAME_OPTIONS: Final = "GameOptions"
CHOSEN_OPTIONS: Final = "ChosenOptions"
GAME_MOVE: Final = "GameMove"
GAME_EVENT: Final = "GameEvent"
GAME_PLAN: Final = "GamePlan"
GAME_VIEW: Final = "GameView"
# The field with the name of the game in a view. It distinguishes the views of different games.
RULES_FIELD: Final = "rules"
_LONG_NAME: Final = re.compile(r"(?<=\w)games(?:\.\w+)*\.(\w+)\.(\w+)")
# Fields that the server fills in when a client writes options or moves.
_FILLED_IN: Final = (FILLED_IN, "question")


@dataclass(frozen=True)
class _Union:
    """A union of the shapes of all games, with the component for values that are not known yet."""

    description: str
    # The component for unknown values. Its name sorts before the others, because Go's client tries components in
    # alphabetical order.
    other: str
    other_description: str
    # The property that selects the component.
    tag: str = TYPE


_UNIONS: Final[Mapping[str, _Union]] = {
    GAME_MOVE: _Union(
        "A move. `type` is the name of the game, a dot, and the verb of the notation.",
        "AnyMove",
        "A kind of move that this description does not know yet. You can send it back as it was offered.",
    ),
    GAME_EVENT: _Union(
        "Something that happened: at the table if `type` starts with `table.`, otherwise in the game that "
        "`type` starts with. A fact that you may not know is null.",
        "AnyEvent",
        "A kind of event that this description does not know yet.",
    ),
    GAME_PLAN: _Union(
        "A plan. `type` is the name of the game, a dot, and the kind of plan.",
        "AnyPlan",
        "A kind of plan that this description does not know yet.",
    ),
    GAME_VIEW: _Union(
        "A game as one viewer may know it; `rules` says which. A fact that they may not know is null.",
        "AnyView",
        "The view of a game that this description does not know yet.",
        RULES_FIELD,
    ),
}
OPEN_UNIONS: Final = (*_UNIONS,)
_OPTIONS: Final[Mapping[str, str]] = {
    GAME_OPTIONS: "The options of a game, complete. `rules` tells which of these shapes they have.",
    CHOSEN_OPTIONS: "Options as a host chooses them. An option that is left out has its default. `rules` tells "
    "which of these shapes they have.",
}


@dataclass(frozen=True)
class _Shape:
    """A type of one game, with the name of its components and the union to which they belong."""

    component: str
    union: str
    type: Any
    # The name of the game, if types or views contain it.
    game: str = ""
    # Properties that a client does not write.
    hidden: Collection[str] = ()
    # True if the server sends the shape, always with all properties.
    complete: bool = False


def options_schema(rules: AnyRules) -> dict[str, Any]:
    """Return the JSON Schema of the options that a host may choose."""
    return _standalone(rules.option_type)  # type: ignore[arg-type]  # types can be hashed


def moves_schema(rules: AnyRules) -> dict[str, Any]:
    """Return the JSON Schema of a game's moves."""
    return _standalone(rules.move_type, rules.name)


@cache
def _standalone(shape: Any, game: str = "") -> dict[str, Any]:
    (schema,), parts = msgspec.json.schema_components([shape], ref_template="#/$defs/{name}")
    documented = documented_components(shape, parts).items()
    if "discriminator" in schema:
        schema = {**schema, "oneOf": schema["anyOf"], "discriminator": _qualified_mapping(schema, game)}
        del schema["anyOf"]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        **_tidy(schema),
        "$defs": {name: {**_tidy(part, _FILLED_IN, game=game), **_closed(part)} for name, part in documented},
    }


def _closed(part: Mapping[str, Any]) -> dict[str, bool]:
    return {"additionalProperties": False} if part.get("additionalProperties") is False else {}


def _qualified_mapping(schema: Mapping[str, Any], game: str) -> dict[str, Any]:
    mapping = schema["discriminator"]["mapping"]
    return {"propertyName": TYPE, "mapping": {qualified_type(game, tag): where for tag, where in mapping.items()}}


def _tidy(
    schema: Mapping[str, Any], hidden: Collection[str] = (), *, complete: bool = False, game: str = ""
) -> dict[str, Any]:
    """Return a schema without ``hidden`` properties and with the types of the API. It allows unknown properties,
    because clients must ignore them."""
    schema = {name: value for name, value in schema.items() if name not in ("title", "additionalProperties")}
    if "description" in schema:
        schema["description"] = inspect.cleandoc(schema["description"])
    if properties := schema.get("properties"):
        unseen = {NOT_OFFERED, *hidden}
        schema["properties"] = {
            name: _property(name, value, game) for name, value in properties.items() if name not in unseen
        }
        if complete:
            _complete(schema)
    if schema.get("required") == []:
        del schema["required"]
    return schema


def _property(name: str, schema: Mapping[str, Any], game: str) -> dict[str, Any]:
    match name, schema:
        case "type", {"enum": [str(tag)]}:
            return {"type": "string", "const": qualified_type(game, tag) if game else tag}
        case _, {"discriminator": _}:
            return {**ref(GAME_MOVE), **{key: schema[key] for key in schema if key == "description"}}
    return dict(schema)


def _complete(schema: dict[str, Any]) -> None:
    """Make every property with a default required, because the server always sends it."""
    needed = schema.get("required", ())
    schema["required"] = [
        name for name, member in schema["properties"].items() if name in needed or "default" in member
    ]
    for member in schema["properties"].values():
        member.pop("default", None)


def _shapes() -> Iterator[_Shape]:
    for name, rules in RULES.items():
        game = _capitalized(name)
        yield _Shape(f"{game}Options", GAME_OPTIONS, rules.option_type, name, complete=True)
        yield _Shape(f"{game}ChosenOptions", CHOSEN_OPTIONS, rules.option_type, name, _FILLED_IN)
        yield _Shape(f"{game}Move", GAME_MOVE, rules.move_type, name, _FILLED_IN)
        yield _Shape(f"{game}Event", GAME_EVENT, rules.event_type, name, complete=True)
        if rules.plans:
            yield _Shape(f"{game}Plan", GAME_PLAN, rules.plans.plan_type, name, _FILLED_IN)
        yield _Shape(f"{game}View", GAME_VIEW, rules.view_type, name, complete=True)
    yield _Shape("TableEvent", GAME_EVENT, AnyTableEvent, complete=True)


def _capitalized(name: str) -> str:
    """Return the name of a game as component names begin with it."""
    return "".join(word.capitalize() for word in name.split("-"))


def _components(shape: _Shape) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """Return the components of a shape, and the members of its union by their tags."""
    template = f"{COMPONENTS}{shape.component}{{name}}"
    (schema,), parts = msgspec.json.schema_components([shape.type], ref_template=template)
    game = "" if shape.union == GAME_VIEW else shape.game
    schemas = {
        f"{shape.component}{name}": _tidy(part, shape.hidden, complete=shape.complete, game=game)
        for name, part in documented_components(shape.type, parts).items()
    }
    if "$ref" in schema:
        schemas[shape.component] = schemas.pop(_name_in(schema["$ref"]))
    components, members = _short_names(shape, schemas, schema)
    if shape.union == GAME_VIEW:
        _add_name(components[shape.component], shape.game)
    if question := components.get(f"{shape.component}Question"):
        add_question_codes(RULES[shape.game], question)
    return lift_codes(_capitalized(shape.game), components), members


def _short_names(
    shape: _Shape, schemas: dict[str, dict[str, Any]], schema: Mapping[str, Any]
) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    """Return the reachable components under their shortest unique names, and the members of the union."""
    if "discriminator" in schema:
        mapping = {tag: _name_in(where) for tag, where in schema["discriminator"]["mapping"].items()}
    else:
        types = schemas[shape.component]["properties"].get(TYPE, {})
        mapping = {types.get("const", shape.game): shape.component}
    reached = _reached(schemas, mapping.values())
    names = {name: _LONG_NAME.sub(lambda part: part[2], name) for name in reached}
    if len(set(names.values())) < len(names):
        names = {name: _LONG_NAME.sub(lambda part: part[1].capitalize() + part[2], name) for name in reached}
    text = json.dumps({names[name]: schemas[name] for name in reached})
    for long, short in names.items():
        text = text.replace(f'"{COMPONENTS}{long}"', f'"{COMPONENTS}{short}"')
    has_types = "discriminator" in schema and shape.game
    tags = {qualified_type(shape.game, tag) if has_types else tag: names[name] for tag, name in mapping.items()}
    return json.loads(text), tags


def _name_in(where: str) -> str:
    return where.removeprefix(COMPONENTS)


def _reached(components: Mapping[str, Any], roots: Collection[str]) -> list[str]:
    """Return the components that these ones refer to, directly or indirectly, in their order."""
    reached, waiting = dict.fromkeys(roots), [*roots]
    while waiting:
        text = json.dumps(components[waiting.pop()])
        new = [name for name in re.findall(f'"{COMPONENTS}([^"]+)"', text) if name in components]
        waiting += [name for name in new if name not in reached]
        reached |= dict.fromkeys(new)
    return [name for name in components if name in reached]


def _add_name(view: dict[str, Any], game: str) -> None:
    name_schema = {"type": "string", "const": game, "description": "The name of the game."}
    view["properties"] = {RULES_FIELD: name_schema, **view["properties"]}
    view["required"] = [RULES_FIELD, *view["required"]]


def add_games(result: dict[str, Any], generator: Any, request: Any, public: Any) -> dict[str, Any]:
    """Add the shapes of all games to the OpenAPI document. A post-processing hook of drf-spectacular."""
    components = result.setdefault("components", {}).setdefault("schemas", {})
    gathered: dict[str, dict[str, str]] = {}
    shapes: dict[str, dict[str, Any]] = {}
    for shape in _shapes():
        schemas, members = _components(shape)
        shapes |= schemas
        gathered.setdefault(shape.union, {}).update(members)
    components |= _without_twins(shapes)
    for name, union in _UNIONS.items():
        components[name] = open_union(union.description, gathered[name].values(), union.other)
        # Without the fallback, types narrow: a client asks for the known ones, and then goes by ``tag``.
        sentence = f"A `{name}` that this description knows, so that types narrow by `{union.tag}`."
        components[known_name(name)] = closed_union(sentence, gathered[name], union.tag)
        components[union.other] = other_shape(union.other_description, union.tag, "The kind.", gathered[name])
    for name, description in _OPTIONS.items():
        components[name] = {
            "description": description,
            "anyOf": [ref(component) for component in gathered[name].values()],
        }
    components[GAME_OPTIONS]["anyOf"].append(ref("OtherOptions"))
    components["OtherOptions"] = _other_options()
    result["components"]["schemas"] = dict(sorted(components.items()))
    return result


def _without_twins(shapes: Mapping[str, dict[str, Any]]) -> dict[str, Any]:
    """Return components without those that are equal to one with a shorter name, such as the options in a view."""
    names: dict[str, str] = {}
    text = json.dumps(shapes)
    for name in sorted(shapes, key=lambda name: (len(name), name)):
        twin = names.setdefault(json.dumps(shapes[name]), name)
        if twin != name:
            text = text.replace(f'"{COMPONENTS}{name}"', f'"{COMPONENTS}{twin}"')
    first = set(names.values())
    return {name: schema for name, schema in json.loads(text).items() if name in first}


def known_name(union: str) -> str:
    """Return the name of the component with the known shapes of a union, such as ``KnownEvent``."""
    return union.replace("Game", "Known")


def _other_options() -> dict[str, Any]:
    """Return the schema for the options of a game that is not known yet. It names one property, because generated Go
    clients need one."""
    winners = {
        "type": ["array", "null"],
        "items": {"type": "integer"},
        "description": "In a rematch: the seats that won before.",
    }
    return {
        "type": "object",
        "description": "The options of a game that this description does not know yet.",
        "properties": {FILLED_IN: winners},
        "additionalProperties": {},
    }
