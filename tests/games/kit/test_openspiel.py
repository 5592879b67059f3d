"""Games as Python games of OpenSpiel: they pass its own test, and a player knows what their seat was shown."""

from random import Random
from typing import Any

import pytest

from games.engine import AnyRules
from games.rules.coup import RULES as COUP
from games.rules.sedlec import RULES as SEDLEC
from tests.games.rules.test_outside_games import DICE, HOUSES

pyspiel = pytest.importorskip(
    "pyspiel", reason="OpenSpiel is large and not installed here: .venv/bin/uv sync --all-extras brings it"
)
openspiel = pytest.importorskip("games.kit.openspiel")


@pytest.mark.parametrize(
    ("rules", "choice"),
    [
        (SEDLEC, ""),
        (SEDLEC, "(players=3)"),
        (COUP, "(players=4,reformation=true,anarchist=true)"),
        (COUP, "(answers=sealed,inquisitor=true)"),
        (DICE, "(players=3,wild_ones=false)"),
        (HOUSES, "(players=4,coins=12)"),
    ],
    ids=lambda item: item if isinstance(item, str) else item.name,
)
def test_the_adapter_passes_the_test_of_openspiel(rules: AnyRules, choice: str) -> None:
    game = pyspiel.load_game(openspiel.register(rules) + choice)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)


def dealt(*draws: str) -> Any:
    """A game of Coup for three in which these draws have been made."""
    state = pyspiel.load_game(openspiel.register(COUP) + "(players=3)").new_initial_state()
    for draw in draws:
        state.apply_action(next(action for action in state.legal_actions() if state.action_to_string(action) == draw))
    return state


def test_each_draw_is_a_chance_node_with_the_cards_that_are_left() -> None:
    state = dealt()
    assert [state.action_to_string(action) for action in state.legal_actions()] == ["draw 1", "draw 2", "draw 3"]
    state = dealt("draw 1")
    assert {state.action_to_string(action): share for action, share in state.chance_outcomes()} == pytest.approx(
        dict.fromkeys(("draw ambassador", "draw assassin", "draw captain", "draw contessa", "draw duke"), 3 / 15)
    )
    state = dealt("draw 1", "draw duke")
    assert [share for _, share in state.chance_outcomes()] == pytest.approx([3 / 14, 3 / 14, 3 / 14, 3 / 14, 2 / 14])


def test_a_player_sees_their_view_and_remembers_what_their_seat_was_shown() -> None:
    own_observations, others = (
        ["draw 1", "draw duke", "draw captain"],
        ["draw duke", "draw captain", "draw assassin", "draw contessa"],
    )
    one, two = dealt(*own_observations, *others), dealt(*own_observations, *reversed(others))
    assert str(one) != str(two)
    for look in ("information_state_string", "observation_string", "observation_tensor"):
        same = [getattr(one, look)(player) == getattr(two, look)(player) for player in range(3)]
        assert same == [True, False, False], look
    assert '"type":"dealt"' in one.information_state_string(0)
    assert '"type":"dealt"' not in one.observation_string(0)


def test_the_winner_gets_one_and_the_others_minus_one() -> None:
    state = dealt("draw 1", *["draw duke", "draw captain", "draw assassin"] * 2)
    assert (state.current_player(), state.returns()) == (0, [0, 0, 0])
    luck = Random(5)
    while not state.is_terminal():
        state.apply_action(luck.choice(state.legal_actions()))
    (winner,) = COUP.outcome(state.at.state).winners
    assert state.returns() == [1.0 if seat == winner else -1.0 for seat in (1, 2, 3)]
    assert state.current_player() == pyspiel.PlayerId.TERMINAL


def test_a_wrong_number_of_players_is_refused() -> None:
    name = openspiel.register(HOUSES)
    with pytest.raises(Exception, match="not by 3"):
        pyspiel.load_game(f"{name}(players=3)").new_initial_state()
