"""Status sentences: what the picture says above the table."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from games.engine import Phrase, SeatName, SeatNumber, gettext_noop
from games.rules.coup.expansions.book import law_of
from games.rules.coup.text.words import ACTIONS, CHARACTERS, LABELS, asks, phrase
from games.rules.coup.visibility.views import ActionView, View

CLAIMS_ASKED: Final = ("proof", "loss")
"""The questions in which a challenge is still worth telling of."""
SEVERAL_ASKED: Final = ("draft", "challenge", "block", "challenge-block")
"""The questions that more than one seat may be asked at once."""
CONVERT_OTHER: Final = gettext_noop("%(player)s pays for changing the party of %(target)s.")


def sentences(view: View) -> tuple[Phrase, ...]:
    """All of it: what is being done, what was said to it, what is asked, and who is still waited for."""
    said = (headline(view), *under_way(view), asked(view), still_missing(view), missing(view))
    return tuple(sentence for sentence in said if sentence is not None)


def headline(view: View) -> Phrase:
    """Return who won, what is being done, or whose turn it is."""
    if view.winner is not None:
        return phrase(gettext_noop("%(player)s has won the game."), view.winner)
    if view.action is not None:
        return action(view, view.action)
    if not view.turn:
        return Phrase(gettext_noop("The game is about to begin."))
    return phrase(gettext_noop("It is the turn of %(player)s."), view.turn)


def action(view: View, taken: ActionView) -> Phrase:
    """The action of this turn, whom it is aimed at and what it claims."""
    values: dict[str, SeatName | str] = {}
    if taken.target:
        values["target"] = SeatName(taken.target)
    if claims := law_of(view.options, len(view.seats)).actions[taken.verb].claims:
        values["claim"] = CHARACTERS[claims]
    told = CONVERT_OTHER if taken.verb == "convert" and taken.target else ACTIONS[taken.verb][0]
    return phrase(told, taken.seat, **values)


def under_way(view: View) -> Iterator[Phrase]:
    """Yield what has been said to the action so far: the way of the bomb, the block, the challenge."""
    if view.winner is not None:
        return
    if view.bomb and view.bomb.receiver:
        sentence = gettext_noop("%(player)s hands the bomb on to %(target)s, as contessa.")
        yield phrase(sentence, view.bomb.holder, target=SeatName(view.bomb.receiver))
    elif view.bomb and view.asking != "bomb":
        yield phrase(gettext_noop("%(player)s defuses the bomb as contessa."), view.bomb.holder)
    if view.block:
        sentence = gettext_noop("%(player)s blocks as %(card)s.")
        yield phrase(sentence, view.block.seat, card=CHARACTERS[view.block.character])
    if view.challenge and (doubter := challenger(view)):
        sentence = gettext_noop("%(player)s challenges %(target)s.")
        yield phrase(sentence, doubter, target=SeatName(view.challenge.seat))


def challenger(view: View) -> SeatNumber | None:
    """Return who challenges, as long as it matters."""
    return view.challenge.challenger if view.challenge and view.asking in CLAIMS_ASKED else None


def asked(view: View) -> Phrase | None:
    """Return what is asked: the viewer's own question, what they answered, or what all may know of it."""
    if view.question is not None:
        return asks(view, view.question)
    if view.answer is not None and view.answer.answer:
        card = CHARACTERS[view.answer.character] if view.answer.character else ""
        given = Phrase(LABELS[view.answer.answer], {"card": card})
        return Phrase(gettext_noop("Your answer: %(answer)s."), {"answer": given})
    ask = ASKED.get(view.asking)
    return ask(view) if ask else None


def still_missing(view: View) -> Phrase | None:
    """Return how many answers are still waited for, where several are asked and it may be known."""
    if view.waiting is None or view.asking not in SEVERAL_ASKED:
        return None
    return Phrase(gettext_noop("Answers still to come: %(count)s."), {"count": view.waiting})


def missing(view: View) -> Phrase | None:
    """Return whose answers are still waited for, where several are asked and it may be known."""
    if not view.waiting_for or view.asking not in SEVERAL_ASKED:
        return None
    players = tuple(SeatName(seat) for seat in view.waiting_for)
    return Phrase(gettext_noop("Still waited for: %(players)s."), {"players": players})


def _window(view: View) -> Phrase:
    law = law_of(view.options, len(view.seats))
    if view.bomb is None and view.action and law.actions[view.action.verb].blocked_by:
        return Phrase(gettext_noop("Does anyone challenge or block it?"))
    return Phrase(gettext_noop("Does anyone challenge it?"))


def _proof(view: View) -> Phrase:
    return phrase(
        gettext_noop("%(player)s has to prove it or concede."), view.challenge.seat if view.challenge else None
    )


def _loss(view: View) -> Phrase:
    if view.waiting_for:
        return phrase(gettext_noop("%(player)s has to lose an influence."), view.waiting_for[0])
    return Phrase(gettext_noop("An influence is about to be lost."))


def _examine(view: View) -> Phrase:
    sentence = gettext_noop("%(player)s looks at a card of %(target)s.")
    return phrase(sentence, _actor(view), target=SeatName(_target(view) or SeatNumber(0)))


def _actor(view: View) -> SeatNumber | None:
    return view.action.seat if view.action else None


def _target(view: View) -> SeatNumber | None:
    return view.action.target if view.action else None


ASKED: Final[Mapping[str, Callable[[View], Phrase]]] = {
    "draft": lambda view: Phrase(gettext_noop("Both players secretly choose one of five cards to keep.")),
    "party": lambda view: phrase(gettext_noop("%(player)s chooses a party."), view.turn),
    "challenge": _window,
    "block": lambda view: Phrase(gettext_noop("Does anyone block it?")),
    "challenge-block": lambda view: Phrase(gettext_noop("Does anyone challenge the block?")),
    "proof": _proof,
    "loss": _loss,
    "exchange": lambda view: phrase(gettext_noop("%(player)s chooses which cards to keep."), _actor(view)),
    "show": lambda view: phrase(gettext_noop("%(player)s chooses a card to show."), _target(view)),
    "examine": _examine,
    "bomb": lambda view: phrase(gettext_noop("%(player)s holds the bomb."), view.bomb.holder if view.bomb else None),
}
"""What all may know of each kind of question, but for whose turn it is."""
