"""Folds each event of the classic game into the state. Total over shown events: nothing here reads a hidden fact."""

from typing import Final

from msgspec.structs import replace

from games.engine import Event, SeatNumber
from games.rules.coup import events as e
from games.rules.coup.law import Fold
from games.rules.coup.state import Action, Answer, Block, Card, State, in_order, with_entry, without


def counted(state: State, seats: tuple[SeatNumber, ...]) -> tuple[int, ...]:
    """Return how many questions each seat has been asked, with one more for these."""
    counts = [*state.counts]
    for seat in seats:
        counts[seat - 1] += 1
    return tuple(counts)


def ask(state: State, kind: str, seats: tuple[SeatNumber, ...], reason: str) -> State:
    """``state`` with a question put to these seats, each under a new id."""
    counts = counted(state, seats)
    return replace(state, asking=kind, reason=reason, asked=seats, answers=(), waiting=len(seats), counts=counts)


def nothing_asked(state: State) -> State:
    """``state`` with the open question closed."""
    return replace(state, asking="", reason="", asked=(), answers=(), waiting=0, blockers=())


def paid(state: State, seat: SeatNumber, coins: int) -> tuple[int, ...]:
    """All purses after a seat got so many coins (or gave them, where negative)."""
    purses = [*state.coins]
    purses[seat - 1] += coins
    return tuple(purses)


def hand_after(
    state: State, seat: SeatNumber, less: tuple[Card, ...], more: tuple[Card, ...]
) -> tuple[tuple[Card, ...], ...]:
    """All hands after one gave cards away and got others."""
    return with_entry(state.hands, seat, in_order((*without(state.hands[seat - 1], less), *more)))


def set_up(state: State | None, event: e.SetUp) -> State:
    """The table before anything was dealt."""
    nothing: tuple[tuple[Card, ...], ...] = ((),) * event.seats
    return State(
        options=event.options,
        pack=event.pack,
        starter=event.starter,
        coins=event.coins,
        treasury=event.treasury,
        hands=nothing,
        lost=((),) * event.seats,
        counts=(0,) * event.seats,
    )


def dealt(state: State, event: e.Dealt | e.Replaced) -> State:
    hand = in_order((*state.hands[event.seat - 1], *event.cards))
    return replace(state, hands=with_entry(state.hands, event.seat, hand))


def turn_began(state: State, event: e.TurnBegan) -> State:
    asked = (event.seat,)
    return replace(
        state,
        turn=event.seat,
        asking="turn",
        reason="turn",
        asked=asked,
        answers=(),
        waiting=1,
        counts=counted(state, asked),
        action=None,
        claim=None,
        block=None,
        challenger=None,
    )


def declared(state: State, event: e.Declared) -> State:
    action = Action(event.seat, event.action, event.target, event.cost)
    to_reserve = event.cost if event.pays_reserve else 0
    return replace(
        state,
        action=action,
        coins=paid(state, event.seat, -event.cost) if event.cost else state.coins,
        reserve=state.reserve + to_reserve,
        treasury=state.treasury + event.cost - to_reserve,
        asking="",
        reason="",
        asked=(),
        answers=(),
        waiting=0,
        blockers=(),
    )


def window_opened(state: State, event: e.WindowOpened) -> State:
    return replace(
        state,
        asking=event.kind,
        reason=event.reason,
        asked=event.asked,
        answers=(),
        waiting=len(event.asked),
        counts=counted(state, event.asked),
        claim=event.claim,
        blockers=event.blockers,
        challenger=None,
    )


def answered(state: State, event: e.Answered) -> State:
    if event.seat is None:
        return replace(state, waiting=state.waiting - 1)
    answers = (*state.answers, Answer(event.seat, event.answer, event.character))
    return replace(state, waiting=state.waiting - 1, answers=answers)


def closed(state: State, event: Event) -> State:
    return nothing_asked(state)


def challenged(state: State, event: e.Challenged) -> State:
    return ask(replace(state, challenger=event.seat), "proof", (event.against,), event.character)


def challenge_dropped(state: State, event: e.ChallengeDropped) -> State:
    return nothing_asked(replace(state, challenger=None))


def proved(state: State, event: e.Proved) -> State:
    hand = without(state.hands[event.seat - 1], event.cards)
    return nothing_asked(replace(state, hands=with_entry(state.hands, event.seat, hand)))


def refunded(state: State, event: e.Refunded) -> State:
    return replace(state, coins=paid(state, event.seat, event.coins), treasury=state.treasury - event.coins)


def blocked(state: State, event: e.Blocked) -> State:
    return replace(state, block=Block(event.seat, event.character))


def block_lapsed(state: State, event: e.BlockLapsed) -> State:
    """A loss that is being chosen stays owed (Coup C29)."""
    if state.asking == "loss" and state.asked:
        return replace(state, block=None, then="resolve")
    return nothing_asked(replace(state, block=None, claim=None, challenger=None))


def stopped(state: State, event: e.Stopped) -> State:
    """Return what is owed stays owed (Coup C29); everything else about the action closes."""
    if state.asking == "loss" and state.asked:
        return replace(state, then="end", drawn=(), shown=None)
    return nothing_asked(replace(state, drawn=(), shown=None, claim=None, challenger=None))


def loss_asked(state: State, event: e.LossAsked) -> State:
    return ask(replace(state, then=event.then), "loss", (event.seat,), event.reason)


def lost(state: State, event: e.Lost) -> State:
    hand = without(state.hands[event.seat - 1], (event.card,))
    face_up = (*state.lost[event.seat - 1], event.card)
    hands, lost = with_entry(state.hands, event.seat, hand), with_entry(state.lost, event.seat, face_up)
    return nothing_asked(replace(state, hands=hands, lost=lost))


def purse_to_treasury(state: State, event: e.WentOut | e.PurseEmptied) -> State:
    return replace(state, coins=paid(state, event.seat, -event.coins), treasury=state.treasury + event.coins)


def gained(state: State, event: e.Gained) -> State:
    return replace(state, coins=paid(state, event.seat, event.coins), treasury=state.treasury - event.coins)


def stole(state: State, event: e.Stole) -> State:
    coins = paid(state, event.target, -event.coins)
    return replace(state, coins=with_entry(coins, event.seat, coins[event.seat - 1] + event.coins))


def drew(state: State, event: e.Drew) -> State:
    return ask(replace(state, drawn=event.cards), "exchange", (event.seat,), "exchange")


def kept(state: State, event: e.Kept) -> State:
    return nothing_asked(replace(state, drawn=(), hands=with_entry(state.hands, event.seat, in_order(event.kept))))


def resigned(state: State, event: e.Resigned) -> State:
    """Cards face up, the questions put to them vanish, their hidden answers are withdrawn (Coup C17)."""
    seat = event.seat
    mine = state.action is not None and state.action.seat == seat
    waiting = state.waiting if event.still_waiting is None else event.still_waiting
    return replace(
        state,
        hands=with_entry(state.hands, seat, ()),
        lost=with_entry(state.lost, seat, (*state.lost[seat - 1], *event.cards)),
        coins=paid(state, seat, -event.coins),
        treasury=state.treasury + event.coins,
        asked=tuple(other for other in state.asked if other != seat),
        blockers=tuple(other for other in state.blockers if other != seat),
        answers=tuple(answer for answer in state.answers if answer.seat != seat),
        waiting=waiting,
        drawn=() if mine else state.drawn,
    )


def asked_anew(state: State, event: e.AskedAnew) -> State:
    return ask(state, state.asking, (event.seat,), state.reason)


def game_ended(state: State, event: e.GameEnded) -> State:
    return replace(
        nothing_asked(state),
        winner=event.winner,
        hands=event.hands,
        court=event.court,
        aside=event.aside,
        drawn=(),
        shown=None,
        action=None,
        claim=None,
        block=None,
        challenger=None,
        bomb=None,
    )


FOLDS: Final[dict[type[Event], Fold]] = {
    e.Dealt: dealt,
    e.TurnBegan: turn_began,
    e.Declared: declared,
    e.WindowOpened: window_opened,
    e.Answered: answered,
    e.WindowClosed: closed,
    e.Challenged: challenged,
    e.ChallengeDropped: challenge_dropped,
    e.Proved: proved,
    e.Replaced: dealt,
    e.Conceded: closed,
    e.Refunded: refunded,
    e.Blocked: blocked,
    e.BlockLapsed: block_lapsed,
    e.Stopped: stopped,
    e.LossAsked: loss_asked,
    e.Lost: lost,
    e.WentOut: purse_to_treasury,
    e.PurseEmptied: purse_to_treasury,
    e.Gained: gained,
    e.Stole: stole,
    e.Drew: drew,
    e.Kept: kept,
    e.Resigned: resigned,
    e.AskedAnew: asked_anew,
    e.GameEnded: game_ended,
}
