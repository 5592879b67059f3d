"""Any game as a PettingZoo AEC environment. It needs the extra ``pettingzoo``: ``pip install 'darbar[pettingzoo]'``.

``env = GameEnv(rules, seats=4)``. An agent is a seat. It observes its seat's view, never more: the facts of the
view are hashed into a vector, and ``infos`` has them as they are. An action is the place of an answer among those that
its question offers, and the mask says how many there are. At the end the first place gets 1 and the last -1.
"""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any, Final
from zlib import crc32

import msgspec
import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from games.engine import AnyRules, Question, SeatNumber, SeededChance, play, replay
from games.engine.answers.forms import fillings, forms_of

FACTS: Final = 1024
"""The length of the vector into which the facts of a view are hashed."""
MOST: Final = 1024
"""The number of answers a question may offer, unless told otherwise."""


class GameEnv(AECEnv):  # type: ignore[misc]  # PettingZoo has no types that mypy reads
    """A game of some rules for so many seats, whose options may be chosen."""

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
        """The space of a view and a mask of the answers."""
        return self._observed

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The space of the places of answers."""
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Begin a new game; equal seeds give equal cards."""
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
        """Give the answer of this place to the question of ``agent_selection``."""
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
        """Return what a seat knows, and which actions it has."""
        mask = np.zeros(self.most, np.int8)
        mask[: len(self._answers(agent))] = 1
        return {"observation": _hashed(self._view(agent)), "action_mask": mask}

    def render(self) -> str:
        """The table in English, as a spectator sees it."""
        view = self.rules.view(self.state_of_game, SeatNumber(0))
        return "\n".join(map(str, self.rules.words.table(view)))

    def close(self) -> None:
        """Do nothing: there is no connection to close."""

    def _view(self, agent: str) -> Any:
        return msgspec.to_builtins(self.rules.view(self.state_of_game, _seat(agent)))

    def _ask(self) -> None:
        """Choose who acts next, or tell how it ended."""
        outcome = self.rules.outcome(self.state_of_game)
        if outcome is None:
            self.agent_selection = f"seat_{self.rules.questions(self.state_of_game)[0].seat}"
            answers = [self.rules.text(answer) for answer in self._answers(self.agent_selection)]
            self.infos[self.agent_selection] = {"view": self._view(self.agent_selection), "answers": answers}
            return
        places = {agent: outcome.place(_seat(agent)) for agent in self.agents}
        last = max(places.values())
        for agent, place in places.items():
            self.rewards[agent] = 1.0 - 2.0 * (place - 1) / (last - 1) if last > 1 else 0.0
            self.terminations[agent] = True

    def _question(self, agent: str) -> Question | None:
        asked = self.rules.questions(self.state_of_game)
        return next((each for each in asked if each.seat == _seat(agent)), None)

    def _answers(self, agent: str) -> list[Any]:
        """The answers to the question of an agent who acts; none for the others."""
        question = self._question(agent) if agent == self.agent_selection else None
        if question is None:
            return []
        forms = forms_of(self.rules, self.state_of_game, question)
        filled = (move for form in forms for move in fillings(form, question.id))
        answers = [*self.rules.legal_moves(self.state_of_game, question), *islice(filled, self.most + 1)]
        if len(answers) > self.most:
            raise ValueError(f"a question offers more than {self.most} answers; give a larger `most`")
        return answers


def _seat(agent: str) -> SeatNumber:
    return SeatNumber(int(agent.removeprefix("seat_")))


def _hashed(view: Any) -> np.ndarray[Any, np.dtype[np.float32]]:
    """The facts of a view in a vector: numbers at the place of their name, words at the place of name and word."""
    found = np.zeros(FACTS, np.float32)
    for name, value in _facts(view, ""):
        if isinstance(value, int | float) and not isinstance(value, bool):
            found[crc32(name.encode()) % FACTS] += value
        else:
            found[crc32(f"{name}={value}".encode()) % FACTS] += 1
    return found


def _facts(value: Any, name: str) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _facts(each, f"{name}.{key}")
    elif isinstance(value, list | tuple):
        for index, each in enumerate(value):
            yield from _facts(each, f"{name}.{index}")
    else:
        yield name, value
