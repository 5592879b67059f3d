"""Checks of pictures: they are valid SVG, names are escaped, and the places that answers name exist."""

import re
from collections.abc import Iterator
from typing import Any, Final
from xml.etree import ElementTree

from games.engine.phrases import Phrase, SeatName, plain
from games.engine.testing.facts import who
from games.engine.testing.playing import Decision, RandomGame
from games.engine.types import SPECTATOR, SeatNumber, Viewer

_IN_HAND: Final = r"hand-[a-z0-9-]+"
"""The place of a card in the reader's hand. Two equal cards are one place, because the answers
about them are the same."""


class AwkwardReader:
    """A reader in English, with player names that pictures must escape."""

    def __init__(self, right_to_left: bool, viewer: Viewer) -> None:
        self.right_to_left = right_to_left
        self.asked_beside = False
        self.seat = SeatNumber(viewer) if viewer > 0 else None

    def say(self, phrase: Phrase) -> str:
        """Return the phrase in English."""
        return phrase.text % {name: self._value(value) for name, value in phrase.values.items()}

    def _value(self, value: Any) -> str:
        match value:
            case SeatName(seat):
                return f'</text><script>"{seat}"</script>&\u202e'
            case Phrase():
                return self.say(value)
            case tuple():
                return ", ".join(map(self._value, value))
        return plain(value)


def picture(game: RandomGame, decision: Decision) -> Iterator[str]:
    """Yield the faults in the pictures of a state."""
    rules, state = game.rules, decision.after
    viewer = game.viewers[len(game.history) % len(game.viewers)]
    for looks in {SPECTATOR, viewer}:
        source = rules.picture(rules.view(state, looks), AwkwardReader(len(game.history) % 2 == 0, looks))
        if source is None:
            return
        try:
            root = ElementTree.fromstring(source)
        except ElementTree.ParseError as error:
            yield f"The picture for {who(looks)} is no valid XML: {error}. Write names with `drawing.text`."
            return
        if any(element.tag.rpartition("}")[2] in ("script", "foreignObject", "a") for element in root.iter()):
            yield "The picture runs or links something: write names with `drawing.text`."
        places = [place for element in root.iter() if (place := element.get("data-place")) is not None]
        yield from _places(game, state, looks, places)


def _places(game: RandomGame, state: Any, viewer: int, places: list[str]) -> Iterator[str]:
    unlike = [place for place in places if not re.fullmatch(_IN_HAND, place)]
    if twice := next((place for place in unlike if unlike.count(place) > 1), None):
        yield f"The picture has two places that are called `{twice}`."
    if strange := next((place for place in unlike if not re.fullmatch(r"[a-z]+(-\d+)?", place)), None):
        yield f"The place `{strange}` of the picture is no word with a number, such as `seat-3`."
    kinds = {place.rpartition("-")[0] for place in places}
    for question in game.rules.questions(state):
        if question.seat != viewer:
            continue
        for move in game.rules.legal_moves(state, question):
            for name in _names_of_cards(game.rules.words.label(move)):
                if name.rpartition("-")[0] in kinds and name not in places:
                    yield f"The answer “{game.rules.text(move)}” is about `{name}`, which the picture does not show."


def _names_of_cards(label: Phrase) -> Iterator[str]:
    """Yield the places that a label names."""
    for name, value in label.values.items():
        if isinstance(value, SeatName):
            yield f"seat-{value.seat}"
        elif isinstance(value, int):
            yield f"{name.rpartition('_')[2]}-{value}"
