"""The consequences of a move for the player who may choose it: which cards they have, its cost, possible reactions.

Everything is derived from the player's own view.
"""

from collections.abc import Iterator
from typing import Any, Final

from games.engine import Move, Phrase
from games.engine import gettext_noop as _
from games.rules.coup import moves as m
from games.rules.coup.cards import CONTESSA, Character, copies
from games.rules.coup.expansions.book import law_of
from games.rules.coup.law import ActionLaw
from games.rules.coup.text.characters import CHARACTERS
from games.rules.coup.visibility.views import View

_COST_ON_LABEL: Final = ("convert",)


def meanings(view: View, move: Move) -> tuple[Phrase, ...]:
    """Return the consequences of a move as sentences, the most important first."""
    return tuple(_sentences(view, move))


def _sentences(view: View, move: Move) -> Iterator[Phrase]:
    law = law_of(view.options, len(view.seats))
    verb = str(move.__struct_config__.tag)
    if verb in law.actions:
        yield from _of_action(view, law.actions[verb])
    elif isinstance(move, m.Block):
        yield _claim(view, move.character)
    elif isinstance(move, m.Defuse | m.Hand):
        yield _claim(view, CONTESSA)
    elif isinstance(move, m.Challenge):
        yield Phrase(_("If you are wrong, you lose an influence."))
        if view.challenge:
            yield _copies_in_sight(view, view.challenge.character)


def _of_action(view: View, action: ActionLaw) -> Iterator[Phrase]:
    if action.claims:
        yield _claim(view, action.claims, action.denies)
    if action.cost and action.verb not in _COST_ON_LABEL:
        yield Phrase(_("It costs %(coins)s coins."), {"coins": action.cost})
    if action.blocked_by:
        blockers: Any = tuple(Phrase(CHARACTERS[card]) for card in action.blocked_by)
        yield Phrase(_("Blocked by: %(cards)s."), {"cards": blockers})


def _claim(view: View, card: Character, denies: bool = False) -> Phrase:
    """Return whether a claim of the viewer would be true."""
    holds = card in _hand(view)
    if denies:
        sentence = _("A bluff: you hold a %(card)s.") if holds else _("True: you hold no %(card)s.")
    else:
        sentence = _("You hold the %(card)s.") if holds else _("A bluff.")
    return Phrase(sentence, {"card": CHARACTERS[card]})


def _copies_in_sight(view: View, card: Character) -> Phrase:
    """Return how many cards of a character the viewer sees, out of how many."""
    lost = sum(seat.lost.count(card) for seat in view.seats)
    visible, total = lost + _hand(view).count(card), copies(len(view.seats))
    sentence = _("You see %(seen)s of the %(every)s %(card)s cards.")
    return Phrase(sentence, {"every": total, "card": CHARACTERS[card], "seen": visible})


def _hand(view: View) -> tuple[Character, ...]:
    return next((seat.hand or () for seat in view.seats if seat.seat == view.viewer), ())
