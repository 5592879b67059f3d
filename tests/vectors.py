"""The hundred known answers of ``docs/vectors.json``, for authors of verifiers.

``python -m tests.vectors`` writes them again from the engine. A test checks that they do not change.
"""

import json
import random
import sys
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from games.engine import SeededChance, chain

FILE: Final = Path(__file__).parent.parent / "docs" / "vectors.json"
_VALUES: Final = (
    None,
    True,
    False,
    0,
    -7,
    2**53 - 1,
    "",
    "duke",
    "دوک",
    'a "quoted" \\ word',
    "line\nbreak\t\u0001",
    "🃏",
)


def vectors() -> Iterator[dict[str, Any]]:
    """Return a hundred inputs with their answers."""
    luck = random.Random(2026)
    for _ in range(20):
        game, seed = uuid.UUID(bytes=luck.randbytes(16)), luck.randbytes(32)
        yield {"of": "commitment", "game": str(game), "seed": seed.hex(), "answer": chain.commitment(str(game), seed)}
    for number in range(50):
        yield _draw(luck, number)
    for number in range(30):
        yield _leaf(luck, number)


def _draw(luck: random.Random, position: int) -> dict[str, Any]:
    seed, game, number = luck.randbytes(32), str(uuid.UUID(bytes=luck.randbytes(16))), luck.randrange(500)
    players = [luck.randbytes(32) for _ in range(position % 11)]
    bound = luck.choice((1, 2, 3, 5, 6, 15, 20, 52, 1000, 2**40 + 1))
    index = SeededChance(seed, game, players, number).choose(range(bound))
    return {
        "of": "draw",
        "seed": seed.hex(),
        "game": game,
        "players": [player.hex() for player in players],
        "number": number,
        "bound": bound,
        "answer": index,
    }


def _leaf(luck: random.Random, position: int) -> dict[str, Any]:
    seed, number = luck.randbytes(32), luck.randrange(1, 3000)
    line = {
        "number": number,
        "event": {"type": "dealt", "said": _VALUES[position % len(_VALUES)], "cards": [{"b": 1, "a": [None]}]},
        "at": "2026-03-22T12:00:00.25Z",
        "via": "api",
        "seat": None if position % 2 else 3,
        "move": None,
        "draws": [[15, luck.randrange(15)]],
    }
    answer = chain.leaf(seed, number, chain.canonical(line)).hex()
    return {"of": "leaf", "seed": seed.hex(), "line": line, "answer": answer}


def vectors_text() -> str:
    """Return the content of the file."""
    lines = ",\n".join(json.dumps(vector, ensure_ascii=False) for vector in vectors())
    return f"[\n{lines}\n]\n"


if __name__ == "__main__":
    FILE.write_text(vectors_text())
    sys.stdout.write(f"{FILE.name}: {len(json.loads(FILE.read_text()))} known answers\n")
