"""Skeletons of names: names that look alike have the same skeleton (Unicode Technical Standard 39).

The similar characters come from Unicode's own table (confusables.txt, in the package confusable-homoglyphs) and from
the letters below. Unicode compares characters in print. Readers of names are more easily misled: they take Borls for
Boris and "A n n a" for Anna. So ``i`` counts as ``l``, and blanks and punctuation do not count. A few ordinary names
share a skeleton for this reason, such as Ella and Elia; ``tests/accounts/test_lookalikes.py`` lists them.
"""

import json
import re
import unicodedata
from collections import defaultdict
from functools import cache
from importlib import resources
from typing import Final

from games.engine.phrases import fold_letters

# Invisible characters: joiners, directions, fillers, variants.
_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
# Marks that are easily overlooked on a letter. Marks of other scripts make different letters.
_ACCENTS: Final = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u064b-\u065f\u0670]")
# Letters that the table treats as similar because of their dots. Names differ by them: پریا, ثریا.
_KEPT: Final = frozenset("پث")
# Greek letters that look like C. Unicode's compatibility form (NFKC) turns them into sigmas, which do not.
LUNATE_SIGMAS: Final = str.maketrans("ϹϲϽͻϾͼϿͽ", "CcCcCcCc")
# Cyrillic and Greek letters, and results of Unicode's table, with the Latin letters that they look like.
_MORE: Final = str.maketrans("ʙβƅꞓєεɛʜκĸʍμηπᴎяᴛτцχζɯшщω", "bbbeeeehkkmunnnrttuxzwwww")
# Two letters that look like one.
_PAIRS: Final = (("rn", "m"), ("vv", "w"), ("cl", "d"))
# Matches the Unicode names of letters with a bar or a hook, of small capitals, and of letters in circles and flags.
_DRAWN: Final = re.compile(
    r"LATIN SMALL LETTER ([A-Z])(?: WITH .+)?|"
    r"(?:LATIN LETTER SMALL CAPITAL|NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL LETTER|REGIONAL INDICATOR SYMBOL LETTER)"
    r" ([A-Z])"
)
# Categories of characters that do not distinguish names.
_IGNORED: Final = ("Z", "P", "C")


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
    """Return the Latin capital that a capital looks like.

    It must be looked up before case folding: a Greek Η looks like H, but its small letter η looks like n.
    """
    look = _look(letter) if letter.isupper() else letter
    return look if len(look) == 1 and look.isascii() else letter


@cache
def _look(letter: str) -> str:
    """Return the letter or letters that a letter looks like."""
    table = _prototypes()
    if letter not in table and (base := _DRAWN.fullmatch(unicodedata.name(letter, ""))):
        letter = (base[1] or base[2]).lower()
    return table.get(letter, letter)


@cache
def _prototypes() -> dict[str, str]:
    """Return a mapping from each character to the character or characters that it looks like.

    The package's file lists for each character all similar ones, in both directions. A character with a single similar
    one, which in turn has several, maps to that one. Of two characters that look like each other alone, the higher maps
    to the lower.
    """
    raw = json.loads(resources.files("confusable_homoglyphs").joinpath("confusables.json").read_text("utf-8"))
    alike: dict[str, set[str]] = defaultdict(set)
    for character, others in raw.items():
        alike[_bare(character)].update(_bare(other["c"]) for other in others)
    prototypes = {}
    for character, others in alike.items():
        if len(character) == len(others) == 1 and character not in _KEPT:
            (other,) = others
            if len(alike[other]) > 1 or len(other) > 1 or other < character:
                prototypes[character] = other
    return prototypes


def _bare(text: str) -> str:
    """Return a character without the direction marks that the file puts around right-to-left characters."""
    return text.replace("\u200e", "")
