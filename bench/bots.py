"""Measures how often a bot beats its rivals in whole games in memory, and prints one line of figures.

From the project's root::

    python -m bench.bots coup --games 2000 --seats 4
    python -m bench.bots coup --seats 10 inquisitor=true reformation=true anarchist=true
    python -m bench.bots sedlec --seats 3 --rivals random
    python -m bench.bots coup --games 40 --rivals bot --level strong
"""

import argparse
import random
from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from time import perf_counter
from typing import Any, Final

import msgspec

from games.engine import AnyRules, Chance, Event, Move, Question, SeatNumber, know, replay
from games.engine import play as go_on
from games.engine.rules import any_move
from games.engine.search import answer
from games.engine.types import LEVEL_NAMES, NORMAL
from games.rules.registry import RULES

ENDLESS: Final = 20_000
"""The number of moves after which a game counts as endless."""

SURE: Final = 1.96
"""Half the width of an interval of 95 %, in standard errors."""


class PlainChance(Chance):
    """A fast source of chance that draws the same for the same seed."""

    def __init__(self, seed: object) -> None:
        super().__init__()
        self._random = random.Random(str(seed))

    def _index(self, options: Sequence[object]) -> int:
        return self._random.randrange(len(options))


@dataclass
class Tally:
    """The results of some games."""

    games: int = 0
    won: float = 0.0
    """The wins of the bot. A shared win counts as a part of a win."""
    moves: int = 0
    longest: int = 0
    decisions: int = 0
    """The number of moves of the bot."""
    seconds: float = 0.0
    """The time that the bot needed for them."""

    @property
    def rate(self) -> float:
        """Return the share of the games that the bot won."""
        return self.won / self.games


def rival_move(
    rules: AnyRules, rivals: str, state: Any, question: Question, chance: Chance, log: Sequence[Event]
) -> Move:
    """Return the move of a rival: a random legal move, the clock's default move, or a move of a bot."""
    if rivals == "clock":
        default: Move = rules.default_move(state, question, chance)
        return default
    moves = rules.legal_moves(state, question)
    if rivals == "random":
        random_move: Move = any_move(None, question, moves, chance)
        return random_move
    bot_move: Move = rules.bot_move(know(rules, state, question.seat, lambda: log), question, moves, chance)
    return bot_move


@dataclass(frozen=True)
class Match:
    """The bot that is measured, and its rivals."""

    rules: AnyRules
    options: Any
    seats: int
    rivals: str = "random"
    level: str = NORMAL


def play(match: Match, bot: SeatNumber, chance: Chance, tally: Tally) -> None:
    """Play a game to its end and add it to the tally. Of several open questions a random one is answered first."""
    rules, options, seats, rivals = match.rules, match.options, match.seats, match.rivals
    log = [*rules.setup(options, seats, chance)]
    state = replay(rules, log)
    for moves in range(ENDLESS):
        outcome = rules.outcome(state)
        if outcome:
            tally.games += 1
            tally.won += (bot in outcome.winners) / max(1, len(outcome.winners))
            tally.moves += moves
            tally.longest = max(tally.longest, moves)
            return
        question = chance.choose(rules.questions(state))
        if question.seat == bot:
            knowledge, offered = know(rules, state, bot, log.copy), rules.legal_moves(state, question)
            began = perf_counter()
            move = answer(rules, knowledge, question, offered, chance, match.level)
            tally.seconds += perf_counter() - began
            tally.decisions += 1
        else:
            move = rival_move(rules, rivals, state, question, chance, log)
        events, state = go_on(rules, state, question.seat, move, chance)
        log += events
    raise RuntimeError(f"a game of {rules.name} has not ended after {ENDLESS} moves")


def measure(match: Match, games: int, seed: object = 1) -> Tally:
    """Play games with the bot on each seat in turn."""
    tally = Tally()
    for game in range(games):
        play(match, SeatNumber(game % match.seats + 1), PlainChance(f"{seed}/{game}"), tally)
    return tally


def interval(won: float, games: int) -> tuple[float, float]:
    """Return the interval of 95 % for a share of wins (Wilson)."""
    share, spread = won / games, SURE * SURE / games
    middle = (share + spread / 2) / (1 + spread)
    width = SURE * sqrt(share * (1 - share) / games + spread / 4 / games) / (1 + spread)
    return middle - width, middle + width


def option(text: str) -> tuple[str, object]:
    """Parse ``name=value``. A value that is not JSON is taken as text."""
    name, _, value = text.partition("=")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.bots", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("game", nargs="?", default="coup", choices=sorted(RULES))
    parser.add_argument("options", nargs="*", type=option, metavar="option=value", help="the game's options")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--seats", type=int, default=4)
    parser.add_argument("--rivals", choices=("random", "clock", "bot"), default="random")
    parser.add_argument("--level", choices=LEVEL_NAMES, default=NORMAL, help="the level of the bot")
    parser.add_argument("--seed", default="1")
    return parser.parse_intermixed_args()


def main() -> None:
    """Measure, and print one line."""
    settings = arguments()
    began = perf_counter()
    rules = RULES[settings.game]
    options = rules.options(**dict(settings.options))
    match = Match(rules, options, settings.seats, settings.rivals, settings.level)
    tally = measure(match, settings.games, settings.seed)
    text = " ".join(f"{name}={msgspec.json.encode(value).decode()}" for name, value in settings.options)
    low, high = (100 * bound for bound in interval(tally.won, tally.games))
    print(
        f"{settings.game}{text and ' ' + text}, {settings.seats} seats,"
        f" {settings.games} games against {settings.rivals}:"
        f" {settings.level} {100 * tally.rate:.1f} % ({low:.0f} to {high:.0f}; by lot {100 / settings.seats:.1f} %),"
        f" {tally.moves / tally.games:.0f} moves a game (longest {tally.longest}),"
        f" {1000 * tally.seconds / max(1, tally.decisions):.2f} ms a decision, {perf_counter() - began:.0f} s"
    )


if __name__ == "__main__":
    main()
