"""Visibility marks on the fields of events and states, and the functions ``show`` and ``view`` derived from them.

The mark of a field that may be hidden is in its type::

    cards: Annotated[tuple[Card | None, ...], only("seat")]

A viewer who may not know the field gets None, or a tuple of None of the same length. A field without a mark is public.
An event with more complicated visibility has a method ``shown_to(viewer)``.
"""

from collections.abc import Callable
from typing import Annotated, Any, Final, get_args, get_origin

import msgspec

from games.engine.types import EVERYONE, Event, Viewer

Gate = Callable[[Any, Viewer], Any]


class Hidden(msgspec.Struct, frozen=True):
    """A mark on a field: which seats may know it before the end of the game."""

    owners: tuple[str, ...] = ()
    """Names of the fields that contain these seats. If there are none, no seat may know the field."""
    each_own: bool = False
    """True for a tuple with one entry for each seat, where each seat may know its own entry."""


HIDDEN: Final = Hidden()
"""Mark of a field that no seat may know before the end."""
EACH_OWN: Final = Hidden(each_own=True)
"""Mark of a tuple with one entry for each seat, from seat 1, where each seat may know its own entry."""


def only(*owners: str) -> Hidden:
    """Return the mark of a field that only some seats may know: those in the fields that are named here.

    Each of these fields is a seat or a tuple of seats.
    """
    return Hidden(owners)


def show_by_marks(event_type: Any) -> Gate:
    """Return the ``show`` function for marked events. It hides events of any other type from all viewers."""
    gates = {kind: gate_of(kind) for kind in get_args(event_type) or (event_type,)}

    def show(event: Event, viewer: Viewer) -> Event | None:
        if viewer == EVERYONE:
            return event
        gate = gates.get(type(event), _hide)
        return event if gate is None else gate(event, viewer)

    return show


def gate_of(kind: type[Event]) -> Gate | None:
    """Return the filter of one kind of event, or None if all its fields are public."""
    if (own_filter := getattr(kind, "shown_to", None)) is not None:
        return own_filter  # type: ignore[no-any-return]
    marked = marked_fields(kind)
    if not marked and not kind.only_for:
        return None

    def gate(event: Event, viewer: Viewer) -> Event | None:
        if kind.only_for and viewer != getattr(event, kind.only_for):
            return None
        hidden = {name: _masked(event, name, mark, viewer) for name, mark in marked}
        return msgspec.structs.replace(event, **hidden)

    return gate


def view_by_marks(state_type: Any) -> Gate:
    """Return the ``view`` function for a state with marked fields. It empties the hidden fields before the end."""
    marked = marked_fields(state_type)

    def view(state: Any, viewer: Viewer) -> Any:
        if viewer == EVERYONE:
            return state
        return msgspec.structs.replace(state, **{name: _masked(state, name, mark, viewer) for name, mark in marked})

    return view


def marked_fields(kind: Any) -> list[tuple[str, Hidden]]:
    """Return the names of the marked fields of an event or a state, with their marks."""
    return [(field.name, mark) for field in msgspec.structs.fields(kind) if (mark := _mark(field.type))]


def _mark(kind: Any) -> Hidden | None:
    marks = get_args(kind)[1:] if get_origin(kind) is Annotated else ()
    return next((mark for mark in marks if isinstance(mark, Hidden)), None)


def _masked(event: Any, name: str, mark: Hidden, viewer: Viewer) -> Any:
    """Return the value of a field as this viewer may know it."""
    value = getattr(event, name)
    if mark.each_own:
        return tuple(entry if seat == viewer else emptied(entry) for seat, entry in enumerate(value, 1))
    owners = (getattr(event, owner) for owner in mark.owners)
    may_know = any(viewer in owner if isinstance(owner, tuple) else viewer == owner for owner in owners)
    return value if may_know else emptied(value)


def emptied(value: Any) -> Any:
    """Return None, or for a tuple the emptied values of its items, so that only its length can be seen."""
    return tuple(map(emptied, value)) if isinstance(value, tuple) else None


def _hide(event: Event, viewer: Viewer) -> None:
    return None
