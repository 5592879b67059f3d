"""The bot's turns: every action is weighed by its possible results."""

from collections.abc import Sequence
from typing import Final

from games.engine import Chance, Move, Question, SeatNumber
from games.rules.coup import moves as m
from games.rules.coup.bot.standing import CHANGES, SHELTER, Standing
from games.rules.coup.bot.suspicion import Suspicion
from games.rules.coup.bot.worth import worth_of
from games.rules.coup.cards import CONTESSA
from games.rules.coup.law import ActionLaw

FEARS: Final = (None, None, None, None, None, 0.5, 0.2)
"""The bot's fear of being caught in a lie, drawn for each turn. With None it does not lie."""

TIRED: Final = 160
"""After this number of questions the bot only saves for coups, so that every game ends."""

NEAR: Final = 0.005
"""Actions are equally good if their values differ by at most this share."""

BLOCKS_HELD: Final = {"target": 0.95, "opponents": 0.85}
"""The probability that a player with the card blocks, by the group of seats that may block."""

BLOCKS_BLUFFED: Final = {"target": 0.2, "opponents": 0.04}
"""The probability that a player without the card blocks."""

LAST_STAND: Final = 0.6
"""The probability that a player claims the contessa if they would otherwise be out of the game."""

GOOD_HAND: Final = 2.0
"""The worth of the two cards that an exchange is expected to leave."""

HAND_MATTERS: Final = 0.12
"""The factor by which a hand that is better by 1 raises the value of its cards."""


def turn(mind: Suspicion, moves: Sequence[Move], chance: Chance, question: Question) -> Move:
    """Choose the best action, or one that is nearly as good. False claims are considered only in some moods."""
    fear, turn_number = chance.choose(FEARS), int(question.id.partition(".")[2])
    offered = moves if turn_number <= TIRED else saving(moves)
    weighed = [(weigh(mind, move, fear or 1.0), move) for move in offered if fear or honest(mind, move)]
    return near_best(mind, weighed, chance)


def near_best(mind: Suspicion, weighed: Sequence[tuple[float, Move]], chance: Chance) -> Move:
    """Return one of the actions that are nearly as good as the best, against its best target, so that it cannot be
    predicted.
    """
    by_verb: dict[str, list[tuple[float, Move]]] = {}
    for value, move in weighed:
        by_verb.setdefault(action_of(mind, move).verb, []).append((value, move))
    best = max(value for value, _ in weighed)
    good = [pairs for pairs in by_verb.values() if max(value for value, _ in pairs) >= best * (1 - NEAR)]
    pairs = chance.choose(good)
    best = max(value for value, _ in pairs)
    return chance.choose([move for value, move in pairs if value >= best * (1 - NEAR / 10)])


def saving(moves: Sequence[Move]) -> Sequence[Move]:
    """Return a coup if it can be paid for, else income."""
    coups = [move for move in moves if isinstance(move, m.Coup)]
    return coups or [move for move in moves if isinstance(move, m.Income)]


def action_of(mind: Suspicion, move: Move) -> ActionLaw:
    """Return the line of the law for a turn's move."""
    return mind.law.actions[str(move.__struct_config__.tag)]


def honest(mind: Suspicion, move: Move) -> bool:
    """Return whether the action claims nothing, or something true."""
    action = action_of(mind, move)
    return action.claims is None or mind.is_own(action.claims, action.denies)


def weigh(mind: Suspicion, move: Move, fear: float) -> float:
    """Return the bot's expected share of the game after an action, over the possible reactions of the others."""
    action, target, before = action_of(mind, move), getattr(move, "target", None), Standing(mind.view)
    if action.claims is None:
        return share_unchallenged(mind, before, action, target) + shelter(mind, before, action, target)
    true = mind.is_own(action.claims, action.denies)
    doubted = mind.doubted(action.claims, action.denies, 1 if target else 0, 1.0 if true else fear)
    stood = share_unchallenged(mind, before, action, target)
    loser = (target or next_opponent(mind)) if true else mind.me
    after = before.hurt(loser)
    caught = share_unchallenged(mind, after, action, target) if true else after.share()
    return (1 - doubted) * stood + doubted * caught


def shelter(mind: Suspicion, before: Standing, action: ActionLaw, target: SeatNumber | None) -> float:
    """Return how much a change of party helps the bot against players who could launch a coup."""
    if action.verb != "convert":
        return 0.0
    saved = before.danger() - CHANGES[action.verb](before.copy(), mind.me, target).danger()
    return SHELTER * saved * before.share()


def next_opponent(mind: Suspicion) -> SeatNumber:
    """Return the next living player clockwise, as the opponent who stands for all."""
    return min(mind.opponents, key=lambda seat: (seat <= mind.me, seat))


def share_unchallenged(mind: Suspicion, before: Standing, action: ActionLaw, target: SeatNumber | None) -> float:
    """Return the bot's share if no player challenges: the action is done, or it is blocked and its cost is spent."""
    paid = before.copy().pay(mind.me, action.price(target))
    paid.reserve += action.price(target) if action.pays_reserve else 0
    blocked = resisted(mind, before, action, target)
    return blocked * paid.share() + (1 - blocked) * standing_after(mind, paid, action, target).share()


def standing_after(mind: Suspicion, paid: Standing, action: ActionLaw, target: SeatNumber | None) -> Standing:
    """Return the standing after the action. The value of an exchange depends on the hand that it would improve."""
    after = CHANGES[action.verb](paid.copy(), mind.me, target)
    if action.verb == "exchange":
        after.edges[mind.me - 1] = 1 + HAND_MATTERS * max(
            0.0, GOOD_HAND * len(mind.hand) / 2 - worth_of(mind.view, mind.hand)
        )
    return after


def resisted(mind: Suspicion, before: Standing, action: ActionLaw, target: SeatNumber | None) -> float:
    """Return the probability that the action is blocked, or that the bomb is handed on or defused."""
    if action.verb == "bomb" and target:
        return mind.holds(target, (CONTESSA,)) * 0.7
    if not action.blocked_by:
        return 0.0
    free = 1.0
    for seat in (target,) if target else mind.opponents:
        holds = mind.holds(seat, action.blocked_by)
        bluffs = BLOCKS_BLUFFED[action.blockers]
        if action.costs_influence and mind.cards(seat) == 1:
            bluffs = LAST_STAND
        if before.cards[seat - 1]:
            free *= 1 - BLOCKS_HELD[action.blockers] * holds - bluffs * (1 - holds)
    return 1 - free
