"""Measures how much can be won from a bot by somebody who knows it through and through: a best response.

From the project's root::

    python -m bench.arena.best_response --levels normal strong master

The position is the end of a game at two seats. Each player has one card left and a few coins, and each has lost an
ambassador. So a lost challenge is a lost game. The bot is asked many times what it does at each of its
questions, by what its seat was shown. Against these shares the responder chooses, at each question of its own, the
move that wins most often over all that the bot may hold. The shares are samples, and a plan that was made from them
looks better than it is. So it plays fresh games afterwards against the same bot, with other luck. After some turns the
plan ends, and its player goes on as the bot does: the true best response wins at least as often, but for chance.
"""

import argparse
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations
from math import sqrt
from time import process_time
from typing import Any, Final

import msgspec

from bench.arena.archetypes import Player
from bench.arena.matches import ENDLESS, bot_of
from bench.bots import SURE, PlainChance, interval
from games.engine import Chance, Event, Move, Question, SeatNumber, replay, show_all
from games.engine import play as go_on
from games.engine.types import LEVEL_NAMES
from games.rules.coup import RULES
from games.rules.coup import events as e
from games.rules.coup.bot.rollouts import share
from games.rules.coup.game import COINS
from games.rules.coup.state import AMBASSADOR, CLASSIC, Character, State, pack

RESPONDER, BOT = SeatNumber(1), SeatNumber(2)
PLAN_SEED: Final = "plan"
"""The luck of the bot while the plan is made is never that of the games that are counted."""

Events = tuple[Event, ...]


class World(msgspec.Struct, frozen=True):
    """A game so far."""

    weight: float
    """The likelihood of its cards and of all that the bot did, whatever the responder does."""
    state: State
    log: Events


def begun(coins: Sequence[int], starter: SeatNumber, cards: Sequence[Character]) -> Events:
    """The events of the position in which each seat holds one of these cards."""
    return (
        e.SetUp(
            rules=RULES.name,
            version=RULES.version,
            options=RULES.options(two_player_setup="dealt"),
            seats=2,
            pack=pack(CLASSIC, 2),
            coins=tuple(coins),
            treasury=COINS - sum(coins),
            starter=starter,
        ),
        *[e.Dealt(seat=seat, cards=(AMBASSADOR, card)) for seat, card in zip((RESPONDER, BOT), cards, strict=True)],
        *[e.Lost(seat=seat, card=AMBASSADOR, reason="coup") for seat in (RESPONDER, BOT)],
        e.TurnBegan(seat=starter),
    )


def hidden() -> list[Character]:
    """The cards that nobody has seen: each seat holds one of them."""
    left = [*pack(CLASSIC, 2)]
    for _ in (RESPONDER, BOT):
        left.remove(AMBASSADOR)
    return left


def deals(coins: Sequence[int], starter: SeatNumber) -> list[World]:
    """Every deal of the position."""
    cards = hidden()
    counts = Counter((mine, its) for at, mine in enumerate(cards) for its in cards[:at] + cards[at + 1 :])
    logs = {begun(coins, starter, deal): count / counts.total() for deal, count in counts.items()}
    return [World(weight, replay(RULES, log), log) for log, weight in logs.items()]


class OneDraw(Chance):
    """Takes one of the sets of cards that a decision may draw, and says how likely it is."""

    def __init__(self, place: int) -> None:
        super().__init__()
        self._place = place
        self.ways, self.likely = 1, 1.0

    def take(self, options: Sequence[Any], count: int) -> tuple[Any, ...]:
        sets = Counter(tuple(sorted(combination)) for combination in combinations(options, count))
        taken, ways = [*sets.items()][self._place]
        self.ways, self.likely = len(sets), ways / sets.total()
        return taken


def outcomes(state: State, seat: SeatNumber, move: Move) -> Iterator[tuple[float, Events, State]]:
    """Yield everything that may follow from a move, and how likely it is."""
    place, ways = 0, 1
    while place < ways:
        chance = OneDraw(place)
        events, after = go_on(RULES, state, seat, move, chance)
        yield chance.likely, tuple(events), after
        place, ways = place + 1, chance.ways


class Shares:
    """Counts how often a bot plays each move at each of its questions, by asking it again and again."""

    def __init__(self, player: Player, times: int) -> None:
        self.player, self.times = player, times
        self.found: dict[Events, Counter[Move]] = {}

    def of(self, world: World, question: Question) -> list[tuple[Move, float]]:
        """Return the moves that it plays, each with its share. All that its seat cannot tell apart is asked at once."""
        moves = RULES.legal_moves(world.state, question)
        if len(moves) == 1:
            return [(moves[0], 1.0)]
        heard = tuple(show_all(RULES, world.log, question.seat))
        if heard not in self.found:
            luck = [PlainChance(f"{PLAN_SEED}/{len(self.found)}/{time}") for time in range(self.times)]
            asked = [self.player(world.state, question, moves, each, world.log) for each in luck]
            self.found[heard] = Counter(asked)
        return [(move, count / self.times) for move, count in self.found[heard].items()]


class Response:
    """The best response to a bot, as far ahead as some turns; what is too rare is not looked at."""

    def __init__(self, shares: Shares, turns: int, rare: float = 0.0) -> None:
        self.shares, self.turns, self.rare = shares, turns, rare
        self.plan: dict[Events, Move] = {}
        """The move for all that the responder may have been shown."""

    def value(self, worlds: Iterable[World]) -> float:
        """Return the share of games that it wins, after the responder is shown the beginning of each."""
        return self._told([(world, world.log) for world in worlds], ())

    def _told(self, news: Iterable[tuple[World, Events]], heard: Events) -> float:
        """Part the worlds by what the responder is shown of the last events."""
        groups: dict[Events, list[World]] = defaultdict(list)
        for world, events in news:
            groups[tuple(show_all(RULES, events, RESPONDER))].append(world)
        return sum(self._worth(group, heard + shown) for shown, group in groups.items())

    def _worth(self, worlds: Sequence[World], heard: Events) -> float:
        """The share of all games that are these worlds and that it wins. The responder cannot tell them apart."""
        state, weight = worlds[0].state, sum(world.weight for world in worlds)
        turns = sum(isinstance(event, e.TurnBegan) for event in heard)
        if RULES.outcome(state) is not None or turns > self.turns or weight < self.rare:
            return sum(world.weight * share(world.state, RESPONDER) for world in worlds)
        question = RULES.questions(state)[0]
        if question.seat == BOT:
            answers = [(world, *each) for world in worlds for each in self.shares.of(world, question)]
            return self._after(answers, BOT, heard)
        worth = {
            move: self._after([(world, move, 1.0) for world in worlds], RESPONDER, heard)
            for move in RULES.legal_moves(state, question)
        }
        self.plan[heard] = max(worth, key=lambda move: worth[move])
        return worth[self.plan[heard]]

    def _after(self, answers: Iterable[tuple[World, Move, float]], seat: SeatNumber, heard: Events) -> float:
        """The same after an answer of this seat in each world, with its share."""
        news = []
        for world, move, part in answers:
            for likely, events, state in outcomes(world.state, seat, move):
                news.append((World(world.weight * part * likely, state, world.log + events), events))
        return self._told(news, heard)

    def player(self, otherwise: Player) -> Player:
        """Return who plays the plan, and where it says nothing does as another player does."""

        def play(state: State, question: Question, moves: Sequence[Any], chance: Chance, log: Sequence[Event]) -> Any:
            planned = self.plan.get(tuple(show_all(RULES, log, RESPONDER)))
            return otherwise(state, question, moves, chance, log) if planned is None else planned

        return play


def won(players: dict[SeatNumber, Player], coins: Sequence[int], starter: SeatNumber, chance: Chance) -> bool:
    """Play a game from the position to its end. Whether the responder's seat wins it."""
    log = [*begun(coins, starter, chance.take(hidden(), 2))]
    state = replay(RULES, log)
    for _ in range(ENDLESS):
        outcome = RULES.outcome(state)
        if outcome is not None:
            return RESPONDER in outcome.winners
        question = RULES.questions(state)[0]
        moves = RULES.legal_moves(state, question)
        move = moves[0] if len(moves) == 1 else players[question.seat](state, question, moves, chance, log)
        events, state = go_on(RULES, state, question.seat, move, chance)
        log += events
    raise RuntimeError(f"a game has not ended after {ENDLESS} moves")


def played(responder: Player, bot: Player, games: int, seed: str, position: tuple[Sequence[int], SeatNumber]) -> int:
    """Return how many of so many games the responder's seat wins."""
    players = {RESPONDER: responder, BOT: bot}
    return sum(won(players, *position, PlainChance(f"{seed}/{game}")) for game in range(games))


def percent(count: int, games: int) -> str:
    """A share of games with its interval of 95 %."""
    low, high = interval(count, games)
    return f"{100 * count / games:.1f} ({100 * low:.1f} to {100 * high:.1f})"


def measure(level: str, asked: argparse.Namespace, tell: Callable[[str], None]) -> None:
    """Measure one level, the responder and the bot beginning in turn."""
    bot, began = bot_of(level), process_time()
    by_plan, by_itself, planned, questions = 0, 0, 0.0, 0
    for starter in (RESPONDER, BOT):
        position = ((asked.coins, asked.coins), starter)
        response = Response(Shares(bot, asked.times), asked.turns, asked.rare)
        planned += response.value(deals(*position)) / 2
        questions += len(response.shares.found)
        by_plan += played(response.player(bot), bot, asked.games, f"{asked.seed}/plan/{starter}", position)
        by_itself += played(bot, bot, asked.games, f"{asked.seed}/itself/{starter}", position)
    games = 2 * asked.games
    a, b = by_plan / games, by_itself / games
    error = SURE * sqrt((a * (1 - a) + b * (1 - b)) / games)
    tell(
        f"| {level} | {percent(by_itself, games)} | {100 * planned:.1f} | {percent(by_plan, games)}"
        f" | {100 * (a - b):.1f} (± {100 * error:.1f}) | {questions} | {process_time() - began:.0f} s |"
    )


def arguments() -> argparse.Namespace:
    """Return what the command line says."""
    about = (__doc__ or "").partition("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m bench.arena.best_response", description=about)
    parser.add_argument("--levels", nargs="+", default=["normal"], choices=LEVEL_NAMES)
    parser.add_argument("--coins", type=int, default=5, help="of each player at the beginning")
    parser.add_argument("--turns", type=int, default=3, help="how many turns the plan looks ahead")
    parser.add_argument("--times", type=int, default=10, help="how often the bot is asked each question")
    parser.add_argument("--rare", type=float, default=0.003, help="shares of games below this are not looked at")
    parser.add_argument("--games", type=int, default=500, help="fresh games for each who begins")
    parser.add_argument("--seed", default="1")
    return parser.parse_args()


def main() -> None:
    """Measure and print a table."""
    asked = arguments()
    print("| level | itself | plan | plan in fresh games | difference | questions | processor time |")
    print("|---|---|---|---|---|---|---|")
    for level in asked.levels:
        measure(level, asked, lambda line: print(line, flush=True))


if __name__ == "__main__":
    main()
