"""Ways to write the words of Coup's notation: the rulebooks' words, and what players call things."""

from collections.abc import Mapping
from typing import Final

from games.rules.coup.text.notation import PERSIAN

_WRITTEN: Final[Mapping[str, tuple[str, str]]] = {
    "allow": (
        "pass, accept, permit, let it happen, let it go, let it pass, no objection, believe, trust",
        "مجاز, اجازه دادن, اجازه می‌دهم, اجازه می‌دم, قبول, قبول دارم, باور می‌کنم, باور دارم, اعتراضی ندارم",
    ),
    "challenge": (
        "call bluff, call his bluff, call her bluff, call their bluff, call the bluff, call your bluff, bluff, doubt,"
        " liar, dispute, don't believe, do not believe",
        "به چالش کشیدن, به چالش می‌کشم, چالش می‌کنم, چالش می‌کشم, باور نمی‌کنم, باور ندارم, قبول ندارم, بلوف, بلوف است,"
        " بلوفه, دروغ است, دروغه",
    ),
    "block": (
        "counter, counteract, blocking",
        "اقدام متقابل, اقدام متقابل می‌کنم, مقابله می‌کنم, مقابله کردن, جلویش را می‌گیرم",
    ),
    "prove": ("reveal, prove it", "اثبات می‌کنم, اثبات کردن, نشان می‌دهم, نشان دادن, ثابت می‌کنم, رو می‌کنم"),
    "concede": ("admit, confess, admit bluff", "اعتراف می‌کنم, اعتراف کردن"),
    "lose": (
        "reveal, discard, flip, turn over, turn up, turn face up, sacrifice",
        "رو می‌کنم, رو کردن, از دست دادن, از دست می‌دهم, می‌سوزانم",
    ),
    "keep": ("hold on to, retain", "نگه می‌دارم, نگه دار, نگه داشتن, حفظ می‌کنم"),
    "show": ("reveal", "نشان می‌دهم, نشان می‌دم, نشان دادن"),
    "return": ("hand back, give back, hand it back, give it back", "پس می‌دهم, پس دادن, برمی‌گردانم, برگرداندن"),
    "swap": ("have swapped, force swap, force a swap, exchange", "تعویض کردن, تعویض می‌کنم, عوض کردن, عوض می‌کنم"),
    "explode": ("blow up, detonate, let it explode", "منفجر شود, منفجر کردن, منفجر می‌کنم, اجازهٔ انفجار"),
    "defuse": ("disarm", "خنثی کردن, خنثی می‌کنم, خنثی‌سازی"),
    "hand": ("hand on, pass on, hand over", "واگذار کردن, واگذار می‌کنم, می‌دهم به"),
    "bomb": ("send the anarchist, send anarchist, bomb", "فرستادن آنارشیست, آنارشیست می‌فرستم"),
    "pick": ("choose, keep", "انتخاب می‌کنم, انتخاب کردن, نگه داشتن, نگه می‌دارم"),
    "empire": ("imperial", "حزب امپراتوری"),
    "resistance": ("the resistance", "حزب مقاومت"),
    "income": ("take income, take a coin, take one coin", "کسب درآمد, درآمد می‌گیرم, یک سکه برمی‌دارم"),
    "foreign-aid": ("take foreign aid", "کمک‌های خارجی, دریافت کمک‌های خارجی, دریافت کمک خارجی, کمک خارجی می‌گیرم"),
    "coup": ("launch a coup, launch coup", "کودتا کردن, کودتا می‌کنم"),
    "tax": (
        "collect tax, collect taxes, taxes, taxation",
        "جمع‌آوری مالیات, گرفتن مالیات, مالیات می‌گیرم, مالیات جمع می‌کنم, مالیات گرفتن",
    ),
    "assassinate": (
        "assassination, kill, murder",
        "سوءقصد, سوءقصد به جان, سوءقصد می‌کنم, سوء قصد, ترور, ترور کردن, ترور می‌کنم, آدم‌کشی می‌کنم",
    ),
    "steal": ("rob, extort, stealing", "باج گرفتن, باج می‌گیرم, باج‌گیری می‌کنم, دزدی, دزدیدن, دزدی می‌کنم, سرقت"),
    "exchange": ("exchange cards, trade cards, exchange my cards", "معاوضه می‌کنم, معاوضه کردن, معاوضهٔ کارت‌ها"),
    "examine": ("inspect, investigate, look at", "بازرسی می‌کنم, بازرسی کردن"),
    "convert": (
        "change party, change my party, switch sides, change sides, conversion",
        "چرخش سیاست, تغییر حزب, حزبم را عوض می‌کنم, چرخش می‌کنم",
    ),
    "embezzle": ("embezzlement, take the reserve", "اختلاس می‌کنم, اختلاس کردن"),
    "duke": ("", "دوک"),
    "assassin": ("", "قاتل"),
    "captain": ("", "کاپیتان"),
    "ambassador": ("", "سفیر"),
    "contessa": ("countess", "کنتس"),
    "inquisitor": ("", "بازرس"),
}


def _synonyms() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for word, persian in PERSIAN.items():
        ways = ", ".join((word, persian, *_WRITTEN[word])).split(", ")
        for way in filter(None, map(str.strip, ways)):
            found.setdefault(way, []).append(word)
    return {way: tuple(dict.fromkeys(words)) for way, words in found.items()}


SYNONYMS: Final[Mapping[str, tuple[str, ...]]] = _synonyms()
"""Every way to write a word of the notation, with the words that it may mean."""
