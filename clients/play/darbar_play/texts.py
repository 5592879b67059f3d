"""The words of this program in English and Persian. What a game says comes from the server, in the same language."""

from datetime import timedelta
from typing import Final

LANGUAGES: Final = ("en", "fa")
_CARDS: Final[dict[str, str]] = {
    "ambassador": "سفیر",
    "assassin": "آدم‌کش",
    "captain": "فرمانده",
    "contessa": "شاهدخت",
    "duke": "بزرگ‌زاده",
    "inquisitor": "بازرس",
    "royal": "اشراف‌زاده",
    "peasant": "رعیت",
    "priest": "کشیش",
    "lover": "عاشق",
    "sinner": "گناهکار",
}
_DIGITS: Final = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")

_TEXTS: Final[dict[str, tuple[str, str]]] = {
    "comma": (", ", "، "),
    "email": ("Email address", "نشانی ایمیل"),
    "password": ("Password", "گذرواژه"),
    "otp": ("Code of the second factor, if you have one", "کد مرحلهٔ دوم ورود، اگر دارید"),
    "log-in": ("Log in", "ورود"),
    "games": ("Games", "بازی‌ها"),
    "no-games": ("No games yet. Press n for a new one.", "هنوز بازی‌ای نیست. برای ساختن بازی n را بزنید."),
    "new": ("New game", "بازی تازه"),
    "join": ("Join", "پیوستن"),
    "language": ("فارسی", "English"),
    "back": ("Games", "بازی‌ها"),
    "seats": ("players", "بازیکن"),
    "create": ("Create", "ساختن"),
    "write": ("A move, or / and a chat message", "حرکت، یا / و پیام گفت‌وگو"),
    "wait": ("Waiting for others.", "در انتظار دیگران."),
    "choose": ("Your turn to answer:", "منتظر پاسخ شماییم:"),
    "over": ("The game is over.", "بازی تمام شد."),
    "your-turn": ("Your turn", "منتظر شما"),
    "days": ("d left", "روز مانده"),
    "hours": ("h left", "ساعت مانده"),
    "minutes": ("min left", "دقیقه مانده"),
    "you": ("you", "شما"),
    "coin": ("coin", "سکه"),
    "coins": ("coins", "سکه"),
    "hidden": ("hidden", "پنهان"),
    "out": ("out", "خارج از بازی"),
    "treasury": ("Treasury", "خزانه"),
    "piles": ("Piles", "دسته‌ها"),
    "hand": ("hand", "دست"),
    "points": ("points", "امتیاز"),
    "open": ("open", "در انتظار"),
    "starting": ("starting", "در آستانهٔ شروع"),
    "running": ("running", "در حال بازی"),
    "ended": ("over", "تمام‌شده"),
    "cancelled": ("cancelled", "لغوشده"),
}


class Texts:
    """The words in one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._column = LANGUAGES.index(language)

    def __getitem__(self, name: str) -> str:
        return _TEXTS[name][self._column]

    def card(self, card: str) -> str:
        """Return a card in words: one name, or two with a stroke between them."""
        if self.language == LANGUAGES[0]:
            return card
        return "/".join(_CARDS.get(part, part) for part in card.split("/"))

    def number(self, number: int) -> str:
        """Return a number in the digits of the language."""
        return str(number) if self.language == LANGUAGES[0] else str(number).translate(_DIGITS)

    def time_left(self, time: timedelta) -> str:
        """Return a time before a deadline in words, in its largest whole unit."""
        units = (("days", timedelta(days=1)), ("hours", timedelta(hours=1)), ("minutes", timedelta(minutes=1)))
        name, unit = next((row for row in units if time >= row[1]), units[-1])
        return f"{self.number(max(time // unit, 0))} {self[name]}"

    def coins(self, number: int) -> str:
        """Return a number of coins in words."""
        return f"{self.number(number)} {self['coin' if number == 1 else 'coins']}"

    def state(self, state: str) -> str:
        """Return the state of a game in words. An unknown state is returned unchanged."""
        name = "ended" if state == "over" else state
        return self[name] if name in _TEXTS else state

    @property
    def other(self) -> str:
        """The other language."""
        return LANGUAGES[1 - self._column]
