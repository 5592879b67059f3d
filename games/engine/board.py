"""The default board: the picture of a game that draws none of its own.

It is made of the view alone. Tuples with a mark of ``games.engine.visibility`` and public tuples of words are cards:
those with an entry for each seat lie at the seats, all others in the middle. A hidden card shows its back. The
sentences are those of ``Words``. A line of ``table`` about one seat stands at the seat. See docs/games.md.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cached_property
from itertools import chain, groupby, product
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Literal, NamedTuple, NewType, Union, get_args, get_origin

import msgspec

from games.engine.chance import SeededChance
from games.engine.drawing import (
    BOLD,
    Reader,
    arrow,
    box,
    figure,
    fitting,
    hand_place,
    named_place,
    sheet,
    star,
    stylesheet,
    text,
    text_width,
    wrapped,
)
from games.engine.phrases import MoveText, Phrase, SeatName, Value, fold_letters, gettext_noop
from games.engine.types import SPECTATOR, SeatNumber
from games.engine.visibility import marked_fields

WIDTH: Final = 480.0
"""The width of the board. It is narrow, so that its words can be read on a phone."""
GAP: Final = 10.0
PAD: Final = 14.0
"""The distance between the frame of a panel and its content."""
CARD: Final = 40.0
"""The height of a card."""
OWN_CARD: Final = 52.0
"""The height of a card in the reader's hand."""
BACK: Final = 0.74
"""The width of a card's back, as a part of its height."""
FACE: Final = 0.48
"""The size of the words on a card, as a part of its height."""
FAN: Final = 9.0
"""The distance between two backs of one stack."""
MOST_BACKS: Final = 5
"""The highest number of backs that a stack shows. Its number is beside it."""
MOST_ROWS: Final = 2
"""The highest number of rows for the cards of one field. The last cards are shown, and the number of the others."""
MOST_LINES: Final = 3
"""The highest number of lines of one sentence."""
NAME: Final = 22.0
LINE: Final = 18.0
LEAST: Final = 16.0
"""The smallest size of a text that must fit."""
SPACE: Final = 6.0
"""The distance between two cards."""
STYLE: Final = stylesheet(
    ".bd-paper{fill:#f1ece2}.bd-panel{fill:#fffdf8;stroke:#cfc4ad;stroke-width:1.5}"
    ".bd-own{fill:#fff3d6;stroke:#861;stroke-width:2}.bd-asked{fill:none;stroke:#b41;stroke-width:4}"
    ".bd-mark{fill:#b41}.bd-star{fill:#c78a00}.bd-text{fill:#221}.bd-bold{font-weight:bold}.bd-faint{fill:#655c4b}"
    ".bd-face{fill:#fffdf8;stroke:#221;stroke-width:2}.bd-back{fill:#1b4a8a;stroke:#fffdf8;stroke-width:2}"
    ".bd-unknown{fill:#fffdf8;font-weight:bold}.bd-ask{fill:#b41}.bd-asking{fill:#fffdf8;font-weight:bold}",
    ".bd-paper{fill:#14120e}.bd-panel{fill:#23201a;stroke:#4d4636}.bd-own{fill:#3a301a;stroke:#d9b45a}"
    ".bd-asked{stroke:#ffb04d}.bd-mark{fill:#ffb04d}.bd-star{fill:#ffcf5c}.bd-text{fill:#f5eedf}"
    ".bd-faint{fill:#b9ae97}.bd-face{fill:#2f2b23;stroke:#f5eedf}.bd-back{fill:#2d62ad;stroke:#23201a}"
    ".bd-ask{fill:#ffb04d}.bd-asking{fill:#1c1508}",
)
MOVES_NEXT: Final = gettext_noop("%(player)s moves next.")


class Field(NamedTuple):
    """A field of a view whose values are drawn as cards."""

    name: str
    title: Phrase
    can_be_hidden: bool
    """True if None is a hidden card. In a public field it is no card."""
    at_seats: bool
    """True if the field has one entry for each seat."""
    holds_seats: bool
    """True if the values are seats, which are called by the names of their players."""


class Layout(NamedTuple):
    """The parts of a board that are the same for every view of a game."""

    fields: tuple[Field, ...]
    by_seat: frozenset[str]
    """All fields with one entry for each seat, also those that are not drawn."""


class DefaultPicture:
    """The ``picture`` function of a game that has none."""

    def __init__(self, rules: Any) -> None:
        self.rules = rules

    def __call__(self, view: Any, reader: Reader) -> str:
        return Board(self.rules, self.layout, view, reader).svg()

    @cached_property
    def layout(self) -> Layout:
        """Return the layout. It is made for the first picture, and not while the rules are loaded."""
        return layout_of(self.rules)

    def titles(self) -> Iterator[Phrase]:
        """Yield the titles of cards. If the seats have cards of one kind only, these need none."""
        several = sum(field.at_seats for field in self.layout.fields) > 1
        yield from (field.title for field in self.layout.fields if several or not field.at_seats)


def layout_of(rules: Any) -> Layout:
    """Return the fields that are drawn, as the types of a game and its words declare them."""
    marks = {name: mark for kind in (rules.state_type, rules.view_type) for name, mark in marked_fields(kind)}
    if rules.view_type is not rules.state_type:  # such games often mark their events only
        for kind in get_args(rules.event_type) or (rules.event_type,):
            marks = {name: mark for name, mark in marked_fields(kind) if mark.each_own} | marks
    by_seat = _fields_by_seat(rules) | {name for name, mark in marks.items() if mark.each_own}
    words = rules.words.fields
    field_names = {name.partition(".")[0] for name in words}
    fields = []
    for name, kind in ((field.name, _plain(field.type)) for field in msgspec.structs.fields(rules.view_type)):
        is_tuple = get_origin(kind) is tuple
        while get_origin(kind) is tuple:
            kind = _plain(get_args(kind)[0])
        if is_tuple and (name in field_names if field_names else name in marks or _is_word(kind)):
            title = words.get(name) or Phrase(name.replace("_", " ").capitalize())
            fields.append(Field(name, title, name in marks, name in by_seat, kind is SeatNumber))
    return Layout(tuple(fields), frozenset(by_seat))


def _fields_by_seat(rules: Any) -> set[str]:
    """Return the fields of a view that have as many entries as there are seats, whether few or many play."""
    names = set(rules.view_type.__struct_fields__)
    for seats in (rules.players[0], rules.players[-1]):
        state = None
        for event in rules.setup(rules.options(), seats, SeededChance(bytes(32))):
            state = rules.evolve(state, event)
        view = rules.view(state, SPECTATOR)
        names = {name for name in names if isinstance(getattr(view, name), tuple) and len(getattr(view, name)) == seats}
    return names


def _plain(kind: Any) -> Any:
    """Return a type without None, its annotations and its name."""
    if isinstance(kind, NewType) and kind is not SeatNumber:
        return _plain(kind.__supertype__)
    if get_origin(kind) is Annotated:
        return _plain(get_args(kind)[0])
    if get_origin(kind) in (Union, UnionType):
        kinds = [part for part in get_args(kind) if part is not NoneType]
        return _plain(kinds[0]) if len(kinds) == 1 else kind
    return kind


def _is_word(kind: Any) -> bool:
    if get_origin(kind) is Literal:
        return isinstance(get_args(kind)[0], str)
    return isinstance(kind, type) and issubclass(kind, str | Enum)


class Board:
    """The default board of one view for one reader."""

    def __init__(self, rules: Any, layout: Layout, view: Any, reader: Reader) -> None:
        self.rules, self.layout, self.view, self.reader = rules, layout, view, reader
        self.lines = rules.words.table(view)
        self.seats = range(1, self._count_seats() + 1)
        self.winners = getattr(view, "winners", None)
        is_state = isinstance(view, rules.state_type)
        self.questions = rules.questions(view) if is_state else ()
        self.asked = {question.seat for question in self.questions}
        if not is_state and self.winners is None and (turn := getattr(view, "turn", None)):
            self.asked = {turn}

    def _count_seats(self) -> int:
        """Return the number of seats by the fields with an entry for each, and by the lines of the table."""
        seats = (value.seat for line in self.lines for value in _values(line) if isinstance(value, SeatName))
        counts = (len(self._entries(name)) for name in self.layout.by_seat)
        # A field that had as many entries as there are seats at the beginning may have grown since.
        most: int = self.rules.players[-1]
        return min(most, max([*counts, *seats], default=0))

    def _entries(self, name: str) -> tuple[Any, ...]:
        """Return the entries of a field. There are none if the field is None, or not in this view."""
        value = getattr(self.view, name, None)
        return value if isinstance(value, tuple) else ()

    def svg(self) -> str:
        """Return the board as SVG."""
        whole = Column(self.reader, GAP, WIDTH - 2 * GAP, GAP)
        self._headline(whole)
        self._middle(whole)
        for row in self._rows():
            self._row(row, whole)
        label = self.reader.say(self.rules.words.title)
        return sheet(WIDTH, round(whole.top), STYLE, "", whole.pieces, "bd-paper", label)

    def _headline(self, whole: "Column") -> None:
        """Draw the status, or the question to the reader unless the page shows it beside the board."""
        question = next((question for question in self.questions if question.seat == self.reader.seat), None)
        if question is not None:
            if not self.reader.asked_beside:
                inner = Column(self.reader, GAP + PAD, WIDTH - 2 * (GAP + PAD), whole.top + 8)
                inner.write(self.reader.say(self.rules.words.asks(self.view, question)), NAME, "bd-asking")
                whole.frame("bd-ask", inner)
            return
        status = list(self.rules.words.status(self.view, self.reader.seat))
        if not status and len(self.asked) == 1:
            status = [Phrase(MOVES_NEXT, {"player": SeatName(*self.asked)})]
        for phrase in status:
            whole.write(self.reader.say(phrase), NAME, "bd-text bd-bold")
        whole.top += GAP if status else 0

    def _middle(self, whole: "Column") -> None:
        """Draw the lines of the table that are not about one seat, and the cards that belong to no seat."""
        inner = Column(self.reader, GAP + PAD, WIDTH - 2 * (GAP + PAD), whole.top + PAD)
        for line in self.lines:
            if _seat_of(line) is None:
                inner.write(self.reader.say(line), LINE, "bd-text")
        for field in self.layout.fields:
            values = () if field.at_seats else self._entries(field.name)
            piles = values if any(isinstance(value, tuple) for value in values) else (values,)
            card_rows = [cards for pile in piles if (cards := [*self._cards(field, pile)])]
            if card_rows:
                inner.write(self.reader.say(field.title), LINE, "bd-faint")
            for cards in card_rows:
                inner.cards(cards)
        if inner.pieces:
            whole.frame("bd-panel", inner)

    def _rows(self) -> Iterator[Sequence[int]]:
        """Yield the seats in rows of two, clockwise from the reader's left. The reader has the last row."""
        reader_seat = self.reader.seat or 0
        others = [*self.seats[reader_seat:], *self.seats[: max(0, reader_seat - 1)]]
        yield from (others[at : at + 2] for at in range(0, len(others), 2))
        if reader_seat in self.seats:
            yield (reader_seat,)

    def _row(self, seats: Sequence[int], whole: "Column") -> None:
        """Draw panels side by side."""
        width = (WIDTH - GAP * (len(seats) + 1)) / len(seats)
        panels = [
            Column(self.reader, GAP + at * (width + GAP) + PAD, width - 2 * PAD, whole.top + PAD)
            for at in range(len(seats))
        ]
        for seat, panel in zip(seats, panels, strict=True):
            self._seat(SeatNumber(seat), panel)
        height = max(panel.top for panel in panels) + PAD - GAP / 2 - whole.top
        for seat, panel in zip(seats, panels, strict=True):
            frame = (panel.left(-PAD, width), whole.top, width, height, 10)
            pieces = [box("bd-own" if seat == self.reader.seat else "bd-panel", *frame)]
            pieces += [box("bd-asked", *frame)] if seat in self.asked else []
            whole.pieces.append(named_place(f"seat-{seat}", [*pieces, *panel.pieces]))
        whole.top += height + GAP

    def _seat(self, seat: SeatNumber, panel: "Column") -> None:
        """Draw the name of a seat, its lines and its cards."""
        name = self._value(SeatName(seat))
        panel.name(name, is_asked=seat in self.asked, has_won=seat in (self.winners or ()))
        rows = [(field, [*self._cards_of_seat(field, seat)]) for field in self.layout.fields if field.at_seats]
        for line in self.lines:
            if _seat_of(line) == seat and not self._repeats(line, [cards for _, cards in rows]):
                panel.write(_without_name(self.reader.say(line), name), LINE, "bd-text")
        for field, cards in rows:
            if cards and len(rows) > 1:
                panel.write(self.reader.say(field.title), LINE, "bd-faint")
            panel.cards(cards, in_hand=seat == self.reader.seat)

    def _cards_of_seat(self, field: Field, seat: SeatNumber) -> Iterator["Card"]:
        for value in self._entries(field.name)[seat - 1 : seat]:
            # At another seat of a running game, None is a hidden card. Otherwise it is no card.
            if value is not None or (seat != self.reader.seat and self.winners is None):
                yield from self._cards(field, value if isinstance(value, tuple) else (value,))

    def _cards(self, field: Field, values: Any) -> Iterator["Card"]:
        for value in values:
            if isinstance(value, tuple):
                yield from self._cards(field, value)
            elif value is None:
                yield from (Card(),) if field.can_be_hidden else ()
            elif value != "":
                word = str(value.value if isinstance(value, Enum) else value)
                phrase = self.rules.words.fields.get(f"{field.name}.{word}")
                place = "" if isinstance(value, int) else hand_place(phrase or word)
                yield Card(self.reader.say(phrase) if phrase else self._face(field, value), place)

    def _face(self, field: Field, value: Any) -> str:
        """Return the words on a card: a number, a word of the notation, or the values of a struct."""
        if isinstance(value, msgspec.Struct):
            parts = (part for part in msgspec.structs.astuple(value) if part is not None)
            return " ".join(self._face(field, part) for part in parts)
        if isinstance(value, int) and not isinstance(value, bool):
            return self._value(SeatName(value) if field.holds_seats else value)
        return self._value(MoveText(str(value.value if isinstance(value, Enum) else value)))

    def _value(self, value: Value) -> str:
        return self.reader.say(Phrase("%(value)s", {"value": value}))

    def _repeats(self, line: Phrase, rows: "Sequence[Sequence[Card]]") -> bool:
        """Return whether a line says nothing but the cards of each field, their number, or both.

        A single number may be something else, such as coins. It counts only in a line with a value for each field.
        """
        words = [fold_letters(self._value(value)) for value in _values(line) if not isinstance(value, SeatName)]
        values = sorted(word.replace("؟", "?") for word in words if word.strip("-–—"))
        ways = []
        for cards in rows:
            faces = [fold_letters(card.face or "?") for card in cards]
            number = fold_letters(figure(len(cards), self.reader))
            ways.append((faces, [*faces, number], *([[number]] if len(line.values) > len(rows) > 1 else [])))
        return bool(words) and any(values == sorted(chain(*way)) for way in product(*ways))


def _values(line: Phrase) -> Iterator[Value]:
    """Yield the values of a phrase, with each item of a list."""
    for value in line.values.values():
        yield from value if isinstance(value, tuple) else (value,)


def _seat_of(line: Phrase) -> SeatNumber | None:
    """Return the only seat that a line is about, or None."""
    seats = {value.seat for value in _values(line) if isinstance(value, SeatName)}
    return SeatNumber(seats.pop()) if len(seats) == 1 else None


def _without_name(sentence: str, name: str) -> str:
    """Return a line without the name that it begins with."""
    rest = sentence.removeprefix(name)
    return rest.lstrip(" :،,-–—") if rest[:1] in tuple(" :،,-–—") else sentence


class Card(NamedTuple):
    """A card. Its face is blank if it is hidden."""

    face: str = ""
    place: str = ""
    """The name of its place in the reader's hand."""


class Part(NamedTuple):
    """A part of a row of cards: a card, a stack of hidden cards, or a number that stands for more cards."""

    width: float
    label: str
    place: str = ""
    backs: int = 0
    """The number of backs. The label of more than one back stands beside them."""
    is_card: bool = True


class Column:
    """A part of the board that grows downwards. ``start`` is its distance from the edge where the reader's lines
    begin.
    """

    def __init__(self, reader: Reader, start: float, room: float, top: float) -> None:
        self.reader, self.start, self.room, self.top = reader, start, room, top
        self.pieces: list[str] = []

    def left(self, inset: float, width: float = 0) -> float:
        """Return the left edge of a piece that begins at this distance from the column's own edge."""
        start = self.start + inset
        return WIDTH - start - width if self.reader.right_to_left else start

    def _line(self, content: str, inset: float, down: float, size: float, style: str) -> None:
        rtl = self.reader.right_to_left
        self.pieces.append(text(content, self.left(inset), down, size, style, "end" if rtl else "start", rtl))

    def write(self, sentence: str, size: float, style: str) -> None:
        """Write a sentence in as many lines as it needs, within a limit."""
        room = self.room / BOLD
        lines = [*wrapped(sentence, room, size)]
        if len(lines) > MOST_LINES:
            lines[MOST_LINES - 1 :] = [" ".join(lines[MOST_LINES - 1 :])]
        for line in lines:
            fitted, fitted_size = fitting(line, room, size, size if len(lines) == MOST_LINES else LEAST)
            self._line(fitted, 0, self.top + size, fitted_size, style)
            self.top += 1.3 * size
        self.top += 4

    def name(self, name: str, is_asked: bool, has_won: bool) -> None:
        """Write a player's name, with an arrow if the player is asked, and a star if the player has won."""
        inset = 26.0 if is_asked or has_won else 0.0
        if is_asked:
            self.pieces.append(arrow("bd-mark", self.reader.right_to_left, self.left(9), self.top + 15, 8))
        elif has_won:
            self.pieces.append(star("bd-star", self.left(9), self.top + 14, 11))
        fitted, size = fitting(name, (self.room - inset) / BOLD, NAME, LEAST)
        self._line(fitted, inset, self.top + NAME, size, "bd-text bd-bold")
        self.top += 1.3 * NAME + 4

    def cards(self, cards: Sequence[Card], in_hand: bool = False) -> None:
        """Draw cards in rows. If there are too many, equal ones are one card with their number. If these are too many,
        a number stands for the first cards.
        """
        height = OWN_CARD if in_hand else CARD
        if len(self._rows(cards, 0, height)) > MOST_ROWS:
            counted = [*self._counted(cards)]
            most = MOST_ROWS + in_hand
            cards, most = (counted, most) if len(self._rows(counted, 0, height)) <= most else (cards, MOST_ROWS)
        else:
            most = MOST_ROWS
        omitted = bisect_left(
            range(len(cards)), True, key=lambda number: len(self._rows(cards, number, height)) <= most
        )
        for row in self._rows(cards, omitted, height):
            inset = 0.0
            for part in row:
                pieces = [*self._part(part, inset, height)]
                self.pieces += [named_place(part.place, pieces)] if in_hand and part.place else pieces
                inset += part.width + SPACE
            self.top += height + SPACE

    def _counted(self, cards: Sequence[Card]) -> Iterator[Card]:
        """Yield each face once, with the number of its cards. Hidden cards are not changed."""
        for card, count in Counter(cards).items():
            if card.face and count > 1:
                yield Card(f"{card.face} × {figure(count, self.reader)}", card.place)
            else:
                yield from (card,) * count

    def _rows(self, cards: Sequence[Card], omitted: int, height: float) -> list[list[Part]]:
        """Return the cards in rows, without the first ones."""
        rows: list[list[Part]] = []
        inset = 0.0
        for part in self._parts(cards, omitted, height):
            if not rows or inset + part.width > self.room:
                rows.append([])
                inset = 0.0
            rows[-1].append(part)
            inset += part.width + SPACE
        return rows

    def _parts(self, cards: Sequence[Card], omitted: int, height: float) -> Iterator[Part]:
        if omitted:
            label = f"+{figure(omitted, self.reader)}"
            yield Part(text_width(label) * FACE * height, label, is_card=False)
        for is_hidden, run in groupby(cards[omitted:], key=lambda card: not card.face):
            alike = list(run)
            if not is_hidden:
                for face, place in alike:
                    yield Part(min(self.room, max(BACK * height, text_width(face) * FACE * height + 18)), face, place)
                continue
            label = f"× {figure(len(alike), self.reader)}" if len(alike) > 1 else "?"
            backs = min(len(alike), MOST_BACKS)
            number = text_width(label) * FACE * height + SPACE if backs > 1 else 0
            yield Part(BACK * height + FAN * (backs - 1) + number, label, backs=backs)

    def _part(self, part: Part, inset: float, height: float) -> Iterator[str]:
        """Draw a part of a row."""
        for at in range(part.backs):
            yield box("bd-back", self.left(inset + FAN * at, BACK * height), self.top, BACK * height, height, 5)
        if part.is_card and not part.backs:
            yield box("bd-face", self.left(inset, part.width), self.top, part.width, height, 5)
        start, width = inset, part.width
        if part.backs > 1:
            start += BACK * height + FAN * (part.backs - 1)
            width -= start - inset
        label, size = fitting(part.label, width, FACE * height, LEAST)
        style = "bd-unknown" if part.backs == 1 else "bd-text"
        middle = self.left(start, width) + width / 2
        yield text(label, middle, self.top + height / 2 + 0.36 * size, size, style, rtl=self.reader.right_to_left)

    def frame(self, style: str, inner: "Column") -> None:
        """Draw a panel as wide as this column around another column, and go on below it."""
        height = inner.top + PAD - GAP / 2 - self.top
        self.pieces += [box(style, self.left(0, self.room), self.top, self.room, height, 10), *inner.pieces]
        self.top += height + GAP
