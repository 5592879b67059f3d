"""Codes of the games in the OpenAPI document: characters, actions, and the kinds and reasons of questions.

A string that a game marks with ``games.engine.code`` becomes a component of its own, such as ``CoupCharacter``. What
the server sends may hold other values too, as of every enum (``config.api_description.growth``).
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from games.api.shared.unions import ref
from games.engine import AnyRules
from games.rules.registry import RULES

_NAME: Final = "title"


def _every(values: Iterable[Iterable[str]]) -> list[str]:
    return list(dict.fromkeys(value for each in values for value in each))


QUESTION_KINDS: Final = _every(rules.paces for rules in RULES.values())
"""Every kind of question of every game."""
QUESTION_REASONS: Final = _every(rules.reasons for rules in RULES.values())
"""Every reason of a question of every game."""


def add_question_codes(rules: AnyRules, question: dict[str, Any]) -> None:
    """Say in the schema of a game's question which kinds and reasons it has."""
    properties = question["properties"]
    for name, values in {"kind": [*rules.paces], "reason": [*rules.reasons]}.items():
        if values:
            marked = {"type": "string", _NAME: f"Question{name.capitalize()}", "enum": values}
            properties[name] = {**properties[name], **marked}


def lift_codes(game: str, components: Mapping[str, Any]) -> dict[str, Any]:
    """The components of a game with a pointer in the place of each marked code, and a component for each code."""
    lifted: dict[str, Any] = {}
    pointed = {name: _pointed(part, game, lifted) for name, part in components.items()}
    return pointed | lifted


def _pointed(part: Any, game: str, lifted: dict[str, Any]) -> Any:
    if isinstance(part, list):
        return [_pointed(each, game, lifted) for each in part]
    if not isinstance(part, dict):
        return part
    if _NAME in part and "enum" in part:
        name = f"{game}{part[_NAME]}"
        lifted[name] = {"type": "string", "enum": part["enum"]}
        said = {key: part[key] for key in ("description",) if key in part}
        return {**ref(name), **said}
    return {key: _pointed(value, game, lifted) for key, value in part.items()}
