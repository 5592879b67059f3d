"""Status sentences: the text above the table."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from games.engine import Phrase, SeatName, SeatNumber, Sentence
from games.engine import gettext_noop as _
from games.rules.coup.expansions.book import law_of
from games.rules.coup.text.characters import CHARACTERS
from games.rules.coup.text.words import ASKED_OF_ALL, LABELS, asks, asks_of_all, blocking, bomb_on_its_way, doing
from games.rules.coup.visibility.views import View

CLAIMS_ASKED: Final = ("proof", "loss")
"""The questions during which an earlier challenge is still worth mentioning."""
SEVERAL_ASKED: Final = ("draft", "challenge", "block", "challenge-block")
"""The kinds of questions that can go to several seats at the same time."""
WON: Final = Sentence(_("%(player)s has won the game."), _("You have won the game."))
TURN: Final = Sentence(_("%(player)s moves next."), _("It is your turn."))
DRAFT: Final = _("The game begins with a draft.")
DOUBTS: Final = Sentence(
    _("%(player)s challenges %(target)s."), _("You challenge %(target)s."), _("%(player)s challenges you.")
)
EXAMINES: Final = Sentence(
    _("%(player)s looks at a card of %(target)s."),
    _("You look at a card of %(target)s."),
    _("%(player)s looks at one of your cards."),
)


def sentences(view: View, reader: SeatNumber | None) -> tuple[Phrase, ...]:
    """Return the whole status: the action, the reactions to it, the question, and the missing answers."""
    candidates = (headline(view, reader), *under_way(view), asked_for(view), still_missing(view), missing(view))
    return tuple(sentence for sentence in candidates if sentence is not None)


def headline(view: View, reader: SeatNumber | None) -> Phrase:
    """Return the winner, the present action, or whose turn it is."""
    if view.winner is not None:
        return WON.phrase(reader, view.winner)
    if (action := doing(view)) is not None:
        return action
    if not view.turn:
        drafting = view.asking == "draft"
        return Phrase(DRAFT if drafting else _("The game is about to begin."))
    return TURN.phrase(view.viewer, view.turn)


def under_way(view: View) -> Iterator[Phrase]:
    """Yield the reactions to the action so far: the way of the bomb, the block, the challenge."""
    if view.winner is not None:
        return
    yield from (sentence for sentence in (bomb_on_its_way(view), blocking(view)) if sentence is not None)
    if view.challenge and (doubter := challenger(view)):
        yield DOUBTS.phrase(view.viewer, doubter, view.challenge.seat)


def challenger(view: View) -> SeatNumber | None:
    """Return the sentence about the challenger, as long as it matters."""
    return view.challenge.challenger if view.challenge and view.asking in CLAIMS_ASKED else None


def asked_for(view: View) -> Phrase | None:
    """Return the sentence about the open question: the viewer's own, their answer, or the public part of it."""
    if view.question is not None:
        about_it = view.question.kind in ASKED_OF_ALL
        return asks_of_all(view, view.question) if about_it else asks(view, view.question)
    if view.answer is not None and view.answer.answer:
        card = CHARACTERS[view.answer.character] if view.answer.character else ""
        label = Phrase(LABELS[view.answer.answer], {"card": card})
        return Phrase(_("Your answer: %(answer)s."), {"answer": label})
    ask = ASKED.get(view.asking)
    return ask(view) if ask else None


def still_missing(view: View) -> Phrase | None:
    """Return how many answers are still missing, if several seats are asked and the number is public."""
    if view.waiting is None or view.asking not in SEVERAL_ASKED:
        return None
    return Phrase(_("Answers still to come: %(count)s."), {"count": view.waiting})


def missing(view: View) -> Phrase | None:
    """Return whose answers are still missing, if several seats are asked and that is public."""
    if not view.waiting_for or view.asking not in SEVERAL_ASKED:
        return None
    players = tuple(SeatName(seat) for seat in view.waiting_for)
    return Phrase(_("Waiting for: %(players)s."), {"players": players})


def _window(view: View) -> Phrase:
    law = law_of(view.options, len(view.seats))
    if view.bomb is None and view.action and law.actions[view.action.verb].blocked_by:
        return Phrase(_("Does anyone challenge or block it?"))
    return Phrase(_("Does anyone challenge it?"))


def _proof(view: View) -> Phrase:
    return _of(_("%(player)s has to prove it or concede."), view.challenge.seat if view.challenge else None)


def _loss(view: View) -> Phrase:
    if view.waiting_for:
        return _of(_("%(player)s has to lose an influence."), view.waiting_for[0])
    return Phrase(_("An influence is about to be lost."))


def _examine(view: View) -> Phrase:
    return EXAMINES.phrase(view.viewer, _actor(view) or SeatNumber(0), _target(view))


def _of(sentence: str, seat: SeatNumber | None) -> Phrase:
    return Phrase(sentence, {"player": SeatName(seat or SeatNumber(0))})


def _actor(view: View) -> SeatNumber | None:
    return view.action.seat if view.action else None


def _target(view: View) -> SeatNumber | None:
    return view.action.target if view.action else None


ASKED: Final[Mapping[str, Callable[[View], Phrase]]] = {
    "draft": lambda view: Phrase(_("Both players secretly choose one of five cards to keep.")),
    "party": lambda view: _of(_("%(player)s chooses a party."), view.turn),
    "challenge": _window,
    "block": lambda view: Phrase(_("Does anyone block it?")),
    "challenge-block": lambda view: Phrase(_("Does anyone challenge the block?")),
    "proof": _proof,
    "loss": _loss,
    "exchange": lambda view: _of(_("%(player)s chooses which cards to keep."), _actor(view)),
    "show": lambda view: _of(_("%(player)s chooses a card to show."), _target(view)),
    "examine": _examine,
    "bomb": lambda view: _of(_("%(player)s holds the bomb."), view.bomb.holder if view.bomb else None),
}
"""The public sentence about each kind of question, except the question for an action."""
