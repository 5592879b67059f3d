"""Checks of texts and pictures.

Every phrase is complete and translated, and every important event has a sentence. Pictures are valid SVG, names in them
are escaped, and the places that answers name exist.
"""

import gettext
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from re import sub
from string import ascii_letters
from typing import Any, Final
from xml.etree import ElementTree

import msgspec

from games.engine.board import DefaultPicture
from games.engine.phrases import Notation, Phrase, SeatName, Value, plain
from games.engine.rules import YOUR_TURN, AnyRules, show_all
from games.engine.types import SPECTATOR, SeatNumber, Viewer
from games.kit.random_games import Decision, RandomGame, answers, named_values, who

_MISSING: Final = "\0missing"


class _Missing(gettext.NullTranslations):
    """A catalogue that has no translation for any text."""

    def gettext(self, message: str) -> str:
        return _MISSING


class Spoken:
    """A checker that examines each text once."""

    def __init__(self, catalogues: Iterable[Path] = ()) -> None:
        self.seen = {YOUR_TURN.text}  # the engine's own, in the server's catalogue
        self.catalogues = {path: _read_catalogue(path) for path in catalogues}

    def wrong_with(self, phrase: Phrase) -> Iterator[str]:
        """Yield the faults in a phrase and the phrases within it."""
        if not isinstance(phrase, Phrase):
            yield f"{phrase!r} is no Phrase."
            return
        try:
            sentence = str(phrase)
        except (KeyError, TypeError, ValueError) as error:
            yield f"The phrase “{phrase.text}” is not whole: {error!r} with the values {sorted(phrase.values)}."
            return
        if "%(" in sentence or not sentence.strip():
            yield f"The phrase “{phrase.text}” says “{sentence}”."
        yield from self._untranslated(phrase.text)
        for value in phrase.values.values():
            yield from self._value(value, phrase)

    def _value(self, value: Value, phrase: Phrase) -> Iterator[str]:
        match value:
            case Phrase():
                yield from self.wrong_with(value)
            case str():
                yield from self._untranslated(value)
            case tuple():
                for item in value:
                    yield from self._value(item, phrase)
            case int() | Notation() | SeatName():
                pass
            case _:
                yield f"In “{phrase.text}” stands {value!r}, which no reader can be told."

    def _untranslated(self, text: str) -> Iterator[str]:
        if text in self.seen or not set(sub(r"%\(\w+\)s", "", text)) & set(ascii_letters):
            return
        self.seen.add(text)
        for path, catalogue in self.catalogues.items():
            if catalogue.gettext(text) in (_MISSING, ""):
                yield f"“{text}” is not translated in {path}. A bare `str` among values is a text to translate too."


def _read_catalogue(path: Path) -> gettext.GNUTranslations:
    with path.open("rb") as file:
        translations = gettext.GNUTranslations(file)
    translations.add_fallback(_Missing())
    return translations


def declared(rules: AnyRules, spoken: Spoken) -> Iterator[str]:
    """Yield the faults in words that are the same in every state: the title, the options, the fields, the summary."""
    for name in rules.words.options.keys() - {*_of_options(rules)}:
        yield f"`words.options` names `{name}`, and there is no such option or value of one."
    for name in {name.partition(".")[0] for name in rules.words.fields} - {*rules.view_type.__struct_fields__}:
        yield f"`words.fields` names `{name}`, and the view has no such field."
    board_titles = rules.picture.titles() if isinstance(rules.picture, DefaultPicture) else ()
    labels = (*rules.words.options.values(), *rules.words.fields.values())
    for phrase in (rules.words.title, *labels, *board_titles):
        yield from spoken.wrong_with(phrase)
    for seats in {rules.players[0], rules.players[-1]}:
        for line in rules.words.summary(rules.options(), seats):
            yield from spoken.wrong_with(line)


def _of_options(rules: AnyRules) -> Iterator[str]:
    """Yield the names of the options, and ``name.value`` for each named value."""
    for field in msgspec.structs.fields(rules.option_type):
        yield field.name
        yield from (f"{field.name}.{value}" for value in named_values(msgspec.inspect.type_info(field.type)))


def phrases(game: RandomGame, decision: Decision, spoken: Spoken) -> Iterator[str]:
    """Yield the faults in the sentences about the present state, for each kind of reader."""
    rules, state = game.rules, decision.after
    for viewer in (SPECTATOR, game.viewers[len(game.history) % game.seats]):
        reader = SeatNumber(viewer) if viewer > 0 else None
        view = rules.view(state, viewer)
        lines: list[Phrase] = [*rules.words.table(view), *rules.words.status(view, reader)]
        events = show_all(rules, decision.events, viewer)
        story = [*rules.words.story(events, reader)]
        told_of = [index for index, _ in story]
        if told_of != sorted(index for index in told_of if index < len(events)):
            yield f"The story tells {who(viewer)} events {told_of} of {len(events)}, not in order or beyond the last."
        for line in [*lines, *(phrase for _, phrase in story)]:
            yield from spoken.wrong_with(line)
        for event in events:
            alone = [*rules.words.story([event], reader)]
            if isinstance(event, rules.highlights) and not alone:
                yield f"A replay jumps to `{event.__struct_config__.tag}`, but the story does not tell it."
    for question in rules.questions(state):
        yield from _question_phrases(rules, state, question, spoken)


def _question_phrases(rules: AnyRules, state: Any, question: Any, spoken: Spoken) -> Iterator[str]:
    view = rules.view(state, question.seat)
    for reader in (view, rules.view(state, SPECTATOR)):
        yield from spoken.wrong_with(rules.words.asks(reader, question))
    for risk in rules.words.coaching.risks(view, question) if rules.words.coaching else ():
        yield from spoken.wrong_with(risk)
    for move in answers(rules, state, question):
        yield from spoken.wrong_with(rules.words.label(move))
        for meaning in rules.words.meanings(view, move):
            yield from spoken.wrong_with(meaning)
    for form in rules.forms(view, question):
        for phrase in (form.title, *(slot.label for slot in form.slots)):
            yield from spoken.wrong_with(phrase)
        for _, meaning in (choice for slot in form.slots for choice in getattr(slot, "choices", ())):
            yield from spoken.wrong_with(meaning)


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
        if rules.picture_symbols and f"<defs>{rules.picture_symbols}</defs>" not in source:
            yield "The picture's <defs> are not its `picture_symbols`."
        if re.search(r"<use\b|\bclass=", rules.picture_symbols):
            yield "The `picture_symbols` have a `class` or a `<use>`."
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
