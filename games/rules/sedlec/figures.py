"""The figures and the numbers of the rules page: drawn and counted from the game itself."""

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial, reduce
from typing import Any, Final

from games.engine import SPECTATOR, Phrase, Reader, SeededChance, evolve, gettext_noop
from games.engine.drawing import box, figure, sheet, stylesheet, text
from games.rules.sedlec import picture as drawing
from games.rules.sedlec.game import PLAYERS, decide, default_move, setup
from games.rules.sedlec.picture import picture
from games.rules.sedlec.pyramid import DECK, HALVES, KIND_NAMES, KINDS, Card, Kind, Pyramid, score, size
from games.rules.sedlec.pyramid import width as bottom_width
from games.rules.sedlec.state import Options, State, questions
from games.rules.sedlec.views import view

EXAMPLE: Final[Pyramid] = (
    (Card("sinner/peasant"), Card("lover/priest"), Card("peasant/lover"), Card("priest/peasant")),
    (Card("royal/peasant"), Card("priest/lover"), Card("lover/sinner")),
    (Card("royal/royal"), Card("sinner/priest")),
)
"""A full pyramid of a game of two."""
SMALL: Final[Pyramid] = (
    (Card("peasant/royal"), Card("royal/priest"), Card("sinner/priest")),
    (Card("lover/royal"), Card("peasant/sinner")),
    (Card("priest/priest"),),
)
"""A full pyramid of a game of three."""
_SEED: Final = bytes(range(32))
_MOVES: Final = 27
_CARD: Final = 84.0
_EDGE: Final = 12.0
_GUTTER: Final = 34.0
_CLEAR: Final = ".sd-clear{fill:none}.sd-veil{fill:#f6f0e4;opacity:.8}.sd-focus{fill:none;stroke:#fff;stroke-width:7}"
_DARK: Final = ".sd-veil{fill:#171210}"


@lru_cache(maxsize=4)
def played(moves: int) -> State:
    """Return a game for two after this number of random moves."""
    chance = SeededChance(_SEED)
    state: Any = reduce(evolve, setup(Options(starting_player=1), 2, chance), None)
    for _ in range(moves):
        [question] = questions(state)
        state = reduce(evolve, decide(state, question.seat, default_move(state, question, chance), chance), state)
    return state  # type: ignore[no-any-return]


def table(reader: Reader) -> str:
    """Draw a table in the middle of a game."""
    return picture(view(played(_MOVES), SPECTATOR), reader)


def small(width: float, height: float, shapes: Iterator[str], label: Phrase, reader: Reader) -> str:
    """Draw a figure without a background."""
    style = stylesheet(drawing.LIGHT + _CLEAR, drawing.DARK + _DARK)
    return sheet(width, height, style, drawing.SYMBOLS, shapes, "sd-clear", reader.say(label))


def one_skull(kind: Kind, reader: Reader) -> str:
    """Draw a skull of one kind."""
    shapes = iter([drawing.skull(kind, 0, 0, drawing.WIDE)])
    return small(drawing.WIDE, drawing.HIGH, shapes, Phrase(KIND_NAMES[KINDS.index(kind)]), reader)


def one_card(reader: Reader) -> str:
    """Draw a card's face and its back."""
    height = drawing.card_height(_CARD)
    shapes = iter([drawing.card(Card("royal/priest"), 4, 4, _CARD), drawing.back(_CARD + 20, 4, _CARD)])
    return small(2 * _CARD + 24, height + 8, shapes, Phrase(gettext_noop("A card, and its back")), reader)


def pyramid(built: Pyramid, reader: Reader) -> str:
    """Draw a pyramid with the numbers of its levels."""
    height = drawing.card_height(_CARD)
    width = _GUTTER + len(built[0]) * _CARD + _EDGE
    down = len(built) * height + 2 * _EDGE
    label = Phrase(gettext_noop("A full pyramid of %(cards)s cards"), {"cards": sum(map(len, built))})
    return small(width, down, _pyramid(built, down - _EDGE, width, reader), label, reader)


def _pyramid(built: Pyramid, floor: float, width: float, reader: Reader) -> Iterator[str]:
    height = drawing.card_height(_CARD)
    for level in range(2 * len(built) + 1):
        line = floor - level * height / 2
        yield f'<path class="sd-level" d="M0 {line:.4g}h{width:.4g}"/>'
        if level:
            yield text(figure(level, reader), _GUTTER / 2 - 2, line + height / 4 + 8, 24, "sd-faint")
    for row, cards in enumerate(built):
        for column, card in enumerate(cards):
            if card is not None:
                yield drawing.card(card, _GUTTER + (column + row / 2) * _CARD, floor - (row + 1) * height, _CARD)


def adjacent(reader: Reader) -> str:
    """Draw one marked skull with rings around the adjacent ones: on its level, on its card, and the two below it."""
    half = drawing.card_height(_CARD) / 2
    width, down = 3 * _CARD + 2 * _EDGE, 4 * half + 2 * _EDGE
    label = Phrase(gettext_noop("A skull in the middle of a pyramid, and the skulls adjacent to it"))
    return small(width, down, _adjacent(half), label, reader)


def _adjacent(half: float) -> Iterator[str]:
    upper = (Card("lover/priest"), Card("royal/sinner"))
    lower = (Card("peasant/sinner"), Card("royal/royal"), Card("priest/lover"))
    for row, cards in enumerate((upper, lower)):
        for column, card in enumerate(cards):
            left = _EDGE + (column + (1 - row) / 2) * _CARD
            yield drawing.card(card, left, _EDGE + 2 * row * half, _CARD)
    first = _EDGE + _CARD / 2
    for left, row in (
        (first + _CARD, 0),
        (_EDGE, 3),
        (_EDGE + _CARD, 3),
        (_EDGE + 2 * _CARD, 3),
        (_EDGE + 2 * _CARD, 2),
    ):
        yield box("sd-veil", left - 2, _EDGE + row * half - 2, _CARD + 4, half + 4)
    for left, row in ((first, 0), (first + _CARD, 1), (_EDGE, 2), (_EDGE + _CARD, 2)):
        yield box("sd-choice", left + 4, _EDGE + row * half + 4, _CARD - 8, half - 8, 10)
    yield box("sd-focus", first + 4, _EDGE + half + 4, _CARD - 8, half - 8, 10)
    yield box("sd-turn", first + 1, _EDGE + half + 1, _CARD - 2, half - 2, 10)


FIGURES: Final[Mapping[str, Callable[[Reader], str]]] = {
    **{kind: partial(one_skull, kind) for kind in KINDS},
    "card": one_card,
    "table": table,
    "pyramid-2": partial(pyramid, EXAMPLE),
    "pyramid-3": partial(pyramid, SMALL),
    "adjacent": adjacent,
}
"""The figures of the rules page."""


def facts() -> Mapping[str, Any]:
    """Return the numbers of the rules page."""
    skulls = [kind for card in DECK for kind in HALVES[card]]
    example, piles = score(EXAMPLE), len(view(played(0), SPECTATOR).piles)
    return {
        "deck": len(DECK),
        "skulls": len(skulls),
        "of": {kind: skulls.count(kind) for kind in KINDS},
        "least": min(PLAYERS),
        "most": max(PLAYERS),
        "piles": piles,
        "pile": len(DECK) // piles,
        "size": {f"for_{seats}": size(seats) for seats in PLAYERS},
        "width": {f"for_{seats}": bottom_width(seats) for seats in PLAYERS},
        "example": {"total": example.total, **{kind: getattr(example, kind) for kind in KINDS}},
    }
