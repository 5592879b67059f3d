"""Words that people write for others to read: one line, without links."""

import re
from typing import Final

_LINK: Final = re.compile(r"://|\bwww\.", re.I)
_JOINERS: Final = "\u200c\u200d"


def one_line(text: str) -> str:
    """Return a text in one line, without marks that cannot be seen."""
    return " ".join("".join(each if each.isprintable() or each in _JOINERS else " " for each in text).split())


def has_link(text: str) -> bool:
    """Return whether a text has a link: with one, anybody could have the server send advertisements to strangers."""
    return _LINK.search(text) is not None
