"""Reading the options of games, and the option for the starting player that games share."""

from collections.abc import Callable
from typing import Any, Final

import msgspec

from games.engine.chance import Chance
from games.engine.errors import ILLEGAL, MALFORMED, RuleViolation
from games.engine.phrases import Notation, Phrase, gettext_noop
from games.engine.types import SeatNumber

FILLED_IN: Final = "previous_winners"
"""The name of the option that the server fills in for a rematch: the seats that won."""
NOT_OFFERED: Final = "prompts"
"""The name of an option for measurements. Players cannot choose it for a game."""

STARTER_WORDS: Final[dict[str, Phrase]] = {
    "starting_player": Phrase(gettext_noop("Who starts")),
    "starting_player.random": Phrase(gettext_noop("by lot")),
    "starting_player.previous_winner": Phrase(gettext_noop("the winner of the game before")),
}
"""Labels for a form with the option that ``choose_starter`` reads."""
_SHORT: Final = 80


class NoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game without options."""


def read_options(kind: Any) -> Callable[..., Any]:
    """Return an ``options`` function for a struct of options. It raises RuleViolation(malformed) for a wrong option."""

    def options(**choices: Any) -> Any:
        for name, value in choices.items():
            if name not in kind.__struct_fields__:
                names = tuple(Notation(field) for field in kind.__struct_fields__)
                sentence = gettext_noop("There is no option %(name)s; there are: %(known)s.")
                raise RuleViolation(MALFORMED, Phrase(sentence, {"name": Notation(name[:_SHORT]), "known": names}))
            try:
                msgspec.convert({name: value}, kind)
            except msgspec.ValidationError as error:
                raise wrong_option(name, value) from error
        return msgspec.convert(choices, kind)

    return options


def wrong_option(name: str, value: object) -> RuleViolation:
    """Return the error for an option that cannot have this value."""
    sentence = gettext_noop("The option %(name)s cannot be %(value)s.")
    return RuleViolation(MALFORMED, Phrase(sentence, {"name": Notation(name), "value": Notation(str(value)[:_SHORT])}))


def choose_starter(options: Any, seats: int, chance: Chance, ruling: str = "") -> SeatNumber:
    """Return the seat that starts: the one in ``options.starting_player``, a previous winner, or a random one.

    Raises RuleViolation(illegal) for a seat that does not exist.
    """
    starter = options.starting_player
    if isinstance(starter, int):
        if not 1 <= starter <= seats:
            sentence = gettext_noop("There is no seat %(seat)s; the starting player sits on one of 1 to %(seats)s.")
            raise RuleViolation(ILLEGAL, Phrase(sentence, {"seat": starter, "seats": seats}, ruling))
        return SeatNumber(starter)
    winners = [seat for seat in options.previous_winners if 1 <= seat <= seats]
    if starter == "previous_winner" and winners:
        return SeatNumber(winners[0] if len(winners) == 1 else chance.choose(winners))
    return SeatNumber(chance.choose(range(1, seats + 1)))
