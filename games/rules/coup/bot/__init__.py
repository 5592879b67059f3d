"""The bot of Coup: a pure function of its seat's knowledge and of chance."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from games.engine import Chance, Knowledge, Move, Question
from games.rules.coup import moves as m
from games.rules.coup.bot.suspicion import Suspicion
from games.rules.coup.bot.turns import turn
from games.rules.coup.bot.windows import bomb, window
from games.rules.coup.bot.worth import PICKS, least_missed, worth, worth_of
from games.rules.coup.expansions.book import AnyEvent
from games.rules.coup.visibility.views import View


def bot_move(knowledge: Knowledge[View, AnyEvent], question: Question, moves: Sequence[Move], chance: Chance) -> Move:
    """Return the bot's answer, which is always one of ``moves``."""
    if len(moves) == 1:
        return moves[0]
    return ANSWERS[question.kind](Suspicion(knowledge.view), moves, chance, question)


def proof(mind: Suspicion, moves: Sequence[Move], chance: Chance, question: Question) -> Move:
    """Prove if possible, else concede the least useful card."""
    if isinstance(moves[0], m.Prove):
        return moves[0]
    return give(mind, moves, chance, question)


def give(mind: Suspicion, moves: Sequence[Move], chance: Chance, question: Question) -> Move:
    """Lose, concede or show the least useful card."""
    return least_missed(mind.view, mind.hand, moves, lambda move: getattr(move, "character", None))


def exchange(mind: Suspicion, moves: Sequence[Move], chance: Chance, question: Question) -> Move:
    """Keep the best hand of those offered."""
    return max(moves, key=lambda move: worth_of(mind.view, getattr(move, "characters", ())))


def examine(mind: Suspicion, moves: Sequence[Move], chance: Chance, question: Question) -> Move:
    """Swap a card that helps its owner more than a random card of the court would."""
    examined = mind.view.examined
    average = sum(worth(mind.view, card) for card in mind.law.characters) / len(mind.law.characters)
    swap = examined is not None and worth(mind.view, examined) > average
    return next(move for move in moves if isinstance(move, m.Swap if swap else m.Return))


def draft(mind: Suspicion, moves: Sequence[Move], chance: Chance, question: Question) -> Move:
    """Pick one of the strong cards at random, so that the choice cannot be predicted."""
    bag = [move for move in moves if isinstance(move, m.Pick) for _ in range(PICKS.get(move.character, 0))]
    return chance.choose(bag)


def party(mind: Suspicion, moves: Sequence[Move], chance: Chance, question: Question) -> Move:
    """Choose either party: the others alternate."""
    return chance.choose(moves)


Answer = Callable[[Suspicion, Sequence[Move], Chance, Question], Move]

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
