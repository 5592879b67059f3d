"""Words of the games, which may not be names or the main part of a password.

The games register them when the server starts (``games/apps.py``), because accounts cannot import games.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Final

_SHORT: Final = 3
_notation: Final[list[Callable[[], Iterable[str]]]] = []
_titles: Final[list[Callable[[], Iterable[str]]]] = []


def register(notation: Callable[[], Iterable[str]], titles: Callable[[], Iterable[str]]) -> None:
    """Register a function that returns the words of the games' notation, and one that returns their titles."""
    _notation.append(notation)
    _titles.append(titles)


@cache
def notation_words() -> frozenset[str]:
    """Return the words of the notation of all games."""
    return frozenset(word for source in _notation for word in source())


@cache
def title_words() -> tuple[str, ...]:
    """Return the words of the games' titles with more than three letters."""
    titles = [title.casefold() for source in _titles for title in source()]
    return tuple(sorted({word for title in titles for word in title.split() if len(word) > _SHORT}))
