"""The words of Coup's notation in Persian."""

from collections.abc import Mapping
from typing import Final

PERSIAN: Final[Mapping[str, str]] = {
    "allow": "اجازه",
    "challenge": "چالش",
    "block": "مقابله",
    "prove": "اثبات",
    "concede": "اعتراف",
    "lose": "رو",
    "keep": "نگه‌داشتن",
    "show": "نشان",
    "return": "پس‌دادن",
    "swap": "تعویض",
    "explode": "انفجار",
    "defuse": "خنثی",
    "hand": "واگذاری",
    "bomb": "بمب",
    "pick": "انتخاب",
    "empire": "امپراتوری",
    "resistance": "مقاومت",
    "income": "درآمد",
    "foreign-aid": "کمک‌خارجی",
    "coup": "کودتا",
    "tax": "مالیات",
    "assassinate": "آدم‌کشی",
    "steal": "باج‌گیری",
    "exchange": "معاوضه",
    "examine": "بازرسی",
    "convert": "چرخش",
    "embezzle": "اختلاس",
    "duke": "بزرگ‌زاده",
    "assassin": "آدم‌کش",
    "captain": "فرمانده",
    "ambassador": "سفیر",
    "contessa": "شاهدخت",
    "inquisitor": "بازرس",
}
"""The Persian word for each word of the notation."""
