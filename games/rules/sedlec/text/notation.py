"""The words of the notation in Persian, and every way to write them (``words.toml``)."""

from pathlib import Path
from typing import Final

from games.engine.reading import read_words

PERSIAN, SYNONYMS = read_words(Path(__file__).with_name("words.toml"))

NEXT: Final = "next-turn"
PERSIAN_PLANS: Final = {NEXT: "نوبت-بعد"}
"""The Persian word for the word that only plans use."""
