"""Standing orders: answers that a player gives ahead, so that a slow game need not ask them each time.

All but one look at public facts only. The one that looks at its owner's cards, what to do if challenged, always
answers: so neither that it answered nor when tells anything of the hand.
"""

from collections.abc import Sequence
from typing import Final

import msgspec

from games.engine import Move, Notation, Orders, Phrase, Question, Seat, SeatName, gettext_noop
from games.rules.coup import moves as m
from games.rules.coup.cards import Character
from games.rules.coup.flow import CHALLENGE_BLOCK, WINDOWS
from games.rules.coup.moves import AnyMove
from games.rules.coup.views import View
from games.rules.coup.words import ACTIONS, CHARACTERS, label


class Order(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Something that a player wants to be answered for them."""


class AllowOthers(Order, frozen=True, tag="allow-others"):
    """Allow everything that is not aimed at me."""


class Allow(Order, frozen=True, tag="allow"):
    """Allow what this player does, or this action, whoever it is aimed at."""

    player: Seat | None = None
    action: str | None = None


class Challenge(Order, frozen=True, tag="challenge"):
    """Challenge the next claim to hold this character; with a player, only theirs. It is carried out once."""

    character: Character
    player: Seat | None = None


class IfChallenged(Order, frozen=True, tag="if-challenged"):
    """If I am challenged, prove what I claimed if I can, else concede and lose this card, or what I have instead."""

    lose: Character


class IfBlocked(Order, frozen=True, tag="if-blocked"):
    """If my action is blocked, challenge the block, or accept it."""

    challenge: bool


class NextTurn(Order, frozen=True, tag="next-turn"):
    """On my next turn this action, if it can be taken then. It is carried out once, or lapses."""

    move: AnyMove


AnyOrder = AllowOthers | Allow | Challenge | IfChallenged | IfBlocked | NextTurn
RANKS: Final = (NextTurn, IfChallenged, Challenge, IfBlocked, Allow, AllowOthers)
"""Whichever comes first here is asked first: what is more particular."""


def rank(order: AnyOrder) -> tuple[int, bool]:
    """Which of two orders is asked first: the more particular one."""
    return RANKS.index(type(order)), getattr(order, "player", None) is None


def is_once(order: AnyOrder) -> bool:
    """Whether an order is gone after the question that it was meant for."""
    return isinstance(order, Challenge | NextTurn)


def is_spent(view: View, question: Question, order: AnyOrder) -> bool:
    """Whether an order's only question has come without its being carried out."""
    return isinstance(order, NextTurn) and question.kind == "turn"


def obey(view: View, question: Question, moves: Sequence[Move], order: AnyOrder) -> Move | None:
    """What an order answers to a question that is put to its owner; None where it says nothing about it."""
    match order:
        case NextTurn(move=move) if question.kind == "turn":
            return _offered(moves, move)
        case IfChallenged(lose=card) if question.kind == "proof":
            return _proof(moves, card)
        case Challenge() if _claims(view, question, order):
            return _offered(moves, m.Challenge())
        case IfBlocked(challenge=challenge) if _is_my_block(view, question):
            return _offered(moves, m.Challenge() if challenge else m.Allow())
        case Allow() if question.kind in WINDOWS and _is_by(view, question, order):
            return _offered(moves, m.Allow())
        case AllowOthers() if question.kind in WINDOWS and not _is_aimed_at(view, question, question.seat):
            return _offered(moves, m.Allow())
    return None


def _offered(moves: Sequence[Move], wanted: Move) -> Move | None:
    """The move that is offered and means the same."""
    return next((move for move in moves if msgspec.structs.replace(move, question="") == wanted), None)


def _proof(moves: Sequence[Move], card: Character) -> Move:
    """Prove; else concede the card that was named, else whatever there is to concede."""
    ranks = {m.Prove(): 0, m.Concede(card): 1}
    return min(moves, key=lambda move: ranks.get(msgspec.structs.replace(move, question=""), 2))


def _claims(view: View, question: Question, order: Challenge) -> bool:
    claim = view.challenge
    if question.kind not in WINDOWS or claim is None or claim.denies:
        return False
    return claim.character == order.character and order.player in (None, claim.seat)


def _is_my_block(view: View, question: Question) -> bool:
    return question.kind == CHALLENGE_BLOCK and view.action is not None and view.action.seat == question.seat


def _is_by(view: View, question: Question, order: Allow) -> bool:
    """Whether what is to be allowed is what the order names: done by this player, or this action."""
    done = view.action.verb if view.action else None
    by = view.challenge.seat if view.challenge else view.action.seat if view.action else None
    blocks = question.kind == CHALLENGE_BLOCK
    return order.player in (None, by) and (order.action is None or (order.action == done and not blocks))


def _is_aimed_at(view: View, question: Question, seat: Seat) -> bool:
    """Whether this seat loses or gains by what is to be allowed: its target, or whose action is blocked."""
    if view.bomb is not None:
        return seat in (view.bomb.holder, view.bomb.receiver)
    if view.action is None:
        return False
    return seat in (view.action.target, view.action.seat)


def wrong(order: AnyOrder, seats: int) -> Phrase | None:
    """Why an order cannot be given at a table of so many; None where it can."""
    player = getattr(order, "player", None)
    if player is not None and not 1 <= player <= seats:
        return Phrase(gettext_noop("There is no seat %(seat)s at this table."), {"seat": player})
    card = getattr(order, "character", None) or getattr(order, "lose", None)
    if card is not None and card not in CHARACTERS:
        return Phrase(gettext_noop("There is no character “%(card)s”."), {"card": Notation(card[:20])})
    if isinstance(order, Allow) and order.action is not None and order.action not in ACTIONS:
        return Phrase(gettext_noop("There is no action “%(action)s”."), {"action": Notation(order.action[:20])})
    if isinstance(order, Allow) and order.player is None and order.action is None:
        return Phrase(gettext_noop("Say whom you allow, or which action."))
    return None


def describe(order: AnyOrder) -> Phrase:
    """An order as a sentence."""
    match order:
        case AllowOthers():
            return Phrase(gettext_noop("Allow everything that is not aimed at me."))
        case Allow(player=player, action=action):
            return _allowing(player, action)
        case Challenge(character=character, player=player):
            card = CHARACTERS[character]
            if player is None:
                return Phrase(gettext_noop("Challenge the next claim to hold the %(card)s."), {"card": card})
            sentence = gettext_noop("Challenge the next claim of %(player)s to hold the %(card)s.")
            return Phrase(sentence, {"card": card, "player": SeatName(player)})
        case IfChallenged(lose=card):
            sentence = gettext_noop("If I am challenged: prove if I can, else concede and lose the %(card)s.")
            return Phrase(sentence, {"card": CHARACTERS[card]})
        case IfBlocked(challenge=True):
            return Phrase(gettext_noop("If my action is blocked: challenge the block."))
        case IfBlocked():
            return Phrase(gettext_noop("If my action is blocked: accept it."))
    return Phrase(gettext_noop("On my next turn, if it is possible then: %(move)s"), {"move": label(order.move)})


def _allowing(player: Seat | None, action: str | None) -> Phrase:
    if player is None:
        return Phrase(gettext_noop("Allow every %(action)s."), {"action": Notation(action or "")})
    if action is None:
        return Phrase(gettext_noop("Allow whatever %(player)s does."), {"player": SeatName(player)})
    sentence = gettext_noop("Allow every %(action)s of %(player)s.")
    return Phrase(sentence, {"action": Notation(action), "player": SeatName(player)})


def proposed(view: View) -> tuple[AnyOrder, ...]:
    """What most want to be answered for them: of the cards, those that the viewer may be asked to lose."""
    hand = view.seats[view.viewer - 1].hand or ()
    return (
        AllowOthers(),
        *(IfChallenged(card) for card in sorted(set(hand))),
        IfBlocked(challenge=True),
        IfBlocked(challenge=False),
    )


ORDERS: Final[Orders[View, Move, AnyOrder]] = Orders(
    order_type=AnyOrder,
    rank=rank,
    is_once=is_once,
    is_spent=is_spent,
    obey=obey,
    wrong=wrong,
    describe=describe,
    proposed=proposed,
)
