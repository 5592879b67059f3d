"""The gate of the classic game's events (rules, section 9). A fact that is not listed is hidden."""

from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from games.engine import Event, Viewer
from games.rules.coup import events as e
from games.rules.coup.law import Gate


def public(event: Event, viewer: Viewer) -> Event:
    """Everybody may know all of it."""
    return event


def owners_cards(event: Any, viewer: Viewer) -> Any:
    """The cards are for their owner; the others know how many."""
    return event if viewer == event.seat else replace(event, cards=(None,) * len(event.cards))


def kept(event: e.Kept, viewer: Viewer) -> e.Kept:
    """Return what was kept and returned is for the one who exchanged."""
    if viewer == event.seat:
        return event
    return replace(event, kept=(None,) * len(event.kept), returned=(None,) * len(event.returned))


def whispered(event: e.Answered, viewer: Viewer) -> e.Answered | None:
    """An answer is for the one who gave it; others know of it what the table's option says."""
    if viewer == event.seat:
        return event
    if event.waiting == "hidden":
        return None
    return replace(event, answer=None, character=None, seat=event.seat if event.waiting == "public" else None)


def resigned(event: e.Resigned, viewer: Viewer) -> e.Resigned:
    """Hide how many are still waited for, where the game's option says so."""
    return replace(event, still_waiting=None) if event.waiting == "hidden" else event


CLASSIC_GATES: Final[Mapping[type[Event], Gate]] = {
    e.SetUp: public,
    e.Dealt: owners_cards,
    e.TurnBegan: public,
    e.Declared: public,
    e.WindowOpened: public,
    e.Answered: whispered,
    e.WindowClosed: public,
    e.Challenged: public,
    e.ChallengeDropped: public,
    e.Proved: public,
    e.Replaced: owners_cards,
    e.Conceded: public,
    e.Refunded: public,
    e.Blocked: public,
    e.BlockLapsed: public,
    e.Stopped: public,
    e.LossAsked: public,
    e.Lost: public,
    e.WentOut: public,
    e.PurseEmptied: public,
    e.Gained: public,
    e.Stole: public,
    e.Drew: owners_cards,
    e.Kept: kept,
    e.Resigned: resigned,
    e.AskedAnew: public,
    e.GameEnded: public,
}
