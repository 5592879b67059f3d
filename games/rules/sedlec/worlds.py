"""For tests: other states that look the same."""

from msgspec.structs import replace

from games.engine import EVERYONE, Chance, Viewer
from games.rules.sedlec.state import State


def worlds(state: State, viewer: Viewer, chance: Chance) -> State:
    """The state with its face-down cards in another order: nobody knows where each of them lies."""
    if viewer == EVERYONE:
        return state
    hidden = [card for pile in state.face_down for card in pile]
    shuffled = iter(chance.take(hidden, len(hidden)))
    return replace(state, face_down=tuple(tuple(next(shuffled) for _ in pile) for pile in state.face_down))
