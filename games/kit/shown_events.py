"""Checks of ``show``: the shown events contain the facts of the viewer's view and nothing else.

An event must close each reaction, because it makes the times of the answers public.
"""

from collections.abc import Iterator, Set
from typing import Any

import msgspec

from games.engine.rules import AnyRules, show_all
from games.engine.types import EVERYONE, SPECTATOR, Event, SeatNumber, Viewer
from games.kit.random_games import Decision, RandomGame, alike, beyond, difference, facts, less_or_equal, who


class Gate:
    """Folds the events shown to each viewer of a game, and compares the result with the viewer's view."""

    def __init__(self, rules: AnyRules) -> None:
        self.rules = rules
        self.folds: dict[Viewer, Any] = {}
        self.hidden_from: set[Viewer] = set()
        """The viewers who are not shown everything."""

    def examine(self, game: RandomGame, decision: Decision) -> Iterator[str]:
        """Yield the faults in the events of a decision as shown to viewers."""
        whole = decision.before
        for number, event in enumerate(decision.events):
            yield from self._one(event)
            whole = self.rules.evolve(whole, event)
            for viewer in game.viewers:
                visible = self.rules.show(event, viewer)
                if visible != event:
                    self.hidden_from.add(viewer)
                if visible is not None:
                    self.folds[viewer] = self.rules.evolve(self.folds.get(viewer), visible)
            yield from self._square(game.viewers[(number + len(game.history)) % len(game.viewers)], whole, event)
        for viewer in game.viewers:
            yield from self._square(viewer, decision.after, decision.events[-1])
            yield from self._no_more(viewer, decision)
            yield from self._state_and_log(viewer, decision)
            yield from self._same_questions(viewer, decision)

    def _one(self, event: Event) -> Iterator[str]:
        """Check an event as each kind of viewer is shown it."""
        tag = _tag(event)
        if self.rules.show(event, EVERYONE) != event:
            yield f"Once a game is over everything is open, but `show` hides something of `{tag}` from EVERYONE."
        to_all, to_one = self.rules.show(event, SPECTATOR), self.rules.show(event, SeatNumber(1))
        if to_all is not None and not less_or_equal(facts(to_all), facts(to_one)):
            yield f"A spectator is shown more of `{tag}` than seat 1: {difference(to_all, to_one)}."
        for visible in (to_all, to_one):
            if visible is not None and not less_or_equal(facts(visible), facts(event)):
                yield f"`show` tells of `{tag}` what has not happened: {difference(visible, event)}. Hide with None."

    def _square(self, viewer: Viewer, whole: Any, event: Event) -> Iterator[str]:
        """Check that the fold of shown events has the same view as the state."""
        may, folded = self.rules.view(whole, viewer), self.rules.view(self.folds[viewer], viewer)
        if may != folded:
            yield (
                f"After `{_tag(event)}` the view of {who(viewer)} is not what follows from the events they are shown: "
                f"in the view {difference(may, folded)}."
            )

    def _no_more(self, viewer: Viewer, decision: Decision) -> Iterator[str]:
        """Check that the fold of shown events contains nothing beyond the view."""
        if self.rules.outcome(decision.after) is not None:
            return
        allowed = facts(self.rules.view(decision.after, viewer))
        for excess in beyond(facts(self.rules.view(self.folds[viewer], EVERYONE)), allowed):
            yield (
                f"{who(viewer).capitalize()} is shown more than their view holds: {excess} (by {_tags(decision)}). "
                "`show` tells what `view` hides."
            )
            return

    def _state_and_log(self, viewer: Viewer, decision: Decision) -> Iterator[str]:
        """Check that everything shown of other players' decisions leaves a trace in the view."""
        if (
            decision.before is None
            or viewer == decision.seat
            or not alike(self.rules, decision.before, decision.after, viewer)
        ):
            return
        for event in show_all(self.rules, decision.events, viewer):
            if not isinstance(event, self.rules.momentary):
                yield (
                    f"{who(viewer).capitalize()} is shown `{_tag(event)}` of seat {decision.seat}, and their view "
                    "stays as it was. Hide it in `show`, keep it in `view`, or add "
                    f"`{type(event).__name__}` to `momentary`."
                )

    def _same_questions(self, viewer: Viewer, decision: Decision) -> Iterator[str]:
        """Check that ids, kinds and reasons of questions are the same for all viewers."""
        try:
            visible = self.rules.questions(self.folds[viewer])
        except Exception as error:
            yield (
                f"`questions` fails for a state that holds only what {who(viewer)} is shown: {error!r}. It must not "
                "depend on what is hidden. The default board calls it with a view."
            )
            return
        for question in self.rules.questions(decision.after):
            if question not in visible:
                yield (
                    f"The question {question.id} to seat {question.seat} (kind `{question.kind}`, reason "
                    f"`{question.reason}`) does not follow from what {who(viewer)} is shown, who would expect "
                    f"{[(row.id, row.kind, row.reason) for row in visible]}. Ids, kinds and reasons of questions are "
                    "public: they must not depend on what is hidden."
                )


def _tag(event: Event) -> str:
    return str(event.__struct_config__.tag)


def _tags(decision: Decision) -> str:
    return ", ".join(f"`{_tag(event)}`" for event in decision.events)


def stored(game: RandomGame, decision: Decision) -> Iterator[str]:
    """Yield events, states and views that change when they are encoded as JSON and decoded again."""
    rules = game.rules
    for event in decision.events:
        yield from _round_trip("event", event, rules.event_type)
        if not isinstance(event, Event):
            yield f"`{event!r}` is no Event."
        for viewer in game.viewers:
            yield from _shown_round_trip(rules, event, viewer)
    yield from _round_trip("state", decision.after, rules.state_type)
    for viewer in (game.viewers[0], SPECTATOR):
        yield from _round_trip("view", rules.view(decision.after, viewer), rules.view_type)
    restored = msgspec.json.decode(msgspec.json.encode(decision.after), type=rules.state_type)
    if rules.questions(restored) != rules.questions(decision.after):
        yield "A state that was stored and read again asks other questions."


def _round_trip(kind: str, value: Any, kind_type: Any) -> Iterator[str]:
    try:
        if msgspec.json.decode(msgspec.json.encode(value), type=kind_type) != value:
            yield f"The {kind} {value!r} does not come back from JSON as it was."
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        yield f"The {kind} {value!r} does not come back from JSON: {error}."


def _shown_round_trip(rules: AnyRules, event: Event, viewer: Viewer) -> Iterator[str]:
    """Check that a shown event can be decoded. Programs fold shown events, so their types must allow hidden fields."""
    visible = rules.show(event, viewer)
    if visible is None or visible == event:
        return
    for fault in _round_trip("event", visible, rules.event_type):
        yield (
            f"As `{_tag(event)}` is shown to {who(viewer)} it cannot be read: a field that is hidden from somebody has "
            f"to be `| None`. {fault}"
        )


def in_pieces(game: RandomGame, decision: Decision) -> Iterator[str]:
    """Yield a fault if folding from a stored state and folding the whole log lead to different states."""
    state = decision.before
    if state is not None:
        state = msgspec.json.decode(msgspec.json.encode(state), type=game.rules.state_type)
    for event in decision.events:
        event = msgspec.json.decode(msgspec.json.encode(event), type=game.rules.event_type)
        state = game.rules.evolve(state, event)
    if state != decision.after:
        yield (
            f"`evolve` leads to another state when {_tags(decision)} is folded onto a stored state: "
            f"{difference(state, decision.after)}. It may remember nothing between calls."
        )


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
