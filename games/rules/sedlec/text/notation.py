"""The words of the notation, in both languages and as people write them."""

from typing import Final

from games.rules.sedlec.cards import KINDS

PERSIAN: Final = {
    "dig": "نبش‌قبر",
    "collect": "جمع‌آوری",
    "lay": "چیدمان",
    "take": "برداشتن",
    "left": "چپ",
    "right": "راست",
    "on": "روی",
    "royal": "اشراف‌زاده",
    "peasant": "رعیت",
    "priest": "کشیش",
    "lover": "عاشق",
    "sinner": "گناهکار",
}
"""The Persian word for each word of the notation."""

NEXT: Final = "next-turn"
PERSIAN_PLANS: Final = {NEXT: "نوبت-بعد"}
"""The Persian word for the word that only plans have."""

ENGLISH: Final = ("dig", "collect", "lay", "take", "left", "right", "on", *KINDS)

SYNONYMS: Final = (
    {word: (word,) for word in ENGLISH}
    | {persian: (word,) for word, persian in PERSIAN.items()}
    | {
        "dig up": ("dig",),
        "digging": ("dig",),
        "unearth": ("dig",),
        "exhume": ("dig",),
        "نبش قبر می‌کنم": ("dig",),
        "نبش می‌کنم": ("dig",),
        "کندن": ("dig",),
        "collect": ("collect", "take"),
        "take": ("collect", "take"),
        "pick up": ("collect", "take"),
        "pick": ("collect", "take"),
        "جمع می‌کنم": ("collect", "take"),
        "جمع کردن": ("collect", "take"),
        "می‌گیرم": ("collect", "take"),
        "برداشتن": ("collect", "take"),
        "برمی‌دارم": ("collect", "take"),
        "بر می‌دارم": ("collect", "take"),
        "place": ("lay",),
        "put": ("lay",),
        "چیدن": ("lay",),
        "می‌چینم": ("lay",),
        "می‌گذارم": ("lay",),
        "گذاشتن": ("lay",),
        "to the left": ("left",),
        "to the right": ("right",),
        "سمت چپ": ("left",),
        "سمت راست": ("right",),
        "اشراف": ("royal",),
    }
)
"""Every way to write a word of the notation, with the words that it may mean."""
