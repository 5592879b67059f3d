"""The validation of players' names, and of the names of other objects.

Players write names in moves (``steal Maryam``), so a name must never read as notation: not as a number, a word of any
game, or another player's name. It must not look like another name (``accounts.profile.lookalikes``), or pass for the
server (``accounts.profile.reserved_names``).
"""

import unicodedata
from functools import cache
from typing import Final

from django.core.exceptions import ValidationError
from django.utils.translation import gettext_lazy as _

from accounts.profile import game_words
from accounts.profile.lookalikes import LUNATE_SIGMAS
from accounts.profile.reserved_names import is_reserved
from games.engine import reading
from games.engine.phrases import fold_letters
from notifications.content.contact_details import find_contact

LONGEST: Final = 40
# The number of marks that may stand on one letter. Vietnamese and Arabic need two.
_MOST_MARKS: Final = 2
_MARKS: Final = ("Mn", "Me")

_ENGLISH: Final = """
    plan plans cancel else next-turn ask less ask-less ask-all
    resign yes chat join no never name again back seat all everyone spectator server timeout darbar
    pause agree decline resume day days help rules games status new rematch seek invite leave vacation sleep mails stop
    start
    me you him her it them this that someone somebody nobody please thanks hi hello
    confirm yep commands settings game mail email e-mail e-mails emails unsubscribe subscribe daily once every
    immediately off
    answer option number pass accept believe bluff doubt kill reveal discard
"""
_PERSIAN: Final = """
    انصراف بله نه خیر هرگز گفتگو گفت‌و‌گو پیوستن برگشتم بازگشت نام صندلی تماشاگر سرور ساعت دربار
    پیش‌حرکت پیش‌حرکت‌ها لغو وگرنه نوبت-بعد کمتر بپرس
    وقفه موافقم مخالفم ادامه روز روزها راهنما قوانین بازی‌ها وضعیت تازه دوباره دعوت ترک مرخصی خواب ایمیل‌ها توقف شروع
    من تو او ما شما آن‌ها این آن کسی هیچ‌کس لطفا ممنون سلام پاسخ گزینه شماره قبول بلوف ترور سوءقصد دزدی اقدام‌متقابل
    هم‌بازی پایان بازی میز جدید روزانه فوری هفته تأیید تایید آره ایمیل هر هیچ خاموش
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
    words = {*(_ENGLISH + _PERSIAN).split(), *game_words.notation_words()}
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
            _("A name has at most %(longest)s characters."), code="name-too-long", params={"longest": LONGEST}
        )
    if not all((character.isprintable() and character not in _BLANK) or character in _JOINERS for character in name):
        raise ValidationError(_("A name needs letters that can be seen."), code="name-unprintable")
    if not any(character.isalpha() for character in name):
        raise ValidationError(
            _("A name has at least one letter: a number alone is read as a move."), code="name-number"
        )
    if _has_piled_marks(name):
        raise ValidationError(
            _("A letter of a name may have at most %(most)s marks."), code="name-marks", params={"most": _MOST_MARKS}
        )
    validate_no_contact(name)
    if _is_notation(name):
        raise ValidationError(
            _("“%(name)s” is a word that moves are written with. Choose another name."),
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
                "“%(part)s” reads as a link, an address or a phone number. Leave it out of the name. In a name such as "
                "“St. John” write a blank after the dot."
            ),
            code="name-contact",
            params={"part": contact},
        )


def taken_message() -> ValidationError:
    """Return the error about a name that belongs to another account."""
    return ValidationError(_("This name is taken. Choose another one."), code="name-taken")


def lookalike_message() -> ValidationError:
    """Return the error about a name that looks like the name of another account."""
    return ValidationError(_("This name looks like one that is taken. Choose another one."), code="name-look-alike")


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
