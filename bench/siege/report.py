"""Reports a siege as a table, and whether the server held."""

from collections.abc import Sequence
from typing import Final

from bench.siege.campaign import Found
from bench.siege.players import Results

TWICE: Final = 2.0
"""The factor by which the slowest hundredth may be slower than in quiet."""


def is_held(found: Found) -> bool:
    """Return whether everybody played on under siege as they did before it."""
    return is_answered(found) and ratio(found) <= TWICE


def is_answered(found: Found) -> bool:
    """Return whether every request was answered, none with an error of the server, and none refused for its number."""
    return not any(each.refused or each.unanswered or each.streams_lost for each in (*found.quiet, *found.siege))


def ratio(found: Found) -> float:
    """Return how many times as long the slowest hundredth takes under siege, of the requests of all rounds together."""
    return _sum(found.siege).slowest(0.99) / _sum(found.quiet).slowest(0.99)


def table(title: str, found: Found) -> str:
    """All of it."""
    lines = [title, f"  {'':8} {'requests':>9} {'moves':>7} {'p50':>9} {'p99':>9} {'5xx':>5} {'429':>5} {'lost':>5}"]
    lines += [_row("quiet", found.quiet), _row("siege", found.siege)]
    for door in ("web", "stream", "mail"):
        tried, refused, cut = (found.attackers[f"{door} {what}"] for what in ("tried", "refused", "cut"))
        lines.append(f"  attackers at {door}: {tried:,} connections tried, {refused:,} refused at once, {cut:,} cut")
    verdict = "held" if is_held(found) else "NOT HELD"
    return "\n".join([*lines, f"  p99 under siege is {ratio(found):.2f} times the quiet one: {verdict}"])


def _row(name: str, rounds: Sequence[Results]) -> str:
    """One line, of all rounds together. Lost are requests without an answer, and streams that ended."""
    every = _sum(rounds)
    lost, limited = every.unanswered + every.streams_lost, every.refused - every.failed
    times = f"{every.slowest(0.5):>6.1f} ms {every.slowest(0.99):>6.1f} ms"
    counts = f"{len(every.latencies):>9,} {every.moves:>7,}"
    return f"  {name:8} {counts} {times} {every.failed:>5} {limited:>5} {lost:>5}"


def _sum(rounds: Sequence[Results]) -> Results:
    every = Results()
    for each in rounds:
        every.add(each)
    return every
