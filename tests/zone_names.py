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

FILE: Final = Path(__file__).parent.parent / "accounts" / "profile" / "persian_zone_names.json"
PARTS: Final = {
    "Africa": "آفریقا", "America": "آمریکا", "Antarctica": "جنوبگان", "Arctic": "شمالگان", "Asia": "آسیا",
    "Atlantic": "اقیانوس اطلس", "Australia": "استرالیا", "Brazil": "برزیل", "Canada": "کانادا", "Chile": "شیلی",
    "Europe": "اروپا", "Indian": "اقیانوس هند", "Mexico": "مکزیک", "Pacific": "اقیانوس آرام",
}  # fmt: skip
BESIDES: Final = {
    "Africa/Timbuktu": "تیمبوکتو", "America/Argentina/ComodRivadavia": "کومودورو ریواداویا", "America/Atka": "اتکا",
    "America/Coyhaique": "کویایکه", "America/Ensenada": "انسنادا", "America/Fort_Wayne": "فورت وین",
    "America/Knox_IN": "ناکس، ایندیانا", "America/Montreal": "مونترال", "America/Nipigon": "نیپیگون",
    "America/Pangnirtung": "پانگنیرتونگ", "America/Porto_Acre": "پورتو اکر", "America/Rainy_River": "رینی ریور",
    "America/Rosario": "روساریو", "America/Santa_Isabel": "سانتا ایزابل", "America/Shiprock": "شیپ‌راک",
    "America/Thunder_Bay": "تاندر بی", "America/Virgin": "جزایر ویرجین", "America/Yellowknife": "یلونایف",
    "Antarctica/South_Pole": "قطب جنوب", "Asia/Ashkhabad": "عشق‌آباد", "Asia/Choibalsan": "چویبالسان",
    "Asia/Chongqing": "چونگ‌کینگ", "Asia/Chungking": "چونگ‌کینگ", "Asia/Dacca": "داکا", "Asia/Harbin": "هاربین",
    "Asia/Istanbul": "استانبول", "Asia/Kashgar": "کاشغر", "Asia/Macao": "ماکائو", "Asia/Tel_Aviv": "تل‌آویو",
    "Asia/Thimbu": "تیمفو", "Asia/Ujung_Pandang": "اوجونگ پاندانگ", "Asia/Ulan_Bator": "اولان‌باتور",
    "Atlantic/Jan_Mayen": "یان ماین", "Australia/ACT": "قلمرو پایتخت استرالیا", "Australia/Canberra": "کانبرا",
    "Australia/Currie": "کوری", "Australia/LHI": "جزیرهٔ لرد هاو", "Australia/NSW": "نیو ساوت ولز",
    "Australia/North": "قلمرو شمالی", "Australia/Queensland": "کوئینزلند", "Australia/South": "استرالیای جنوبی",
    "Australia/Tasmania": "تاسمانی", "Australia/Victoria": "ویکتوریا", "Australia/West": "استرالیای غربی",
    "Australia/Yancowinna": "یانکووینا", "Brazil/Acre": "اکر", "Brazil/DeNoronha": "نورونیا",
    "Brazil/East": "شرق برزیل", "Brazil/West": "غرب برزیل", "Canada/Atlantic": "ساحل اطلس",
    "Canada/Central": "مرکز کانادا", "Canada/Eastern": "شرق کانادا", "Canada/Mountain": "کوهستان",
    "Canada/Newfoundland": "نیوفاندلند", "Canada/Pacific": "ساحل آرام", "Canada/Saskatchewan": "ساسکاچوان",
    "Canada/Yukon": "یوکان", "Chile/Continental": "سرزمین اصلی", "Chile/EasterIsland": "جزیرهٔ ایستر",
    "Europe/Belfast": "بلفاست", "Europe/Nicosia": "نیکوزیا", "Europe/Tiraspol": "تیراسپول",
    "Europe/Uzhgorod": "اوژگورود", "Europe/Zaporozhye": "زاپوریژیا", "Mexico/BajaNorte": "باخا نورته",
    "Mexico/BajaSur": "باخا سور", "Mexico/General": "مکزیکوسیتی", "Pacific/Johnston": "جانستون",
    "Pacific/Samoa": "ساموآ", "Pacific/Yap": "یاپ",
}  # fmt: skip
"""Former names of the IANA list, and parts of countries, which the CLDR does not name."""
_PLACES: Final = Path("/usr/share/zoneinfo/zone.tab")


def names() -> dict[str, str]:
    """Return the Persian name of each zone that the form offers, and of each part of the world."""
    cities = {zone: zone_data["city"] for zone, zone_data in Locale("fa").time_zones.items() if "city" in zone_data}
    former = {now: then for then, now in sorted(get_global("zone_aliases").items()) if then in cities}
    cities |= {zone: cities[former[zone]] for zone in _places() & set(former) - set(cities)}
    knowledge, offered = BESIDES | cities, zoneinfo.available_timezones()
    return PARTS | {zone: city for zone, city in knowledge.items() if zone in offered}


def _places() -> set[str]:
    lines = _PLACES.read_text().splitlines() if _PLACES.exists() else []
    return {line.split("\t")[2] for line in lines if not line.startswith("#")}


def text() -> str:
    """Return the file's content."""
    return json.dumps(names(), ensure_ascii=False, indent=1, sort_keys=True) + "\n"


if __name__ == "__main__":
    FILE.write_text(text())
    sys.stdout.write(f"{FILE.name}: {len(names())} names\n")
