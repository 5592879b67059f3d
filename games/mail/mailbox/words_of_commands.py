"""Words that several commands share: counts, and the titles of games."""

import re
from collections.abc import Mapping
from typing import Final

Titles = Mapping[str, str]
"""The name of a game's rules by each of its titles, folded, and by itself."""

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


def count_of(said: str) -> int:
    """Return a number that is written in digits or as a word."""
    return COUNTS.get(said) or int(said)


def title_at(said: str, titles: Titles) -> str:
    """Return the longest title with which a text begins; blank where it begins with none."""
    return max((title for title in titles if re.match(rf"{re.escape(title)}(?!\w)", said)), key=len, default="")
