"""Any game as a PettingZoo AEC environment. It needs the extra ``pettingzoo``: ``pip install 'darbar[pettingzoo]'``.

Use ``env = GameEnv(rules, seats=4)``. An agent is a seat. It observes only the view of its seat: the facts of the view
are hashed into a vector, and ``infos`` has the view itself. An action is the index of an answer among those that its
question offers, and the mask shows how many there are. At the end the first place gets 1 and the last -1.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from games.engine import SPECTATOR, AnyRules, Question, SeatNumber, SeededChance, play, replay
from games.kit.agents import FACTS, MOST, answers_to, hashed, rewards


class GameEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types that mypy reads
    """A game with some rules, a number of seats and optional options."""

    def __init__(
        self, rules: AnyRules, seats: int, most: int = MOST, render_mode: str | None = None, **options: Any
    ) -> None:
        super().__init__()
        self.metadata = {"name": f"{rules.name}_v{rules.version}", "render_modes": ["ansi"], "is_parallelizable": False}
        self.rules, self.options, self.most, self.render_mode = rules, rules.options(**options), most, render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(1, seats + 1)]
        self._observed = spaces.Dict(
            {
                "observation": spaces.Box(-np.inf, np.inf, (FACTS,), np.float32),
                "action_mask": spaces.Box(0, 1, (most,), np.int8),
            }
        )
        self._actions = {agent: spaces.Discrete(most) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of a view and a mask of the answers."""
        return self._observed

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of the answers' indexes."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a new game. Equal seeds give equal cards."""
        luck, _ = seeding.np_random(seed)
        self._chance = SeededChance(luck.bytes(32), "pettingzoo")
        self.agents = [*self.possible_agents]
        self.state_of_game = replay(self.rules, self.rules.setup(self.options, len(self.agents), self._chance))
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._ask()

    def step(self, action: int | None) -> None:
        """Answer the question of ``agent_selection`` with the answer of this index."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        question, answers = self._question(self.agent_selection), self._answers(self.agent_selection)
        if question is None or action is None or not 0 <= action < len(answers):
            raise ValueError(f"{self.agent_selection} is offered {len(answers)} answers, and {action} is none of them")
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._clear_rewards()
        self.state_of_game = play(self.rules, self.state_of_game, question.seat, answers[action], self._chance)[1]
        self._ask()
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, Any]:
        """Return the observation of a seat and the mask of its actions."""
        mask = np.zeros(self.most, np.int8)
        mask[: len(self._answers(agent))] = 1
        return {"observation": hashed(self._view(agent)), "action_mask": mask}

    def render(self) -> str:
        """Return the table in English, as a spectator sees it."""
        view = self.rules.view(self.state_of_game, SPECTATOR)
        return "\n".join(map(str, self.rules.words.table(view)))

    def close(self) -> None:
        """Do nothing: there is no connection to close."""

    def _view(self, agent: str) -> Any:
        return self.rules.view(self.state_of_game, _seat(agent))

    def _ask(self) -> None:
        """Select the agent that acts next, or store the result of the game."""
        outcome = self.rules.outcome(self.state_of_game)
        if outcome is None:
            acting = self.agent_selection = f"seat_{self.rules.questions(self.state_of_game)[0].seat}"
            answers = [self.rules.text(answer) for answer in self._answers(acting)]
            self.infos[acting] = {"view": msgspec.to_builtins(self._view(acting)), "answers": answers}
            return
        self.rewards = dict(zip(self.agents, rewards(outcome, len(self.agents)), strict=True))
        self.terminations = dict.fromkeys(self.agents, True)

    def _question(self, agent: str) -> Question | None:
        questions = self.rules.questions(self.state_of_game)
        return next((question for question in questions if question.seat == _seat(agent)), None)

    def _answers(self, agent: str) -> Sequence[Any]:
        """Return the answers to the question of the selected agent. Empty for the others."""
        question = self._question(agent) if agent == self.agent_selection else None
        return () if question is None else answers_to(self.rules, self.state_of_game, question, self.most)


def _seat(agent: str) -> SeatNumber:
    return SeatNumber(int(agent.removeprefix("seat_")))
