"""The options of Coup (Coup C1)."""

from typing import Literal

import msgspec


class Options(msgspec.Struct, frozen=True, cache_hash=True, forbid_unknown_fields=True):
    """The options of a game of Coup, independent of one another."""

    inquisitor: bool = False
    """The inquisitor replaces the ambassador everywhere."""
    reformation: bool = False
    """Parties, conversion and the reserve."""
    anarchist: bool = False
    """The bomb."""
    two_player_setup: Literal["draft", "dealt"] = "draft"
    """The way two players get their cards: by secret draft (Coup C2), or dealt as for more players."""
    starting_player: Literal["random", "previous_winner"] | int = "random"
    """The player who starts: by lot, the winner of the game before this one, or a seat."""
    previous_winners: tuple[int, ...] = ()
    """The seats that won the game before; filled in by the table."""
    answers: Literal["first", "sealed"] = "first"
    """The end of a reaction: at the first challenge or block, or only when all have answered (Coup C7)."""
    waiting: Literal["hidden", "number", "public"] = "hidden"
    """The detail in which all players learn who has not answered yet. With quick plans, the other two settings reveal
    who has plans."""
    prompts: Literal["separate"] | msgspec.UnsetType = msgspec.UNSET
    """``separate`` asks those who could also block in a second reaction, against Coup C6. Measurements compare with it;
    no table uses it. The default is not stored."""
