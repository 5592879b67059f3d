"""The options of the game."""

from typing import Annotated, Literal

import msgspec


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game."""

    starting_player: Literal["random", "previous_winner"] | Annotated[int, msgspec.Meta(ge=1, le=3)] = "random"
    """The player who begins (Sedlec S3): a random one, the winner of the previous game, or the seat of this number."""
    previous_winners: tuple[Annotated[int, msgspec.Meta(ge=1)], ...] = ()
    """The seats that won the previous game. The server fills it in for a rematch."""
