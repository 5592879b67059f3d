"""The time zones of the IANA list that an account may have."""

import json
import zoneinfo
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _

LONGEST: Final = 64


@cache
def names() -> frozenset[str]:
    """Return the names of the IANA list on this machine, without entries that are not places or UTC."""
    return frozenset(name for name in zoneinfo.available_timezones() if name not in {"Factory", "localtime"})


def validate_time_zone(name: str) -> None:
    """Raise ValidationError with the most similar zone if ``name`` is not a time zone."""
    if name in names():
        return
    name = name[:LONGEST]
    nearest = get_close_matches(name.casefold(), _by_folded_name(), n=1, cutoff=0.6)
    raise ValidationError(
        _("“%(name)s” is not a time zone of the IANA list. A right one is for example %(nearest)s."),
        code="time-zone",
        params={"name": name, "nearest": _by_folded_name()[nearest[0]] if nearest else "Asia/Tehran"},
    )


def guess(zone: str, language: str | None) -> str:
    """Return the zone that a browser sends, or a usual one of the language if the browser's is unknown."""
    if zone in names():
        return zone
    return "Asia/Tehran" if language == "fa" else "UTC"


def choices() -> list[tuple[str, list[tuple[str, str]]] | tuple[str, str]]:
    """Return the time zones by part of the world, as choices of a form in the active language."""
    parts: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(names()):
        part, slash, place = name.partition("/")
        if slash and part not in ("Etc", "SystemV", "US", "posix", "right"):
            translation = _translations().get(name, place.replace("_", " "))
            parts.setdefault(_translations().get(part, part), []).append((name, translation))
    return [("UTC", "UTC"), *((part, sorted(places, key=_by_alphabet)) for part, places in parts.items())]


def label(name: str) -> str:
    """Return the name of a zone in the active language, or its name of the IANA list."""
    return _translations().get(name, name)


def _translations() -> dict[str, str]:
    return _persian_names() if get_language() == "fa" else {}


@cache
def _persian_names() -> dict[str, str]:
    translations: dict[str, str] = json.loads((Path(__file__).parent / "persian_zone_names.json").read_text())
    return translations


_ALPHABET: Final = {letter: chr(index) for index, letter in enumerate("آابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی")}


def _by_alphabet(choice: tuple[str, str]) -> str:
    """Return a sort key in the order of the Persian alphabet, which Unicode does not follow."""
    return "".join(_ALPHABET.get(letter, letter) for letter in choice[1])


@cache
def _by_folded_name() -> dict[str, str]:
    return {name.casefold(): name for name in sorted(names())}
