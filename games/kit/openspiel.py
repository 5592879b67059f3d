"""Any game as a Python game of OpenSpiel. It needs the extra ``openspiel``: ``pip install 'darbar[openspiel]'``.

After ``register(rules)`` its name is ``darbar_<name>``, and its options and ``players`` are parameters:
``pyspiel.load_game("darbar_coup(players=3,reformation=true)")``. A player is a seat, counted from 0. An action is the
index of an answer among those that a question offers. Each draw is a chance node. A player observes the view of their
seat; their information state is everything that they were shown. If several seats have a question, the first one
answers first.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple, Self

import msgspec
import numpy as np
import pyspiel

from games.engine import AnyRules, Event, Move, ScriptedChance, SeatNumber, replay, show_all
from games.engine.chance import DrawWanted
from games.kit.agents import FACTS, MOST, answers_to, hashed, rewards


def register(rules: AnyRules) -> str:
    """Register a game with OpenSpiel, and return its name for ``pyspiel.load_game``."""
    all_options = msgspec.structs.asdict(rules.options())
    options = {name: value for name, value in all_options.items() if isinstance(value, bool | int | str)}
    kind = pyspiel.GameType(
        short_name=f"darbar_{rules.name.replace('-', '_')}", long_name=str(rules.words.title),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL, chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION, utility=pyspiel.GameType.Utility.GENERAL_SUM,
        min_num_players=rules.players[0], max_num_players=rules.players[-1],
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        provides_information_state_string=True, provides_information_state_tensor=False,
        provides_observation_string=True, provides_observation_tensor=True,
        parameter_specification={"players": rules.players[0], **options},
    )  # fmt: skip
    pyspiel.register_game(kind, type("Game", (_Game,), {"rules": rules, "kind": kind}))
    return str(kind.short_name)


class _Game(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types that mypy reads
    """A game with its parameters. Each has its own class, which OpenSpiel keeps until the end of the process."""

    rules: AnyRules
    kind: Any

    def __init__(self, parameters: dict[str, Any]) -> None:
        self.seats = parameters["players"]
        self.options = self.rules.options(**{name: value for name, value in parameters.items() if name != "players"})
        info = pyspiel.GameInfo(
            num_distinct_actions=MOST, max_chance_outcomes=MOST, num_players=self.seats,
            min_utility=-1.0, max_utility=1.0, max_game_length=10_000,  # no game comes near it
        )  # fmt: skip
        super().__init__(self.kind, info, parameters)

    def new_initial_state(self) -> "_State":
        return _State(self)

    def make_py_observer(self, kind: Any = None, params: Any = None) -> "_Observer":
        return _Observer(self.rules, kind is not None and kind.perfect_recall)


class _Position(NamedTuple):
    """A game, the decision in progress (None for the set-up), its draws so far, and the options of the next draw."""

    events: tuple[Event, ...] = ()
    state: Any = None
    decides: tuple[SeatNumber, Move] | None = None
    draws: tuple[Any, ...] = ()
    options: tuple[Any, ...] = ()

    def __deepcopy__(self, memo: Any) -> Self:
        return self  # all parts are immutable


class _State(pyspiel.State):  # type: ignore[misc]
    """A game after some decisions and draws. The methods have the names that OpenSpiel calls."""

    def __init__(self, game: _Game) -> None:
        super().__init__(game)
        self._go_on(game, _Position())

    def _go_on(self, game: _Game, at: _Position) -> None:
        """Compute a decision to its end, or to the next draw that has not been made."""
        rules, chance = game.rules, ScriptedChance(at.draws)
        begin, decide = rules.setup, rules.decide
        try:
            events = decide(at.state, *at.decides, chance) if at.decides else begin(game.options, game.seats, chance)
            self.at = _Position((*at.events, *events), replay(rules, events, at.state))
        except DrawWanted as draw:
            self.at = at._replace(options=draw.options)

    def _choices(self) -> Sequence[Any]:
        """Return the outcomes of the next draw, or the answers to the next question."""
        if self.at.options:
            return [*Counter(self.at.options)]
        rules = self.get_game().rules
        return answers_to(rules, self.at.state, rules.questions(self.at.state)[0], MOST)

    def _legal_actions(self, player: int) -> list[int]:
        return [*range(len(self._choices()))]

    def chance_outcomes(self) -> list[tuple[int, float]]:
        counts = Counter(self.at.options).values()
        return [(outcome, count / len(self.at.options)) for outcome, count in enumerate(counts)]

    def _apply_action(self, action: int) -> None:
        at, choice = self.at, self._choices()[action]
        draws = {"draws": (*at.draws, choice)} if at.options else {"decides": (self.current_player() + 1, choice)}
        self._go_on(self.get_game(), at._replace(**draws))

    def _action_to_string(self, player: int, action: int) -> str:
        choice = self._choices()[action]
        return f"draw {choice}" if self.at.options else str(self.get_game().rules.text(choice))

    def current_player(self) -> int:
        if self.at.options:
            return int(pyspiel.PlayerId.CHANCE)
        questions = self.get_game().rules.questions(self.at.state)
        return questions[0].seat - 1 if questions else int(pyspiel.PlayerId.TERMINAL)

    def is_terminal(self) -> bool:
        return not self.at.options and self.get_game().rules.outcome(self.at.state) is not None

    def returns(self) -> list[float]:
        game = self.get_game()
        return rewards(game.rules.outcome(self.at.state), game.seats) if self.is_terminal() else [0.0] * game.seats

    def __str__(self) -> str:
        return f"{msgspec.json.encode(self.at.state).decode()} {self.at.draws}"


class _Observer:
    """The observations of a player: a view or, with perfect recall, everything that was shown from the beginning."""

    def __init__(self, rules: AnyRules, recalls: bool) -> None:
        self.rules, self.recalls = rules, recalls
        self.tensor: Any = None if recalls else np.zeros(FACTS, np.float32)
        self.dict = {"view": self.tensor}

    def _observation(self, state: _State, player: int) -> Any:
        if self.recalls:
            return show_all(self.rules, state.at.events, SeatNumber(player + 1))
        return state.at.state and self.rules.view(state.at.state, SeatNumber(player + 1))

    def set_from(self, state: _State, player: int) -> None:
        self.tensor[:] = hashed(self._observation(state, player))

    def string_from(self, state: _State, player: int) -> str:
        return f"{player}: {msgspec.json.encode(self._observation(state, player)).decode()}"
