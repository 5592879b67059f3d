"""Names that could be mistaken for the server, its operator, its moderators or its bots."""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from accounts.profile.lookalikes import skeleton

# Words that may not occur in any name.
_ANYWHERE: Final = """
    darbar moderator moderators admin admins administrator administrators sysadmin superuser webmaster postmaster
    mailer-daemon noreply
    دربار داربار ناظر ناظران ادمین
"""
# Words that may not make up a whole name.
_ALONE: Final = """
    mod mods operator operators support staff team system root security abuse official help helpdesk service
    bot bots the of server
    jazari heron ktesibios vaucanson maillardet kempelen pygmalion talos galatea olimpia coppelia tik tok
    مدیر مدیران مدیریت سرپرست ناظر گرداننده پشتیبان پشتیبانی تیم سیستم سامانه رسمی اپراتور راهنما ربات ربات‌ها بات خدمات
    سرور
"""
_LEET: Final = str.maketrans("34579", "eastg")
_WORDS: Final = re.compile(r"[^\W_]+")
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_DIGITS: Final = re.compile(r"^\d+|\d+$")


def is_reserved(name: str) -> bool:
    """Return True if a tidy name could be mistaken for an account of the server, or for one of its bots."""
    words = _WORDS.findall(_CAMEL.sub(" ", name))
    reserved = _reserved() | _forbidden()
    if _key("".join(words)) in reserved or any(_keys(run) & _forbidden() for run in _runs(words)):
        return True
    return bool(words) and all(word.isdigit() or _keys(word) & reserved for word in words)


def _runs(words: list[str]) -> Iterator[str]:
    """Yield the words that neighbouring words make without the blanks between them, such as "Mod erator"."""
    for first in range(len(words)):
        for last in range(first, len(words)):
            yield "".join(words[first : last + 1])


def _keys(word: str) -> frozenset[str]:
    """Return the possible readings of a word: with digits read as letters, and without digits at its ends."""
    return frozenset((_key(word), _key(_DIGITS.sub("", word)))) - {""}


def _key(word: str) -> str:
    return skeleton(word).translate(_LEET)


def _keys_of(words: str) -> frozenset[str]:
    return frozenset(_key("".join(_WORDS.findall(word))) for word in words.split())


@cache
def _forbidden() -> frozenset[str]:
    return _keys_of(_ANYWHERE)


@cache
def _reserved() -> frozenset[str]:
    return _keys_of(_ALONE)
