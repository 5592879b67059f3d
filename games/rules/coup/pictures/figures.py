"""The figures and the numbers of the rules page: drawn and counted from the game itself."""

from collections.abc import Callable, Mapping
from functools import lru_cache, partial, reduce
from pathlib import Path
from typing import Any, Final

import msgspec

from games.engine import SPECTATOR, Phrase, Reader, ScriptedChance, SeatNumber, Viewer, evolve
from games.engine import gettext_noop as _
from games.engine.drawing import BOLD, box, fitting, read_symbols, sheet, text, used
from games.rules.coup import game
from games.rules.coup.asking import FORCED_COUP
from games.rules.coup.game import EXPANSIONS, law_of
from games.rules.coup.pictures import drawing
from games.rules.coup.pictures.picture import picture
from games.rules.coup.state import ASSASSIN, CLASSIC, DUKE, INQUISITOR, Character, Options, State, copies
from games.rules.coup.text.words import CHARACTERS, PARTIES
from games.rules.coup.views import view

EXAMPLE: Final = (
    "1 tax", "2 allow", "3 allow", "2 exchange", "1 allow", "3 allow", "2 keep assassin captain",
    "3 tax", "1 allow", "2 challenge", "3 prove", "2 lose assassin", "1 tax", "2 allow", "3 allow", "2 income",
    "3 assassinate 1", "1 block contessa", "2 allow", "2 allow", "3 allow", "1 coup 3", "3 lose contessa",
    "2 steal 3", "1 allow", "3 block ambassador", "2 challenge", "3 concede",
)  # fmt: skip
"""The worked example of the rulebook (rules, section 10), move by move."""
_DOUBT: Final = 9
"""The number of moves after which Sepideh is asked whether she believes Bahareh."""
_DRAWN: Final = ("contessa", "duke", "captain", "contessa", "assassin", "duke", "assassin", "duke", "contessa")
_WIDE: Final = 132.0
_TALL: Final = 208.0
_EDGE: Final = 4.0
_ANARCHIST: Final = read_symbols(Path(__file__).with_name("anarchist.svg"))


@lru_cache(maxsize=64)
def played(*moves: str) -> State:
    """Return the game of the worked example after these moves, each ``<seat> <notation>``."""
    chance = ScriptedChance(_DRAWN)
    state: Any = reduce(evolve, game.setup(Options(starting_player=1), 3, chance), None)
    for move in moves:
        seat, _, notation = move.partition(" ")
        question = next(question for question in game.questions(state) if question.seat == int(seat))
        answer = next(move for move in game.legal_moves(state, question) if str(move) == notation)
        _, state = game.play(state, SeatNumber(int(seat)), answer, chance)
    return state  # type: ignore[no-any-return]


def small(shapes: str, label: str, width: float = _WIDE, height: float = drawing.TILE + 2 * _EDGE) -> str:
    """Draw a figure without a background, as high as a card."""
    return sheet(width, height, drawing.STYLE, drawing.SYMBOLS + _ANARCHIST, [shapes], "cp-clear", label)


def character(card: Character, reader: Reader) -> str:
    """Draw a character's card in full height."""
    return portrait(card, f"cp-{card}", CHARACTERS[card], reader)


def portrait(name: str, style: str, words: str, reader: Reader) -> str:
    """Draw a person between two rows of stars, above their name."""
    width, height, star, person = _WIDE - 2 * _EDGE, _TALL - 2 * _EDGE, 16, reader.say(Phrase(words))
    inner = width - 4
    shapes = [
        box("cp-face", _EDGE, _EDGE, width, height, 9),
        box(style, _EDGE + 1, _EDGE + 1, width - 2, inner + 48, 8),
    ]
    for top in (_EDGE + 5, _EDGE + inner + 28):
        lefts = (_EDGE + (width - star) / 2 + at * 26 for at in (-2, -1, 0, 1, 2))
        shapes += [used("cp-star", left, top, star, star, "cp-star") for left in lefts]
    for top in (_EDGE + 24, _EDGE + inner + 24):
        shapes.append(f'<path class="cp-line" d="M{_EDGE + 2:.4g} {top:.4g}h{inner:.4g}"/>')
    shapes.append(used(f"cp-{name}", _EDGE + 2, _EDGE + 24, inner, inner, "cp-emblem"))
    label, size = fitting(person, (width - 16) / BOLD, 20, 14)
    shapes.append(text(label, _WIDE / 2, _TALL - 16, size, "cp-text cp-bold", rtl=reader.right_to_left))
    return small("".join(shapes), person, height=_TALL)


def influence(lost: int, reader: Reader) -> str:
    """Return the cards in front of a player who has lost this number of influences."""
    width = _WIDE - 2 * _EDGE
    lost_cards = (DUKE, ASSASSIN)[:lost]
    pieces: list[Callable[[float, float, float], str]] = [partial(drawing.lost, card, reader) for card in lost_cards]
    pieces += [drawing.back] * (2 - lost)
    shapes = "".join(draw(_EDGE, _EDGE + at * (width + 8), width) for at, draw in enumerate(pieces))
    sentence = _("A player’s two cards, %(lost)s of them lost")
    return small(shapes, reader.say(Phrase(sentence, {"lost": lost})), 2 * width + 8 + 2 * _EDGE)


def parties(reader: Reader) -> str:
    """Draw the badges of the two parties."""
    width = 160.0
    shapes = "".join(drawing.party(name, 8 + at * (width + 16), 26, width, reader) for at, name in enumerate(PARTIES))
    label = Phrase("%(parties)s", {"parties": tuple(Phrase(name) for name in PARTIES.values())})
    return small(shapes, reader.say(label), 2 * width + 32)


def table(moves: int, viewer: Viewer, reader: Reader) -> str:
    """Return the table of the worked example after this number of moves, as this viewer sees it."""
    return picture(view(played(*EXAMPLE[:moves]), viewer), reader)


FIGURES: Final[Mapping[str, Callable[[Reader], str]]] = {
    **{card: partial(character, card) for card in (*CLASSIC, INQUISITOR)},
    **{f"influence-{2 - lost}": partial(influence, lost) for lost in range(3)},
    "reformation": parties,
    "anarchist": partial(portrait, "anarchist", "cp-empire", _("anarchist")),
    "table": partial(table, 0, SeatNumber(1)),
    "doubt": partial(table, _DOUBT, SeatNumber(2)),
    "example": partial(table, len(EXAMPLE), SPECTATOR),
}
"""The figures of the rules page. The figures of an expansion are named like its option, because the form of a new game
shows them."""


def facts() -> Mapping[str, Any]:
    """Return the numbers of the rules page."""
    everything = msgspec.convert(dict.fromkeys(EXPANSIONS, True), Options)
    actions = {**law_of(everything, 3).actions, **law_of(Options(), 3).actions}
    purse = played().coins[0]
    return {
        "cost": {_name_of(verb): action.cost for verb, action in actions.items()},
        "cost_other": {_name_of(verb): action.price(SeatNumber(2)) for verb, action in actions.items()},
        "gain": {
            "income": played("1 income").coins[0] - purse,
            "foreign_aid": played("1 foreign-aid", "2 allow", "3 allow").coins[0] - purse,
            "tax": played("1 tax", "2 allow", "3 allow").coins[0] - purse,
            "steal": played("1 steal 2", "2 allow", "3 allow").coins[0] - purse,
        },
        "forced": FORCED_COUP,
        "coins": game.COINS,
        "purse": purse,
        "hand": len(played().hands[0]),
        "least": min(game.PLAYERS),
        "most": max(game.PLAYERS),
        "copies": {f"for_{seats}": copies(seats) for seats in game.PLAYERS},
        "pack": {f"for_{seats}": copies(seats) * len(CLASSIC) for seats in game.PLAYERS},
    }


def _name_of(verb: str) -> str:
    return verb.replace("-", "_")
