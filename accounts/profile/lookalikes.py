"""Skeletons of names: two names that look alike have the same one (Unicode Technical Standard 39).

Which characters look alike is Unicode's own table (confusables.txt), as the package confusable-homoglyphs has it.
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


def skeleton(name: str) -> str:
    """Return what is left of a name when case, accents and everything that looks alike are made one."""
    return _made_plain(fold_letters(unicodedata.normalize("NFKC", name)))


def shape(name: str) -> str:
    """The same with capitals compared by their looks: I is l, as in AIi and Ali, and not i."""
    return _made_plain(name)


def _made_plain(text: str) -> str:
    text = unicodedata.normalize("NFKD", _UNSEEN.sub("", text))
    table = _prototypes()
    plain = "".join(table.get(character, character) for character in _ACCENTS.sub("", text))
    return " ".join(_ACCENTS.sub("", unicodedata.normalize("NFD", plain)).casefold().split())


@cache
def _prototypes() -> dict[str, str]:
    """The character, or characters, for which each of the others is taken.

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
    """A character without the marks of direction that the file puts round those written from right to left."""
    return text.replace("\u200e", "")
