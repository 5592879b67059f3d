"""Words of the games, which a name may not be and a password may not rest on.

The games hand them in when the server starts (``games/apps.py``): accounts know no game.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Final

_SHORT: Final = 3
_notation: Final[list[Callable[[], Iterable[str]]]] = []
_titles: Final[list[Callable[[], Iterable[str]]]] = []


def register(notation: Callable[[], Iterable[str]], titles: Callable[[], Iterable[str]]) -> None:
    """Take in who tells the words of the games' notation, and who tells their titles. They are asked when needed."""
    _notation.append(notation)
    _titles.append(titles)


@cache
def notation_words() -> frozenset[str]:
    """The words of the notation of all games."""
    return frozenset(word for source in _notation for word in source())


@cache
def title_words() -> tuple[str, ...]:
    """The words of the games' titles, without those of three letters and fewer."""
    titles = [title.casefold() for source in _titles for title in source()]
    return tuple(sorted({word for title in titles for word in title.split() if len(word) > _SHORT}))
