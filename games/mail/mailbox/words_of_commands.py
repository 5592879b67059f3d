"""Words that several commands use: numbers and the titles of games."""

import re
from collections.abc import Mapping
from typing import Final

Titles = Mapping[str, str]
"""The names of rules by their folded titles and by themselves."""

COUNTS: Final[Mapping[str, int]] = {
    word: count
    for count, words in enumerate(
        (
            *("", "a an one یک", "two دو", "three سه", "four چهار", "five پنج"),
            *("six شش", "seven هفت", "eight هشت", "nine نه", "ten ده"),
        )
    )
    for word in words.split()
}
IN_WORDS: Final = "|".join(COUNTS)


def count_of(text: str) -> int:
    """Return a number that is written in digits or as a word."""
    return COUNTS.get(text) or int(text)


def title_at(text: str, titles: Titles) -> str:
    """Return the longest title at the beginning of a text, or a blank text."""
    return max((title for title in titles if re.match(rf"{re.escape(title)}(?!\w)", text)), key=len, default="")
