"""The Persian names of time zones: ``python -m tests.zone_names`` takes them from the CLDR, as babel has it.

The server reads the file that this writes, and needs no babel. The CLDR has some places under a former name of the IANA
list: its aliases lead from it to the present one.
"""

import json
import sys
import zoneinfo
from pathlib import Path
from typing import Final

from babel.core import Locale, get_global

from tests.examples import read_examples

EXAMPLES = read_examples(__file__)

FILE: Final = Path(__file__).parent.parent / "accounts" / "persian_zone_names.json"
_PLACES: Final = Path("/usr/share/zoneinfo/zone.tab")


def names() -> dict[str, str]:
    """Return the Persian name of each zone that the form offers, and of each part of the world."""
    cities = {zone: zone_data["city"] for zone, zone_data in Locale("fa").time_zones.items() if "city" in zone_data}
    former = {now: then for then, now in sorted(get_global("zone_aliases").items()) if then in cities}
    cities |= {zone: cities[former[zone]] for zone in _places() & set(former) - set(cities)}
    knowledge, offered = EXAMPLES["besides"] | cities, zoneinfo.available_timezones()
    return EXAMPLES["parts"] | {zone: city for zone, city in knowledge.items() if zone in offered}


def _places() -> set[str]:
    lines = _PLACES.read_text().splitlines() if _PLACES.exists() else []
    return {line.split("\t")[2] for line in lines if not line.startswith("#")}


def text() -> str:
    """Return the file's content."""
    return json.dumps(names(), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    FILE.write_text(text())
    sys.stdout.write(f"{FILE.name}: {len(names())} names\n")
