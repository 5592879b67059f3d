"""The options of the game."""

from typing import Annotated, Any, Literal

import msgspec

from games.engine import Chance, Notation, Phrase, RuleViolation, SeatNumber, gettext_noop
from games.engine.errors import MALFORMED


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game."""

    starting_player: Literal["random", "previous_winner"] | Annotated[int, msgspec.Meta(ge=1, le=3)] = "random"
    """Who begins (Sedlec S3): anybody, the winner of the game before, or the seat of this number."""
    previous_winners: tuple[Annotated[int, msgspec.Meta(ge=1)], ...] = ()
    """The seats that won the game before, where there was one; the table fills it in."""


def options(**chosen: Any) -> Options:
    """The options chosen, the others by default. RuleViolation ``malformed`` names a wrong one."""
    for name, value in chosen.items():
        if name not in Options.__struct_fields__:
            raise _wrong(gettext_noop("Skulls of Sedlec has no option %(name)s."), name)
        try:
            msgspec.convert({name: value}, Options)
        except msgspec.ValidationError as error:
            raise _wrong(gettext_noop("The option %(name)s cannot be %(value)s."), name, value) from error
    return msgspec.convert(chosen, Options)


def starter(options: Options, seats: int, chance: Chance) -> SeatNumber:
    """Return who begins. Sedlec S3: if several won, or nobody who sits here, chance decides.

    RuleViolation ``malformed`` where the seat named is not one of ``seats``.
    """
    everybody = range(1, seats + 1)
    if isinstance(options.starting_player, int):
        if options.starting_player not in everybody:
            raise _wrong(
                gettext_noop("The option %(name)s cannot be %(value)s."), "starting_player", options.starting_player
            )
        return SeatNumber(options.starting_player)
    candidates = list(everybody)
    if options.starting_player == "previous_winner":
        candidates = [seat for seat in everybody if seat in options.previous_winners] or candidates
    return SeatNumber(candidates[0] if len(candidates) == 1 else chance.choose(candidates))


def _wrong(sentence: str, name: str, value: object = "") -> RuleViolation:
    return RuleViolation(MALFORMED, Phrase(sentence, {"name": Notation(name), "value": Notation(str(value)[:80])}))
