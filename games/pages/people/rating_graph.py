"""The graph of a player's rating as inline SVG. Its colours come from the page's stylesheet."""

from collections.abc import Iterator, Sequence
from typing import Final
from xml.sax.saxutils import quoteattr

from django.utils.safestring import SafeString, mark_safe

from games.text.phrases import number

WIDE: Final = 400
HIGH: Final = 190
_EDGE: Final = 52
"""The space beside the graph for its numbers."""
_MARGIN: Final = 18
_STEPS: Final = (10, 20, 50, 100, 200, 500, 1000)
_MOST_LEVELS: Final = 5


def graph(ratings: Sequence[int], label: str, right_to_left: bool) -> SafeString:
    """Return a line graph from the oldest rating to the newest, in reading direction."""
    levels = _levels(min(ratings), max(ratings))
    places = [*_places(ratings, levels, right_to_left)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    parts = [*_grid(levels, right_to_left), f'<polyline class="graph-line" points="{line}"/>']
    x, y = places[-1]
    parts.append(f'<circle class="graph-now" cx="{x:.1f}" cy="{y:.1f}" r="5"/>')
    attributes = f'role="img" aria-label={quoteattr(label)}'
    return mark_safe(f'<svg class="graph" viewBox="0 0 {WIDE} {HIGH}" {attributes}>{"".join(parts)}</svg>')


def _levels(least: int, most: int) -> range:
    """Return a few round numbers from below the lowest rating to above the highest."""
    step = next((step for step in _STEPS if (most - least) // step < _MOST_LEVELS - 1), _STEPS[-1])
    return range(least // step * step, (most // step + 1) * step + 1, step)


def _places(ratings: Sequence[int], levels: range, right_to_left: bool) -> Iterator[tuple[float, float]]:
    pitch = (WIDE - _EDGE - _MARGIN) / (len(ratings) - 1)
    for index, rating in enumerate(ratings):
        horizontal = _EDGE + index * pitch
        yield (WIDE - horizontal if right_to_left else horizontal), _vertical(rating, levels)


def _vertical(rating: int, levels: range) -> float:
    return _MARGIN + (HIGH - 2 * _MARGIN) * (levels[-1] - rating) / (levels[-1] - levels[0])


def _grid(levels: range, right_to_left: bool) -> Iterator[str]:
    """Yield a line for each level, with its number on the side of the oldest rating."""
    begin, end = (WIDE - _EDGE, _MARGIN) if right_to_left else (_EDGE, WIDE - _MARGIN)
    beside, anchor = (WIDE - _EDGE + 8, "start") if right_to_left else (_EDGE - 8, "end")
    for level in levels:
        vertical = _vertical(level, levels)
        yield f'<path class="graph-grid" d="M{begin} {vertical:.1f}H{end}"/>'
        place = f'x="{beside}" y="{vertical + 5:.1f}" text-anchor="{anchor}"'
        yield f'<text class="graph-number" {place}>{number(level)}</text>'
