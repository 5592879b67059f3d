"""One form of each letter and digit, for texts that are compared: names, notation."""

import re
import unicodedata
from typing import Final

_UNSEEN: Final = re.compile("[\u200b-\u200f\u061c\u2066-\u2069\u202a-\u202c\ufeff\u00ad\u0640\u064b-\u065f\u0670]")
_LETTERS: Final = str.maketrans("كيىأإٱآة", "کییااااه")
_DIGITS: Final = str.maketrans("۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩", "01234567890123456789")


def fold_letters(text: str) -> str:
    """Return a text as it is compared: one case, one form of each letter and digit, single blanks, no full stop."""
    text = _UNSEEN.sub("", unicodedata.normalize("NFC", text))
    text = " ".join(text.translate(_LETTERS).translate(_DIGITS).casefold().split())
    return text.rstrip(" .۔")
