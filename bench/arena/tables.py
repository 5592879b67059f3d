"""Writes the tables of the arena into docs/bots.md, between two marks."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from bench.arena.archetypes import ARCHETYPES
from bench.arena.matches import MIXTURE, Tally
from bench.arena.ratings import MIDDLE, Rating, Result, ratings
from bench.bots import interval
from games.engine.types import LEVEL_NAMES, NORMAL
from games.rules.coup import RULES

DOCUMENT: Final = Path("docs/bots.md")
BEGIN: Final = "<!-- arena: begin -->\n"
END: Final = "<!-- arena: end -->\n"
PLACES: Final = (*ARCHETYPES, MIXTURE, *LEVEL_NAMES)
ENOUGH: Final = 20
"""The minimum number of games of a cell that the tables show."""


def write(results: Mapping[str, Tally], path: Path = DOCUMENT) -> None:
    """Replace the tables of the document."""
    before, _, rest = path.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    path.write_text(f"{before}{BEGIN}\n{tables(results)}\n{END}{after}")


def tables(results: Mapping[str, Tally]) -> str:
    """Return all tables as Markdown."""
    played = current(results)
    total = sum(tally.games for tally in played.values())
    parts = [
        f"{total:,} games were played for these tables. Each cell: games won in percent, the interval of 95 %, games."
    ]
    tallies = {key: tally for key, tally in played.items() if tally.games >= ENOUGH}
    for options, seats in sorted({(key[3], int(key[2])) for key in tallies}):
        cells = {key[:2]: tally for key, tally in tallies.items() if key[2:] == (str(seats), options)}
        parts.append(f"**{seats} seats, {options}** (par {100 / seats:.0f} %)\n\n{table(cells)}")
    return "\n\n".join([*parts, rated(tallies), costs(tallies), doubts(tallies)]) + "\n"


def current(results: Mapping[str, Tally]) -> dict[tuple[str, ...], Tally]:
    """Return the results of this version of the bots, by level, rival, seats and options."""
    version = f" / {RULES.bot_version}"
    return {
        tuple(key.removesuffix(version).split(" / ")): tally
        for key, tally in results.items()
        if tally.games and key.endswith(version)
    }


def table(cells: Mapping[tuple[str, ...], Tally]) -> str:
    """Return a table with a line for each rival and a column for each level."""
    levels = sorted({key[0] for key in cells}, key=place)
    rivals = sorted({key[1] for key in cells}, key=place)
    return lines(
        ["rivals", *levels], ([rival, *(cell(cells.get((level, rival))) for level in levels)] for rival in rivals)
    )


def place(name: str) -> tuple[int, str]:
    """Return the sort key of a player: bots from outside come last."""
    return (PLACES.index(name), "") if name in PLACES else (len(PLACES), name)


def rated(played: Mapping[tuple[str, ...], Tally]) -> str:
    """Return the table of ratings in classic games, in the order of the column with the most players."""
    results = {size: ratings(_results(played, size)) for size in sorted({int(key[2]) for key in played})}
    main = max(results.values(), key=len, default={})
    names = {name: 0.0 for of_size in results.values() for name in of_size} | {
        name: estimate.value for name, estimate in main.items()
    }
    rows = [
        [name, *(rating(of_size.get(name)) for of_size in results.values())]
        for name in sorted(names, key=lambda name: -names[name])
    ]
    head = "Ratings by the classic games, with the interval of 95 %. 400 more are ten games won to one:\n\n"
    return head + lines(["player", *(f"{size} seats" for size in results)], rows)


def _results(played: Mapping[tuple[str, ...], Tally], size: int) -> list[Result]:
    """Return the results of classic games of a size. The archetype "normal bot" counts as the level ``normal``."""
    return [
        Result(bot, NORMAL if rival == "normal bot" else rival, size - 1, tally.games, tally.won)
        for (bot, rival, seats, options), tally in played.items()
        if (int(seats), options) == (size, "classic")
    ]


def rating(estimate: Rating | None) -> str:
    """Return a rating with its interval. ``normal``, with which all others are compared, has none."""
    if estimate is None or not estimate.width:
        return f"{MIDDLE:.0f}" if estimate else ""
    return f"{estimate.value:.0f} (± {estimate.width:.0f})"


def cell(tally: Tally | None) -> str:
    """Return the percentage of won games, with its interval and the number of games."""
    if tally is None:
        return ""
    low, high = interval(tally.won, tally.games)
    return f"{100 * tally.won / tally.games:.0f} ({100 * low:.0f} to {100 * high:.0f}; {tally.games})"


def costs(played: Mapping[tuple[str, ...], Tally]) -> str:
    """Return the table of the costs of an answer, by level and number of seats."""
    sizes = sorted({int(key[2]) for key in played})
    rows = []
    for level in LEVEL_NAMES:
        row = [level]
        for size in sizes:
            tallies = [tally for key, tally in played.items() if key[0] == level and int(key[2]) == size]
            row.append(cost(tallies))
        if any(row[1:]):
            rows.append(row)
    head = "Processor time for an answer, on average, and the memory that it takes at a turn:\n\n"
    return head + lines(["level", *(f"{size} seats" for size in sizes)], rows)


def cost(tallies: Sequence[Tally]) -> str:
    """Return the time and memory of an answer."""
    answers = sum(tally.answers for tally in tallies)
    if not answers:
        return ""
    seconds, most = sum(tally.thought for tally in tallies) / answers, max(tally.memory for tally in tallies)
    return f"{1000 * seconds:.1f} ms, {most / 1e6:.1f} MB"


def doubts(played: Mapping[tuple[str, ...], Tally]) -> str:
    """Return the table of challenged claims: lies and truths of always-dukes, and truths of honest players."""
    rows = []
    for level in LEVEL_NAMES:
        liars = [tally for key, tally in played.items() if key[:2] == (level, "always duke")]
        honest = [tally for key, tally in played.items() if key[:2] == (level, "honest")]
        lies, doubted = sum(liar.lies for liar in liars), sum(liar.doubted for liar in liars)
        row = [level, part(doubted, lies)]
        for group in (liars, honest):
            row.append(part(sum(tally.wronged for tally in group), sum(tally.truths for tally in group)))
        if any(row[1:]):
            rows.append(row)
    head = ["level", "lies of always-dukes, from the sixth claim on", "their true claims", "true claims of the honest"]
    return "Claims that are challenged:\n\n" + lines(head, rows)


def part(count: int, total: int) -> str:
    """Return a count as a percentage of a total, with its interval."""
    if not total:
        return ""
    low, high = interval(count, total)
    return f"{100 * count / total:.0f} % ({100 * low:.0f} to {100 * high:.0f}; {count} of {total})"


def lines(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a table in Markdown."""
    return "\n".join(_lines([*head], rows))


def _lines(head: list[str], rows: Iterable[Iterable[str]]) -> Iterator[str]:
    yield f"| {' | '.join(head)} |"
    yield f"|{'---|' * len(head)}"
    for row in rows:
        yield f"| {' | '.join(row)} |"
