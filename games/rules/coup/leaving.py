"""Resignations, and the settling of everything that the leaving player was part of (Coup C17, C29)."""

from games.engine import SeatNumber
from games.rules.coup import events as e
from games.rules.coup.flow import CHALLENGE_BLOCK, WINDOWS, close_window, empty_purses, ended, purse_waits
from games.rules.coup.law import Play
from games.rules.coup.state import State, known_cards, open_seats


def leave(play: Play, seat: SeatNumber) -> None:
    """Turn the player's cards up and move their coins to the treasury. Then the game ends or goes on without them."""
    before = play.state
    cards = tuple(sorted(known_cards(before.hands[seat - 1])))
    still_asked = tuple(other for other in open_seats(before) if other != seat)
    play.emit(
        e.Resigned(
            seat=seat,
            cards=cards,
            coins=0 if purse_waits(play, seat) else before.coins[seat - 1],
            still_waiting=len(still_asked),
            waiting=before.options.waiting,
        )
    )
    if ended(play):
        return
    if not any(resignation(play, seat) for resignation in play.law.resignations):
        settle(play, seat)
    ask_anew(play, before)


def settle(play: Play, seat: SeatNumber) -> None:
    """Settle the role of the leaving player in the pending action, claim or block."""
    state = play.state
    if state.action and state.action.seat == seat:
        stop_action(play)
    elif (
        state.block and state.block.seat == seat and (state.asking in (CHALLENGE_BLOCK, "proof") or block_stands(state))
    ):
        void_block(play, seat)
    elif state.asking == "proof" and state.challenger == seat:
        drop_challenge(play, seat)
    else:
        close_if_answered(play)


def stop_action(play: Play) -> None:
    """Stop the action of a player who left. Its cost is not refunded, and a pending loss still happens (Coup C29)."""
    state = play.state
    if state.asking == "loss" and state.asked and state.then == "end":
        return
    play.emit(e.Stopped(seat=play.action.seat, reason="resigned"))
    empty_purses(play)
    if not play.state.asking:
        play.step("end")


def block_stands(state: State) -> bool:
    """Return whether a block was proved while its challenger is still choosing a card to lose."""
    return state.asking == "loss" and state.then == "stop"


def void_block(play: Play, seat: SeatNumber) -> None:
    """Drop the block, because the blocker left. The action continues once a pending loss has been chosen (Coup C29)."""
    play.emit(e.BlockLapsed(seat=seat))
    if not play.state.asking:
        play.step("resolve")


def drop_challenge(play: Play, seat: SeatNumber) -> None:
    """Drop the challenge, because the challenger left before the proof. The claim counts as proved, without a loss and
    unshown.
    """
    claim = play.claim
    play.emit(e.ChallengeDropped(seat=seat))
    play.step(claim.proved)


def close_if_answered(play: Play) -> None:
    """Close the reaction as if the player had been silent, if it waited for no other player."""
    state = play.state
    if state.asking in WINDOWS:
        if not open_seats(state):
            close_window(play)
    elif not state.asked and state.asking == "loss":
        play.step(state.then)
    elif not state.asked and state.asking:
        play.step("end")


def ask_anew(play: Play, before: State) -> None:
    """Ask an open question under a new id, because the resignation changed its answers."""
    state = play.state
    if state.asking != before.asking or state.counts != before.counts:
        return
    question = play.law.questions.get(state.asking)
    for seat in state.asked:
        if question and question.moves(play.law, before, seat, "") != question.moves(play.law, state, seat, ""):
            play.emit(e.AskedAnew(seat=seat))
