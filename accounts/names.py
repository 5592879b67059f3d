"""The validation of players' names, and of the names of other objects.

Players write names in moves (``steal Maryam``), so a name must never read as notation: not as a number, a word of any
game, or another player's name. It must not look like another name, or pass for the server.

Names that look alike have the same skeleton (Unicode Technical Standard 39). The similar characters come from Unicode's
own table (confusables.txt, in the package confusable-homoglyphs) and from the letters below. Unicode compares
characters in print. Readers of names are more easily misled: they take Borls for Boris and "A n n a" for Anna. So ``i``
counts as ``l``, and blanks and punctuation do not count. A few ordinary names share a skeleton for this reason, such as
Ella and Elia; ``tests/accounts/test_lookalikes.py`` lists them.

The words of the games, which names and passwords may not be, are registered when the server starts (``games/apps.py``),
because accounts cannot import games.
"""

import json
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib import resources
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.local_times import in_digits
from games.engine import reading
from games.engine.phrases import fold_letters
from notifications.content import find_contact

LONGEST: Final = 40
# The number of marks that may stand on one letter. Vietnamese and Arabic need two.
_MOST_MARKS: Final = 2
_MARKS: Final = ("Mn", "Me")

_ENGLISH: Final = """
    plan plans cancel else next-turn ask less ask-less ask-all
    resign yes chat join no never name again back seat all everyone spectator server timeout darbar
    pause agree decline resume day days help rules games status new rematch seek invite leave vacation sleep mails stop
    start searches write
    me you him her it them this that someone somebody nobody please thanks hi hello
    confirm yep commands settings game mail email e-mail e-mails emails unsubscribe subscribe daily once every
    immediately off time zone send language block unblock report data delete account address sign register
    answer option number pass accept believe bluff doubt kill reveal discard
"""
_PERSIAN: Final = """
    انصراف بله نه خیر هرگز گفتگو گفت‌و‌گو پیوستن برگشتم بازگشت نام صندلی تماشاگر سرور ساعت دربار
    پیش‌حرکت پیش‌حرکت‌ها لغو وگرنه نوبت-بعد پرسش پرسش‌ها کمتر بپرس
    وقفه موافقم مخالفم ادامه روز روزها راهنما قوانین بازی‌ها وضعیت تازه دوباره دعوت ترک مرخصی خواب ایمیل‌ها توقف شروع
    من تو او ما شما آن‌ها این آن کسی هیچ‌کس لطفا ممنون سلام پاسخ گزینه شماره قبول بلوف ترور سوءقصد دزدی اقدام‌متقابل
    زبان منطقه منطقهٔ مسدود گزارش داده‌ها داده‌های حذف نشانی ثبت‌نام
    هم‌بازی جست‌وجوها پایان بازی میز جدید روزانه فوری هفته تأیید تایید آره ایمیل هر هیچ خاموش
    همه
"""

_JOINERS: Final = "\u200c\u200d"
# Invisible characters that Unicode calls printable.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
# Marks that stand behind symbols and choose their form.
_VARIANTS: Final = frozenset("\ufe0e\ufe0f")


@cache
def notation() -> reading.Vocabulary:
    """Return every word of the notation of all games in both languages, and of the commands in emails."""
    words = {*(_ENGLISH + _PERSIAN).split(), *notation_words()}
    return reading.Vocabulary({word: word for word in sorted(words)})


def tidy(name: str) -> str:
    """Return the stored form of a name: one form of each letter, single blanks, none at the ends."""
    return " ".join(unicodedata.normalize("NFKC", name.translate(LUNATE_SIGMAS)).split())


def fold(name: str) -> str:
    """Return a name in the form in which names are compared, which is how the notation reads it. Accepts any text."""
    return fold_letters(tidy(name))


def validate_name(name: str) -> None:
    """Raise ValidationError with the reason if ``name`` is not allowed."""
    if len(tidy(name)) > LONGEST:
        raise ValidationError(
            _("A name can have at most %(longest)s characters."),
            code="name-too-long",
            params={"longest": in_digits(str(LONGEST))},
        )
    if not all((character.isprintable() and character not in _BLANK) or character in _JOINERS for character in name):
        raise ValidationError(_("A name needs visible letters."), code="name-unprintable")
    if not any(character.isalpha() for character in name):
        raise ValidationError(
            _("A name needs at least one letter: a number alone would be read as a move."), code="name-number"
        )
    if _has_piled_marks(name):
        raise ValidationError(
            _("A letter in a name can have at most %(most)s accents or other marks."),
            code="name-marks",
            params={"most": in_digits(str(_MOST_MARKS))},
        )
    validate_no_contact(name)
    if _is_notation(name):
        raise ValidationError(
            _("“%(name)s” is a word used for moves. Choose another name."),
            code="name-notation",
            params={"name": name},
        )
    if is_reserved(tidy(name)):
        raise ValidationError(
            _("“%(name)s” could be mistaken for the server, its moderators or its bots. Choose another name."),
            code="name-reserved",
            params={"name": name},
        )


def validate_no_contact(name: str) -> None:
    """Raise ValidationError if a name contains a link, an address or a phone number.

    Names occur in emails that this server sends to strangers.
    """
    if contact := find_contact(name):
        raise ValidationError(
            _(
                "“%(part)s” looks like a link, an address or a phone number. Leave it out of the name. In a name such "
                "as “St. John”, put a space after the dot."
            ),
            code="name-contact",
            params={"part": contact},
        )


def taken_message() -> ValidationError:
    """Return the error about a name that belongs to another account."""
    return ValidationError(_("This name is taken. Choose another one."), code="name-taken")


def lookalike_message() -> ValidationError:
    """Return the error about a name that looks like the name of another account."""
    return ValidationError(_("This name looks like one that’s taken. Choose another one."), code="name-look-alike")


def _has_piled_marks(name: str) -> bool:
    """Return True if a letter has more marks than a language needs, or if the first character is a mark."""
    row = 0
    for number, character in enumerate(tidy(name)):
        row = row + 1 if unicodedata.category(character) in _MARKS and character not in _VARIANTS else 0
        if row > _MOST_MARKS or (row and not number):
            return True
    return False


def _is_notation(name: str) -> bool:
    """Return True if a move could begin with this name, or consist of it."""
    return notation().tokens(fold(name), {}) is not None


# Invisible characters: joiners, directions, fillers, variants.
_UNSEEN: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\U000e0000-\U000e0fff]"
)
# Marks that are easily overlooked on a letter. Marks of other scripts make different letters.
_ACCENTS: Final = re.compile("[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f\u064b-\u065f\u0670]")
# Letters that the table treats as similar because of their dots. Names differ by them: پریا, ثریا.
_KEPT: Final = frozenset("پث")
# Greek letters that look like C. Unicode's compatibility form (NFKC) turns them into sigmas, which do not.
LUNATE_SIGMAS: Final = str.maketrans("ϹϲϽͻϾͼϿͽ", "CcCcCcCc")
# Cyrillic and Greek letters, and results of Unicode's table, with the Latin letters that they look like.
_MORE: Final = str.maketrans("ʙβƅꞓєεɛʜκĸʍμηπᴎяᴛτцχζɯшщω", "bbbeeeehkkmunnnrttuxzwwww")
# Two letters that look like one.
_PAIRS: Final = (("rn", "m"), ("vv", "w"), ("cl", "d"))
# Matches the Unicode names of letters with a bar or a hook, of small capitals, and of letters in circles and flags.
_DRAWN: Final = re.compile(
    r"LATIN SMALL LETTER ([A-Z])(?: WITH .+)?|"
    r"(?:LATIN LETTER SMALL CAPITAL|NEGATIVE (?:CIRCLED|SQUARED) LATIN CAPITAL LETTER|REGIONAL INDICATOR SYMBOL LETTER)"
    r" ([A-Z])"
)
# Categories of characters that do not distinguish names.
_IGNORED: Final = ("Z", "P", "C")


def skeleton(name: str) -> str:
    """Return the form that all names which look like this one share. It has no blanks."""
    text = unicodedata.normalize("NFKD", _UNSEEN.sub("", name.translate(LUNATE_SIGMAS)))
    text = "".join(map(_look_of_capital, _ACCENTS.sub("", text)))
    text = _ACCENTS.sub("", unicodedata.normalize("NFD", fold_letters(text)))
    text = _ACCENTS.sub("", unicodedata.normalize("NFD", "".join(map(_look, text)))).translate(_MORE).casefold()
    text = "".join(letter for letter in text if not unicodedata.category(letter).startswith(_IGNORED))
    for pair, letter in _PAIRS:
        text = text.replace(pair, letter)
    return text.replace("i", "l")  # not before: "ci" does not look like d


def _look_of_capital(letter: str) -> str:
    """Return the Latin capital that a capital looks like.

    It must be looked up before case folding: a Greek Η looks like H, but its small letter η looks like n.
    """
    look = _look(letter) if letter.isupper() else letter
    return look if len(look) == 1 and look.isascii() else letter


@cache
def _look(letter: str) -> str:
    """Return the letter or letters that a letter looks like."""
    table = _prototypes()
    if letter not in table and (base := _DRAWN.fullmatch(unicodedata.name(letter, ""))):
        letter = (base[1] or base[2]).lower()
    return table.get(letter, letter)


@cache
def _prototypes() -> dict[str, str]:
    """Return a mapping from each character to the character or characters that it looks like.

    The package's file lists for each character all similar ones, in both directions. A character with a single similar
    one, which in turn has several, maps to that one. Of two characters that look like each other alone, the higher maps
    to the lower.
    """
    raw = json.loads(resources.files("confusable_homoglyphs").joinpath("confusables.json").read_text("utf-8"))
    alike: dict[str, set[str]] = defaultdict(set)
    for character, others in raw.items():
        alike[_bare(character)].update(_bare(other["c"]) for other in others)
    prototypes = {}
    for character, others in alike.items():
        if len(character) == len(others) == 1 and character not in _KEPT:
            (other,) = others
            if len(alike[other]) > 1 or len(other) > 1 or other < character:
                prototypes[character] = other
    return prototypes


def _bare(text: str) -> str:
    """Return a character without the direction marks that the file puts around right-to-left characters."""
    return text.replace("\u200e", "")


# Words that may not occur in any name.
_ANYWHERE: Final = """
    darbar moderator moderators admin admins administrator administrators sysadmin superuser webmaster postmaster
    mailer-daemon noreply
    دربار داربار ناظر ناظران ادمین
"""
# Words that may not make up a whole name.
_ALONE: Final = """
    mod mods operator operators support staff team system root security abuse official help helpdesk service
    bot bots the of server
    jazari heron ktesibios vaucanson maillardet kempelen pygmalion talos galatea olimpia coppelia tik tok
    جزری هرون کتسیبیوس ووکانسون مایارده کمپلن پیگمالیون تالوس گالاتیا اولیمپیا کوپلیا تیک تاک
    مدیر مدیران مدیریت سرپرست ناظر گرداننده پشتیبان پشتیبانی تیم سیستم سامانه رسمی اپراتور راهنما ربات ربات‌ها بات خدمات
    سرور
"""
_LEET: Final = str.maketrans("34579", "eastg")
_WORDS: Final = re.compile(r"[^\W_]+")
_CAMEL: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_DIGITS: Final = re.compile(r"^\d+|\d+$")


def is_reserved(name: str) -> bool:
    """Return True if a tidy name could be mistaken for an account of the server, or for one of its bots."""
    words = _WORDS.findall(_CAMEL.sub(" ", name))
    reserved = _reserved() | _forbidden()
    if _key("".join(words)) in reserved or any(_keys(run) & _forbidden() for run in _runs(words)):
        return True
    return bool(words) and all(word.isdigit() or _keys(word) & reserved for word in words)


def _runs(words: list[str]) -> Iterator[str]:
    """Yield the words that neighbouring words make without the blanks between them, such as "Mod erator"."""
    for first in range(len(words)):
        for last in range(first, len(words)):
            yield "".join(words[first : last + 1])


def _keys(word: str) -> frozenset[str]:
    """Return the possible readings of a word: with digits read as letters, and without digits at its ends."""
    return frozenset((_key(word), _key(_DIGITS.sub("", word)))) - {""}


def _key(word: str) -> str:
    return skeleton(word).translate(_LEET)


def _keys_of(words: str) -> frozenset[str]:
    return frozenset(_key("".join(_WORDS.findall(word))) for word in words.split())


@cache
def _forbidden() -> frozenset[str]:
    return _keys_of(_ANYWHERE)


@cache
def _reserved() -> frozenset[str]:
    return _keys_of(_ALONE)


_SHORT: Final = 3
_notation: Final[list[Callable[[], Iterable[str]]]] = []
_titles: Final[list[Callable[[], Iterable[str]]]] = []


def register(notation: Callable[[], Iterable[str]], titles: Callable[[], Iterable[str]]) -> None:
    """Register a function that returns the words of the games' notation, and one that returns their titles."""
    _notation.append(notation)
    _titles.append(titles)


@cache
def notation_words() -> frozenset[str]:
    """Return the words of the notation of all games."""
    return frozenset(word for source in _notation for word in source())


@cache
def title_words() -> tuple[str, ...]:
    """Return the words of the games' titles with more than three letters."""
    titles = [title.casefold() for source in _titles for title in source()]
    return tuple(sorted({word for title in titles for word in title.split() if len(word) > _SHORT}))
