"""The time zones that people may live in: those of the IANA list."""

import zoneinfo
from difflib import get_close_matches
from functools import cache
from typing import Final

from django.core.exceptions import ValidationError
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
    """The time zones by part of the world, as a form offers them."""
    parts: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(names()):
        part, slash, place = name.partition("/")
        if slash and part not in ("Etc", "SystemV", "US", "posix", "right"):
            parts.setdefault(part, []).append((name, place.replace("_", " ")))
    return [("UTC", "UTC"), *parts.items()]


@cache
def _by_folded_name() -> dict[str, str]:
    return {name.casefold(): name for name in sorted(names())}
