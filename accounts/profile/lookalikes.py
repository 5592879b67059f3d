"""Skeletons of names: two names that look alike have the same one (Unicode Technical Standard 39).

Which characters look alike is Unicode's own table (confusables.txt), as the package confusable-homoglyphs has it, and
the letters below. Unicode compares characters in print. Readers of names are more easily misled: they take Borls for
Boris and "A n n a" for Anna. So ``i`` is one letter with ``l``, and blanks and punctuation do not count. A few ordinary
names have one skeleton by that, such as Ella and Elia; ``tests/accounts/test_lookalikes.py`` lists them.
"""

import json
import re
import unicodedata
from collections import defaultdict
from functools import cache
from importlib import resources
from typing import Final

from games.engine.letters import fold_letters

_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
"""The characters that leave no mark: joiners, directions, fillers, variants."""
_ACCENTS: Final = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u064b-\u065f\u0670]")
"""Marks that are easily overlooked on a letter. Those of other scripts are letters of their own."""
_KEPT: Final = frozenset("پث")
"""Letters that the table takes for one, because of their dots; names differ by them: پریا, ثریا."""
LUNATE_SIGMAS: Final = str.maketrans("ϹϲϽͻϾͼϿͽ", "CcCcCcCc")
"""Greek letters that look like C. Unicode's compatibility form (NFKC) makes sigmas of them, which do not."""
_MORE: Final = str.maketrans("ʙβƅꞓєεɛʜκĸʍμηπᴎяᴛτцχζɯшщω", "bbbeeeehkkmunnnrttuxzwwww")
"""Cyrillic and Greek letters, and what Unicode's table makes of them."""
_PAIRS: Final = (("rn", "m"), ("vv", "w"), ("cl", "d"))
"""Two letters that look like one."""
_DRAWN: Final = re.compile(
    r"LATIN SMALL LETTER ([A-Z])(?: WITH .+)?|"
    r"(?:LATIN LETTER SMALL CAPITAL|NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL LETTER|REGIONAL INDICATOR SYMBOL LETTER)"
    r" ([A-Z])"
)
"""Matches the Unicode names of letters with a bar or a hook, of small capitals, and of letters in circles and flags."""
_IGNORED: Final = ("Z", "P", "C")
"""Categories of characters by which names do not differ."""


def skeleton(name: str) -> str:
    """Return the form that all names which look like this one share. It has no blanks."""
    text = unicodedata.normalize("NFKD", _UNSEEN.sub("", name.translate(LUNATE_SIGMAS)))
    text = "".join(map(_look_of_capital, _ACCENTS.sub("", text)))
    text = _ACCENTS.sub("", unicodedata.normalize("NFD", fold_letters(text)))
    text = _ACCENTS.sub("", unicodedata.normalize("NFD", "".join(map(_look, text)))).translate(_MORE).casefold()
    text = "".join(letter for letter in text if not unicodedata.category(letter).startswith(_IGNORED))
    for pair, letter in _PAIRS:
        text = text.replace(pair, letter)
    return text.replace("i", "l")  # not before: "ci" does not look like d


def _look_of_capital(letter: str) -> str:
    """Return the Latin capital that a capital looks like: a Greek H is no n, though its small letter looks like one."""
    look = _look(letter) if letter.isupper() else letter
    return look if len(look) == 1 and look.isascii() else letter


@cache
def _look(letter: str) -> str:
    """Return the letter, or letters, for which a letter is taken."""
    table = _prototypes()
    if letter not in table and (base := _DRAWN.fullmatch(unicodedata.name(letter, ""))):
        letter = (base[1] or base[2]).lower()
    return table.get(letter, letter)


@cache
def _prototypes() -> dict[str, str]:
    """Return the character, or characters, for which each other character is taken.

    The package's file gives for each character all that look like it, in both directions. A character that looks like
    one other, which looks like several, is taken for that one; of two that look like each other alone, the lower.
    """
    raw = json.loads(resources.files("confusable_homoglyphs").joinpath("confusables.json").read_text("utf-8"))
    alike: dict[str, set[str]] = defaultdict(set)
    for character, others in raw.items():
        alike[_bare(character)].update(_bare(other["c"]) for other in others)
    found = {}
    for character, others in alike.items():
        if len(character) == len(others) == 1 and character not in _KEPT:
            (other,) = others
            if len(alike[other]) > 1 or len(other) > 1 or other < character:
                found[character] = other
    return found


def _bare(text: str) -> str:
    """Return a character without the marks of direction that the file puts round those written from right to left."""
    return text.replace("\u200e", "")
