"""Reading the file with the words of a game's notation, their Persian, and other ways to write them."""

from collections.abc import Mapping
from pathlib import Path

import msgspec


class _Word(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The entry of a word of the notation."""

    fa: str
    """The word in Persian."""
    ways: str = ""
    """Other ways to write the word, in both languages, separated by commas."""


def read_words(path: Path) -> tuple[Mapping[str, str], Mapping[str, tuple[str, ...]]]:
    """Return the Persian of each word, and the possible meanings of each way to write a word.

    A way with an apostrophe may also be written without it. Raises msgspec.ValidationError if the file is wrong.
    """
    words = msgspec.toml.decode(path.read_bytes(), type=dict[str, _Word])
    meanings: dict[str, list[str]] = {}
    for name, word in words.items():
        ways = (way.strip() for way in word.ways.split(","))
        for way in (name, word.fa, *filter(None, ways)):
            for spelling in dict.fromkeys((way, way.replace("'", ""))):
                meanings.setdefault(spelling, []).append(name)
    vocabulary = {way: tuple(dict.fromkeys(names)) for way, names in meanings.items()}
    return {name: word.fa for name, word in words.items()}, vocabulary
