"""The codes of games in the OpenAPI document: characters, actions, and the kinds and reasons of questions.

A string that a game marks with ``games.engine.code`` becomes a component of its own, such as ``CoupCharacter``. The
server may send other values too, as for every enum (``config.api_description.growth``).
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from games.api.shared.unions import ref
from games.engine import AnyRules
from games.rules.registry import RULES

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
