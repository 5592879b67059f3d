"""Games as PettingZoo environments: they pass its own tests, and an agent observes its seat's view and nothing else."""

from typing import Any

import pytest
from pettingzoo.test import api_test, seed_test

from games.engine import AnyRules
from games.kit.aec import GameEnv
from games.rules.coup import RULES as COUP
from games.rules.sedlec import RULES as SEDLEC
from tests.games.rules.test_outside_games import HOUSES

pytestmark = pytest.mark.filterwarnings("ignore:Observation:UserWarning")
"""PettingZoo warns of observations that are no plain array; those with a mask of actions are dictionaries."""


@pytest.mark.parametrize(("rules", "seats"), [(COUP, 4), (SEDLEC, 3), (HOUSES, 4)], ids=lambda item: str(item)[:12])
def test_the_adapter_passes_the_tests_of_pettingzoo(rules: AnyRules, seats: int) -> None:
    api_test(GameEnv(rules, seats), num_cycles=100)
    seed_test(lambda: GameEnv(rules, seats), num_cycles=20)


def played(seed: int, **options: Any) -> GameEnv:
    """Play a game of Coup for three with the first offered answers, to its end."""
    env = GameEnv(COUP, 3, **options)
    env.reset(seed)
    while not env.terminations[env.agent_selection]:
        acting = env.agent_selection
        assert int(env.observe(acting)["action_mask"].sum()) == len(env.infos[acting]["answers"])
        env.step(0)
    return env


def test_the_first_place_gets_one_and_the_last_minus_one() -> None:
    env = played(1)
    (winner,) = COUP.outcome(env.state_of_game).winners
    assert env.rewards == {f"seat_{seat}": 1.0 if seat == winner else -1.0 for seat in (1, 2, 3)}


def test_agents_observe_their_own_view() -> None:
    env = GameEnv(COUP, 3)
    env.reset(1)
    acting = env.agent_selection
    seat = int(acting[-1])
    hands = [seat_view["hand"] for seat_view in env.infos[acting]["view"]["seats"]]
    assert [hand is None for hand in hands] == [number != seat for number in (1, 2, 3)]
    other = next(agent for agent in env.agents if agent != acting)
    assert not (env.observe(acting)["observation"] == env.observe(other)["observation"]).all()
    assert not env.observe(other)["action_mask"].any(), "only who acts has actions"


def test_an_action_that_is_not_offered_is_refused_with_how_many_there_are() -> None:
    env = GameEnv(COUP, 3)
    env.reset(1)
    before = env.state_of_game
    with pytest.raises(ValueError, match=r"is offered \d+ answers, and 999 is none of them"):
        env.step(999)
    assert env.state_of_game == before
    with pytest.raises(ValueError, match="more than 2 answers; give a larger `most`"):
        GameEnv(COUP, 3, most=2).reset(1)
