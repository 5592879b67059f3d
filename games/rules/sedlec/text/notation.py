"""Moves as text, in the one canonical form and as people write them."""

from functools import partial
from typing import Final

from games.engine import Question
from games.engine.reading import Vocabulary, read_move
from games.engine.rules import Names
from games.rules.sedlec.cards import KINDS
from games.rules.sedlec.moves import SedlecMove, legal_moves
from games.rules.sedlec.state import State
from games.rules.sedlec.text.refusals import why_illegal

PERSIAN: Final = {
    "dig": "نبش‌قبر",
    "collect": "جمع‌آوری",
    "lay": "چیدمان",
    "take": "برداشتن",
    "left": "چپ",
    "right": "راست",
    "on": "روی",
    "royal": "اشراف‌زاده",
    "peasant": "رعیت",
    "priest": "کشیش",
    "lover": "عاشق",
    "sinner": "گناهکار",
}
"""The Persian word for each word of the notation."""

ENGLISH: Final = ("dig", "collect", "lay", "take", "left", "right", "on", *KINDS)

VOCABULARY: Final = Vocabulary(
    {word: word for word in ENGLISH} | {persian: word for word, persian in PERSIAN.items()} | {"اشراف": "royal"}
)

SYNONYMS: Final = (
    {word: (word,) for word in ENGLISH}
    | {persian: (word,) for word, persian in PERSIAN.items()}
    | {
        "dig up": ("dig",),
        "unearth": ("dig",),
        "exhume": ("dig",),
        "نبش قبر می‌کنم": ("dig",),
        "نبش می‌کنم": ("dig",),
        "کندن": ("dig",),
        "collect": ("collect", "take"),
        "take": ("collect", "take"),
        "pick up": ("collect", "take"),
        "pick": ("collect", "take"),
        "جمع می‌کنم": ("collect", "take"),
        "جمع کردن": ("collect", "take"),
        "برداشتن": ("collect", "take"),
        "برمی‌دارم": ("collect", "take"),
        "بر می‌دارم": ("collect", "take"),
        "place": ("lay",),
        "put": ("lay",),
        "چیدن": ("lay",),
        "می‌چینم": ("lay",),
        "می‌گذارم": ("lay",),
        "گذاشتن": ("lay",),
        "to the left": ("left",),
        "to the right": ("right",),
        "سمت چپ": ("left",),
        "سمت راست": ("right",),
        "اشراف": ("royal",),
    }
)
"""Every way to write a word of the notation, with the words that it may mean."""


def text(move: SedlecMove) -> str:
    """A move in its canonical notation."""
    return str(move)


def parse(state: State, question: Question, written: str, names: Names) -> SedlecMove:
    """The legal move that ``written`` means; RuleViolation where it means none. No move names a player."""
    why = partial(why_illegal, state, question)
    return read_move(written, legal_moves(state, question), text, VOCABULARY, {}, why)
