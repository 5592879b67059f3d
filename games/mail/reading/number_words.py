"""Numbers of answers written as words: “three”, “the third one”, «گزینهٔ سوم»."""

import re
from typing import Final

_WORDS: Final = (
    "one first یک یکم یکمی اول اولی",
    "two second دو دوم دومی",
    "three third سه سوم سومی",
    "four fourth چهار چهارم چهارمی",
    "five fifth پنج پنجم پنجمی",
    "six sixth شش ششم ششمی شیش",
    "seven seventh هفت هفتم هفتمی",
    "eight eighth هشت هشتم هشتمی",
    "nine ninth نه نهم نهمی",
    "ten tenth ده دهم دهمی",
)
_NUMBERS: Final = {word: number for number, words in enumerate(_WORDS, 1) for word in words.split() if word != "نه"}
"""The Persian words for numbers, without «نه», which also means no."""
_PATTERN: Final = re.compile(
    rf"(?:i pick )?(?:the )?(?:(?:number|option|answer|no|مورد|گزینه ?ی?|شماره ?ی?) )?(?P<word>{'|'.join(_NUMBERS)})"
    r"(?: (?:one|option|answer|choice))?"
)


def number_in_words(folded: str) -> int | None:
    """Return the number that a whole folded line names, or None."""
    match = _PATTERN.fullmatch(folded)
    return _NUMBERS[match["word"]] if match else None
