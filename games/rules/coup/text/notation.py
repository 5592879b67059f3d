"""The text of Coup's moves."""

from collections.abc import Mapping
from functools import partial
from typing import Final

from games.engine import Move, Question, SeatNumber
from games.engine.reading import Vocabulary, read_move
from games.rules.coup.game import legal_moves
from games.rules.coup.state import State
from games.rules.coup.text.refusals import why_illegal

PERSIAN: Final[Mapping[str, str]] = {
    "allow": "اجازه",
    "challenge": "چالش",
    "block": "مقابله",
    "prove": "اثبات",
    "concede": "اعتراف",
    "lose": "رو",
    "keep": "نگه‌داشتن",
    "show": "نشان",
    "return": "پس‌دادن",
    "swap": "تعویض",
    "explode": "انفجار",
    "defuse": "خنثی",
    "hand": "واگذاری",
    "bomb": "بمب",
    "pick": "انتخاب",
    "empire": "امپراتوری",
    "resistance": "مقاومت",
    "income": "درآمد",
    "foreign-aid": "کمک‌خارجی",
    "coup": "کودتا",
    "tax": "مالیات",
    "assassinate": "آدم‌کشی",
    "steal": "باج‌گیری",
    "exchange": "معاوضه",
    "examine": "بازرسی",
    "convert": "چرخش",
    "embezzle": "اختلاس",
    "duke": "بزرگ‌زاده",
    "assassin": "آدم‌کش",
    "captain": "فرمانده",
    "ambassador": "سفیر",
    "contessa": "شاهدخت",
    "inquisitor": "بازرس",
}
"""The Persian word for each word of the notation."""

VOCABULARY: Final = Vocabulary(
    {**{word: word for word in PERSIAN}, **{persian: word for word, persian in PERSIAN.items()}, "مجاز": "allow"}
)


def text(move: Move) -> str:
    """The one canonical text of a move."""
    words = [str(move.__struct_config__.tag)]
    for field in ("target", "character"):
        value = getattr(move, field, None)
        if value is not None:
            words.append(str(value))
    words.extend(getattr(move, "characters", ()))
    return " ".join(words)


def parse(state: State, question: Question, written: str, names: Mapping[str, SeatNumber]) -> Move:
    """The legal move that somebody wrote, or RuleViolation with the list of legal ones."""
    why = partial(why_illegal, state, question)
    return read_move(written, legal_moves(state, question), text, VOCABULARY, names, why)
