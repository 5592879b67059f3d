"""Checks the declarations of a game before a game is played."""

import re
from collections.abc import Iterator
from typing import Any

import msgspec

from games.engine.chance import SeededChance
from games.engine.errors import ILLEGAL, MALFORMED, RuleViolation
from games.engine.options import FILLED_IN
from games.engine.rules import AnyRules
from games.engine.testing.playing import option_sets
from games.engine.types import Event, Move, Outcome, SeatNumber


def declared(rules: AnyRules) -> Iterator[str]:
    """Yield the faults in the names, types and options of a game."""
    if not re.fullmatch(r"[a-z][a-z0-9-]{0,19}", rules.name):
        yield f"The name {rules.name!r} has to be a lower-case word: it stands in addresses and mail."
    if rules.version < 1:
        yield "The version counts from 1."
    if not rules.players or rules.players[0] < 2 or rules.players[-1] > 10:
        yield f"It is played by {rules.players}, but a table has 2 to 10 seats."
    yield from _types(rules)
    yield from _options(rules)
    yield from _set_up(rules)
    for word in rules.paces.values():
        if word not in ("turn", "reaction", "choice"):
            yield f"The pace {word!r} has to be `turn`, `reaction` or `choice`."


def ended(outcome: Outcome, seats: int) -> Iterator[str]:
    """Yield the faults in the outcome of a game with this number of seats."""
    first = tuple(seat for seat in range(1, seats + 1) if outcome.place(SeatNumber(seat)) == 1)
    if outcome.winners != tuple(sorted(set(outcome.winners) & set(range(1, seats + 1)))):
        yield f"The winners {outcome.winners} have to be seats in ascending order."
    elif outcome.places and (len(outcome.places) != seats or first != outcome.winners):
        yield f"The places {outcome.places} have to be one for each seat, 1 for the winners {outcome.winners} alone."
    elif outcome.scores and len(outcome.scores) != seats:
        yield f"The scores {outcome.scores} have to be one for each seat."
    elif outcome.teams and sorted(seat for team in outcome.teams for seat in team) != [*range(1, seats + 1)]:
        yield f"Each seat has to be in one of the teams {outcome.teams}."
    elif any(len({outcome.place(seat) for seat in team}) > 1 for team in outcome.teams):
        yield f"The seats of a team have to share a place: {outcome}."


def _types(rules: AnyRules) -> Iterator[str]:
    kinds = {"option": rules.option_type, "state": rules.state_type, "view": rules.view_type}
    for name, kind in (kinds | {"event": rules.event_type, "move": rules.move_type}).items():
        try:
            msgspec.json.schema(kind)
        except TypeError as error:
            yield f"The {name} type has no JSON Schema: {error}."
        if name in kinds and not kind.__struct_config__.frozen:
            yield f"The {name} type has to be frozen."
    for kind, base in ((rules.event_type, Event), (rules.move_type, Move)):
        for subtype in getattr(kind, "__args__", (kind,)):
            if not issubclass(subtype, base):
                yield f"`{subtype.__name__}` has to subclass `{base.__name__}`."


def _options(rules: AnyRules) -> Iterator[str]:
    fields = rules.option_type.__struct_fields__
    for name, value in {"no-such-option": 1, **dict.fromkeys(set(fields) - {FILLED_IN}, object())}.items():
        try:
            rules.options(**{name: value})
            yield f"The option {name} is accepted with {value!r}; it should be refused as `{MALFORMED}`."
        except RuleViolation as violation:
            if violation.code != MALFORMED:
                yield f"A wrong option {name} is refused as `{violation.code}`, and should be as `{MALFORMED}`."
    for choices in option_sets(rules)[:64]:
        options = rules.options(**choices)
        if msgspec.json.decode(msgspec.json.encode(options), type=rules.option_type) != options:
            yield f"The options {options!r} do not come back from JSON as they were."


def _set_up(rules: AnyRules) -> Iterator[str]:
    for seats in (rules.players[0] - 1, rules.players[-1] + 1):
        try:
            rules.setup(rules.options(), seats, SeededChance(bytes(32)))
            yield f"It is set up for {seats} seats, which it is not played by; `setup` should refuse as `{ILLEGAL}`."
        except RuleViolation as violation:
            if violation.code != ILLEGAL:
                yield f"`setup` refuses {seats} seats as `{violation.code}`, and should as `{ILLEGAL}`."
    one, two = (_begun(rules) for _ in range(2))
    if one != two:
        yield "`setup` gives other events with the same luck the second time."


def _begun(rules: AnyRules) -> tuple[Any, ...]:
    return tuple(rules.setup(rules.options(), rules.players[0], SeededChance(bytes(32))))
