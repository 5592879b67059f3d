"""The graph of a player's rating, as a picture in the page: its colours are those of the page's stylesheet."""

from collections.abc import Iterator, Sequence
from typing import Final
from xml.sax.saxutils import quoteattr

from django.utils.safestring import SafeString, mark_safe

from games.text.phrases import number

WIDE: Final = 400
HIGH: Final = 190
_EDGE: Final = 52
"""The room beside the graph, in which its numbers stand."""
_MARGIN: Final = 18
_STEPS: Final = (10, 20, 50, 100, 200, 500, 1000)
_MOST_LEVELS: Final = 5


def graph(ratings: Sequence[int], label: str, right_to_left: bool) -> SafeString:
    """A line from the oldest rating to the newest, in the direction in which the reader reads."""
    levels = _levels(min(ratings), max(ratings))
    places = [*_places(ratings, levels, right_to_left)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
    drawn = [*_grid(levels, right_to_left), f'<polyline class="graph-line" points="{line}"/>']
    x, y = places[-1]
    drawn.append(f'<circle class="graph-now" cx="{x:.1f}" cy="{y:.1f}" r="5"/>')
    named = f'role="img" aria-label={quoteattr(label)}'
    return mark_safe(f'<svg class="graph" viewBox="0 0 {WIDE} {HIGH}" {named}>{"".join(drawn)}</svg>')


def _levels(least: int, most: int) -> range:
    """Round numbers from below the least rating to above the highest, a few of them."""
    step = next((step for step in _STEPS if (most - least) // step < _MOST_LEVELS - 1), _STEPS[-1])
    return range(least // step * step, (most // step + 1) * step + 1, step)


def _places(ratings: Sequence[int], levels: range, right_to_left: bool) -> Iterator[tuple[float, float]]:
    pitch = (WIDE - _EDGE - _MARGIN) / (len(ratings) - 1)
    for index, rating in enumerate(ratings):
        across = _EDGE + index * pitch
        yield (WIDE - across if right_to_left else across), _down(rating, levels)


def _down(rating: int, levels: range) -> float:
    return _MARGIN + (HIGH - 2 * _MARGIN) * (levels[-1] - rating) / (levels[-1] - levels[0])


def _grid(levels: range, right_to_left: bool) -> Iterator[str]:
    """Yield a thin line for each level, with its number at the side where the line of the ratings begins."""
    begin, end = (WIDE - _EDGE, _MARGIN) if right_to_left else (_EDGE, WIDE - _MARGIN)
    beside, anchor = (WIDE - _EDGE + 8, "start") if right_to_left else (_EDGE - 8, "end")
    for level in levels:
        down = _down(level, levels)
        yield f'<path class="graph-grid" d="M{begin} {down:.1f}H{end}"/>'
        place = f'x="{beside}" y="{down + 5:.1f}" text-anchor="{anchor}"'
        yield f'<text class="graph-number" {place}>{number(level)}</text>'
