"""Stories with sentences about several events of one line of the story (``Event.begins_line``)."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from games.engine.phrases import Phrase
from games.engine.rules import Story
from games.engine.types import Event, SeatNumber


class Line:
    """The events of one line of the story, and which of them have been told."""

    def __init__(self, events: Sequence[Event], reader: SeatNumber | None, quiet: tuple[type[Event], ...]) -> None:
        self.events = events
        self.reader = reader
        self.quiet = quiet
        self.told_already: set[int] = set()
        """The indexes of the events that share the sentence of an earlier event."""

    def together(self, index: int, *kinds: type[Event]) -> Any:
        """Return the next event that is not quiet, if it is of these kinds. It then gets no sentence of its own."""
        later = ((other, self.events[other]) for other in range(index + 1, len(self.events)))
        other, following = next(((n, event) for n, event in later if not isinstance(event, self.quiet)), (0, None))
        if not isinstance(following, kinds):
            return None
        self.told_already.add(other)
        return following

    def before(self, index: int, kind: type[Event]) -> bool:
        """Return whether an earlier event of the line is of this kind."""
        return any(isinstance(event, kind) for event in self.events[:index])

    def after(self, index: int, kind: type[Event], seat: SeatNumber) -> bool:
        """Return whether this event, or a later one of the line, is of this kind and this seat."""
        return any(isinstance(event, kind) and getattr(event, "seat", None) == seat for event in self.events[index:])


def line_by_line(tell: Callable[[Line, int, Any], Phrase | None], quiet: tuple[type[Event], ...] = ()) -> Story:
    """Return a story that can tell several events in one sentence. ``tell`` returns None for an event to leave out.

    ``Line.together`` skips the ``quiet`` events. Events of different lines never share a sentence.
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
