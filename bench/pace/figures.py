"""Turns the courses of many games into figures, tables and a sentence."""

import statistics
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from random import Random
from typing import Any, Final

from bench.pace.course import Course
from bench.pace.protocols import NAIVE, PROTOCOLS

Figures = dict[str, Any]
_PLACES: Final = 2
_CLOCK: Final = "timeout"
_WAITS: Final = ("days waited for", "days waited because they")
BOUNDS: Final[Mapping[str, tuple[str, Callable[[str], bool]]]] = {
    "blocks": (_WAITS[0], lambda kind: kind == "block"),
    "losing a card, proving, exchanging": (_WAITS[0], lambda kind: kind in ("loss", "proof", "exchange")),
    "what people had put off or forgotten": (_WAITS[1], lambda cause: cause.startswith("had put it off")),
    "turns": (_WAITS[0], lambda kind: kind == "turn"),
    "challenges of actions": (_WAITS[0], lambda kind: kind == "challenge"),
    "all but challenges": (_WAITS[0], lambda kind: "challenge" not in kind),
}
"""The rows of ``bounds``: the figure and the kinds of waiting in it."""
_RESAMPLED: Final = 2000
"""The number of samples for an interval of 95 % (bootstrap)."""


def figures(courses: Sequence[Course], naive: Sequence[Course]) -> Figures:
    """Return the figures of games of a protocol. Days and counts are means if their names say nothing else."""
    days = sorted(course.days for course in courses)
    answers = sum(sum(course.answers.values()) for course in courses)
    return {
        "games": len(courses),
        "days": {
            "mean": round(statistics.mean(days), _PLACES),
            "median": round(statistics.median(days), _PLACES),
            "90%": round(days[min(len(days) - 1, int(0.9 * len(days)))], _PLACES),
        },
        "turns": _mean(courses, lambda course: course.turns),
        "days a turn": round(days_a_turn(courses), 3),
        "times fewer": times_fewer(naive, courses),
        "questions a person": _mean(courses, lambda course: statistics.mean(course.questions)),
        "letters that only tell": _mean(courses, lambda course: statistics.mean(course.reports)),
        "mails a person a day": _mean(courses, lambda course: sum(course.mails) / sum(course.playing)),
        "days waited for": _means(courses, lambda course: course.waits),
        "days waited because they": _means(courses, lambda course: course.causes),
        "answers by": _means(courses, lambda course: course.answers),
        "answers by the clock": round(100 * sum(course.answers[_CLOCK] for course in courses) / answers, 1),
    }


def days_a_turn(courses: Sequence[Course]) -> float:
    """Return the mean number of days for a turn over all these games."""
    return sum(course.days for course in courses) / sum(course.turns for course in courses)


def times_fewer(naive: Sequence[Course], courses: Sequence[Course]) -> tuple[float, float, float]:
    """Return the ratio of the days a turn takes, naive to these games, and its interval of 95 % (bootstrap)."""
    luck = Random(28)
    ratios = sorted(
        days_a_turn(luck.choices(naive, k=len(naive))) / days_a_turn(luck.choices(courses, k=len(courses)))
        for _ in range(_RESAMPLED)
    )
    bounds = (ratios[round(0.025 * _RESAMPLED)], ratios[round(0.975 * _RESAMPLED) - 1])
    low, high = (round(bound, _PLACES) for bound in bounds)
    return round(days_a_turn(naive) / days_a_turn(courses), _PLACES), low, high


def _mean(courses: Iterable[Course], of: Callable[[Course], float]) -> float:
    return round(statistics.mean(of(course) for course in courses), _PLACES)


def _means(courses: Sequence[Course], of: Callable[[Course], Mapping[str, float]]) -> dict[str, float]:
    total: defaultdict[str, float] = defaultdict(float)
    for course in courses:
        for name, amount in of(course).items():
            total[name] += amount
    ordered = sorted(total.items(), key=lambda pair: pair[1], reverse=True)
    return {name: round(amount / len(courses), _PLACES) for name, amount in ordered}


def all_figures(courses: Iterable[Course]) -> dict[str, dict[str, Figures]]:
    """Return the figures by the number of players and protocol. Numbers without a naive game are left out."""
    groups: dict[int, dict[str, list[Course]]] = {}
    for course in courses:
        groups.setdefault(course.seats, {}).setdefault(course.protocol, []).append(course)
    return {
        str(seats): {
            protocol.name: figures(results[protocol.name], results[NAIVE.name])
            for protocol in PROTOCOLS
            if protocol.name in results
        }
        for seats, results in sorted(groups.items())
        if NAIVE.name in results and len(results) > 1
    }


def summary(results: Mapping[str, Mapping[str, Figures]]) -> str:
    """Return the main figures in one line."""
    return "; ".join(
        f"{seats} players, times fewer days a turn than naively: "
        + ", ".join(
            f"{name} {protocol_figures['times fewer'][0]:.2f}"
            for name, protocol_figures in figures_by_protocol.items()
            if name != NAIVE.name
        )
        for seats, figures_by_protocol in results.items()
    )


def tables(results: Mapping[str, Mapping[str, Figures]]) -> str:
    """Return the figures as Markdown."""
    return "\n\n".join([outcome(results), waiting(results), bounds(results)]) + "\n"


def outcome(results: Mapping[str, Mapping[str, Figures]]) -> str:
    """Return the figures of the protocols as a table."""
    lines = [
        "| players | | games | days, median | 90 % | days a turn | times fewer (95 %) | by the clock "
        "| emails each a day |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for seats, figures_by_protocol in results.items():
        for name, protocol_figures in figures_by_protocol.items():
            days, (times, low, high) = protocol_figures["days"], protocol_figures["times fewer"]
            fewer = "1" if name == NAIVE.name else f"{times:.2f} ({low:.2f} to {high:.2f})"
            lines.append(
                f"| {seats} | {name} | {protocol_figures['games']} | {days['median']:.1f} | {days['90%']:.1f} "
                f"| {protocol_figures['days a turn']:.2f} | {fewer} "
                f"| {protocol_figures['answers by the clock']:.1f} % | {protocol_figures['mails a person a day']:.2f} |"
            )
    return "\n".join(lines)


def waiting(results: Mapping[str, Mapping[str, Figures]]) -> str:
    """Return a table of the hours of a turn, by question and by cause, for each protocol."""
    rows = [
        (seats, name, protocol_figures)
        for seats, figures_by_protocol in results.items()
        for name, protocol_figures in figures_by_protocol.items()
    ]
    parts = {part: key for _, _, figures_of_row in rows for key in _WAITS for part in figures_of_row[key]}
    lines = ["Hours a turn, by what was waited for, and by what kept the last to answer:", ""]
    lines += _columns([f"{seats}, {name}" for seats, name, _ in rows])
    for part in sorted(parts, key=lambda part: _WAITS.index(parts[part])):
        amounts = [
            24 * figures_of_row[parts[part]].get(part, 0) / figures_of_row["turns"] for _, _, figures_of_row in rows
        ]
        lines.append(f"| {part} | " + " | ".join(f"{amount:.1f}" for amount in amounts) + " |")
    return "\n".join(lines)


def bounds(results: Mapping[str, Mapping[str, Figures]]) -> str:
    """Return a table of how many times fewer days a turn would take if a part of the waiting took no time."""
    rows = [
        (seats, name, protocol_figures, figures_by_protocol[NAIVE.name]["days a turn"])
        for seats, figures_by_protocol in results.items()
        for name, protocol_figures in figures_by_protocol.items()
        if name != NAIVE.name
    ]
    lines = ["Times fewer days a turn than naively, if this took no time at all:", ""]
    lines += _columns([f"{seats}, {name}" for seats, name, *_ in rows])
    for part, (key, is_in) in BOUNDS.items():
        amounts = []
        for _, _, protocol_figures, naive in rows:
            saved = sum(days for kind, days in protocol_figures[key].items() if is_in(kind)) / protocol_figures["turns"]
            amounts.append(naive / (protocol_figures["days a turn"] - saved))
        lines.append(f"| {part} | " + " | ".join(f"{amount:.1f}" for amount in amounts) + " |")
    return "\n".join(lines)


def _columns(names: Sequence[str]) -> list[str]:
    return ["| | " + " | ".join(names) + " |", "|---" * (len(names) + 1) + "|"]
