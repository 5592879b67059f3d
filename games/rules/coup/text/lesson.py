"""The lesson of Coup: five moves, from a true claim to a bluff that is caught and survived."""

from typing import Final

from games.engine import Phrase, SeatName, SeatNumber
from games.engine import gettext_noop as _
from games.engine.lesson import Lesson, Step
from games.engine.phrases import Value

_DOUBTER: Final = SeatNumber(2)
_ASKER: Final = SeatNumber(3)
_NAMED: Final[dict[str, Value]] = {"doubter": SeatName(_DOUBTER), "asker": SeatName(_ASKER)}


def step(title: str, sentence: str, takes: tuple[str, ...], *then: tuple[SeatNumber, str]) -> Step:
    """Return a step whose sentence may name the two other players."""
    return Step(Phrase(title), Phrase(sentence, _NAMED), takes, then)


LESSON: Final = Lesson(
    seats=3,
    options={"starting_player": 1},
    chance=("captain", "duke", "ambassador", "captain", "assassin", "duke", "contessa"),
    steps=(
        step(
            _("Claim a card"),
            _(
                "You hold a duke and a captain, and only you can see them. "
                "A duke collects tax. Say that you have one: collect tax."
            ),
            ("tax",),
            (_DOUBTER, "challenge"),
        ),
        step(
            _("Be challenged"),
            _(
                "%(doubter)s doesn’t believe you. You told the truth, so prove it: %(doubter)s loses a card, and "
                "you get a new one for the card that you showed."
            ),
            ("prove",),
            (_DOUBTER, "lose captain"),
            (_DOUBTER, "steal 1"),
        ),
        step(
            _("Challenge a claim"),
            _(
                "%(doubter)s claims a captain. There are three in the pack: you hold one, and one lies open. "
                "Doubt it. If you’re wrong, you lose a card."
            ),
            ("challenge",),
            (_DOUBTER, "concede"),
            (_ASKER, "foreign-aid"),
        ),
        step(
            _("Block an action"),
            _(
                "You were right: that player lied, and is out of the game. Now %(asker)s asks for foreign aid, which "
                "a duke can block. You no longer hold one, but nobody knows. Bluff: block it."
            ),
            ("block duke",),
            (_ASKER, "challenge"),
        ),
        step(
            _("Lose a card"),
            _("%(asker)s doesn’t believe you, and is right. You have to turn a card up. Choose which."),
            ("concede captain", "concede contessa"),
        ),
    ),
    end=Phrase(
        _(
            "You bluffed, you were caught, and you’re still in the game, with a card and five coins. Two coins "
            "more and you can launch a coup, which nobody can block or challenge. The last player with a card "
            "wins."
        )
    ),
)
