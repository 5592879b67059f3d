"""Folding of letters and digits, for comparing names and notation."""

import re
import unicodedata
from typing import Final

_UNSEEN: Final = re.compile("[\u200b-\u200f\u061c\u2066-\u2069\u202a-\u202c\ufeff\u00ad\u0640\u064b-\u065f\u0670]")
_LETTERS: Final = str.maketrans("كيىأإٱآة", "کییااااه")
_DIGITS: Final = str.maketrans("۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩", "01234567890123456789")


def fold_letters(text: str) -> str:
    """Return a text with one case, one form of each letter and digit, single blanks and no full stop at the end."""
    text = _UNSEEN.sub("", unicodedata.normalize("NFC", text))
    text = " ".join(text.translate(_LETTERS).translate(_DIGITS).casefold().split())
    return text.rstrip(" .۔")
