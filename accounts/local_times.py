"""Times, time zones and digits in the reader's language, and the validation of time zones and sleep hours."""

import json
import zoneinfo
from datetime import datetime, time, timedelta
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Final
from zoneinfo import ZoneInfo

from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from persiantools import digits
from persiantools.jdatetime import JalaliDateTime

from games.engine.phrases import fold_letters

# The time zone of readers who have not chosen one. It is written behind each time.
_UNCHOSEN = "UTC"


def in_digits(text: str) -> str:
    """Return a text with its digits as the active language writes them."""
    return digits.en_to_fa(text) if get_language() == "fa" else text


def format_moment(at: datetime, zone: ZoneInfo) -> str:
    """Return a time in the reader's language and time zone. The present year is left out.

    Persian readers get the Jalali calendar and Persian digits.
    """
    local, now = at.astimezone(zone), timezone.now().astimezone(zone)
    zone_name = f" {zone.key}" if zone.key == _UNCHOSEN else ""
    if get_language() == "fa":
        jalali = JalaliDateTime(local)
        day = in_digits(str(jalali.day))
        year = "" if jalali.year == JalaliDateTime(now).year else " %Y"
        date = f"{jalali.strftime('%A', locale='fa')} {day} {jalali.strftime(f'%B{year}', locale='fa')}"
        zoned = f" \u2066{zone_name.strip()}\u2069" if zone_name else ""
        return f"{date}، ساعت {jalali.strftime('%H:%M', locale='fa')}{zoned}"
    return date_format(local, "l j F, H:i" if local.year == now.year else "l j F Y, H:i") + zone_name


LONGEST_ZONE: Final = 64


@cache
def zone_names() -> frozenset[str]:
    """Return the names of the IANA list on this machine, without entries that are not places or UTC."""
    return frozenset(name for name in zoneinfo.available_timezones() if name not in {"Factory", "localtime"})


def validate_time_zone(name: str) -> None:
    """Raise ValidationError with the most similar zone if ``name`` is not a time zone."""
    if name in zone_names():
        return
    name = name[:LONGEST_ZONE]
    nearest = get_close_matches(name.casefold(), _by_folded_name(), n=1, cutoff=0.6)
    raise ValidationError(
        _("“%(name)s” isn’t a time zone of the IANA list. Write one such as %(nearest)s."),
        code="time-zone",
        params={"name": name, "nearest": _by_folded_name()[nearest[0]] if nearest else "Asia/Tehran"},
    )


def find_zone(place: str) -> str | None:
    """Return the time zone with this name, or the zone of a city in English or Persian, or None."""
    return _zones_by_place().get(_folded_place(place))


# The beginnings of names that are not a part of the world and a place.
_OTHER_LISTS: Final = ("Etc/", "SystemV/", "US/", "posix/", "right/")


def _folded_place(place: str) -> str:
    return fold_letters(place.replace("_", " ").replace("-", " "))


@cache
def _zones_by_place() -> dict[str, str]:
    """Return the zones by their names, by their last parts and by their Persian names. Full names go first."""
    zones: dict[str, str] = {}
    for name in sorted(zone_names(), key=lambda name: (name.startswith(_OTHER_LISTS), name)):
        zones.setdefault(_folded_place(name.rpartition("/")[2]), name)
        if name in _persian_names():
            zones.setdefault(_folded_place(_persian_names()[name]), name)
    return zones | {_folded_place(name): name for name in zone_names()}


def guess_zone(zone: str, language: str | None) -> str:
    """Return the zone that a browser sends, or a usual one of the language if the browser's is unknown."""
    if zone in zone_names():
        return zone
    return "Asia/Tehran" if language == "fa" else "UTC"


def zone_choices() -> list[tuple[str, list[tuple[str, str]]] | tuple[str, str]]:
    """Return the time zones by part of the world, as choices of a form in the active language."""
    parts: dict[str, list[tuple[str, str]]] = {}
    for name in sorted(zone_names()):
        part, slash, place = name.partition("/")
        if slash and part not in ("Etc", "SystemV", "US", "posix", "right"):
            translation = _translations().get(name, place.replace("_", " "))
            parts.setdefault(_translations().get(part, part), []).append((name, translation))
    return [("UTC", "UTC"), *((part, sorted(places, key=_by_alphabet)) for part, places in parts.items())]


def zone_label(name: str) -> str:
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
    return {name.casefold(): name for name in sorted(zone_names())}


LONGEST_SLEEP: Final = timedelta(hours=12)
HALF_SLEEP: Final = _("Sleep hours need a start and an end. Set both, or neither.")
_NO_NIGHT: Final = _("Sleep hours must last between a minute and 12 hours.")


def find_sleep_error(start: time | None, end: time | None) -> Promise | str:
    """Return the error in sleep hours, or an empty string."""
    if start is None and end is None:
        return ""
    if start is None or end is None:
        return HALF_SLEEP
    minutes = (end.hour - start.hour) * 60 + end.minute - start.minute
    return "" if timedelta() < timedelta(minutes=minutes % (24 * 60)) <= LONGEST_SLEEP else _NO_NIGHT
