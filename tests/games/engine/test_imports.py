"""Anyone can import the engine and simulate a million games: nothing of the server comes with it."""

import subprocess
import sys
from pathlib import Path

import pytest

from games.rules.registry import RULES

ROOT = Path(__file__).parents[3]
SERVER = ("django", "rest_framework", "celery", "kombu", "psycopg", "knox", "allauth", "config", "accounts")

PLAY = """
import sys
from games.engine import SeededChance, replay
from games.rules.registry import RULES
rules = RULES[{name!r}]
chance = SeededChance(bytes(32))
state = replay(rules, rules.setup(rules.options(), rules.players.start, chance))
answers = 0
while rules.outcome(state) is None and answers < 2000:
    question = rules.questions(state)[0]
    move = chance.choose(rules.legal_moves(state, question))
    state = replay(rules, rules.decide(state, question.seat, move, chance), state)
    answers += 1
assert rules.outcome(state) is not None
print(*sorted({{name.partition(".")[0] for name in sys.modules}}))
"""


@pytest.mark.parametrize("name", sorted(RULES))
@pytest.mark.slow
def test_a_whole_game_is_played_without_anything_of_the_server(name: str) -> None:
    played = subprocess.run(
        [sys.executable, "-W", "error", "-c", PLAY.format(name=name)],
        cwd=ROOT,
        env={},
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(played.stdout.split())
    assert {"games", "msgspec"} <= loaded
    assert not loaded.intersection(SERVER)


def test_the_package_above_the_engine_is_empty() -> None:
    assert (ROOT / "games" / "__init__.py").read_text() == ""
