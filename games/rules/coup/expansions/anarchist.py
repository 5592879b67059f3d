"""The anarchist and the bomb (rules, section 7)."""

from functools import partial
from typing import Annotated, Final

from msgspec.structs import replace

from games.engine import Event, Move, SeatEvent, SeatNumber, code
from games.rules.coup import moves as m
from games.rules.coup.asking import by_card, distinct
from games.rules.coup.flow import (
    CHALLENGE,
    close_if_answered,
    drop_challenge,
    first_card,
    lose_influence,
    open_window,
    turn_up,
)
from games.rules.coup.law import ActionLaw, Expansion, Law, Play, QuestionLaw
from games.rules.coup.state import CONTESSA, Bomb, Claim, State, alive, ask, nothing_asked, others


class BombHanded(SeatEvent, frozen=True, tag="bomb-handed"):
    """The anarchist was handed to a player, who is asked for an answer."""

    target: SeatNumber

    def after(self, state: State) -> State:
        holders = (*(state.bomb.held if state.bomb else (self.seat,)), self.target)
        bomb = Bomb(self.target, holders)
        return ask(replace(state, bomb=bomb, claim=None, challenger=None), "bomb", (self.target,), "bomb")


class BombClaimed(SeatEvent, frozen=True, tag="bomb-claimed"):
    """The holder of the bomb claimed the contessa, to defuse it (no receiver) or to hand it on."""

    receiver: SeatNumber | None

    def after(self, state: State) -> State:
        assert state.bomb is not None
        return nothing_asked(replace(state, bomb=replace(state.bomb, receiver=self.receiver)))


class Exploded(SeatEvent, frozen=True, tag="exploded"):
    """The bomb explodes in the hands of its holder."""

    def after(self, state: State) -> State:
        return nothing_asked(state)


class BombReturned(Event, frozen=True, tag="bomb-returned"):
    """The anarchist is back in the middle. ``out`` is true if a player left the game."""

    closes_window = True

    reason: Annotated[str, code("BombReason", ("defused", "exploded", "out"))]

    def after(self, state: State) -> State:
        """Return the state without the bomb. A loss that is being chosen stays owed (Coup C29)."""
        if state.asking == "loss" and state.asked:
            return replace(state, bomb=None, then="end")
        return nothing_asked(replace(state, bomb=None, claim=None, challenger=None))


def bomb_of(play: Play) -> Bomb:
    """Return the bomb that is on its way."""
    assert play.state.bomb is not None
    return play.state.bomb


def throw(play: Play) -> None:
    """Hand the card to another player. There is no claim, no block, no challenge and no refund."""
    play.emit(BombHanded(seat=play.action.seat, target=play.target))


def explode(play: Play, seat: SeatNumber, move: m.Explode) -> None:
    """Lose an influence. The card returns to the middle."""
    play.emit(Exploded(seat=seat))
    turn_up(play, seat, move.character or first_card(play.state, seat), "bomb", then="bomb-exploded")


def claim_contessa(play: Play, seat: SeatNumber, move: m.Defuse | m.Hand) -> None:
    """Claim the contessa to defuse the bomb or hand it on. All others may challenge, and a lie costs both cards."""
    receiver = move.target if isinstance(move, m.Hand) else None
    step = "bomb-passed" if receiver else "bomb-defused"
    play.emit(BombClaimed(seat=seat, receiver=receiver))
    claim = Claim(seat, CONTESSA, False, True, unchallenged=step, proved=step, disproved="bomb-explodes")
    open_window(play, CHALLENGE, "hand" if receiver else "defuse", claim, ())


def passed(play: Play) -> None:
    """Give the bomb to its receiver, unless the receiver is out (Coup C22, C27)."""
    bomb = bomb_of(play)
    assert bomb.receiver is not None
    if alive(play.state, bomb.receiver):
        play.emit(BombHanded(seat=bomb.holder, target=bomb.receiver))
    else:
        bring_back(play, "out")


def explodes(play: Play) -> None:
    """Let the bomb explode after a false claim: the second card is lost as well."""
    lose_influence(play, bomb_of(play).holder, "bomb", then="bomb-exploded")


def bring_back(play: Play, reason: str) -> None:
    """Return the card to the middle and end the turn once nothing more is owed."""
    play.emit(BombReturned(reason=reason))
    if not play.state.asking:
        play.step("end")


def bomb_resigned(play: Play, seat: SeatNumber) -> bool:
    """Continue after a resignation while a bomb is on its way. Return False if there is none.

    The bomb goes on without the player who paid for it. Without its holder or receiver it returns (Coup C17, C22).
    """
    bomb, state = play.state.bomb, play.state
    if bomb is None:
        return False
    if seat in (bomb.holder, bomb.receiver):
        bring_back(play, "out")
    elif state.asking == "proof" and state.challenger == seat:
        drop_challenge(play, seat)
    else:
        close_if_answered(play)
    return True


def bomb_moves(law: Law, state: State, seat: SeatNumber, question: str) -> tuple[Move, ...]:
    """Return the answers to the bomb: explode, defuse, or hand it to a player who has not held it or paid for it in
    this turn (Coup C22).
    """
    hand = state.hands[seat - 1]
    holders = state.bomb.held if state.bomb else ()
    explosions: tuple[Move, ...] = tuple(m.Explode(card, question=question) for card in distinct(hand))
    if len(hand) == 1:
        explosions = (m.Explode(question=question),)
    receivers = (m.Hand(other, question=question) for other in others(state, seat) if other not in holders)
    return (*explosions, m.Defuse(question=question), *receivers)


ANARCHY: Final = Expansion(
    actions=(ActionLaw("bomb", m.Bomb, throw, cost=5, target="one"),),
    questions={"bomb": QuestionLaw(bomb_moves, by_card)},
    answers={m.Explode: explode, m.Defuse: claim_contessa, m.Hand: claim_contessa},
    steps={
        "bomb-passed": passed,
        "bomb-explodes": explodes,
        "bomb-defused": partial(bring_back, reason="defused"),
        "bomb-exploded": partial(bring_back, reason="exploded"),
    },
    resignation=bomb_resigned,
    claims={BombClaimed: CONTESSA},
    worth={CONTESSA: 0.15},
)
