"""Measuring: things that are compared run alternately, and medians of ratios are what counts."""

import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

TIMES: Final = 5


@dataclass(frozen=True)
class Row:
    """One row of the table: what was measured, and how it compares."""

    what: str
    ours: float
    """Ours, in ``unit``: the median."""
    unit: str
    against: str
    """The value that it is compared with."""
    theirs: float
    """The same of that, in the same unit or, for a limit in time or size, the limit itself."""
    ratio: float
    """The median of the ratios of runs made one after the other; where many delays are put together, or compared with a
    limit, one ratio."""
    wanted: str
    """The value that must be reached, and the value that is aimed at."""
    reached: bool
    more: Any = None
    """The other observations."""

    def told(self) -> str:
        """The row as a line."""
        mark = "reached" if self.reached else "NOT YET"
        return (
            f"{self.what:<58} {self.ours:>10,.4g} {self.unit:<11} / {self.theirs:>10,.4g} = {self.ratio:>8,.3g}"
            f"  {mark} (wanted: {self.wanted})"
        )

    def kept(self) -> dict[str, Any]:
        """The row as it stands in the file."""
        return asdict(self)


def alternately(
    ours: Callable[[], float], theirs: Callable[[], float], times: int = TIMES
) -> tuple[float, float, float]:
    """Measure two things in turn; the median of each, and the median of their ratios."""
    pairs = [(ours(), theirs()) for _ in range(times)]
    return (
        statistics.median(own_item for own_item, _ in pairs),
        statistics.median(other for _, other in pairs),
        statistics.median(own_item / other for own_item, other in pairs),
    )


def percentile(values: Sequence[float], part: float) -> float:
    """Return what this part of the values does not exceed."""
    return sorted(values)[min(len(values) - 1, int(part * len(values)))]


def at_least(title: str, unit: str, against: str, measured: tuple[float, float, float], *bounds: float) -> Row:
    """A row for which more is better; ``bounds`` are the ratio to be reached, and the one that is tried for."""
    ours, theirs, ratio = measured
    text = f"≥ {bounds[0]:g}, better {bounds[1]:g}"
    return Row(title, ours, unit, against, theirs, ratio, text, ratio >= bounds[0])


def at_most(title: str, unit: str, against: str, measured: tuple[float, float, float], *bounds: float) -> Row:
    """A row for which less is better."""
    ours, theirs, ratio = measured
    text = f"≤ {bounds[0]:g}, better {bounds[1]:g}"
    return Row(title, ours, unit, against, theirs, ratio, text, ratio <= bounds[0])
