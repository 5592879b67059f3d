"""Forged records: a value is changed, or lines are moved, left out, doubled or added.

``CRAFTED`` has forgeries by a person who knows the seed, which is public after the end, and computes a new head.
``MISWRITTEN`` has records with contradictions and with values in an unusual form.
"""

import copy
import json
import random
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from games.engine import chain
from games.engine.record import Record, dump

FREE = {("seats", "name")}
"""Fields that no head binds: the names that players had when the record was made."""


def forgeries(record: Record, count: int, seed: int) -> Iterator[dict[str, Any]]:
    """The wanted number of forged copies of a record, as JSON values; none of them equal to it."""
    luck = random.Random(seed)
    true = json.loads(dump(record))
    forged_count = 0
    while forged_count < count:
        forged = copy.deepcopy(true)
        luck.choice((_value, _value, _value, _lines, _moves))(forged, luck)
        if forged != true:
            forged_count += 1
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
    for key, item in inner:
        yield from _leaves(item, (*path, key))
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


def _cut_off(forged: dict[str, Any]) -> None:
    del forged["events"][-1]


def _hide_in_line(forged: dict[str, Any]) -> None:
    forged["events"][3]["note"] = "unseen"


def _hide_in_move(forged: dict[str, Any]) -> None:
    forged["moves"][0]["note"] = "unseen"


def _hide_in_seat(forged: dict[str, Any]) -> None:
    forged["seats"][0]["note"] = "unseen"


def _hide_in_record(forged: dict[str, Any]) -> None:
    forged["note"] = "unseen"


def _truth_for_a_number(forged: dict[str, Any]) -> None:
    forged["seats"][0]["seat"] = True


def _truth_for_the_version(forged: dict[str, Any]) -> None:
    forged["version"] = True


def _another_mover(forged: dict[str, Any]) -> None:
    line = _first_of_a_move(forged)
    line["seat"] = line["seat"] % len(forged["seats"]) + 1


def _another_way(forged: dict[str, Any]) -> None:
    _first_of_a_move(forged)["via"] = "fax"


def _a_draw_without_end(forged: dict[str, Any]) -> None:
    _first_of_a_move(forged)["draws"].append([2**256 + 1, 0])


def _moves_reordered(forged: dict[str, Any]) -> None:
    forged["moves"].reverse()


def _without_set_up(forged: dict[str, Any]) -> None:
    forged["events"] = [line for line in forged["events"] if line["event"]["type"] != "set-up"]
    for number, line in enumerate(forged["events"], start=1):
        line["number"] = number


def _another_text(forged: dict[str, Any]) -> None:
    forged["moves"][0]["text"] = "coup 3"


def _another_winner(forged: dict[str, Any]) -> None:
    winners = forged["events"][-1]["event"]["winners"]
    winners[0] = winners[0] % len(forged["seats"]) + 1


def _another_games_event(forged: dict[str, Any]) -> None:
    _first_of_a_move(forged)["event"] = {"type": "conjured", "schema": 1}


def _hide_in_event(forged: dict[str, Any]) -> None:
    _first_of_a_move(forged)["event"]["note"] = "unseen"


def _hide_in_what_was_moved(forged: dict[str, Any]) -> None:
    next(move["move"] for move in forged["moves"] if move["move"])["question"] = "9.9"


def _truth_for_a_draw(forged: dict[str, Any]) -> None:
    _first_of_a_move(forged)["draws"].append([1, False])


def _a_draw_of_three(forged: dict[str, Any]) -> None:
    _first_of_a_move(forged)["draws"].append([1, 0, 0])


def _seat_nought_left(forged: dict[str, Any]) -> None:
    _joined_and_left(forged, 0)


def _seat_true_left(forged: dict[str, Any]) -> None:
    _joined_and_left(forged, True)


def _joined_and_left(forged: dict[str, Any], seat: Any) -> None:
    """Let a player join and leave again before the game begins, on the named seat."""
    first = next(line for line in forged["events"] if line["event"]["type"] == "table.joined")
    at = forged["events"].index(first) + 1
    left = {**first, "event": {"type": "table.left", "schema": 1, "seat": seat}}
    forged["events"][at:at] = [copy.deepcopy(first), left]
    for number, line in enumerate(forged["events"], start=1):
        line["number"] = number


def _no_options(forged: dict[str, Any]) -> None:
    forged["options"] = {}


def _no_terms(forged: dict[str, Any]) -> None:
    forged["terms"] = {}


def _a_long_seed(forged: dict[str, Any]) -> None:
    forged["seats"][0]["seed"] += "00"


def _a_short_head(forged: dict[str, Any]) -> None:
    forged["commitment"] = forged["commitment"][:-1]


def _a_far_seat(forged: dict[str, Any]) -> None:
    _first_of_a_move(forged)["seat"] = forged["moves"][0]["seat"] = 99999


def _a_long_question(forged: dict[str, Any]) -> None:
    forged["moves"][0]["question"] = "1" * 99


def _a_long_way(forged: dict[str, Any]) -> None:
    _first_of_a_move(forged)["via"] = forged["moves"][0]["via"] = "api" * 9


def _nothing_in_a_question(forged: dict[str, Any]) -> None:
    forged["moves"][0]["question"] = "1\0"


def _nothing_in_a_name(forged: dict[str, Any]) -> None:
    forged["seats"][0]["name"] = "Mar\0yam"


def _nothing_in_an_option(forged: dict[str, Any]) -> None:
    forged["options"]["no\0te"] = "\0"


def _in_the_year_one(forged: dict[str, Any]) -> None:
    for line in forged["events"]:
        line["at"] = f"0001{line['at'][4:]}"


def _moved_in_the_year_one(forged: dict[str, Any]) -> None:
    forged["moves"][0]["received_at"] = "0001-01-01T00:00:00Z"


def _no_game(forged: dict[str, Any]) -> None:
    forged["game"] = "\0"


def _no_move(forged: dict[str, Any]) -> None:
    forged["moves"][0]["id"] = "first"


def _far_rules(forged: dict[str, Any]) -> None:
    forged["rules_version"] = 10**30


def _first_of_a_move(forged: dict[str, Any]) -> dict[str, Any]:
    return next(line for line in forged["events"] if line["move"])


CRAFTED: Final[tuple[Callable[[dict[str, Any]], None], ...]] = (
    _cut_off,
    _hide_in_line,
    _hide_in_move,
    _hide_in_seat,
    _hide_in_record,
    _truth_for_a_number,
    _truth_for_the_version,
    _another_mover,
    _another_way,
    _a_draw_without_end,
    _moves_reordered,
    _without_set_up,
    _truth_for_a_draw,
    _a_draw_of_three,
    _seat_nought_left,
    _seat_true_left,
    _no_options,
    _no_terms,
    _a_long_seed,
    _a_short_head,
    _far_rules,
)
"""Forgeries that are refused even without the engine."""
AGAINST_THE_RULES: Final[tuple[Callable[[dict[str, Any]], None], ...]] = (
    _another_text,
    _another_winner,
    _another_games_event,
    _hide_in_event,
    _hide_in_what_was_moved,
)
"""Forgeries that only the rules of the game reveal."""
IMPOSSIBLE: Final[tuple[Callable[[dict[str, Any]], None], ...]] = (
    _a_far_seat,
    _a_long_question,
    _a_long_way,
    _nothing_in_a_question,
    _nothing_in_a_name,
    _nothing_in_an_option,
    _in_the_year_one,
    _moved_in_the_year_one,
    _no_game,
    _no_move,
)
"""Forgeries that no server can have stored, so that they are refused."""
MISWRITTEN: Final[Mapping[str, tuple[str, str]]] = {
    "a member twice": ('"version": 1,', '"version": 2, "version": 1,'),
    "a fraction": ('"version": 1,', '"version": 1.0,'),
    "an exponent": ('"version": 1,', '"version": 1e0,'),
    "minus nothing": ('"draws": []', '"draws": [[1, -0]]'),
    "no number": ('"rules_version": ', '"rules_version": NaN, "other": '),
    "a number without end": ('"rules_version": ', '"rules_version": 1e999, "other": '),
    "another spelling": ('"format": "darbar-record"', '"format": "\\u0064arbar-record"'),
    "two documents": ("\n}", "\n}{}"),
}
"""Pairs of a text of the record and its replacement."""


def crafted(record: Record, forge: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Return a forged record with a matching head, made by a person who knows the seed."""
    forged = json.loads(dump(record))
    forge(forged)
    moves = {move["id"]: move for move in forged["moves"]}
    bound_moves: set[str] = set()
    lines = []
    for line in forged["events"]:
        move = moves.get(line["move"]) if line["move"] not in bound_moves else None
        bound_moves.add(line["move"])
        lines.append(chain.canonical(line) + (b"" if move is None else chain.canonical(move)))
    forged["head"] = chain.heads(bytes.fromhex(record.seed), record.commitment, lines)[-1].hex()
    return forged


def miswritten(record: Record, how: str) -> str:
    """A record's text, changed in a way that many readers of JSON overlook."""
    text, (before, after) = dump(record).decode(), MISWRITTEN[how]
    assert before in text
    return text.replace(before, after, 1)
