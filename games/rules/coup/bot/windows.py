"""The bot's reactions: challenges, blocks, and answers to the bomb."""

from collections.abc import Mapping, Sequence
from typing import Final

from games.engine import Chance, Move, Question, SeatNumber
from games.rules.coup import moves as m
from games.rules.coup.bot.standing import CHANGES, Standing
from games.rules.coup.bot.suspicion import Suspicion
from games.rules.coup.bot.worth import least_missed
from games.rules.coup.cards import CONTESSA
from games.rules.coup.visibility.views import ActionView

MOODS: Final = (0.2, 0.2, 0.3, 0.3, 0.3, 0.3, 0.5, 0.5, 0.5, 1.0)
"""The degrees of suspicion of the bot. One is drawn for each reaction."""

TEMPTED: Final[Mapping[str, float]] = {
    "tax": 0.5, "assassinate": 0.4, "steal": 0.5, "exchange": 0.5, "examine": 0.4, "embezzle": 0.5, "bomb": 0.5,
}  # fmt: skip
"""The frequency of each claim by a player without the card, relative to a player with it (see ``Suspicion.true``)."""

TEMPTED_TO_BLOCK: Final = 0.5
LAST_STAND: Final = 1.0
"""TEMPTED for a block by a player whose last card is at stake. Such a player loses nothing by lying."""

OTHERS_CHALLENGE: Final = 0.08
"""The probability that each other player challenges a claim."""

CAUTION: Final = 0.85
"""The weight of a challenge that risks the last card without need."""

BLUFFED_BLOCKS: Final = 0.3
"""The share of reactions in which the bot considers a block with a card that it does not hold."""

BOMB_HITS: Final = 0.7
"""The probability that a bomb that was handed on costs its receiver an influence."""


def window(mind: Suspicion, moves: Sequence[Move], chance: Chance, question: Question) -> Move:
    """Allow, challenge or block, depending on the share of the game that remains."""
    mood = chance.choose(MOODS)
    bold = chance.choose(range(100)) < 100 * BLUFFED_BLOCKS or desperate(mind)
    weighed: list[tuple[float, Move]] = []
    for move in moves:
        if isinstance(move, m.Allow):
            weighed.append((allowed(mind, mood), move))
        elif isinstance(move, m.Challenge):
            weighed.append((challenged(mind, mood), move))
        elif isinstance(move, m.Block) and (bold or mind.is_own(move.character)):
            weighed.append((blocked(mind, move), move))
    return max(weighed, key=lambda pair: pair[0])[1]


def action_now(mind: Suspicion) -> ActionView:
    """Return the action of this turn, which every reaction is about."""
    assert mind.view.action is not None
    return mind.view.action


def desperate(mind: Suspicion) -> bool:
    """Return whether the bot's last card is at stake."""
    action = action_now(mind)
    aimed = action.target == mind.me and mind.law.actions[action.verb].costs_influence
    return aimed and len(mind.hand) == 1


def carried_out(mind: Suspicion, before: Standing) -> Standing:
    """Return the standing once this turn's action takes effect."""
    action = action_now(mind)
    return CHANGES[action.verb](before.copy(), action.seat, action.target)


def truth(mind: Suspicion, mood: float) -> float:
    """Return the probability that the claim is true."""
    claim, action = mind.view.challenge, action_now(mind)
    assert claim is not None
    tempted = TEMPTED[action.verb] if mind.view.block is None else TEMPTED_TO_BLOCK
    at_stake = claim.seat != action.seat and (action.verb == "bomb" or mind.law.actions[action.verb].costs_influence)
    if at_stake and mind.cards(claim.seat) == 1:
        tempted = LAST_STAND
    return mind.true(claim.seat, claim.character, claim.denies, min(1.0, tempted * mood))


def if_it_stands(mind: Suspicion, before: Standing) -> float:
    """Return the bot's share if the claim stands and no other player reacts."""
    view = mind.view
    if view.bomb:
        receiver = view.bomb.receiver
        if receiver is None:
            return before.share()
        if receiver == mind.me and CONTESSA in mind.hand:
            return before.share()
        return BOMB_HITS * before.copy().hurt(receiver).share() + (1 - BOMB_HITS) * before.share()
    if view.block:
        return before.share()
    return carried_out(mind, before).share()


def if_it_falls(mind: Suspicion, before: Standing) -> float:
    """Return the bot's share if the claim in question is disproved."""
    view, action = mind.view, action_now(mind)
    assert view.challenge is not None
    liar = view.challenge.seat
    if view.bomb:
        return before.copy().hurt(liar, 2).share()
    if view.block:
        return carried_out(mind, before.copy().hurt(liar)).share()
    refund = mind.law.actions[action.verb].price(action.target)
    return before.copy().hurt(liar).pay(liar, -refund).share()


def allowed(mind: Suspicion, mood: float) -> float:
    """Return the bot's share if it allows. Others may still challenge."""
    before = Standing(mind.view)
    if mind.view.challenge is None:
        return carried_out(mind, before).share()
    doubted = 1 - (1 - OTHERS_CHALLENGE) ** (len(mind.opponents) - 1)
    falls = doubted * (1 - truth(mind, mood))
    return (1 - falls) * if_it_stands(mind, before) + falls * if_it_falls(mind, before)


def challenged(mind: Suspicion, mood: float) -> float:
    """Return the bot's share if it challenges. If the claim is true, it loses an influence and the action goes on."""
    before, true = Standing(mind.view), truth(mind, mood)
    risked = true * if_it_stands(mind, before.copy().hurt(mind.me)) + (1 - true) * if_it_falls(mind, before)
    last = len(mind.hand) == 1 and len(mind.opponents) > 1 and not desperate(mind)
    return risked * (CAUTION if last else 1.0)


def blocked(mind: Suspicion, move: m.Block) -> float:
    """Return the bot's share if it blocks: the usual one, less the risk of a challenge."""
    before, action = Standing(mind.view), action_now(mind)
    doubted = mind.doubted(move.character, interested=1)
    if mind.is_own(move.character):
        return (1 - doubted) * before.share() + doubted * before.copy().hurt(action.seat).share()
    return (1 - doubted) * before.share() + doubted * carried_out(mind, before.copy().hurt(mind.me)).share()


def bomb(mind: Suspicion, moves: Sequence[Move], chance: Chance, question: Question) -> Move:
    """Explode with the least useful card, or claim the contessa to hand the bomb to the most dangerous player or to
    defuse it.
    """
    explosions = [move for move in moves if isinstance(move, m.Explode)]
    best = least_missed(mind.view, mind.hand, explosions, lambda move: move.character)
    bold = len(mind.hand) == 1 or chance.choose(range(100)) < 100 * BLUFFED_BLOCKS
    if not (bold or CONTESSA in mind.hand):
        return best
    before = Standing(mind.view)
    weighed: list[tuple[float, Move]] = [(before.copy().hurt(mind.me).share(), best)]
    for move in moves:
        if isinstance(move, m.Defuse | m.Hand):
            weighed.append((claimed(mind, before, getattr(move, "target", None)), move))
    return max(weighed, key=lambda pair: pair[0])[1]


def claimed(mind: Suspicion, before: Standing, receiver: SeatNumber | None) -> float:
    """Return the bot's share if it claims the contessa to defuse the bomb or to hand it on."""
    doubted = mind.doubted(CONTESSA, interested=1 if receiver else 0)
    after = before.share()
    if receiver:
        after = BOMB_HITS * before.copy().hurt(receiver).share() + (1 - BOMB_HITS) * after
    if CONTESSA not in mind.hand:
        return (1 - doubted) * after + doubted * before.copy().hurt(mind.me, 2).share()
    return after
