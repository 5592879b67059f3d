"""Records that were tampered with: any value of one changed, lines moved, left out, doubled or added."""

import copy
import json
import random
from collections.abc import Iterator
from typing import Any

from games.engine.record import Record, dump

FREE = {("seats", "name")}
"""What nothing binds: the names that players had when the record was made."""


def forgeries(record: Record, count: int, seed: int) -> Iterator[dict[str, Any]]:
    """So many forged copies of a record, as JSON values; none of them equal to it."""
    luck = random.Random(seed)
    true = json.loads(dump(record))
    made = 0
    while made < count:
        forged = copy.deepcopy(true)
        luck.choice((_value, _value, _value, _lines, _moves))(forged, luck)
        if forged != true:
            made += 1
            yield forged


def _value(forged: dict[str, Any], luck: random.Random) -> None:
    """Change one value, however deep it stands."""
    places = [place for place in _leaves(forged, ()) if (place[0], place[-1]) not in FREE]
    # Lines and moves are most of a record; what stands round them is to have its share.
    heads = [place for place in places if place[0] not in ("events", "moves")]
    *path, last = luck.choice(luck.choice((heads, places)))
    inside = forged
    for key in path:
        inside = inside[key]
    inside[last] = _other(inside[last], luck)


def _leaves(value: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list | tuple) else ()
    for key, each in inner:
        yield from _leaves(each, (*path, key))
    if path and not isinstance(value, dict | list | tuple):
        yield path


def _other(value: Any, luck: random.Random) -> Any:
    match value:
        case bool():
            return not value
        case int():
            return value + luck.choice((-1, 1, 7))
        case str() if value:
            at = luck.randrange(len(value))
            return value[:at] + luck.choice("0123456789abcdef") + value[at + 1 :]
        case str():
            return "x"
    return luck.choice((0, "", "x", 3))


def _lines(forged: dict[str, Any], luck: random.Random) -> None:
    _shuffled(forged["events"], luck)
    if luck.random() < 0.7:
        for number, line in enumerate(forged["events"], start=1):
            line["number"] = number


def _moves(forged: dict[str, Any], luck: random.Random) -> None:
    _shuffled(forged["moves"], luck)


def _shuffled(lines: list[Any], luck: random.Random) -> None:
    at, other = luck.randrange(len(lines)), luck.randrange(len(lines))
    match luck.randrange(3):
        case 0:
            lines[at], lines[other] = lines[other], lines[at]
        case 1:
            del lines[at]
        case _:
            lines.insert(other, copy.deepcopy(lines[at]))
