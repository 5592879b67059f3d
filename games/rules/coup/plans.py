"""Plans: answers that a player gives ahead, so that a slow game need not ask them each time.

Most plans look at public facts only. Three look at their owner's cards: what to do if challenged, what to lose, and
what to block if it is held. These three always answer, so the answer and its time reveal nothing about the hand.
"""

from collections.abc import Iterator, Sequence
from typing import Any, ClassVar, Final

import msgspec

from games.engine import Move, MoveText, Phrase, Question, SeatName, SeatNumber
from games.engine import gettext_noop as _
from games.engine.plans import Plan, no_such_turn, offered
from games.rules.coup import moves as m
from games.rules.coup.asking import FORCED_COUP
from games.rules.coup.flow import CHALLENGE_BLOCK, STOLEN, WINDOWS
from games.rules.coup.game import law_of
from games.rules.coup.law import Law
from games.rules.coup.moves import AnyMove
from games.rules.coup.state import Character
from games.rules.coup.views import View

_BOMB: Final = "bomb"
_LOSS: Final = "loss"
_ENDS_PLANNED_TURNS: Final = ("turn", _LOSS, "proof", "show", _BOMB)
"""The questions that cancel a planned turn: the turn has come, or the owner's own cards are in question, which the
owner could not foresee."""


class AllowOthers(Plan, frozen=True, tag="allow-others"):
    """Allow everything that is not aimed at the owner."""

    begins = "allow all"


class Allow(Plan, frozen=True, tag="allow"):
    """Allow the actions of this player, or this action with any target."""

    order = ("action", "player")

    player: SeatNumber | None = None
    action: str | None = None


class Challenge(Plan, frozen=True, tag="challenge"):
    """Challenge the next claim to hold this character; with a player, only theirs. It is used once."""

    character: Character
    player: SeatNumber | None = None


class IfChallenged(Plan, frozen=True, tag="if-challenged"):
    """Prove the claim if possible, when challenged; else concede and lose this card, or another one instead."""

    begins = "if-challenged prove else concede"

    lose: Character


class IfLosing(Plan, frozen=True, tag="if-losing"):
    """Lose this card, or another one instead, when an influence has to be lost."""

    begins = "if-losing lose"

    lose: Character


class Block(Plan, frozen=True, tag="block"):
    """Block this action with this character whenever possible, until the plan is withdrawn; with a player, only
    theirs.

    With ``else_allow`` only if the owner holds the character then, and allow the action otherwise. Without it the
    hand does not matter. An action that was challenged is not blocked (C6).
    """

    boolean_words: ClassVar = {"else_allow": ("", "else allow")}

    action: str
    character: Character
    player: SeatNumber | None = None
    else_allow: bool = False


class IfBlocked(Plan, frozen=True, tag="if-blocked"):
    """Challenge or accept a block of the owner's action."""

    boolean_words: ClassVar = {"challenge": ("allow", "challenge")}

    challenge: bool


class NextTurn(Plan, frozen=True, tag="next-turn"):
    """Take this action on the owner's next turn, if it is possible then. It is used once, or lapses.

    Of several plans the first that is possible is used; those before it lapse, those after it are for later turns. A
    plan made during the owner's turn is for a later turn. All lapse when the owner is asked to prove, show or lose a
    card, or gets the bomb: they counted on other cards. A plan made while that is asked stays.
    """

    move: AnyMove


AnyPlan = AllowOthers | Allow | Challenge | IfChallenged | IfLosing | Block | IfBlocked | NextTurn
RANKS: Final = (NextTurn, IfChallenged, IfLosing, Challenge, Block, IfBlocked, Allow, AllowOthers)
"""The order in which plans are tried: more specific plans first."""


def rank(plan: AnyPlan) -> tuple[int, bool]:
    """Return the sort key of a plan: its place in ``RANKS``. Of one kind, plans about one player come first."""
    return RANKS.index(type(plan)), getattr(plan, "player", None) is None


def subject(plan: AnyPlan) -> tuple[Any, ...] | None:
    """Return the subject of a plan: the player or action that it allows or blocks, or the claim that it challenges.

    Other plans have one subject for each kind. Plans for turns have none: several can wait for later turns.
    """
    if isinstance(plan, NextTurn):
        return None
    about = ("player", "action") if isinstance(plan, Allow | Block) else ("player", "character")
    return type(plan), *(getattr(plan, field, None) for field in about)


def is_once(plan: AnyPlan) -> bool:
    """Return whether a plan is gone after the question that it was meant for."""
    return isinstance(plan, Challenge | NextTurn)


def is_spent(view: View, question: Question, plan: AnyPlan) -> bool:
    """Return whether a plan's only question has come without its being carried out."""
    return isinstance(plan, NextTurn) and question.kind in _ENDS_PLANNED_TURNS


def answer_to(view: View, question: Question, moves: Sequence[Move], plan: AnyPlan) -> Move | None:
    """Return the move with which a plan answers a question to its owner, or None if it does not apply."""
    match plan:
        case NextTurn(move=move) if question.kind == "turn":
            return offered(moves, move)
        case IfChallenged(lose=card) if question.kind == "proof":
            return _proof(moves, card)
        case IfLosing(lose=card) if question.kind == "loss":
            return offered(moves, m.Lose(card)) or moves[0]
        case Challenge() if _claims(view, question, plan):
            return offered(moves, m.Challenge())
        case Block() if _is_by(view, question, plan):
            return _block(view, question, moves, plan)
        case IfBlocked(challenge=challenge) if _is_my_block(view, question):
            return offered(moves, m.Challenge() if challenge else m.Allow())
        case Allow() if question.kind in WINDOWS and _is_by(view, question, plan):
            return offered(moves, m.Allow())
        case AllowOthers() if question.kind in WINDOWS and not _is_aimed_at(view, question.seat):
            return offered(moves, m.Allow())
    return None


def _proof(moves: Sequence[Move], card: Character) -> Move:
    """Return the proof. If there is none, return the concession of the named card, or any concession."""
    ranks = {m.Prove(): 0, m.Concede(card): 1}
    return min(moves, key=lambda move: ranks.get(msgspec.structs.replace(move, question=""), 2))


def _block(view: View, question: Question, moves: Sequence[Move], plan: Block) -> Move | None:
    """Block where it can be done; with ``else_allow`` allow instead, if the character is not held."""
    block = offered(moves, m.Block(plan.character))
    bluffs = plan.character not in (view.seats[question.seat - 1].hand or ())
    return offered(moves, m.Allow()) if block is not None and plan.else_allow and bluffs else block


def _claims(view: View, question: Question, plan: Challenge) -> bool:
    claim = view.challenge
    if question.kind not in WINDOWS or claim is None or claim.denies:
        return False
    return claim.character == plan.character and plan.player in (None, claim.seat)


def _is_my_block(view: View, question: Question) -> bool:
    return question.kind == CHALLENGE_BLOCK and view.action is not None and view.action.seat == question.seat


def _is_by(view: View, question: Question, plan: Allow | Block) -> bool:
    """Return whether the question is about the player or the action that the plan names."""
    action = view.action.verb if view.action else None
    by = view.challenge.seat if view.challenge else view.action.seat if view.action else None
    blocks = question.kind == CHALLENGE_BLOCK
    return plan.player in (None, by) and (plan.action is None or (plan.action == action and not blocks))


def _is_aimed_at(view: View, seat: SeatNumber) -> bool:
    """Return whether allowing would affect this seat: as the target, or because its own action is blocked."""
    if view.bomb is not None:
        return seat in (view.bomb.holder, view.bomb.receiver)
    if view.action is None:
        return False
    return seat in (view.action.target, view.action.seat)


def is_aimed(view: View, question: Question) -> bool:
    """Return whether a question is about its owner. Questions about actions of others against others are not."""
    return question.kind not in WINDOWS or _is_aimed_at(view, question.seat)


def law_at(view: View) -> Law:
    return law_of(view.options, len(view.seats))


def allowable(law: Law) -> list[str]:
    """Return the actions that a player can be asked to allow."""
    return [verb for verb, action in law.actions.items() if action.claims or action.blocked_by or verb == _BOMB]


def blockable(law: Law) -> dict[str, tuple[Character, ...]]:
    """Return the actions that can be blocked, with the characters that block them."""
    return {verb: action.blocked_by for verb, action in law.actions.items() if action.blocked_by}


def others(view: View, seat: SeatNumber) -> list[SeatNumber]:
    """Return the other players who are in the game."""
    return [player.seat for player in view.seats if player.alive and player.seat != seat]


def turns(view: View, seat: SeatNumber) -> Iterator[Move]:
    """Yield every action that the seat might take in some turn, at any cost."""
    for action in law_at(view).actions.values():
        make: type = action.move
        if action.target != "one":
            yield make()
        if action.target != "none":
            yield from (make(target=other) for other in others(view, seat))


def wrong(view: View, seat: SeatNumber, plan: AnyPlan) -> Phrase | None:
    """Return the reason why a seat cannot make a plan in this position, or None if it can."""
    if not view.seats[seat - 1].alive:
        return Phrase(_("You’re no longer in this game."))
    player = getattr(plan, "player", None)
    if player is not None and (why := _wrong_player(view, seat, player)):
        return why
    card = getattr(plan, "character", None) or getattr(plan, "lose", None)
    if card is not None and card not in law_at(view).characters:
        sentence = _("There’s no character “%(card)s” in this game.")
        return Phrase(sentence, {"card": MoveText(card[:20])})
    if isinstance(plan, Allow):
        return _wrong_to_allow(view, plan)
    if isinstance(plan, Block):
        return _wrong_to_block(view, plan)
    if isinstance(plan, NextTurn) and plan.move not in turns(view, seat):
        return no_such_turn(plan.move)
    return None


def _wrong_player(view: View, seat: SeatNumber, player: SeatNumber) -> Phrase | None:
    if not 1 <= player <= len(view.seats):
        return Phrase(_("There’s no seat %(seat)s in this game."), {"seat": player})
    if player == seat:
        return Phrase(_("You’re never asked about your own actions. Name another player."))
    if player not in others(view, seat):
        return Phrase(_("%(player)s is out of the game."), {"player": SeatName(player)})
    return None


def _wrong_to_allow(view: View, plan: Allow) -> Phrase | None:
    if plan.player is None and plan.action is None:
        return Phrase(_("Name the player or the action that you allow."))
    if plan.action is not None and plan.action not in allowable(law_at(view)):
        sentence = _("Nobody is asked to allow “%(action)s” in this game.")
        return Phrase(sentence, {"action": MoveText(plan.action[:20])})
    return None


def _wrong_to_block(view: View, plan: Block) -> Phrase | None:
    blocks = blockable(law_at(view))
    action = MoveText(plan.action[:20])
    if plan.action not in blocks:
        sentence = _("“%(action)s” can’t be blocked in this game. These actions can: %(actions)s.")
        return Phrase(sentence, {"action": action, "actions": tuple(map(MoveText, blocks))})
    cards = blocks[plan.action]
    if plan.character not in cards:
        sentence = _("“%(action)s” can’t be blocked with the “%(card)s”, only with: %(cards)s.")
        known_cards = tuple(map(MoveText, cards))
        return Phrase(sentence, {"action": action, "card": MoveText(plan.character), "cards": known_cards})
    return None


def second(view: View, question: Question) -> tuple[NextTurn, ...]:
    """Return the plans for the next turn that a player can choose together with an answer in another player's turn.

    They are offered in a reaction, unless allowing could cost the player a card, and with the loss of a card. Only
    actions that the player could pay for now are included.
    """
    seat, action = question.seat, view.action
    if view.turn == seat or question.kind not in (*WINDOWS, _LOSS):
        return ()
    law, coins = law_at(view), view.seats[seat - 1].coins
    if question.kind in WINDOWS and _may_have_cards_in_question(view, seat):
        return ()
    if action is not None and action.target == seat and law.actions[action.verb].takes_purse:
        coins = max(0, coins - STOLEN)  # also where a challenge of the robbery has just cost them a card
    moves = turns(view, seat)
    return tuple(NextTurn(move) for move in moves if _is_affordable(law, move, coins))  # type: ignore[arg-type]


def _may_have_cards_in_question(view: View, seat: SeatNumber) -> bool:
    """Return whether a seat that allows may be asked for a card, by public facts."""
    if view.bomb is not None and view.bomb.receiver == seat:
        return True
    if view.action is None or view.action.target != seat:
        return False
    action = law_at(view).actions[view.action.verb]
    return action.costs_influence or (action.verb == "examine" and view.seats[seat - 1].cards > 1)


def is_next(view: View, seat: SeatNumber) -> bool:
    """Return whether a seat takes the next turn, as far as is known."""
    left = [seat.seat for seat in view.seats if seat.alive]
    return min((other for other in left if other > view.turn), default=min(left)) == seat


def _is_affordable(law: Law, move: Move, coins: int) -> bool:
    action = law.actions[m.VERBS[type(move)]]
    forced = coins >= FORCED_COUP and not isinstance(move, m.Coup)
    return not forced and coins >= action.price(getattr(move, "target", None))
