"""The JSON Schema of records: ``python -m tests.record_schema`` writes ``docs/record.schema.json`` from their types."""

import json
import sys
from pathlib import Path
from typing import Any, Final

import msgspec

from games.engine.record import Record
from games.engine.validation import NOT_OFFERED
from games.event_log.table_events import AnyTableEvent
from games.rules.registry import RULES

FILE: Final = Path(__file__).parent.parent / "docs" / "record.schema.json"
_REF: Final = "#/$defs/{name}"


def schema() -> dict[str, Any]:
    """The schema of a whole record: its own shape, and the events and moves of each game in it."""
    (whole,), parts = msgspec.json.schema_components([Record], ref_template=_REF)
    record = parts.pop(whole["$ref"].rpartition("/")[2])
    table = _shapes("Table", AnyTableEvent, parts)
    games = [
        {
            "if": {"properties": {"rules": {"const": name}}},
            "then": _of_game(table, _shapes(f"{name}Event", rules.event_type, parts), _moves(name, rules, parts)),
        }
        for name, rules in RULES.items()
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "The record of a game of Darbar, version 1",
        **{key: value for key, value in record.items() if key != "title"},
        "allOf": games,
        "$defs": dict(sorted(parts.items())),
    }


def _of_game(table: dict[str, Any], event: dict[str, Any], move: dict[str, Any]) -> dict[str, Any]:
    line = {"properties": {"event": {"anyOf": [table, event]}}}
    played = {"properties": {"move": {"anyOf": [move, {"type": "null"}]}}}
    return {"properties": {"events": {"items": line}, "moves": {"items": played}}}


def _moves(name: str, rules: Any, parts: dict[str, Any]) -> dict[str, Any]:
    return _shapes(f"{name}Move", rules.move_type, parts)


def _shapes(prefix: str, kind: Any, parts: dict[str, Any]) -> dict[str, Any]:
    """The schema of a union, its parts put among ``parts`` under names of their own."""
    (whole,), components = msgspec.json.schema_components([kind], ref_template=f"#/$defs/{prefix}{{name}}")
    for part in components.values():
        part.get("properties", {}).pop(NOT_OFFERED, None)
    parts |= {f"{prefix}{name}": part for name, part in components.items()}
    return dict(whole)


def schema_text() -> str:
    """Return the content of the schema file."""
    return json.dumps(schema(), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(schema_text())
    sys.stdout.write(f"{FILE.name} is written\n")
