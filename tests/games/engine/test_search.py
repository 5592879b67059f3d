"""Search: worlds that look the same to a seat, and what comes of each move in them."""

from typing import Any

import msgspec
import pytest

from games.engine import Knowledge, SeatNumber, SeededChance, know, replay
from games.engine.rules import Search, play
from games.engine.search import LEVELS, QuickChance, Weighed, answer, weigh
from games.engine.types import LEVEL_NAMES, SEARCHING, STYLES
from games.rules.coup import RULES as COUP
from games.rules.registry import RULES
from games.rules.sedlec import RULES as SEDLEC
from tests.third_game import fist


def test_quick_draws_are_spread_evenly_and_repeat() -> None:
    chance, again = QuickChance(7), QuickChance(7)
    draws = [chance.choose(range(6)) for _ in range(6000)]
    assert draws == [again.choose(range(6)) for _ in range(6000)]
    assert all(900 < draws.count(face) < 1100 for face in range(6))
    assert sorted(chance.take("abc", 3)) == ["a", "b", "c"]


def some_position(name: str, seats: int, decisions: int, seed: int) -> tuple[list[Any], Any]:
    """Return the log and the state of a game after a number of random moves."""
    rules, chance = RULES[name], QuickChance(seed)
    log = list(rules.setup(rules.options(), seats, chance))
    state = replay(rules, log)
    for _ in range(decisions):
        question = chance.choose(rules.questions(state))
        events, state = play(rules, state, question.seat, chance.choose(rules.legal_moves(state, question)), chance)
        log += events
        assert rules.outcome(state) is None
    return log, state


@pytest.mark.parametrize(("name", "seats"), [("coup", 3), ("sedlec", 2)])
@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_of_any_level_answers_alike_in_worlds_that_look_the_same(
    name: str, seats: int, level: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    rules = RULES[name]
    monkeypatch.setitem(LEVELS, level, msgspec.structs.replace(LEVELS[level], rollouts=LEVELS[level].rollouts and 12))  # type: ignore[arg-type]
    log, state = some_position(name, seats, 9, 3)
    question = rules.questions(state)[0]
    moves = rules.legal_moves(state, question)
    whole = know(rules, state, question.seat, log.copy)
    bot_move = answer(rules, whole, question, moves, SeededChance(bytes(32)), level)
    assert bot_move in moves
    folded = replay(rules, whole.events())
    knowledge = Knowledge(rules.view(folded, question.seat), whole.events)
    assert bot_move == answer(rules, knowledge, question, moves, SeededChance(bytes(32)), level), (
        "it looked at hidden cards"
    )


def test_the_levels_are_those_that_are_named() -> None:
    assert tuple(LEVELS) == LEVEL_NAMES
    assert tuple(name for name, level in LEVELS.items() if level.rollouts) == SEARCHING


def a_coup_that_wins(rollouts: int) -> list[Weighed]:
    """Search for one of two players with seven coins and one card each."""
    log, state = some_position("coup", 3, 0, 1)
    won = msgspec.structs.replace(state, coins=(7, 7, 0), hands=(("duke",), ("assassin",), ()), turn=1, asked=(1,))
    search = msgspec.structs.replace(COUP.search, worlds=lambda rules, events, seat, chance, count: [won] * count)
    rules = msgspec.structs.replace(COUP, search=search)
    question = rules.questions(won)[0]
    return weigh(rules, log, question, rules.legal_moves(won, question), SeededChance(bytes(32)), rollouts)


def test_search_finds_the_coup_that_wins() -> None:
    weighed = a_coup_that_wins(60)
    assert (COUP.text(weighed[0].move), weighed[0].mean) == ("coup 2", 1.0)
    gain, error = weighed[0].better_than(weighed[1])
    assert gain > 0
    assert error < gain


def test_search_looks_no_further_once_one_move_is_clearly_the_best() -> None:
    weighed = a_coup_that_wins(4000)
    assert COUP.text(weighed[0].move) == "coup 2"
    assert weighed[0].clearly_better_than(weighed[1])
    assert sum(len(weighed_move.shares) for weighed_move in weighed) < 1000


def test_a_style_prefers_what_it_is_fond_of() -> None:
    log, state = some_position("coup", 4, 0, 1)
    question = COUP.questions(state)[0]
    hand = state.hands[question.seat - 1]
    moves = COUP.legal_moves(state, question)

    knowledge = know(COUP, state, question.seat, log.copy)

    def lies(style: str) -> int:
        chances = [SeededChance(number.to_bytes(32, "big")) for number in range(60)]
        answers = [answer(COUP, knowledge, question, moves, chance, "normal", style) for chance in chances]
        claims = [COUP.text(move).split()[0] for move in answers]
        cards = {"tax": "duke", "steal": "captain", "exchange": "ambassador"}
        return sum(claim in cards and cards[claim] not in hand for claim in claims)

    counts = {style: lies(style) for style in STYLES}
    assert counts["bold"] > counts["balanced"] >= counts["scholar"], counts


def test_the_bots_of_sedlec_see_face_down_cards_in_no_order() -> None:
    log, state = some_position("sedlec", 2, 6, 5)
    visible_events = [SEDLEC.show(event, 1) for event in log]
    worlds = SEDLEC.search.worlds(SEDLEC, visible_events, 1, QuickChance(1), 20)
    for world in worlds:
        assert sorted(map(str, sum(world.face_down, ()))) == sorted(map(str, sum(state.face_down, ())))
        assert SEDLEC.view(world, 1) == SEDLEC.view(state, 1)
    assert len({world.face_down for world in worlds}) > 15


def drawn_claims(search: Search) -> set[str]:
    """Return the claims of strong bots in a game of fist where 3 always wins, 2 nearly always and 1 hardly ever."""
    log = list(fist.RULES.setup(fist.Options(highest=3), 2, SeededChance(bytes(32))))
    state = replay(fist.RULES, log)

    def worlds(rules: Any, events: Any, seat: SeatNumber, chance: Any, count: int) -> list[fist.State]:
        return [msgspec.structs.replace(state, numbers=(3, 1 if number % 25 else 2)) for number in range(count)]

    def step(rules: Any, state: fist.State, chance: Any, habits: None) -> fist.State:
        winner = SeatNumber(2 if state.claims[-1] == state.numbers[1] else 1)
        return msgspec.structs.replace(state, asked=(), winners=(winner,))

    search = msgspec.structs.replace(search, worlds=worlds, step=step, effort=1.0)
    rules = msgspec.structs.replace(fist.RULES, worlds=lambda state, viewer, chance: state, search=search)
    [question] = rules.questions(state)
    moves, knowledge = rules.legal_moves(state, question), know(rules, state, question.seat, log.copy)
    return {rules.text(answer(rules, knowledge, question, moves, QuickChance(seed), "strong")) for seed in range(40)}


def test_a_level_draws_among_good_moves_with_its_heat_and_a_game_may_lower_that() -> None:
    assert drawn_claims(Search()) == {"claim 2", "claim 3"}
    assert drawn_claims(Search(heat=lambda view: 0.01)) == {"claim 3"}


def test_in_coup_the_heat_is_lower_where_more_than_four_are_in_the_game() -> None:
    assert [COUP.search.heat(COUP.view(some_position("coup", seats, 0, 1)[1], 1)) for seats in (2, 4, 8)] == [
        1,
        1,
        0.25,
    ]
