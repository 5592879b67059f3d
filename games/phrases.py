"""Phrases and notation as texts in the active language.

Parts whose direction differs from the language, such as notation in a Persian sentence or a Persian name in an English
one, are wrapped in Unicode isolates, so that they are displayed in the right order everywhere.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from functools import lru_cache, wraps
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import get_language, get_language_bidi, gettext, ngettext, pgettext
from persiantools.jdatetime import JalaliDateTime

from accounts.local_times import in_digits
from games.engine import AnyRules
from games.engine.phrases import MoveText, Notation, Phrase, SeatName, Value
from games.engine.types import SeatNumber

ALL_WORDS: Final[dict[str, dict[str, str]]] = {}
"""The words of the notations of all games, by language. No two games translate a word differently."""
_WORD: Final = re.compile("[a-z][a-z-]*")


def add_words(notation: Mapping[str, Mapping[str, str]]) -> None:
    """Add the words of a game's notation."""
    for language, words in notation.items():
        ALL_WORDS.setdefault(language, {}).update(words)


def translate_notation(text: str, notation: Mapping[str, Mapping[str, str]] = ALL_WORDS) -> str:
    """Return canonical notation with the words and digits of the active language, if the notation has words for it."""
    words = notation.get(get_language() or "", {})
    if not words:
        return text
    translated = _WORD.sub(lambda word: words.get(word[0], word[0]), text)
    return in_digits(translated)


_LEFT_TO_RIGHT: Final = "\u2066"
_RIGHT_TO_LEFT: Final = "\u2067"
_END: Final = "\u2069"
_CACHED: Final = 4096
"""The number of cached texts of each function."""
_IS_RIGHT_TO_LEFT: Final = {"L": False, "R": True, "AL": True}
_CONTROLS: Final = re.compile("[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


def _cached_by_language(function: Callable[[str], str]) -> Callable[[str], str]:
    """Cache a function whose result depends only on a text and the active language."""
    cached = lru_cache(_CACHED)(lambda _language, text: function(text))
    return wraps(function)(lambda text: cached(get_language(), text))


def render_phrase(phrase: Phrase, names: Mapping[SeatNumber, str]) -> str:
    """Return the phrase in the active language, with the players' names for their seats."""
    return _translated(phrase.text) % {key: _value(value, names) for key, value in phrase.values.items()}


def _value(value: Value, names: Mapping[SeatNumber, str]) -> str:
    match value:
        case Phrase():
            return render_phrase(value, names)
        case MoveText(text):
            return isolated(translate_notation(text))
        case Notation(text):
            return isolated(text)
        case SeatName(seat):
            return player(SeatNumber(seat), names)
        case tuple():
            return _separator(value).join(_value(item, names) for item in value)
        case int():
            return number(value)
        case _:
            return _translated(value)


def _separator(items: tuple[Value, ...]) -> str:
    """Return the separator of a list. It is stronger if an item contains another list."""
    if any(isinstance(part, tuple) for item in items if isinstance(item, Phrase) for part in item.values.values()):
        return pgettext("between the items of a list that hold lists", "; ")
    return pgettext("between the items of a list", ", ")


@_cached_by_language
def _translated(text: str) -> str:
    return gettext(text) if text else ""


def player(seat: SeatNumber, names: Mapping[SeatNumber, str]) -> str:
    """Return the name of the player on a seat, or the number of the seat if the player has no name any longer."""
    if name := names.get(seat):
        return isolated(name)
    return gettext("seat %(number)s") % {"number": number(seat)}


def names_of(seats: Iterable[SeatNumber], names: Mapping[SeatNumber, str]) -> str:
    """Return the names of several players as a list."""
    return pgettext("between the items of a list", ", ").join(player(seat, names) for seat in seats)


@_cached_by_language
def isolated(text: str) -> str:
    """Return the text without direction marks, wrapped if a part of it runs against the active language.

    Digits beside letters of both directions would otherwise change their places.
    """
    text = _CONTROLS.sub("", text)
    directions = [_IS_RIGHT_TO_LEFT[kind] for kind in map(unicodedata.bidirectional, text) if kind in _IS_RIGHT_TO_LEFT]
    if {*(directions or [False])} == {get_language_bidi()}:
        return text
    return f"{_RIGHT_TO_LEFT if directions and directions[0] else _LEFT_TO_RIGHT}{text}{_END}"


def quoted(name: str) -> str:
    """Return a name in quotation marks, for sentences in which a stranger's name could mislead."""
    return pgettext("a name in quotation marks", "“%(name)s”") % {"name": isolated(name)}


def number(value: int) -> str:
    """Return a number in the digits of the active language."""
    return in_digits(str(value))


def period(length: timedelta) -> str:
    """Return a duration in its two largest units: ``2 days``, ``1 hour 30 minutes``."""
    minutes = max(1, round(length.total_seconds() / 60))
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    units = (
        (days, ngettext("%(count)s day", "%(count)s days", days)),
        (hours, ngettext("%(count)s hour", "%(count)s hours", hours)),
        (minutes, ngettext("%(count)s minute", "%(count)s minutes", minutes)),
    )
    parts = [unit % {"count": number(count)} for count, unit in units if count]
    return pgettext("between days and hours", " ").join(parts[:2])


def short_moment(local: datetime) -> str:
    """Return a recent or near time without its year and zone."""
    if get_language() == "fa":
        jalali = JalaliDateTime(local)
        return f"{number(jalali.day)} {jalali.strftime('%B', locale='fa')}، {jalali.strftime('%H:%M', locale='fa')}"
    return date_format(local, "j F, H:i")


def percent(part: float) -> str:
    """Return a share from 0 to 1 as a percentage in the digits of the active language."""
    return pgettext("a share", "%(number)s%%") % {"number": number(round(100 * part))}


def localized(rules: AnyRules, text: str) -> str:
    """Return canonical notation of a move or plan in the active language. Notation is read in every language."""
    return translate_notation(text, rules.words.notation)


def plan_line(rules: AnyRules, text: str) -> str:
    """Return the line of an email that gives a plan, in the active language."""
    begins = pgettext("command in an email", "plan")
    return f"{begins} {localized(rules, text)}"
