"""Plans: nobody is asked about another's turn, so all there is to say ahead is one's own next turns.

Everything that a plan looks at lies open on the table.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

import msgspec

from games.engine import MoveText, Phrase, PlanForm, PlanRules, Question, RuleViolation, SeatNumber, Slot, gettext_noop
from games.engine.answers.plans import next_turn_form, no_such_turn, offered, on_next_turn
from games.engine.errors import MALFORMED
from games.engine.reading import Vocabulary, meant, plan_tokens, unread_plan
from games.rules.sedlec.cards import HALVES, Card
from games.rules.sedlec.moves import Collect, Dig, Lay, SedlecMove
from games.rules.sedlec.pyramid import PLACES
from games.rules.sedlec.text.notation import ENGLISH, NEXT, PERSIAN, PERSIAN_PLANS
from games.rules.sedlec.text.words import card_words, label
from games.rules.sedlec.views import View

_PERSIAN: Final = {**PERSIAN, **PERSIAN_PLANS}
VOCABULARY: Final = Vocabulary(
    {word: word for word in (*ENGLISH, NEXT)} | {persian: word for word, persian in _PERSIAN.items()}
)


class NextTurn(msgspec.Struct, frozen=True, tag_field="type", tag=NEXT, forbid_unknown_fields=True):
    """Make this move on the owner's next turn, if it is possible then. It is used once, or lapses.

    Of several plans the first that is possible is used; those before it lapse, those after it are for later turns. A
    plan made during the owner's turn is for a later turn.
    """

    move: SedlecMove
    card: Card | None = None
    """The card to be collected: nothing was said of another one on its pile."""


def answer_to(view: View, question: Question, moves: Sequence[SedlecMove], plan: NextTurn) -> SedlecMove | None:
    """The move, where it is offered and means the same card."""
    if isinstance(plan.move, Collect) and view.piles[plan.move.pile - 1].face_up != plan.card:
        return None
    return offered(moves, plan.move)


def turns(view: View) -> Iterator[SedlecMove]:
    """Everything that somebody might do on a turn, one day or another."""
    piles = range(1, len(view.piles) + 1)
    yield from (Dig(piles=pair) for pair in combinations(piles, 2))
    yield from (Dig(piles=(pile,)) for pile in piles)
    yield from (Collect(pile=pile) for pile in piles)
    yield from (Lay(card=card, place=place) for card in dict.fromkeys(view.deck) for place in PLACES)


def wrong(view: View, seat: SeatNumber, plan: NextTurn) -> Phrase | None:
    """Return why a seat cannot give a plan as the game stands; None where it can."""
    if plan.move not in turns(view):
        return no_such_turn(plan.move)
    return _wrong_card(view, plan)


def _wrong_card(view: View, plan: NextTurn) -> Phrase | None:
    if not isinstance(plan.move, Collect):
        return Phrase(gettext_noop("Name a card only to collect it.")) if plan.card else None
    lies = view.piles[plan.move.pile - 1].face_up
    if lies is None:
        return Phrase(gettext_noop("No card is face up on pile %(pile)s."), {"pile": plan.move.pile})
    if plan.card != lies:
        sentence = gettext_noop("Name the card to collect from pile %(pile)s: it is %(card)s.")
        return Phrase(sentence, {"pile": plan.move.pile, "card": MoveText(lies)})
    return None


def plan_text(plan: NextTurn) -> str:
    """The one canonical text of a plan."""
    return " ".join(filter(None, (NEXT, str(plan.move), plan.card)))


def parse(view: View, seat: SeatNumber, written: str, names: Mapping[str, SeatNumber]) -> NextTurn:
    """The plan that somebody wrote; to collect from a pile means the card that lies there now.

    RuleViolation ``malformed`` where it is none, or cannot be given now.
    """
    match plan_tokens(written, VOCABULARY, {}):
        case ("next-turn", *words) if (plan := _read(view, words)) is not None:
            if why := wrong(view, seat, plan):
                raise RuleViolation(MALFORMED, why)
            return plan
    raise unread_plan(written, [plan_text(each) for each in examples(view, seat)])


def _read(view: View, words: Sequence[str]) -> NextTurn | None:
    card = Card(words[-1]) if words[:1] == ["collect"] and words[-1] in HALVES else None
    move = meant(words[:-1] if card else words, tuple(turns(view)), str)
    if isinstance(move, Collect) and card is None:
        card = view.piles[move.pile - 1].face_up
    return None if move is None else NextTurn(move, card)


def describe(plan: NextTurn) -> Phrase:
    """A plan as a sentence."""
    if plan.card is not None and isinstance(plan.move, Collect):
        sentence = gettext_noop("On my next turn, if it still lies there: collect %(card)s from pile %(pile)s.")
        return Phrase(sentence, {"card": card_words(plan.card), "pile": plan.move.pile})
    return on_next_turn(label(plan.move))


def possible(view: View, seat: SeatNumber) -> list[NextTurn]:
    """Return what the seat could do if its turn came now."""
    closed = [pile for pile, each in enumerate(view.piles, 1) if each.face_up is None and each.face_down]
    digs = [Dig(piles=pair) for pair in combinations(closed, 2)] or [Dig(piles=(pile,)) for pile in closed]
    hand = dict.fromkeys(view.players[seat - 1].hand)
    return [
        *(NextTurn(Collect(pile=pile), each.face_up) for pile, each in enumerate(view.piles, 1) if each.face_up),
        *(NextTurn(dig) for dig in digs),
        *(NextTurn(Lay(card=card, place=place)) for card in hand for place in PLACES),
    ]


def examples(view: View, seat: SeatNumber) -> tuple[NextTurn, ...]:
    """A plan of each kind that the seat could give: one for each kind of move."""
    found: dict[type, NextTurn] = {}
    for plan in possible(view, seat):
        found.setdefault(type(plan.move), plan)
    return tuple(found.values())


def forms(view: View, seat: SeatNumber) -> tuple[PlanForm, ...]:
    """The one kind of plan, with what is possible as things stand."""
    choices = tuple((plan_text(each).removeprefix(f"{NEXT} "), describe(each)) for each in possible(view, seat))
    return (next_turn_form(NEXT, Slot(Phrase(gettext_noop("Action")), choices)),)


PLANS: Final[PlanRules[View, SedlecMove, NextTurn]] = PlanRules(
    plan_type=NextTurn,
    answer=answer_to,
    wrong=wrong,
    text=plan_text,
    parse=parse,
    describe=describe,
    examples=examples,
    forms=forms,
)
"""The plans of Skulls of Sedlec."""
