"""The ``type`` of events, moves and plans in the API: the name of the game, a dot, and the game's own tag.

Tags are unique within a game only. With the name of the game no two games share a type, so a client can read the union
of all games by ``type`` alone. Table events have such a prefix already: ``table.started``.
"""

from typing import Any, Final

from games.engine import Phrase, gettext_noop
from games.refusals import Refusal

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
        sentence = gettext_noop("Here the type begins with “%(prefix)s”.")
        raise Refusal("malformed", Phrase(sentence, {"prefix": prefix}), field)
    inner = {name: unqualify(rules, value, field) for name, value in shape.items() if isinstance(value, dict)}
    return {**shape, **inner, TYPE: shape[TYPE].removeprefix(prefix)}
