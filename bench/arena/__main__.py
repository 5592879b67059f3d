"""Plays the arena, stores the results in a file, and writes the tables of docs/bots.md.

From the project's root::

    python -m bench.arena --hours 4
    python -m bench.arena --games 40 --sizes 4 --sets classic --levels master --rivals honest mixture
    python -m bench.arena --games 40 --sizes 4 --sets classic --levels --outside "mine=python3 my_bot.py"

A new run continues the former one: the match with the fewest games is played next. The run ends when the hours are
over, or when every match has the number of games in ``--games``. ``outside.py`` describes the protocol of a bot from
outside. Its results are stored under its name: give it another name when it changes.
"""

import argparse
from contextlib import ExitStack
from pathlib import Path
from time import monotonic
from typing import Final

import msgspec

from bench.arena.archetypes import ARCHETYPES
from bench.arena.matches import MIXTURE, OPTION_SETS, Game, Match, Tally, matches
from bench.arena.outside import OutsideBot
from bench.arena.tables import current, write
from games.engine.types import LEVEL_NAMES

RESULTS: Final = Path("var/arena.json")
"""The file with the results."""

RIVALS: Final = (*ARCHETYPES, MIXTURE, *LEVEL_NAMES)


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.arena", description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--hours", type=float, default=4.0)
    parser.add_argument("--games", type=int, help="stop when every match has this number of games")
    parser.add_argument("--sizes", type=int, nargs="+", default=[2, 3, 4, 6, 10], choices=range(2, 11))
    parser.add_argument("--sets", nargs="+", default=[*OPTION_SETS], choices=[*OPTION_SETS])
    parser.add_argument("--levels", nargs="*", default=[*LEVEL_NAMES], choices=LEVEL_NAMES)
    parser.add_argument("--rivals", nargs="+", default=RIVALS, choices=RIVALS)
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--outside", type=outside_bot, nargs="+", default=[], metavar="NAME=COMMAND")
    options = parser.parse_args()
    if not options.levels and not options.outside:
        parser.error("no bot plays: name --levels, or a bot with --outside")
    return options


def outside_bot(text: str) -> OutsideBot:
    """Parse ``NAME=COMMAND``."""
    name, _, command = (part.strip() for part in text.partition("="))
    if not command or not name or "/" in name or name in RIVALS:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not NAME=COMMAND with a name of your own without /, such as mine='python3 my_bot.py'"
        )
    return OutsideBot(name, command)


def load(path: Path) -> dict[str, Tally]:
    """Return the results of former runs."""
    return msgspec.json.decode(path.read_bytes(), type=dict[str, Tally]) if path.exists() else {}


def save(path: Path, results: dict[str, Tally]) -> None:
    """Replace the file with the results atomically."""
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_bytes(msgspec.json.encode(results))
    fresh.replace(path)


def run(options: argparse.Namespace) -> dict[str, Tally]:
    """Play until the time is over or every match has enough games."""
    results, until = load(options.results), monotonic() + 3600 * options.hours
    names = [bot.name for bot in options.outside]
    pairings: list[Match] = [
        match
        for match in matches(options.sizes, options.sets, names)
        if match.level in (*options.levels, *names) and match.rival in (*options.rivals, *names)
    ]
    with ExitStack() as bots:
        outside = {bot.name: bots.enter_context(bot).play for bot in options.outside}
        while monotonic() < until:
            match = min(pairings, key=lambda item: results.get(item.key, Tally()).games)
            tally = results.setdefault(match.key, Tally())
            if options.games is not None and tally.games >= options.games:
                break
            Game(match, tally.games, tally, outside).play()
            save(options.results, results)
    return results


def main() -> None:
    """Play the arena, and write the tables."""
    options = arguments()
    results = run(options)
    write(results)
    print(f"{sum(tally.games for tally in current(results).values())} games are counted in docs/bots.md")


if __name__ == "__main__":
    main()
