"""Visibility that events and states declare of their fields, and the gate and the view that follow from it.

A field that may be hidden says so in its type::

    cards: Annotated[tuple[Card | None, ...], only("seat")]

Whoever may not know it gets None there, or as many times None as the tuple is long. What is not marked is public. An
event whose visibility depends on more has a method of its own, ``shown_to(viewer)``.
"""

from collections.abc import Callable
from typing import Annotated, Any, Final, get_args, get_origin

import msgspec

from games.engine.types import EVERYONE, Event, Viewer

Gate = Callable[[Any, Viewer], Any]


class Hidden(msgspec.Struct, frozen=True):
    """A mark on a field of an event: who alone may know it before the end of the game."""

    owners: tuple[str, ...] = ()
    """The fields that name the seats that may; nobody may where there are none."""
    each_own: bool = False
    """True for a tuple with an entry a seat, of which each seat may know its own."""


HIDDEN: Final = Hidden()
"""Marks what nobody may know before the end."""
EACH_OWN: Final = Hidden(each_own=True)
"""Marks a tuple with an entry for each seat, from seat 1, of which each seat may know its own."""


def only(*owners: str) -> Hidden:
    """The mark of what only the seats may know that these fields of the event name."""
    return Hidden(owners)


def show_by_marks(event_type: Any) -> Gate:
    """The ``show`` of a game that marks what is hidden. An event of another type is hidden from everybody."""
    gates = {kind: gate_of(kind) for kind in get_args(event_type) or (event_type,)}

    def show(event: Event, viewer: Viewer) -> Event | None:
        if viewer == EVERYONE:
            return event
        gate = gates.get(type(event), _hide)
        return event if gate is None else gate(event, viewer)

    return show


def gate_of(kind: type[Event]) -> Gate | None:
    """The gate of one kind of event; None where all of it is public."""
    if (own := getattr(kind, "shown_to", None)) is not None:
        return own  # type: ignore[no-any-return]
    marked = _marks(kind)
    if not marked and not kind.only_for:
        return None

    def gate(event: Event, viewer: Viewer) -> Event | None:
        if kind.only_for and viewer != getattr(event, kind.only_for):
            return None
        hidden = {name: _masked(event, name, mark, viewer) for name, mark in marked}
        return msgspec.structs.replace(event, **hidden)

    return gate


def view_by_marks(state_type: Any) -> Gate:
    """The ``view`` of a game that marks in its state what is hidden: the state with less in it, before the end."""
    marked = _marks(state_type)

    def view(state: Any, viewer: Viewer) -> Any:
        if viewer == EVERYONE:
            return state
        return msgspec.structs.replace(state, **{name: _masked(state, name, mark, viewer) for name, mark in marked})

    return view


def _marks(kind: Any) -> list[tuple[str, Hidden]]:
    """The fields of an event or a state that are marked, with their marks."""
    return [(field.name, mark) for field in msgspec.structs.fields(kind) if (mark := _mark(field.type))]


def _mark(kind: Any) -> Hidden | None:
    marks = get_args(kind)[1:] if get_origin(kind) is Annotated else ()
    return next((mark for mark in marks if isinstance(mark, Hidden)), None)


def _masked(event: Any, name: str, mark: Hidden, viewer: Viewer) -> Any:
    """A field as this viewer may know it."""
    value = getattr(event, name)
    if mark.each_own:
        return tuple(each if seat == viewer else nothing(each) for seat, each in enumerate(value, 1))
    return value if viewer in [getattr(event, owner) for owner in mark.owners] else nothing(value)


def nothing(value: Any) -> Any:
    """None in place of a value; of a tuple only how long it is, and the tuples within it."""
    return tuple(map(nothing, value)) if isinstance(value, tuple) else None


def _hide(event: Event, viewer: Viewer) -> None:
    return None
