"""The lesson of Sedlec, and the help in a player's first game."""

from collections import Counter
from typing import Final

from games.engine import Phrase, Question, SeatName, SeatNumber
from games.engine import gettext_noop as _
from games.engine.lesson import Lesson, Step
from games.engine.phrases import Value
from games.engine.rules import Coaching
from games.rules.sedlec.pyramid import HALVES
from games.rules.sedlec.views import View

_OTHER: Final = SeatNumber(2)


def _step(title: str, sentence: str, move: str, *then: str) -> Step:
    """Return a step with one move of the learner and the answers of the other player. The sentence may name them."""
    text = Phrase(sentence, {"other": SeatName(_OTHER)})
    return Step(Phrase(title), text, (move,), tuple((_OTHER, answer) for answer in then))


LESSON: Final = Lesson(
    seats=2,
    options={"starting_player": 1},
    chance=(
        *("lover/sinner", "royal/royal", "peasant/peasant"),
        *("peasant/royal", "priest/priest", "lover/lover"),
        *("lover/priest", "sinner/sinner", "royal/peasant"),
        *("royal/priest", "lover/royal", "royal/sinner"),
        *("priest/peasant", "peasant/lover", "peasant/sinner"),
        *("sinner/peasant", "priest/lover", "sinner/priest"),
        3,  # the pile whose top card is turned up
    ),
    steps=(
        _step(
            _("Dig up two cards"),
            _(
                "Each card shows two skulls. In the middle is the graveyard: six piles, all face down except for one "
                "card. Dig up piles 1 and 2."
            ),
            "dig 1 2",
        ),
        _step(
            _("Take one of them"),
            _(
                "You keep one, and the other stays face up for %(other)s. Two lovers that touch are worth the most: "
                "take the card from pile 1, a lover above a sinner."
            ),
            "take 1",
            "collect 2",
        ),
        _step(
            _("Collect a card"),
            _(
                "%(other)s took the card that you left. Now collect the face-up card from pile 3: a second lover, "
                "above a priest."
            ),
            "collect 3",
            "lay peasant/royal left",
        ),
        _step(
            _("Lay a card"),
            _(
                "You hold two cards, so you must lay one. A pyramid starts with its bottom row, and a card that lies "
                "there never moves. Lay the lover with the sinner first."
            ),
            "lay lover/sinner left",
            "dig 4 5",
            "take 4",
        ),
        _step(
            _("Make a pair"),
            _("Lay the other card to the right of it: the lovers touch, and the sinner touches the priest."),
            "lay lover/priest right",
        ),
    ),
    end=Phrase(
        _(
            "Two cards, and 10 points: 6 for a pair of lovers, 2 for a sinner beside a priest, and 2 for a level with "
            "a priest. In the next rows a card rests on two others, and a royal counts the royals and peasants below "
            "it. When every pyramid is full, the most points win."
        )
    ),
)


def risks(view: View, question: Question) -> tuple[Phrase, ...]:
    """Return sentences about the risk of the answers to a question."""
    if question.kind == "take":
        return (Phrase(_("The card that you leave stays face up: the next player can collect it.")),)
    if question.reason != "turn":
        return (
            Phrase(_("A card never moves once it’s laid. Look for a place where its skulls touch what they need.")),
        )
    return (
        Phrase(
            _("To dig is a gamble: %(lovers)s of the %(cards)s face-down cards have a lover. You take one of the two."),
            _lovers(view),
        ),
    )


def _lovers(view: View) -> dict[str, Value]:
    """Return the number of face-down cards, and of those with a lover. Both follow from the face-up cards."""
    unseen = Counter(view.deck)
    unseen.subtract(pile.face_up for pile in view.piles if pile.face_up)
    for player in view.players:
        unseen.subtract([*player.hand, *(card for row in player.pyramid for card in row if card)])
    cards = [*unseen.elements()]
    return {"cards": len(cards), "lovers": sum("lover" in HALVES[card] for card in cards)}


COACHING: Final = Coaching(
    goal=Phrase(_("Build a pyramid of skulls that is worth more points than any other.")),
    risks=risks,
    explanations=(
        (Phrase(_("dig")), Phrase(_("Turn up the top cards of two piles, and take one of the two."))),
        (Phrase(_("collect")), Phrase(_("Take a card that lies face up on a pile."))),
        (
            Phrase(_("lay")),
            Phrase(_("Put a card from your hand at an end of the bottom row, or on top of two cards side by side.")),
        ),
        (
            Phrase(_("points")),
            Phrase(
                _(
                    "A pair of lovers that touch: 6. A sinner that touches a priest: 2. Each level with a priest: 2. A "
                    "peasant: 1. A royal: 1 for each royal and peasant on lower levels."
                )
            ),
        ),
    ),
)
