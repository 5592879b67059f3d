"""Checks of reactions: an event must close each reaction, because it makes the times of the answers public."""

from collections.abc import Iterator, Set

from games.engine.rules import AnyRules
from games.engine.testing.playing import Decision, RandomGame


class Windows:
    """The answers of one game whose reaction is still open."""

    def __init__(self, rules: AnyRules) -> None:
        self.rules = rules
        self.waiting: dict[str, Set[str]] = {}
        """The event of each answer, and the questions that were still open after it."""

    def examine(self, game: RandomGame, decision: Decision) -> Iterator[str]:
        """Yield the answers whose reaction has not been closed although none of its questions is open."""
        if self.rules.outcome(decision.after) is not None:
            return
        still_open = {question.id for question in self.rules.questions(decision.after)}
        for event in decision.events:
            if event.closes_window:
                self.waiting.clear()
            if event.in_open_window:
                self.waiting.setdefault(str(event.__struct_config__.tag), still_open)
        for tag in [tag for tag, questions in self.waiting.items() if not questions & still_open]:
            del self.waiting[tag]
            yield (
                f"`{tag}` is an answer in a window whose questions are all closed, and no event after it sets "
                "`closes_window`. Set it on the event that ends the window: until then nobody is told when it came."
            )
