"""Ways to write the words of Coup's notation: the rulebooks' words, and what players call things."""

from collections.abc import Mapping
from typing import Final

from games.rules.coup.text.notation import PERSIAN

_TAKING: Final = ("steal", "stealing", "rob", "robbing", "take", "taking")
_ANOTHERS_COINS: Final = ("coins", "two coins", "your coins", "your 2 coins", "his coins", "her coins", "their coins")
_CHANGING: Final = ("exchange", "exchanging", "swap", "swapping", "trade", "trading", "change", "changing", "switch")
_WRITTEN: Final[Mapping[str, tuple[str, str]]] = {
    "allow": (
        "pass, accept, permit, let it happen, let it go, let it pass, no objection, believe, trust,"
        " go ahead, let her, let him, let them, let her have it, let him have it,"
        " no problem,"
        " believe it, believe you, believe him, believe her, believe them, fair enough, no objections, let it be,"
        " let them have it, all good, fine by me, fine with me, okay by me, ok by me, it's fine, that's fine",
        "مجاز, اجازه دادن, اجازه می‌دهم, اجازه می‌دم, قبول, قبول دارم, باور می‌کنم, باور دارم,"
        " اعتراضی ندارم, اشکالی ندارد, اشکالی نداره, مشکلی نیست, مشکلی ندارد, موردی ندارد,"
        " موردی نداره, بگذار برود, بذار بره, بگذار بگذرد, ولش کن, باور کردم, اعتراضی نیست,"
        " قبوله, قبول می‌کنم, اعتراض ندارم, مشکلی ندارم, مخالفتی ندارم, اجازه داره, اجازه دارد",
    ),
    "challenge": (
        "call bluff, call his bluff, call her bluff, call their bluff, call the bluff,"
        " call your bluff, bluff, doubt, liar, dispute, don't believe, do not believe, bullshit,"
        " that's a lie, that is a lie, it's a lie,"
        " lying, lies, he is lying, she is lying, he's lying, she's lying, you're lying,"
        " you are lying, don't buy it, do not buy it, don't buy that, prove it, show me, call it,"
        " challenge it, calling it, calling bluff, bluffing, you are bluffing, no way she has, no way he has,"
        " no way you have, no way they have, don't trust, do not trust",
        "به چالش کشیدن, به چالش می‌کشم, چالش می‌کنم, چالش می‌کشم, باور نمی‌کنم, باور ندارم,"
        " قبول ندارم, بلوف, بلوف است, بلوفه, دروغ است, دروغه, دروغ می‌گوید, دروغ می‌گه, دروغ می‌گی,"
        " دروغ می‌گویی, خالی می‌بندد, خالی می‌بنده, خالی بستی, چالشش می‌کنم, ثابت کن, نشان بده,"
        " باورم نمی‌شود, باورم نمیشه, قبول نمی‌کنم, به چالش می‌کشمت, به چالش می‌کشمش, چالشت می‌کنم,"
        " بلوف می‌زنی, بلوف می‌زنه, بلوف می‌زند",
    ),
    "block": (
        "counter, counteract, blocking, blocks, blocked, stop it, stop that, stops it, stops that",
        "اقدام متقابل, اقدام متقابل می‌کنم, مقابله می‌کنم, مقابله کردن, جلویش را می‌گیرم,"
        " جلوش رو می‌گیرم, جلوشو می‌گیرم, جلوش را می‌گیرم, جلوی او را می‌گیرم, جلوی این را می‌گیرم,"
        " نمی‌گذارم, نمی‌ذارم, مسدود می‌کنم, سد, سد می‌کنم",
    ),
    "prove": (
        "reveal, prove it, show, show it, here it is, show my card, show the card, have it",
        "اثبات می‌کنم, اثبات کردن, نشان می‌دهم, نشان دادن, ثابت می‌کنم, رو می‌کنم, نشونش می‌دم,"
        " نشانش می‌دهم, ثابتش می‌کنم, بفرمایید, نشون می‌دم",
    ),
    "concede": (
        "admit, confess, admit bluff, give up, was bluffing, was a bluff",
        "اعتراف می‌کنم, اعتراف کردن, بلوف زدم, تسلیم",
    ),
    "lose": (
        "reveal, discard, flip, turn over, turn up, turn face up, sacrifice, give up, let go of, burn",
        "رو می‌کنم, رو کردن, از دست دادن, از دست می‌دهم, می‌سوزانم, از دست می‌دم, می‌سوزونم, می‌اندازم, بسوزد, بسوزه",
    ),
    "keep": ("hold on to, retain", "نگه می‌دارم, نگه دار, نگه داشتن, حفظ می‌کنم"),
    "show": ("reveal", "نشان می‌دهم, نشان می‌دم, نشان دادن"),
    "return": ("hand back, give back, hand it back, give it back", "پس می‌دهم, پس دادن, برمی‌گردانم, برگرداندن"),
    "swap": ("have swapped, force swap, force a swap, exchange", "تعویض کردن, تعویض می‌کنم, عوض کردن, عوض می‌کنم"),
    "explode": ("blow up, detonate, let it explode", "منفجر شود, منفجر کردن, منفجر می‌کنم, پذیرفتن انفجار"),
    "defuse": ("disarm", "خنثی کردن, خنثی می‌کنم, خنثی‌سازی"),
    "hand": ("hand on, pass on, hand over", "واگذار کردن, واگذار می‌کنم, می‌دهم به"),
    "bomb": ("send the anarchist, send anarchist, bomb", "فرستادن آنارشیست, آنارشیست می‌فرستم"),
    "pick": ("choose, keep", "انتخاب می‌کنم, انتخاب کردن, نگه داشتن, نگه می‌دارم"),
    "empire": ("imperial", "حزب امپراتوری"),
    "resistance": ("the resistance", "حزب مقاومت"),
    "income": (
        "take income, take a coin, take one coin, take a single coin, take income of one coin",
        "کسب درآمد, درآمد می‌گیرم, یک سکه برمی‌دارم, یک سکه می‌گیرم, یه سکه برمی‌دارم, درآمد معمولی",
    ),
    "foreign-aid": (
        "take foreign aid, collect foreign aid, ask for foreign aid, get foreign aid",
        "کمک‌های خارجی, دریافت کمک‌های خارجی, دریافت کمک خارجی, کمک خارجی می‌گیرم, کمک خارجی می‌خواهم,"
        " کمک خارجی می‌خوام, کمک خارجی برمی‌دارم",
    ),
    "coup": ("launch a coup, launch coup", "کودتا کردن, کودتا می‌کنم"),
    "tax": (
        "collect tax, collect taxes, taxes, taxation, collect the tax, collect my taxes,"
        " collect my tax, take tax, take taxes, take the tax",
        "جمع‌آوری مالیات, گرفتن مالیات, مالیات می‌گیرم, مالیات جمع می‌کنم, مالیات گرفتن,"
        " مالیات برمی‌دارم, مالیات بگیرم, مالیات می‌خواهم, مالیات جمع کردن, مالیاتم را می‌گیرم,"
        " مالیاتو می‌گیرم, مالیاتو بگیرم",
    ),
    "assassinate": (
        "assassination, kill, murder, send the assassin, send my assassin, send assassin",
        "سوءقصد, سوءقصد به جان, سوءقصد می‌کنم, سوء قصد, ترور, ترور کردن, ترور می‌کنم, آدم‌کشی می‌کنم",
    ),
    "steal": (
        ", ".join(
            (
                "rob, extort, steals, stealing, robbing",
                *(f"{verb} {coins}" for verb in _TAKING for coins in _ANOTHERS_COINS),
            )
        ),
        "باج گرفتن, باج می‌گیرم, باج‌گیری می‌کنم, دزدی, دزدیدن, دزدی می‌کنم, سرقت, باج بگیرم, می‌دزدم,"
        " دزدی از, سکه می‌دزدم, دو سکه می‌دزدم, باج",
    ),
    "exchange": (
        ", ".join(
            ("draw cards", *(f"{verb} {cards}" for verb in _CHANGING for cards in ("cards", "my cards", "two cards")))
        ),
        "معاوضه می‌کنم, معاوضه کردن, معاوضهٔ کارت‌ها, کارت‌هایم را عوض می‌کنم, کارت‌هامو عوض می‌کنم,"
        " کارت عوض می‌کنم, تعویض, کارت‌ها را عوض می‌کنم, تعویض کارت, تعویض کارت‌ها, معاوضهٔ کارت,"
        " کارتامو عوض می‌کنم, کارتام رو عوض می‌کنم, کارت‌هام رو عوض می‌کنم, کارت‌هام را عوض می‌کنم,"
        " کارت‌هایم رو عوض می‌کنم, کارت‌هام رو عوض کنم, کارتام رو عوض کنم, کارتامو عوض کنم, کارت‌هامو عوض کنم",
    ),
    "examine": ("inspect, investigate, look at", "بازرسی می‌کنم, بازرسی کردن"),
    "convert": (
        "change party, change my party, switch sides, change sides, conversion",
        "چرخش سیاست, تغییر حزب, حزبم را عوض می‌کنم, چرخش می‌کنم",
    ),
    "embezzle": ("embezzlement, take the reserve", "اختلاس می‌کنم, اختلاس کردن"),
    "duke": ("", "دوک, بزرگ‌زاده‌م, بزرگ‌زاده‌ام"),
    "assassin": ("", "قاتل"),
    "captain": ("", "کاپیتان, فرمانده‌م, فرمانده‌ام"),
    "ambassador": ("", "سفیر, سفیرم"),
    "contessa": ("countess", "کنتس, شاهدختم"),
    "inquisitor": ("", "بازرس"),
}


def _synonyms() -> dict[str, tuple[str, ...]]:
    found: dict[str, list[str]] = {}
    for word, persian in PERSIAN.items():
        ways = ", ".join((word, persian, *_WRITTEN[word])).split(", ")
        for way in filter(None, map(str.strip, ways)):
            for typed in dict.fromkeys((way, way.replace("'", ""))):
                found.setdefault(typed, []).append(word)
    return {way: tuple(dict.fromkeys(words)) for way, words in found.items()}


SYNONYMS: Final[Mapping[str, tuple[str, ...]]] = _synonyms()
"""Every way to write a word of the notation, with the words that it may mean."""
