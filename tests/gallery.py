"""Pictures to be looked at: ``python -m tests.gallery DIR`` draws tables of every game, as SVG and PNG.

Each in both languages, light and dark, 640 and 320 pixels wide.
"""

import argparse
import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from games.engine import SPECTATOR, AnyRules, SeatNumber, SeededChance, replay  # noqa: E402  (what follows translates)
from games.rules.registry import RULES  # noqa: E402
from games.visibility.picture import draw, png  # noqa: E402
from tests.games.engine import hand_game  # noqa: E402
from tests.games.rules.coup import pictures  # noqa: E402
from tests.games.rules.sedlec.random_play import RandomGame  # noqa: E402

CAST: Final[Mapping[SeatNumber, str]] = {
    SeatNumber(number): name
    for number, name in enumerate(
        ["Maryam", "سپیده", "Bahareh", "Kaveh", "Dariush", "نگار", "Alexandria-Charlotte W.", "Omid", "شاهین", "Zoë"], 1
    )
}


def tables() -> Iterator[tuple[str, AnyRules, Any, int]]:
    """Every table of the gallery: its name, its game, how it stands and who looks."""
    for name, (state, viewer) in pictures.TABLES.items():
        yield f"coup-{name}", RULES["coup"], state(), viewer
    for seats in (2, 3):
        for number in (3, 20, 31):
            yield f"sedlec-{seats}-{number}", RULES["sedlec"], RandomGame(number, seats).played(number).state, 1
        yield f"sedlec-{seats}-over", RULES["sedlec"], RandomGame(1, seats).played().state, SPECTATOR
    for seats in (2, 5, 10):
        rules = hand_game.RULES
        yield f"board-{seats}", rules, replay(rules, rules.setup(rules.options(), seats, SeededChance(bytes(32)))), 1


def hang(folder: Path) -> None:
    """Draw all of them into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, rules, state, viewer in tables():
        for language in ("en", "fa"):
            svg = draw(rules, rules.view(state, viewer), CAST, language)
            assert svg is not None
            (folder / f"{name}-{language}.svg").write_text(svg)
            for theme in ("light", "dark"):
                for width in (640, 320):
                    content = png(svg, theme, (width,))
                    size = "too large" if content is None else f"{len(content)} bytes"
                    sys.stdout.write(f"{name}-{language}-{theme}-{width}: {size}\n")
                    if content:
                        (folder / f"{name}-{language}-{theme}-{width}.png").write_bytes(content)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.gallery", description="Draw the pictures of the boards.")
    parser.add_argument("folder", type=Path, help="the folder that the pictures are written to")
    hang(parser.parse_args().folder)
