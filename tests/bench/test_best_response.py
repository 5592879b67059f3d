"""The best response to a bot: in small positions it is what can be counted by hand, and it wins as many games."""

from collections.abc import Sequence
from typing import Any

import pytest

from bench.arena import best_response
from bench.arena.best_response import BOT, RESPONDER, PlainChance, Response, Shares, deals, hidden, played
from games.engine import Chance, Event, Question
from games.rules.coup import moves as m
from games.rules.coup.state import CONTESSA, DUKE, State


def first_of(moves: Sequence[Any], *kinds: type) -> Any:
    """The first move of the first of these kinds that there is."""
    return next(move for kind in kinds for move in moves if isinstance(move, kind))


def doubter(state: State, question: Question, moves: Sequence[Any], chance: Chance, log: Sequence[Event]) -> Any:
    """Strikes as soon as it can, and challenges every claim."""
    return first_of(moves, m.Coup, m.Challenge, m.Allow, m.Income)


def taxer(state: State, question: Question, moves: Sequence[Any], chance: Chance, log: Sequence[Event]) -> Any:
    """Takes taxes as duke and as contessa, strikes as soon as it can, blocks assassins and challenges captains."""
    if question.kind == "turn":
        taxes = {DUKE, CONTESSA}.intersection(state.hands[question.seat - 1])
        return first_of(moves, m.Coup, m.Tax if taxes else m.Income)
    wanted = {"assassinate": m.Block, "steal": m.Challenge}.get(question.reason, type(moves[0]))
    return first_of(moves, wanted)


def test_who_is_always_challenged_wins_by_the_truth_alone() -> None:
    position = ((3, 7), RESPONDER)
    response = Response(Shares(doubter, times=1), turns=2)
    value = response.value(deals(*position))
    assert value == pytest.approx(10 / 13), "only a contessa claims no action"

    games = 100
    cards = [PlainChance(f"cards/{game}").take(hidden(), 2)[0] for game in range(games)]
    wins = played(response.player(doubter), doubter, games, "cards", position)
    assert wins == games - cards.count(CONTESSA)


def test_what_the_bot_did_tells_the_responder_its_card() -> None:
    response = Response(Shares(taxer, times=1), turns=3)
    value = response.value(deals((3, 6), BOT))
    # In 84 of the 156 deals the bot is neither and takes income: then its block is a lie. Where it takes taxes a
    # captain wins by stealing (18). An assassin (18) or an ambassador (6) cannot know which it is. For who holds a duke
    # (15) or a contessa (15) the other is the likelier, three to two: a duke doubts the taxes, a contessa the block.
    assert value == pytest.approx((84 + 18 + 18 / 2 + 6 / 2 + 15 * 3 / 5 + 15 * 3 / 5) / 156)


def test_a_bot_is_asked_once_for_all_that_its_seat_cannot_tell_apart() -> None:
    def wavering(state: State, question: Question, moves: Sequence[Any], chance: Chance, log: Sequence[Event]) -> Any:
        asked.append(question)
        return chance.choose([move for move in moves if isinstance(move, m.Income | m.ForeignAid)])

    asked: list[Question] = []
    shares = Shares(wavering, times=100)
    worlds = deals((3, 3), BOT)
    question = best_response.RULES.questions(worlds[0].state)[0]
    found = {world.state.hands: dict(shares.of(world, question)) for world in worlds}
    assert len(asked) == 5 * 100, "the bot may hold five characters"
    assert all(len(each) == 2 and sum(each.values()) == pytest.approx(1) for each in found.values())
    assert all(0.3 < part < 0.7 for each in found.values() for part in each.values())


def test_a_line_of_the_table_says_what_was_won(monkeypatch: pytest.MonkeyPatch) -> None:
    command = "best_response --coins 6 --turns 1 --times 2 --games 4"
    monkeypatch.setattr("sys.argv", command.split())
    lines: list[str] = []
    best_response.measure("normal", best_response.arguments(), lines.append)
    cells = lines[0].strip("| ").split(" | ")
    assert cells[0] == "normal"
    assert 0 <= float(cells[2]) <= 100
    assert len(cells) == 7
