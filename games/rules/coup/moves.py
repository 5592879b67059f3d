"""Every answer of a player. The tag of a move is its verb in the notation."""

from collections.abc import Mapping
from typing import Final, get_args

from games.engine import Move, SeatNumber
from games.rules.coup.state import Character


class Income(Move, frozen=True, tag="income"):
    """Take 1 coin."""


class ForeignAid(Move, frozen=True, tag="foreign-aid"):
    """Take 2 coins, unless blocked."""


class Coup(Move, frozen=True, tag="coup"):
    """Pay 7: the target loses an influence."""

    target: SeatNumber


class Tax(Move, frozen=True, tag="tax"):
    """With the duke, take 3 coins."""


class Assassinate(Move, frozen=True, tag="assassinate"):
    """With the assassin, pay 3 coins: the target loses an influence, unless it is blocked."""

    target: SeatNumber


class Steal(Move, frozen=True, tag="steal"):
    """With the captain, take 2 coins from the target, unless it is blocked."""

    target: SeatNumber


class Exchange(Move, frozen=True, tag="exchange"):
    """With the ambassador (or the inquisitor), exchange cards with the court."""


class Allow(Move, frozen=True, tag="allow"):
    """Neither challenge nor block."""


class Challenge(Move, frozen=True, tag="challenge"):
    """Doubt the claim."""


class Block(Move, frozen=True, tag="block"):
    """Block with this character. In a reaction to a claim: only if no player challenges (Coup C6)."""

    character: Character


class Prove(Move, frozen=True, tag="prove"):
    """Show that the claim was true."""


class Concede(Move, frozen=True, tag="concede"):
    """Concede the challenge. Name the card to lose if there is a choice."""

    character: Character | None = None


class Lose(Move, frozen=True, tag="lose"):
    """Turn this card face up."""

    character: Character


class Keep(Move, frozen=True, tag="keep"):
    """Keep these cards after an exchange, in alphabetical order, and return the others."""

    characters: tuple[Character, ...]


class Pick(Move, frozen=True, tag="pick"):
    """Keep this card of the draft."""

    character: Character


class Empire(Move, frozen=True, tag="empire"):
    """Start as a loyalist of the empire."""


class Resistance(Move, frozen=True, tag="resistance"):
    """Start as a member of the resistance."""


class Convert(Move, frozen=True, tag="convert"):
    """Pay 1 to change your own party, or 2 to change the target's."""

    target: SeatNumber | None = None


class Embezzle(Move, frozen=True, tag="embezzle"):
    """Claiming to hold no duke, take the reserve."""


class Examine(Move, frozen=True, tag="examine"):
    """With the inquisitor, look at a card of the target and hand it back or force a swap."""

    target: SeatNumber


class Show(Move, frozen=True, tag="show"):
    """Show this card to the inquisitor."""

    character: Character


class Return(Move, frozen=True, tag="return"):
    """Hand the examined card back."""


class Swap(Move, frozen=True, tag="swap"):
    """Exchange the examined card for one of the court."""


class Bomb(Move, frozen=True, tag="bomb"):
    """Pay 5 and hand the anarchist to the target."""

    target: SeatNumber


class Explode(Move, frozen=True, tag="explode"):
    """Let the bomb go off. Name the card to lose if there is a choice."""

    character: Character | None = None


class Defuse(Move, frozen=True, tag="defuse"):
    """With the contessa, put the anarchist back in the middle."""


class Hand(Move, frozen=True, tag="hand"):
    """With the contessa, hand the anarchist on to the target."""

    target: SeatNumber


AnyMove = (
    Income | ForeignAid | Coup | Tax | Assassinate | Steal | Exchange | Allow | Challenge | Block | Prove | Concede
    | Lose | Keep | Pick | Empire | Resistance | Convert | Embezzle | Examine | Show | Return | Swap | Bomb | Explode
    | Defuse | Hand
)  # fmt: skip
"""The moves of the notation's table."""

VERBS: Final[Mapping[type[Move], str]] = {move: str(move.__struct_config__.tag) for move in get_args(AnyMove)}
"""The verb of each kind of move."""
