"""Reports the results of a siege as a table."""

from collections.abc import Sequence
from typing import Final

from bench.siege.campaign import Siege
from bench.siege.players import Results

TWICE: Final = 2.0
"""The maximum ratio of the 99th percentiles of the latency, under siege and in quiet."""


def is_held(siege: Siege) -> bool:
    """Return True if the attackers hardly affected the players."""
    return is_answered(siege) and ratio(siege) <= TWICE


def is_answered(siege: Siege) -> bool:
    """Return True if every request was answered, no answer was a 5xx, 429 or 421, and no stream ended."""
    return not any(
        interval.refused or interval.unanswered or interval.streams_lost for interval in (*siege.quiet, *siege.besieged)
    )


def ratio(siege: Siege) -> float:
    """Return the ratio of the 99th percentiles of the latency, under siege and in quiet, over all rounds."""
    return _sum(siege.besieged).slowest(0.99) / _sum(siege.quiet).slowest(0.99)


def table(title: str, siege: Siege) -> str:
    head = f"  {'':8} {'requests':>9} {'moves':>7} {'p50':>9} {'p99':>9} {'5xx':>5} {'429':>5} {'421':>5} {'lost':>5}"
    lines = [title, head, _row("quiet", siege.quiet), _row("siege", siege.besieged)]
    for service in ("web", "stream", "mail"):
        tried, refused, cut = (siege.attackers[f"{service} {end}"] for end in ("tried", "refused", "cut"))
        lines.append(f"  attackers at {service}: {tried:,} connections tried, {refused:,} refused at once, {cut:,} cut")
    verdict = "held" if is_held(siege) else "NOT HELD"
    lines.append(f"  the web server's process holds {siege.memory:,.0f} MB under siege")
    return "\n".join([*lines, f"  p99 under siege is {ratio(siege):.2f} times the quiet one: {verdict}"])


def _row(name: str, rounds: Sequence[Results]) -> str:
    """Return a line for all rounds. The last column counts requests without an answer and ended streams."""
    total = _sum(rounds)
    times = f"{total.slowest(0.5):>6.1f} ms {total.slowest(0.99):>6.1f} ms"
    counts = f"{len(total.latencies):>9,} {total.moves:>7,}"
    lost = total.unanswered + total.streams_lost
    return f"  {name:8} {counts} {times} {total.failed:>5} {total.count(429):>5} {total.count(421):>5} {lost:>5}"


def _sum(rounds: Sequence[Results]) -> Results:
    total = Results()
    for results in rounds:
        total.add(results)
    return total
