"""Standing orders: nobody is asked about another's turn, so all there is to say ahead is one's own next turns.

Everything that an order looks at lies open on the table.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

import msgspec

from games.engine import Notation, OrderForm, Orders, Phrase, Question, RuleViolation, SeatNumber, Slot, gettext_noop
from games.engine.errors import MALFORMED
from games.engine.reading import Vocabulary, meant, order_tokens, unread_order
from games.rules.sedlec.cards import HALVES, Card
from games.rules.sedlec.moves import Collect, Dig, Lay, SedlecMove
from games.rules.sedlec.notation import ENGLISH, PERSIAN, text
from games.rules.sedlec.pyramid import PLACES
from games.rules.sedlec.views import View
from games.rules.sedlec.words import card_words, label

NEXT: Final = "next-turn"
PERSIAN_ORDERS: Final = {"نوبت-بعد": NEXT}
"""The Persian word for the word that only orders have."""
VOCABULARY: Final = Vocabulary({word: word for word in (*ENGLISH, NEXT)} | PERSIAN | PERSIAN_ORDERS)


class NextTurn(msgspec.Struct, frozen=True, tag_field="type", tag=NEXT, forbid_unknown_fields=True):
    """On my next turn this, if it can be done then. It is carried out once, or lapses.

    Of several the first that can be done is; those before it lapse, those after it wait for the turns to come. Said
    during its owner's turn it is for the turns after that.
    """

    move: SedlecMove
    card: Card | None = None
    """Which card is to be collected: of another one on its pile nothing was said."""


def rank(order: NextTurn) -> int:
    """None is more particular than another."""
    return 0


def subject(order: NextTurn) -> None:
    """Nothing that there could not be two about: there are more turns to come."""


def is_once(order: NextTurn) -> bool:
    """Every order is for one turn."""
    return True


def is_spent(view: View, question: Question, order: NextTurn) -> bool:
    """Whether the turn has come."""
    return question.kind == "turn"


def obey(view: View, question: Question, moves: Sequence[SedlecMove], order: NextTurn) -> SedlecMove | None:
    """The move, where it is offered and means the same card."""
    if isinstance(order.move, Collect) and view.piles[order.move.pile - 1].face_up != order.card:
        return None
    return next((move for move in moves if msgspec.structs.replace(move, question="") == order.move), None)


def turns(view: View) -> Iterator[SedlecMove]:
    """Everything that somebody might do on a turn, one day or another."""
    piles = range(1, len(view.piles) + 1)
    yield from (Dig(piles=pair) for pair in combinations(piles, 2))
    yield from (Dig(piles=(pile,)) for pile in piles)
    yield from (Collect(pile=pile) for pile in piles)
    yield from (Lay(card=card, place=place) for card in dict.fromkeys(view.deck) for place in PLACES)


def wrong(view: View, seat: SeatNumber, order: NextTurn) -> Phrase | None:
    """Why a seat cannot give an order as the game stands; None where it can."""
    if order.move not in turns(view):
        sentence = gettext_noop("“%(move)s” is no action that you could take at this table.")
        return Phrase(sentence, {"move": Notation(text(order.move)[:40])})
    return _wrong_card(view, order)


def _wrong_card(view: View, order: NextTurn) -> Phrase | None:
    if not isinstance(order.move, Collect):
        return Phrase(gettext_noop("Only where one is collected a card is named.")) if order.card else None
    lies = view.piles[order.move.pile - 1].face_up
    if lies is None:
        return Phrase(gettext_noop("No card is face up on pile %(pile)s."), {"pile": order.move.pile})
    if order.card != lies:
        sentence = gettext_noop("Name the card to collect from pile %(pile)s: it is %(card)s.")
        return Phrase(sentence, {"pile": order.move.pile, "card": Notation(lies)})
    return None


def order_text(order: NextTurn) -> str:
    """The one canonical text of an order."""
    return " ".join(filter(None, (NEXT, text(order.move), order.card)))


def parse(view: View, seat: SeatNumber, written: str, names: Mapping[str, SeatNumber]) -> NextTurn:
    """The order that somebody wrote; to collect from a pile means the card that lies there now.

    RuleViolation ``malformed`` where it is none, or cannot be given now.
    """
    match order_tokens(written, VOCABULARY, {}):
        case ("next-turn", *words) if (order := _read(view, words)) is not None:
            if why := wrong(view, seat, order):
                raise RuleViolation(MALFORMED, why)
            return order
    raise unread_order(written, [order_text(each) for each in examples(view, seat)])


def _read(view: View, words: Sequence[str]) -> NextTurn | None:
    card = Card(words[-1]) if words[:1] == ["collect"] and words[-1] in HALVES else None
    move = meant(words[:-1] if card else words, tuple(turns(view)), text)
    if isinstance(move, Collect) and card is None:
        card = view.piles[move.pile - 1].face_up
    return None if move is None else NextTurn(move, card)


def describe(order: NextTurn) -> Phrase:
    """An order as a sentence."""
    if order.card is not None and isinstance(order.move, Collect):
        sentence = gettext_noop("On my next turn, if it still lies there: collect %(card)s from pile %(pile)s.")
        return Phrase(sentence, {"card": card_words(order.card), "pile": order.move.pile})
    return Phrase(gettext_noop("On my next turn, if it is possible then: %(move)s"), {"move": label(order.move)})


def possible(view: View, seat: SeatNumber) -> list[NextTurn]:
    """What the seat could do if its turn came now."""
    closed = [pile for pile, each in enumerate(view.piles, 1) if each.face_up is None and each.face_down]
    digs = [Dig(piles=pair) for pair in combinations(closed, 2)] or [Dig(piles=(pile,)) for pile in closed]
    hand = dict.fromkeys(view.players[seat - 1].hand)
    return [
        *(NextTurn(Collect(pile=pile), each.face_up) for pile, each in enumerate(view.piles, 1) if each.face_up),
        *(NextTurn(dig) for dig in digs),
        *(NextTurn(Lay(card=card, place=place)) for card in hand for place in PLACES),
    ]


def examples(view: View, seat: SeatNumber) -> tuple[NextTurn, ...]:
    """An order of each kind that the seat could give: one for each kind of move."""
    found: dict[type, NextTurn] = {}
    for order in possible(view, seat):
        found.setdefault(type(order.move), order)
    return tuple(found.values())


def forms(view: View, seat: SeatNumber) -> tuple[OrderForm, ...]:
    """The one kind of order, with what is possible as things stand."""
    choices = tuple((order_text(each).removeprefix(f"{NEXT} "), describe(each)) for each in possible(view, seat))
    title = Phrase(gettext_noop("On my next turn, if it is possible then; several are taken one after another."))
    return (OrderForm(title, NEXT, (Slot(Phrase(gettext_noop("Action")), choices),)),)


ORDERS: Final[Orders[View, SedlecMove, NextTurn]] = Orders(
    order_type=NextTurn,
    rank=rank,
    subject=subject,
    is_once=is_once,
    is_spent=is_spent,
    obey=obey,
    wrong=wrong,
    text=order_text,
    parse=parse,
    describe=describe,
    examples=examples,
    forms=forms,
)
"""The standing orders of Skulls of Sedlec."""
