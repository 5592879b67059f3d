"""Plans for a player's own next turns. A player has no questions in other players' turns.

Plans depend on public facts only.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Final

from games.engine import MoveText, Phrase, PlanForm, PlanRules, Question, SeatNumber, Slot
from games.engine import gettext_noop as _
from games.engine.plans import Plan, next_turn_form, no_such_turn, offered, on_next_turn, parse_plans
from games.engine.reading import Vocabulary, matching_move
from games.rules.sedlec.game import Collect, Dig, Lay, SedlecMove
from games.rules.sedlec.pyramid import HALVES, PLACES, Card
from games.rules.sedlec.views import View
from games.rules.sedlec.words import NEXT, PERSIAN, PERSIAN_PLANS, card_words, label

VOCABULARY: Final = Vocabulary.of({**PERSIAN, **PERSIAN_PLANS})


class NextTurn(Plan, frozen=True, tag=NEXT):
    """Make this move on the owner's next turn, if it is possible then. It is used once, or lapses.

    Of several plans the first that is possible is used; those before it lapse, those after it are for later turns. A
    plan made during the owner's turn is for a later turn.
    """

    move: SedlecMove
    card: Card | None = None
    """The card to be collected. The plan does not apply to any other card on the pile."""


def answer_to(view: View, question: Question, moves: Sequence[SedlecMove], plan: NextTurn) -> SedlecMove | None:
    """Return the move if it is legal and still means the same card."""
    if isinstance(plan.move, Collect) and view.piles[plan.move.pile - 1].face_up != plan.card:
        return None
    return offered(moves, plan.move)


def turns(view: View) -> Iterator[SedlecMove]:
    """Yield all moves that are possible in some turn."""
    piles = range(1, len(view.piles) + 1)
    yield from (Dig(piles=pair) for pair in combinations(piles, 2))
    yield from (Dig(piles=(pile,)) for pile in piles)
    yield from (Collect(pile=pile) for pile in piles)
    yield from (Lay(card=card, place=place) for card in dict.fromkeys(view.deck) for place in PLACES)


def wrong(view: View, seat: SeatNumber, plan: NextTurn) -> Phrase | None:
    """Return the reason why a seat cannot make a plan in this position, or None if it can."""
    if plan.move not in turns(view):
        return no_such_turn(plan.move)
    if not isinstance(plan.move, Collect):
        return Phrase(_("Name a card only to collect it.")) if plan.card else None
    lies = view.piles[plan.move.pile - 1].face_up
    if lies is None:
        return Phrase(_("No card is face up on pile %(pile)s."), {"pile": plan.move.pile})
    if plan.card != lies:
        sentence = _("Name the card to collect from pile %(pile)s: it’s %(card)s.")
        return Phrase(sentence, {"pile": plan.move.pile, "card": MoveText(lies)})
    return None


def read(view: View, seat: SeatNumber, words: tuple[str, ...]) -> NextTurn | None:
    """Return the plan that these words mean. To collect from a pile means the card that lies there now."""
    if words[:1] != (NEXT,):
        return None
    words = words[1:]
    card = Card(words[-1]) if words[:1] == ("collect",) and words[-1] in HALVES else None
    move = matching_move(words[:-1] if card else words, tuple(turns(view)), str)
    if isinstance(move, Collect) and card is None:
        card = view.piles[move.pile - 1].face_up
    return None if move is None else NextTurn(move, card)


def describe(plan: NextTurn) -> Phrase:
    """Return a plan as a sentence."""
    if plan.card is not None and isinstance(plan.move, Collect):
        sentence = _("On my next turn, if it still lies there: collect %(card)s from pile %(pile)s.")
        return Phrase(sentence, {"card": card_words(plan.card), "pile": plan.move.pile})
    return on_next_turn(label(plan.move))


def possible(view: View, seat: SeatNumber) -> list[NextTurn]:
    """Return the moves of the seat if it had the turn now."""
    closed = [pile for pile, content in enumerate(view.piles, 1) if content.face_up is None and content.face_down]
    digs = [Dig(piles=pair) for pair in combinations(closed, 2)] or [Dig(piles=(pile,)) for pile in closed]
    hand = dict.fromkeys(view.players[seat - 1].hand)
    return [
        *(
            NextTurn(Collect(pile=pile), content.face_up)
            for pile, content in enumerate(view.piles, 1)
            if content.face_up
        ),
        *(NextTurn(dig) for dig in digs),
        *(NextTurn(Lay(card=card, place=place)) for card in hand for place in PLACES),
    ]


def examples(view: View, seat: SeatNumber) -> tuple[NextTurn, ...]:
    """Return one plan for each kind of move that the seat could make."""
    plan_of_kind: dict[type, NextTurn] = {}
    for plan in possible(view, seat):
        plan_of_kind.setdefault(type(plan.move), plan)
    return tuple(plan_of_kind.values())


def forms(view: View, seat: SeatNumber) -> tuple[PlanForm, ...]:
    """Return the form for the only kind of plan, with the moves that are possible now."""
    choices = tuple((str(plan).removeprefix(f"{NEXT} "), describe(plan)) for plan in possible(view, seat))
    return (next_turn_form(Slot(Phrase(_("Action")), choices)),)


PLANS: Final[PlanRules[View, SedlecMove, NextTurn]] = PlanRules(
    plan_type=NextTurn,
    answer=answer_to,
    wrong=wrong,
    parse=parse_plans(read, VOCABULARY, wrong, examples, names_players=False),
    describe=describe,
    examples=examples,
    forms=forms,
)
"""The plans of Skulls of Sedlec."""
