"""The reason why a move that can be read is not legal, with the number of its ruling."""

from collections.abc import Iterator, Sequence
from typing import Final

from games.engine import Phrase, Question
from games.engine import gettext_noop as _
from games.engine.phrases import because
from games.rules.sedlec.cards import HALVES, Card
from games.rules.sedlec.state import State, closed_piles, open_piles, why_lay
from games.rules.sedlec.text.words import card_words

MUST_LAY: Final = {
    "hand-full": _("You hold two cards, so you must lay one of them."),
    "enough": _("You have all the cards your pyramid needs, so you must lay one of them."),
}


def why_illegal(state: State, question: Question, words: Sequence[str]) -> Phrase | None:
    """Return the reason why these words of the notation are not a legal answer, or None without a special reason."""
    return next(_reasons(state, words[0], words[1:]), None)


def _reasons(state: State, verb: str, rest: Sequence[str]) -> Iterator[Phrase]:
    piles = [int(word) for word in rest if word.isdigit()]
    if (verb == "take") != bool(state.dug):
        yield because("turn", TAKE_FIRST if state.dug else DIG_FIRST)
    must_lay = None if state.dug else why_lay(state, state.turn)
    if must_lay and verb != "lay":
        yield because("S4" if must_lay == "enough" else "turn", MUST_LAY[must_lay])
    match verb:
        case "lay":
            yield from _of_laying(state, rest)
        case "take":
            yield because("turn", _("Take one of the cards that you have just dug up."))
        case "collect":
            yield from (because("turn", NOT_OPEN, pile=pile) for pile in piles if pile not in open_piles(state))
        case "dig":
            yield from (because("turn", NOT_CLOSED, pile=pile) for pile in piles if pile not in closed_piles(state))
            yield because("turn", _("Dig up two different piles, or the only one that is face down."))
    yield because("turn", _("“%(written)s” is not possible here."))


TAKE_FIRST: Final = _("You have dug up cards: take one of them first.")
DIG_FIRST: Final = _("You take a card only after you have dug.")
NOT_OPEN: Final = _("Pile %(pile)s has no face-up card.")
NOT_CLOSED: Final = _("Pile %(pile)s has no face-down card on top.")


def _of_laying(state: State, rest: Sequence[str]) -> Iterator[Phrase]:
    """Yield a reason if the player does not hold the card, or if there is no room for it."""
    hand = state.hands[state.turn - 1]
    for card in rest:
        if card in HALVES and card not in hand:
            yield because("laying", _("You do not hold %(card)s."), card=card_words(Card(card)))
    yield because("laying", _("There is no free place for it there in your pyramid."))
