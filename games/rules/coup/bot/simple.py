"""The simple bot: a pure function of its seat's knowledge and of chance.

It weighs every action by its possible results, and reacts to the actions of others with challenges and blocks.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from games.engine import Chance, Knowledge, Move, Question, SeatNumber
from games.rules.coup import moves as m
from games.rules.coup.bot.estimates import (
    CHANGES,
    NO_CLAIMS,
    PICKS,
    SHELTER,
    Standing,
    Suspicion,
    least_missed,
    standing_claims,
    worth,
    worth_of,
)
from games.rules.coup.game import AnyEvent
from games.rules.coup.law import ActionLaw
from games.rules.coup.state import CONTESSA
from games.rules.coup.views import ActionView, View


def bot_move(knowledge: Knowledge[View, AnyEvent], question: Question, moves: Sequence[Move], chance: Chance) -> Move:
    """Return the bot's answer, which is always one of ``moves``."""
    if len(moves) == 1:
        return moves[0]
    claims = standing_claims(knowledge.events()) if question.kind == "turn" else NO_CLAIMS
    return ANSWERS[question.kind](Suspicion(knowledge.view, claims), moves, chance)


def proof(mind: Suspicion, moves: Sequence[Move], chance: Chance) -> Move:
    """Prove if possible, else concede the least useful card."""
    if isinstance(moves[0], m.Prove):
        return moves[0]
    return give(mind, moves, chance)


def give(mind: Suspicion, moves: Sequence[Move], chance: Chance) -> Move:
    """Lose, concede or show the least useful card."""
    return least_missed(mind.view, mind.hand, moves, lambda move: getattr(move, "character", None))


def exchange(mind: Suspicion, moves: Sequence[Move], chance: Chance) -> Move:
    """Keep the best hand of those offered."""
    return max(moves, key=lambda move: worth_of(mind.view, getattr(move, "characters", ())))


def examine(mind: Suspicion, moves: Sequence[Move], chance: Chance) -> Move:
    """Swap a card that helps its owner more than a random card of the court would."""
    examined = mind.view.examined
    average = sum(worth(mind.view, card) for card in mind.law.characters) / len(mind.law.characters)
    swap = examined is not None and worth(mind.view, examined) > average
    return next(move for move in moves if isinstance(move, m.Swap if swap else m.Return))


def draft(mind: Suspicion, moves: Sequence[Move], chance: Chance) -> Move:
    """Pick one of the strong cards at random, so that the choice cannot be predicted."""
    bag = [move for move in moves if isinstance(move, m.Pick) for _ in range(PICKS.get(move.character, 0))]
    return chance.choose(bag)


def party(mind: Suspicion, moves: Sequence[Move], chance: Chance) -> Move:
    """Choose either party: the others alternate."""
    return chance.choose(moves)


Answer = Callable[[Suspicion, Sequence[Move], Chance], Move]


def turn(mind: Suspicion, moves: Sequence[Move], chance: Chance) -> Move:
    """Choose the best action, or one that is nearly as good. False claims are considered only in some moods."""
    question, fear = mind.view.question, chance.choose(FEARS)
    tired = question is not None and int(question.id.partition(".")[2]) > TIRED
    return chance.choose(chance.choose(best_actions(mind, saving(moves) if tired else moves, fear)))


def best_actions(mind: Suspicion, moves: Sequence[Move], fear: float | None) -> Sequence[Sequence[Move]]:
    """Return the actions that are nearly as good as the best: for each, the moves against its best targets."""
    by_verb: dict[str, list[tuple[float, Move]]] = {}
    for move in moves:
        if fear or honest(mind, move):
            by_verb.setdefault(action_of(mind, move).verb, []).append((weigh(mind, move, fear or 1.0), move))
    values = [max(value for value, _ in pairs) for pairs in by_verb.values()]
    return [
        [move for value, move in pairs if value >= best * (1 - NEAR / 10)]
        for best, pairs in zip(values, by_verb.values(), strict=True)
        if best >= max(values) * (1 - NEAR)
    ]


def window(mind: Suspicion, moves: Sequence[Move], chance: Chance) -> Move:
    """Allow, challenge or block, depending on the share of the game that remains."""
    return best_reaction(mind, moves, chance.choose(MOODS), chance.choose(range(100)) < 100 * BLUFFED_BLOCKS)


def best_reaction(mind: Suspicion, moves: Sequence[Move], mood: float, bold: bool) -> Move:
    """Return the best reaction. Blocks without the card are considered only by the bold and the desperate."""
    weighed: list[tuple[float, Move]] = []
    for move in moves:
        if isinstance(move, m.Allow):
            weighed.append((allowed(mind, mood), move))
        elif isinstance(move, m.Challenge):
            weighed.append((challenged(mind, mood), move))
        elif isinstance(move, m.Block) and (bold or mind.is_own(move.character) or desperate(mind)):
            weighed.append((blocked(mind, move), move))
    return max(weighed, key=lambda pair: pair[0])[1]


def bomb(mind: Suspicion, moves: Sequence[Move], chance: Chance) -> Move:
    """Explode with the least useful card, or claim the contessa to hand the bomb to the most dangerous player or to
    defuse it.
    """
    explosions = [move for move in moves if isinstance(move, m.Explode)]
    best = least_missed(mind.view, mind.hand, explosions, lambda move: move.character)
    bold = len(mind.hand) == 1 or chance.choose(range(100)) < 100 * BLUFFED_BLOCKS
    if not (bold or CONTESSA in mind.hand):
        return best
    before = mind.before
    weighed: list[tuple[float, Move]] = [(before.copy().hurt(mind.me).share(), best)]
    for move in moves:
        if isinstance(move, m.Defuse | m.Hand):
            weighed.append((claimed(mind, before, getattr(move, "target", None)), move))
    return max(weighed, key=lambda pair: pair[0])[1]


ANSWERS: Final[Mapping[str, Answer]] = {
    "draft": draft,
    "party": party,
    "turn": turn,
    "challenge": window,
    "block": window,
    "challenge-block": window,
    "proof": proof,
    "loss": give,
    "exchange": exchange,
    "show": give,
    "examine": examine,
    "bomb": bomb,
}
"""The function that answers each kind of question."""


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
    action, target, before = action_of(mind, move), getattr(move, "target", None), mind.before
    if action.claims is None:
        return share_unchallenged(mind, before, action, target) + shelter(mind, before, action, target)
    true = mind.is_own(action.claims, action.denies)
    doubted = mind.doubted(action.claims, action.denies, 1 if target else 0, 1.0 if true else fear)
    stood = share_unchallenged(mind, before, action, target)
    loser = (target or next_opponent(mind)) if true else mind.me
    after = before.copy().hurt(loser)
    caught = share_unchallenged(mind, after, action, target) if true else after.share()
    return (1 - doubted) * stood + doubted * caught


def shelter(mind: Suspicion, before: Standing, action: ActionLaw, target: SeatNumber | None) -> float:
    """Return how much a change of party helps the bot against players who could launch a coup."""
    if action.verb != "convert":
        return 0.0
    saved = before.danger() - CHANGES[action.verb](before.copy(), mind.me, target).danger()
    return SHELTER * saved * before.share()


def next_opponent(mind: Suspicion) -> SeatNumber:
    """Return the next living player clockwise, who stands for any opponent in estimates."""
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
        holds = mind.would_block(seat, action.blocked_by)
        bluffs = BLOCKS_BLUFFED[action.blockers]
        if action.costs_influence and mind.cards(seat) == 1:
            bluffs = LAST_STAND
        if before.cards[seat - 1]:
            free *= 1 - BLOCKS_HELD[action.blockers] * holds - bluffs * (1 - holds)
    return 1 - free


MOODS: Final = (0.2, 0.2, 0.3, 0.3, 0.3, 0.3, 0.5, 0.5, 0.5, 1.0)
"""The degrees of suspicion of the bot. One is drawn for each reaction."""

TEMPTED: Final[Mapping[str, float]] = {
    "tax": 0.5, "assassinate": 0.4, "steal": 0.5, "exchange": 0.5, "examine": 0.4, "embezzle": 0.5, "bomb": 0.5,
}  # fmt: skip
"""The frequency of each claim by a player without the card, relative to a player with it (see ``Suspicion.true``)."""

TEMPTED_TO_BLOCK: Final = 0.5

LAST_STAND_BLOCK: Final = 1.0
"""TEMPTED for a block by a player whose last card is at stake. Such a player loses nothing by lying."""

OTHERS_CHALLENGE: Final = 0.08
"""The probability that each other player challenges a claim."""

CAUTION: Final = 0.85
"""The weight of a challenge that risks the last card without need."""

BLUFFED_BLOCKS: Final = 0.3
"""The share of reactions in which the bot considers a block with a card that it does not hold."""

BOMB_HITS: Final = 0.7
"""The probability that a bomb that was handed on costs its receiver an influence."""


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
        tempted = LAST_STAND_BLOCK
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
    before = mind.before
    if mind.view.challenge is None:
        return carried_out(mind, before).share()
    doubted = 1 - (1 - OTHERS_CHALLENGE) ** (len(mind.opponents) - 1)
    falls = doubted * (1 - truth(mind, mood))
    return (1 - falls) * if_it_stands(mind, before) + falls * if_it_falls(mind, before)


def challenged(mind: Suspicion, mood: float) -> float:
    """Return the bot's share if it challenges. If the claim is true, it loses an influence and the action goes on."""
    before, true = mind.before, truth(mind, mood)
    risked = true * if_it_stands(mind, before.copy().hurt(mind.me)) + (1 - true) * if_it_falls(mind, before)
    last = len(mind.hand) == 1 and len(mind.opponents) > 1 and not desperate(mind)
    return risked * (CAUTION if last else 1.0)


def blocked(mind: Suspicion, move: m.Block) -> float:
    """Return the bot's share if it blocks: the usual one, less the risk of a challenge."""
    before, action = mind.before, action_now(mind)
    doubted = mind.doubted(move.character, interested=1)
    if mind.is_own(move.character):
        return (1 - doubted) * before.share() + doubted * before.copy().hurt(action.seat).share()
    return (1 - doubted) * before.share() + doubted * carried_out(mind, before.copy().hurt(mind.me)).share()


def claimed(mind: Suspicion, before: Standing, receiver: SeatNumber | None) -> float:
    """Return the bot's share if it claims the contessa to defuse the bomb or to hand it on."""
    doubted = mind.doubted(CONTESSA, interested=1 if receiver else 0)
    after = before.share()
    if receiver:
        after = BOMB_HITS * before.copy().hurt(receiver).share() + (1 - BOMB_HITS) * after
    if CONTESSA not in mind.hand:
        return (1 - doubted) * after + doubted * before.copy().hurt(mind.me, 2).share()
    return after
