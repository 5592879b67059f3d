"""Stories whose sentences tell of several events at once, within one line of the story (``Event.begins_line``)."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from games.engine.phrases import Phrase
from games.engine.rules import Story
from games.engine.types import Event, SeatNumber


class Line:
    """The events of one line of the story, and how far they have been told."""

    def __init__(self, events: Sequence[Event], reader: SeatNumber | None, quiet: tuple[type[Event], ...]) -> None:
        self.events = events
        self.reader = reader
        self.quiet = quiet
        self.told_already: set[int] = set()
        """The indexes of the events that are told together with an earlier one."""

    def together(self, index: int, *kinds: type[Event]) -> Any:
        """The next event at which something happens, if it is of these kinds: then it is not told by itself."""
        later = ((other, self.events[other]) for other in range(index + 1, len(self.events)))
        other, following = next(((n, event) for n, event in later if not isinstance(event, self.quiet)), (0, None))
        if not isinstance(following, kinds):
            return None
        self.told_already.add(other)
        return following

    def before(self, index: int, kind: type[Event]) -> bool:
        """Return whether such an event stands before this one."""
        return any(isinstance(event, kind) for event in self.events[:index])

    def after(self, index: int, kind: type[Event], seat: SeatNumber) -> bool:
        """Return whether such an event of this seat follows."""
        return any(isinstance(event, kind) and getattr(event, "seat", None) == seat for event in self.events[index:])


def line_by_line(tell: Callable[[Line, int, Any], Phrase | None], quiet: tuple[type[Event], ...] = ()) -> Story:
    """The story of a game that tells some events together: ``tell(line, index, event)``, None where there is nothing.

    ``quiet`` are the events at which nothing happens: ``Line.together`` looks past them. Events of different lines are
    not told together, and an event that is given alone is told alone.
    """

    def story(events: Sequence[Any], reader: SeatNumber | None) -> Iterator[tuple[int, Phrase]]:
        starts = [0, *(index for index, event in enumerate(events) if index and event.begins_line)]
        for start, end in zip(starts, [*starts[1:], len(events)], strict=True):
            line = Line(events[start:end], reader, quiet)
            for index, event in enumerate(line.events):
                phrase = None if index in line.told_already else tell(line, index, event)
                if phrase is not None and phrase.text:
                    yield start + index, phrase

    return story
