"""The course of a turn (rules, section 3), the effects of actions, and resignations (Coup C17, C29).

A turn is: declare, challenge, block, challenge the block, resolve. A resignation settles everything that the leaving
player was part of.
"""

from typing import Final

from games.engine import Move, SeatNumber
from games.rules.coup import events as e
from games.rules.coup import moves as m
from games.rules.coup.law import Play, Step
from games.rules.coup.state import (
    SEATS,
    Character,
    Claim,
    State,
    alive,
    court,
    known_cards,
    living,
    nearest,
    next_living,
    open_seats,
    others,
    without,
)

CHALLENGE: Final = "challenge"
BLOCK: Final = "block"
CHALLENGE_BLOCK: Final = "challenge-block"
WINDOWS: Final = (CHALLENGE, BLOCK, CHALLENGE_BLOCK)


def declare(play: Play, seat: SeatNumber, move: Move) -> None:
    """Declare an action and pay for it, then ask the players who may challenge or block it (Coup C5)."""
    verb = m.VERBS[type(move)]
    law = play.law.actions[verb]
    target = getattr(move, "target", None)
    play.emit(
        e.Declared(
            seat=seat,
            action=verb,
            target=target,
            cost=law.price(target),
            claim=law.claims,
            pays_reserve=law.pays_reserve,
        )
    )
    if law.claims:
        separate = play.state.options.prompts == "separate"
        unchallenged = "block" if separate else "resolve"
        claim = Claim(seat, law.claims, law.denies, False, unchallenged=unchallenged, proved="block", disproved="end")
        open_window(play, CHALLENGE, verb, claim, may_block(play) if law.blocked_by and not separate else ())
    elif law.blocked_by:
        play.step("block")
    else:
        play.step("resolve")


def open_window(play: Play, kind: str, reason: str, claim: Claim | None, blockers: tuple[SeatNumber, ...]) -> None:
    """Open a reaction. A claim is put to all living others (Coup C8), an action without a claim to those who may block
    it.
    """
    seats = others(play.state, claim.seat) if claim else blockers
    play.emit(e.WindowOpened(kind=kind, reason=reason, asked=seats, claim=claim, blockers=blockers))


def may_block(play: Play) -> tuple[SeatNumber, ...]:
    """Return the seats that may block the action (Coup C9). An expansion may exclude some of them."""
    law = play.action_law
    if not law.blocked_by:
        return ()
    action = play.action
    if law.blockers == "opponents":
        return play.law.opponents(play.state, action.seat, action.verb)
    return (action.target,) if action.target and alive(play.state, action.target) else ()


def ask_blockers(play: Play) -> None:
    """Ask those who may block, after a failed challenge or an action without a claim (Coup C10)."""
    if blockers := may_block(play):
        open_window(play, BLOCK, play.action.verb, None, blockers)
    else:
        play.step("resolve")


def resolve(play: Play) -> None:
    """Let the action take effect."""
    play.action_law.effect(play)


def answer(play: Play, seat: SeatNumber, move: m.Allow | m.Challenge | m.Block) -> None:
    """Store an answer in a reaction. It stays hidden until the reaction closes (Coup C6, C7)."""
    state = play.state
    verb = m.VERBS[type(move)]
    character = move.character if isinstance(move, m.Block) else None
    play.emit(e.Answered(seat=seat, answer=verb, character=character, waiting=state.options.waiting))
    decisive = verb == CHALLENGE or (verb == BLOCK and state.asking == BLOCK)
    if not play.state.waiting or (decisive and state.options.answers == "first"):
        close_window(play)


def close_window(play: Play) -> None:
    """Close the reaction. The first challenge counts, else the first block, else the action or claim stands."""
    state = play.state
    kind, claim, action = state.asking, state.claim, state.action
    challengers: list[SeatNumber] = []
    blocks: dict[SeatNumber, Character | None] = {}
    for answer in state.answers:
        if answer.answer == CHALLENGE:
            challengers.append(answer.seat)
        elif answer.answer == BLOCK:
            blocks[answer.seat] = answer.character
    play.emit(e.WindowClosed(kind=kind))
    if challengers and claim:
        challenger = nearest(challengers, after=claim.seat)
        play.emit(e.Challenged(seat=challenger, against=claim.seat, character=claim.character))
    elif blocks and action:
        blocker = nearest(blocks, after=action.seat)
        block(play, blocker, blocks[blocker])
    elif claim and kind != BLOCK:
        play.step(claim.unchallenged)
    else:
        play.step("resolve")


def block(play: Play, seat: SeatNumber, character: Character | None) -> None:
    """Block the action. The block stands unless it is challenged and disproved (Coup C9)."""
    assert character is not None
    play.emit(e.Blocked(seat=seat, character=character))
    costs_both = play.action_law.costs_influence and seat == play.action.target
    claim = Claim(seat, character, False, costs_both, unchallenged="stop", proved="stop", disproved="resolve")
    open_window(play, CHALLENGE_BLOCK, play.action.verb, claim, ())


def stop(play: Play) -> None:
    """Stop the blocked action. Its cost stays spent (Coup C13)."""
    play.emit(e.Stopped(seat=play.action.seat, reason="blocked"))
    play.step("end")


def prove(play: Play, seat: SeatNumber, move: m.Prove) -> None:
    """Return the shown cards to the court, shuffle, draw as many, and let the challenger lose a card (Coup C12)."""
    claim, challenger = play.claim, play.state.challenger
    assert challenger is not None
    cards = known_cards(play.state.hands[seat - 1]) if claim.denies else (claim.character,)
    play.emit(e.Proved(seat=seat, cards=cards))
    replacements = play.chance.take(court(play.state), len(cards))
    play.emit(e.Replaced(seat=seat, cards=tuple(sorted(replacements))))
    lose_influence(play, challenger, "challenge", then=claim.proved)


def concede(play: Play, seat: SeatNumber, move: m.Concede) -> None:
    """Accept that the claim is disproved. The cost of an action is refunded before the loss (Coup C13)."""
    claim, action = play.claim, play.state.action
    play.emit(e.Conceded(seat=seat))
    if action and action.seat == seat and play.state.block is None and action.cost:
        play.emit(e.Refunded(seat=seat, coins=action.cost))
    turn_up(play, seat, move.character or first_card(play.state, seat), "challenge", then=claim.disproved)


def first_card(state: State, seat: SeatNumber) -> Character:
    """Return the card to lose if the choice makes no difference."""
    return known_cards(state.hands[seat - 1])[0]


def lose_influence(play: Play, seat: SeatNumber, reason: str, then: str) -> None:
    """Make a player lose an influence. With two face-down cards they choose, with one it is lost immediately (Coup
    C23).
    """
    hand = play.state.hands[seat - 1]
    if len(hand) > 1:
        play.emit(e.LossAsked(seat=seat, reason=reason, then=then))
    elif hand:
        turn_up(play, seat, first_card(play.state, seat), reason, then)
    else:
        play.step(then)


def lose(play: Play, seat: SeatNumber, move: m.Lose) -> None:
    """Lose the card that the player chose."""
    turn_up(play, seat, move.character, play.state.reason, play.state.then)


def turn_up(play: Play, seat: SeatNumber, card: Character, reason: str, then: str) -> None:
    """Turn a card up. A player without influence is out, and with one player left the game ends (Coup C16)."""
    play.emit(e.Lost(seat=seat, card=card, reason=reason))
    if not alive(play.state, seat):
        coins = 0 if purse_waits(play, seat) else play.state.coins[seat - 1]
        play.emit(e.WentOut(seat=seat, coins=coins))
        if ended(play):
            return
    play.step(then)


def purse_waits(play: Play, seat: SeatNumber) -> bool:
    """Return whether a pending steal still takes its coins from this player who goes out (Coup C15).

    A steal is no longer pending if the thief is out (C17), or if the game ends with this player (C16, C25).
    """
    action = play.state.action
    if action is None or action.target != seat or not play.law.actions[action.verb].takes_purse:
        return False
    return alive(play.state, action.seat) and len(others(play.state, seat)) > 1


def empty_purses(play: Play) -> None:
    """Move the coins of players who are out to the treasury, once no steal takes them any more."""
    for seat, hand, coins in zip(SEATS, play.state.hands, play.state.coins, strict=False):
        if coins and not hand:
            play.emit(e.PurseEmptied(seat=seat, coins=coins))


def ended(play: Play) -> bool:
    """End the game if one player is left (Coup C16), and return whether it is over."""
    left = living(play.state)
    if len(left) == 1:
        empty_purses(play)
        state = play.state
        hands = tuple([known_cards(hand) for hand in state.hands])
        rest = tuple(sorted((*court(state), *known_cards(state.drawn))))
        play.emit(e.GameEnded(winner=left[0], hands=hands, court=rest, aside=known_cards(state.aside)))
    return len(left) < 2


def end_turn(play: Play) -> None:
    """End the turn. The remaining coins of players who are out go to the treasury, and the next living player moves."""
    empty_purses(play)
    play.emit(e.TurnBegan(seat=next_living(play.state, play.state.turn)))


STOLEN: Final = 2
"""The coins that a steal takes, if the target has as many."""


def gain(coins: int) -> Step:
    """Return an effect that takes coins from the treasury, which is never empty (Coup C4)."""

    def effect(play: Play) -> None:
        play.emit(e.Gained(seat=play.action.seat, coins=coins))
        play.step("end")

    return effect


def target_loses(reason: str) -> Step:
    """Make the target lose an influence. A target who is already out loses nothing more (Coup C15)."""

    def effect(play: Play) -> None:
        lose_influence(play, play.target, reason, then="end")

    return effect


def steal(play: Play) -> None:
    """Take 2 coins, or the only one (Coup C15: also from a target who went out on the way)."""
    coins = min(STOLEN, play.state.coins[play.target - 1])
    play.emit(e.Stole(seat=play.action.seat, target=play.target, coins=coins))
    play.step("end")


def draw(cards: int) -> Step:
    """Return an effect that draws cards from the court and asks which ones to keep."""

    def effect(play: Play) -> None:
        play.emit(e.Drew(seat=play.action.seat, cards=play.chance.take(court(play.state), cards)))

    return effect


def keep(play: Play, seat: SeatNumber, move: m.Keep) -> None:
    """Keep as many cards as the player held. The others return to the court, which is shuffled."""
    returned = without((*play.state.hands[seat - 1], *play.state.drawn), move.characters)
    play.emit(e.Kept(seat=seat, kept=move.characters, returned=tuple(sorted(known_cards(returned)))))
    play.step("end")


def target_has_coins(state: State, target: SeatNumber | None) -> bool:
    """Return whether the target has coins. Stealing from a player without coins could do nothing (Coup C3)."""
    return target is not None and state.coins[target - 1] > 0


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
