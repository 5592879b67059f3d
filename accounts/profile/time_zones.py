"""The time zones that people may live in: those of the IANA list."""

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
"""No name of a time zone is longer."""


@cache
def names() -> frozenset[str]:
    """The names of the IANA list on this machine that say a place or UTC."""
    return frozenset(name for name in zoneinfo.available_timezones() if name not in {"Factory", "localtime"})


def validate_time_zone(name: str) -> None:
    """ValidationError that says which zone was probably meant, if ``name`` is none."""
    if name in names():
        return
    name = name[:LONGEST]
    nearest = get_close_matches(name.casefold(), _by_folded_name(), n=1, cutoff=0.6)
    raise ValidationError(
        _("“%(name)s” is not a time zone of the IANA list. A right one is for example %(nearest)s."),
        code="time-zone",
        params={"name": name, "nearest": _by_folded_name()[nearest[0]] if nearest else "Asia/Tehran"},
    )


def guess(said: str, language: str | None) -> str:
    """Return the zone that a browser says it is in; where it says none that is known, a usual one of the language."""
    if said in names():
        return said
    return "Asia/Tehran" if language == "fa" else "UTC"


def choices() -> list[tuple[str, list[tuple[str, str]]] | tuple[str, str]]:
    """The time zones by part of the world, as a form offers them to readers of the active language."""
    parts: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(names()):
        part, slash, place = name.partition("/")
        if slash and part not in ("Etc", "SystemV", "US", "posix", "right"):
            known = _spoken().get(name, place.replace("_", " "))
            parts.setdefault(_spoken().get(part, part), []).append((name, known))
    return [("UTC", "UTC"), *((part, sorted(places, key=_by_alphabet)) for part, places in parts.items())]


def label(name: str) -> str:
    """Return what readers of the active language call a zone: its name of the IANA list where there is no other."""
    return _spoken().get(name, name)


def _spoken() -> dict[str, str]:
    return _persian_names() if get_language() == "fa" else {}


@cache
def _persian_names() -> dict[str, str]:
    found: dict[str, str] = json.loads((Path(__file__).parent / "persian_zone_names.json").read_text())
    return found


_ALPHABET: Final = {letter: chr(index) for index, letter in enumerate("آابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی")}


def _by_alphabet(choice: tuple[str, str]) -> str:
    """Order places as the Persian alphabet does, which Unicode does not; others keep their order."""
    return "".join(_ALPHABET.get(letter, letter) for letter in choice[1])


@cache
def _by_folded_name() -> dict[str, str]:
    return {name.casefold(): name for name in sorted(names())}
