"""A file that lists the words of a game's notation: each in other languages, and the other ways to write it."""

from collections.abc import Mapping
from pathlib import Path

import msgspec


class _Word(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The entry of a word of the notation."""

    fa: str
    """The word in Persian."""
    ways: str = ""
    """The other ways in which people write it, in either language, with commas between."""


def read_words(path: Path) -> tuple[Mapping[str, str], Mapping[str, tuple[str, ...]]]:
    """The Persian word for each word of the notation, and every way to write a word, with the words that it may mean.

    A way with an apostrophe is known without it too. msgspec.ValidationError names what is wrong in the file.
    """
    words = msgspec.toml.decode(path.read_bytes(), type=dict[str, _Word])
    found: dict[str, list[str]] = {}
    for name, word in words.items():
        ways = (way.strip() for way in word.ways.split(","))
        for way in (name, word.fa, *filter(None, ways)):
            for typed in dict.fromkeys((way, way.replace("'", ""))):
                found.setdefault(typed, []).append(name)
    vocabulary = {way: tuple(dict.fromkeys(meant)) for way, meant in found.items()}
    return {name: word.fa for name, word in words.items()}, vocabulary
