"""Rows of measurements. Both sides of a comparison run alternately, and the median of the ratios is compared."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

TIMES: Final = 5


@dataclass(frozen=True)
class Row:
    """A row of the table: a measured value, the value that it is compared with, and the bound."""

    title: str
    ours: float
    """The median of the project's own values, in ``unit``."""
    unit: str
    against: str
    """The name of the other side of the comparison."""
    theirs: float
    """The median of the other side in the same unit. For a limit of time or size, the limit itself."""
    ratio: float
    """The median of the ratios of neighbouring runs. For percentiles and limits there is a single ratio."""
    bounds: str
    """The ratio that must be reached, and the ratio that is aimed at."""
    reached: bool
    more: Any = None
    """Further observations, which only the JSON file contains."""

    def line(self) -> str:
        """Return the row as a line of text."""
        mark = "reached" if self.reached else "NOT YET"
        return (
            f"{self.title:<58} {self.ours:>10,.4g} {self.unit:<11} / {self.theirs:>10,.4g} = {self.ratio:>8,.3g}"
            f"  {mark} (wanted: {self.bounds})"
        )


def alternately(
    ours: Callable[[], float], theirs: Callable[[], float], times: int = TIMES
) -> tuple[float, float, float]:
    """Measure two things in turn. Return the median of each and the median of their ratios."""
    pairs = [(ours(), theirs()) for _ in range(times)]
    return (
        statistics.median(our_value for our_value, _ in pairs),
        statistics.median(their_value for _, their_value in pairs),
        statistics.median(our_value / their_value for our_value, their_value in pairs),
    )


def percentile(values: Sequence[float], part: float) -> float:
    """Return the value that the fraction ``part`` of all values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def at_least(title: str, unit: str, against: str, measured: tuple[float, float, float], *bounds: float) -> Row:
    """Return a row for which more is better. ``bounds``: the ratio to reach, and the ratio that is aimed at."""
    ours, theirs, ratio = measured
    bound = f"≥ {bounds[0]:g}, better {bounds[1]:g}"
    return Row(title, ours, unit, against, theirs, ratio, bound, ratio >= bounds[0])


def at_most(title: str, unit: str, against: str, measured: tuple[float, float, float], *bounds: float) -> Row:
    """Return a row for which less is better."""
    ours, theirs, ratio = measured
    bound = f"≤ {bounds[0]:g}, better {bounds[1]:g}"
    return Row(title, ours, unit, against, theirs, ratio, bound, ratio <= bounds[0])
