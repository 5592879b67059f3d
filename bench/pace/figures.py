"""From the courses of many games to figures, tables and a sentence."""

import statistics
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Final

from bench.pace.course import Course
from bench.pace.protocols import DARBAR, LADDER, NAIVE, PRIVATE, Protocol

Figures = dict[str, Any]
_PLACES: Final = 2


def figures(courses: Sequence[Course]) -> Figures:
    """Return what so many games of one kind came to; days and counts are means where nothing else is said."""
    days = sorted(course.days for course in courses)
    return {
        "games": len(courses),
        "days": {
            "mean": round(statistics.mean(days), _PLACES),
            "median": round(statistics.median(days), _PLACES),
            "90%": round(days[min(len(days) - 1, int(0.9 * len(days)))], _PLACES),
        },
        "turns": _mean(courses, lambda course: course.turns),
        "days a turn": round(sum(days) / sum(course.turns for course in courses), 3),
        "questions a person": _mean(courses, lambda course: statistics.mean(course.asked)),
        "letters that only tell": _mean(courses, lambda course: statistics.mean(course.told)),
        "mails a person a day": _mean(courses, lambda course: sum(course.mails) / sum(course.playing)),
        "days waited for": _means(courses, lambda course: course.waited),
        "days waited because they": _means(courses, lambda course: course.because),
        "answers by": _means(courses, lambda course: course.answers),
    }


def _mean(courses: Iterable[Course], of: Callable[[Course], float]) -> float:
    return round(statistics.mean(of(course) for course in courses), _PLACES)


def _means(courses: Sequence[Course], of: Callable[[Course], Mapping[str, float]]) -> dict[str, float]:
    total: defaultdict[str, float] = defaultdict(float)
    for course in courses:
        for name, amount in of(course).items():
            total[name] += amount
    ordered = sorted(total.items(), key=lambda pair: pair[1], reverse=True)
    return {name: round(amount / len(courses), _PLACES) for name, amount in ordered}


def all_figures(
    courses: Iterable[Course], compared: Collection[Protocol] = (NAIVE, DARBAR)
) -> dict[str, dict[str, Figures]]:
    """By the number of players, then by protocol; of no number of which these two cannot be compared."""
    sorted_out: dict[int, dict[str, list[Course]]] = {}
    for course in courses:
        sorted_out.setdefault(course.seats, {}).setdefault(course.protocol, []).append(course)
    return {
        str(seats): {each.name: figures(found[each.name]) for each in (*LADDER, PRIVATE) if each.name in found}
        for seats, found in sorted(sorted_out.items())
        if {each.name for each in compared} <= found.keys()
    }


def factors(found: Mapping[str, Figures]) -> tuple[float, float]:
    """Return how many times fewer days (of the medians), and questions, than naively."""
    naive, ours = found[NAIVE.name], found[DARBAR.name]
    return (
        round(naive["days"]["median"] / ours["days"]["median"], 1),
        round(naive["questions a person"] / ours["questions a person"], 1),
    )


def summary(results: Mapping[str, Mapping[str, Figures]]) -> str:
    """All of it in one line."""
    said = []
    for seats, found in results.items():
        days, questions = factors(found)
        naive, ours = (found[each.name]["days"]["median"] for each in (NAIVE, DARBAR))
        said.append(f"{seats} players {naive:.0f} days -> {ours:.0f} ({days}x), {questions}x fewer questions")
    return "; ".join(said)


def tables(results: Mapping[str, Mapping[str, Figures]]) -> str:
    """The figures as Markdown."""
    return (
        "\n\n".join(
            [f"{outcome(results)}\n{_compared(results)}", *(_parts(seats, found) for seats, found in results.items())]
        )
        + "\n"
    )


def outcome(results: Mapping[str, Mapping[str, Figures]]) -> str:
    """The figures of each protocol as a table."""
    lines = [
        "| players | | games | days, median | 90 % | turns | days a turn | questions each | emails each a day |",
        "|---|---|---|---|---|---|---|---|---|",
    ]
    for seats, found in results.items():
        for name, each in found.items():
            days = each["days"]
            amounts = [days["median"], days["90%"], each["turns"], each["days a turn"]]
            amounts += [each["questions a person"], each["mails a person a day"]]
            lines.append(
                f"| {seats} | {name} | {each['games']} | " + " | ".join(f"{one:.2f}" for one in amounts) + " |"
            )
    return "\n".join(lines)


def _compared(results: Mapping[str, Mapping[str, Figures]]) -> str:
    """Return what the table says at its end: the first protocol against the last."""
    lines = []
    for seats, found in results.items():
        days, questions = factors(found)
        lines.append(f"| {seats} | **times fewer** | | **{days}** | | | | **{questions}** | |")
    return "\n".join(lines)


def _parts(seats: str, found: Mapping[str, Figures]) -> str:
    """Return what a game's days were made of, naively and here."""
    lines = [f"With {seats} players, days a game by what was waited for, and by what kept the last to answer:", ""]
    lines += ["| | " + " | ".join((NAIVE.name, DARBAR.name)) + " |", "|---|---|---|"]
    for key in ("days waited for", "days waited because they"):
        for part in found[NAIVE.name][key] | found[DARBAR.name][key]:
            amounts = " | ".join(f"{found[each.name][key].get(part, 0):.1f}" for each in (NAIVE, DARBAR))
            lines.append(f"| {part} | {amounts} |")
    return "\n".join(lines)
